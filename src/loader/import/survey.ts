import { readAsGenBank } from '../../bio/annotation/embl.ts'
import { organelleOfName } from '../../bio/sequence/chromosome-order.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { nameKinds } from '../../database/genes.ts'
import { GeneNames } from '../../kit/data/genes/gene-names.ts'
import { readGenomeText } from '../../store/genome-text.ts'
import { readTextBytes } from '../text-file.ts'
import { splitOrganism } from './names.ts'
import type { InputFile, SequenceFacts } from './recogniser.ts'

/** Names that are kept of a file: beyond it a genome is in scaffolds, and those tell as well as all would. */
const keptNames = 200_000
const keptHeader = 500
const shownSequences = 100

export interface SequenceSurvey {
  /** Names of the sequences, the first 200,000. */
  names: string[]
  count: number
  totalBp: number
  /** The first sequences, for whoever looks at what was recognised. */
  first: { name: string; lengthBp: number }[]
  /** What headers say of single sequences. */
  special: Map<string, SequenceFacts>
  /** What the first header says, as archives write it. */
  organism: { species: string; strain: string | null } | null
}

const organelleWords: [RegExp, 'mitochondrion' | 'plastid'][] = [
  [/\bmitochondri(on|al|a)\b/i, 'mitochondrion'],
  [/\b(chloroplast|plastid|apicoplast)\b/i, 'plastid'],
]

/** The organism in a header as INSDC writes it: `NC_001133.9 Saccharomyces cerevisiae S288C chromosome I, complete sequence`. */
export const readHeaderOrganism = (header: string): SequenceSurvey['organism'] => {
  const [, organism] =
    /^\S+\s+((?:Candidatus )?[A-Z][a-z]+ (?:[a-z][a-z-]{2,}|sp\.)(?: [^,]+?)?)(?:,| (?:isolate|strain|chromosome|plasmid|mitochondrion|chloroplast|plastid|scaffold|contig|linkage group|unplaced|unlocalized|genome assembly|genomic|whole genome|complete)\b)/.exec(
      header,
    ) ?? []
  if (organism === undefined) return null
  const strain = /\bstrain[ =:]\s*([^\s,]+)/.exec(header)?.[1]
  return splitOrganism(organism, strain)
}

/** What the header of a sequence says of it, by its name or by the words behind it; null when nothing is special. */
export const readHeaderFacts = (header: string): SequenceFacts | null => {
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(header) ?? []
  // A scaffold that was assigned to an organelle is none of its own code: only whole molecules are told so.
  const partial = /\b(scaffold|contig|unplaced|unlocalized|fragment|gene|insertion)\b/i.test(rest)
  const organelle =
    organelleOfName(name) ?? (partial ? null : (organelleWords.find(([words]) => words.test(rest))?.[1] ?? null))
  const plasmid = organelle === null && !partial && (/\bplasmid\b/i.test(rest) || /plasmid-name=/.test(rest))
  const circular = /\b(circular|topology)=(true|circular)\b/i.test(rest)
  const chromosome = /\[location=chromosome\]|\[completeness=complete\]/.test(rest)
  if (organelle === null && !plasmid && !circular && !chromosome) return null
  return {
    name,
    ...(organelle !== null ? { role: 'organelle' as const, organelle } : plasmid ? { role: 'plasmid' as const } : {}),
    ...(circular ? { circular: true } : {}),
  }
}

/** Names, number and length of the sequences of a FASTA or 2bit file, read once from start to end. */
export const surveyFasta = async (file: InputFile, signal: AbortSignal): Promise<SequenceSurvey> => {
  const survey: SequenceSurvey = { names: [], count: 0, totalBp: 0, first: [], special: new Map(), organism: null }
  let header: string | null = null
  let begun = { name: '', at: 0 }
  const endSequence = (): void => {
    if (survey.count > 0 && survey.first.length < shownSequences)
      survey.first.push({ name: begun.name, lengthBp: survey.totalBp - begun.at })
  }
  let atLineStart = true
  const end = (text: string): void => {
    endSequence()
    begun = { name: JSON.parse(JSON.stringify(/^\S*/.exec(text)![0])) as string, at: survey.totalBp }
    if (survey.count === 0) survey.organism = readHeaderOrganism(text.trimEnd())
    survey.count += 1
    const facts = readHeaderFacts(text.trimEnd())
    if (survey.names.length < keptNames) survey.names.push(begun.name)
    if (facts !== null && survey.special.size < keptNames) survey.special.set(facts.name, facts)
  }
  for await (const piece of readGenomeText(file.absolute)) {
    signal.throwIfAborted()
    let at = 0
    while (at < piece.length) {
      const found = piece.indexOf(10, at)
      const stop = found === -1 ? piece.length : found
      if (header !== null) {
        if (header.length < keptHeader) header += piece.toString('utf8', at, Math.min(stop, at + keptHeader))
      } else if (atLineStart && piece[at] === 62)
        header = piece.toString('utf8', at + 1, Math.min(stop, at + keptHeader))
      else survey.totalBp += stop - at - (stop > at && piece[stop - 1] === 13 ? 1 : 0)
      atLineStart = found !== -1
      if (atLineStart && header !== null) {
        end(header)
        header = null
      }
      at = stop + 1
    }
  }
  if (header !== null) end(header)
  endSequence()
  return survey
}

export interface GeneSurvey {
  /** Names of sequences that features or records are on. */
  names: Set<string>
  /** Names of the genes, their transcripts and proteins: whether one is among them, not whose it is. */
  genes: GeneNames
  /** Which genetic codes the coding sequences of each sequence are said to have, by how many. */
  codes: Map<string, Map<number, number>>
  special: Map<string, SequenceFacts>
  organism: string | null
  strain: string | null
  taxonId: number | null
  /** The file has the sequences too. */
  hasSequences: boolean
  /** Programs of the second column, by lines. */
  programs: Map<string, number>
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const attribute = (attributes: string, key: string): string | null => {
  const found = new RegExp(`(?:^|;)\\s*${key}=([^;]*)`).exec(attributes)
  return found === null ? null : decoded(found[1]!)
}

/** Features that genes are made of; those that are no gene, transcript or protein themselves name these as their parents. */
const modelType = /gene|RNA|transcript|CDS|codon|exon|UTR/
const partType = /^(exon|intron|.*codon|.*UTR)$/
const nameKey =
  /(?:^|;)\s*(ID|Name|Parent|Alias|locus_tag|old_locus_tag|gene|gene_id|gene_name|gene_synonym|transcript_id|protein_id)[= ]"?([^;"]+)/g

const emptySurvey = (): GeneSurvey => ({
  names: new Set(),
  genes: new GeneNames(),
  codes: new Map(),
  special: new Map(),
  organism: null,
  strain: null,
  taxonId: null,
  hasSequences: false,
  programs: new Map(),
})

/** What GFF3, GTF, GenBank or EMBL says beside its genes: names and codes of sequences, the organism, whether sequences are in it. */
export const surveyGenes = async (file: InputFile, signal: AbortSignal): Promise<GeneSurvey> => {
  const survey = emptySurvey()
  const addCode = (name: string, code: number): void => {
    const codes = survey.codes.get(name) ?? new Map<number, number>()
    codes.set(code, (codes.get(code) ?? 0) + 1)
    survey.codes.set(name, codes)
  }
  const special = (name: string, facts: Omit<SequenceFacts, 'name'>): void => {
    survey.special.set(name, { ...survey.special.get(name), name, ...facts })
  }
  const addGene = (id: string): void => {
    if (id !== '') survey.genes.add(id, [{ name: id, kind: nameKinds.identifier }])
  }
  let lastAttributes = ''
  const addGenes = (type: string, attributes: string): void => {
    if (attributes === lastAttributes || !modelType.test(type)) return
    lastAttributes = attributes
    // BRAKER writes bare identifiers.
    if (/^[^\s=;]+$/.test(attributes)) addGene(attributes)
    for (const [, key, value] of attributes.matchAll(nameKey)) {
      if (partType.test(type) && (key === 'ID' || key === 'Name')) continue
      for (const one of value!.split(',')) addGene(one.includes('%') ? decoded(one) : one.trim())
    }
  }
  const addGenome = (name: string, genome: string): void => {
    if (/^mitochondri/i.test(genome)) special(name, { role: 'organelle', organelle: 'mitochondrion' })
    else if (/plast$|^plastid/i.test(genome)) special(name, { role: 'organelle', organelle: 'plastid' })
    else if (/^plasmid$/i.test(genome)) special(name, { role: 'plasmid' })
  }

  const featureLine = (line: string): void => {
    if (survey.hasSequences || line === '') return
    if (line.startsWith('#')) {
      if (/^##FASTA/i.test(line)) survey.hasSequences = true
      const organism =
        /^#\s*(?:organism|species)\s*:?\s+(\S.*)$/i.exec(line) ?? /^##species\s+([A-Z][a-z]+ .*)$/.exec(line)
      if (organism) survey.organism ??= organism[1]!.trim()
      const taxon = /wwwtax\.cgi\?id=(\d+)/.exec(line)
      if (taxon) survey.taxonId ??= Number(taxon[1])
      return
    }
    if (line.startsWith('>')) {
      survey.hasSequences = true
      return
    }
    const cells = line.split('\t')
    const [name, program, type] = cells
    if (cells.length < 8 || name === undefined) return
    if (survey.names.size < keptNames && !survey.names.has(name))
      survey.names.add(JSON.parse(JSON.stringify(name)) as string)
    if (survey.programs.size < 50 || survey.programs.has(program!))
      survey.programs.set(program!, (survey.programs.get(program!) ?? 0) + 1)
    const attributes = cells[8] ?? ''
    addGenes(type!, attributes)
    if (type === 'CDS') {
      const code = /transl_table[= ]"?(\d+)/.exec(attributes)
      if (code) addCode(name, Number(code[1]))
    } else if (type === 'region' || type === 'source' || type === 'chromosome') {
      if (/Is_circular=true/i.test(attributes)) special(name, { circular: true })
      const genome = attribute(attributes, 'genome')
      if (genome !== null) addGenome(name, genome)
      survey.strain ??= attribute(attributes, 'strain')
      const taxon = /(?:Dbxref|db_xref)=[^;]*taxon:(\d+)/.exec(attributes)
      if (taxon) survey.taxonId ??= Number(taxon[1])
    }
  }

  let name = ''
  const recordLine = (line: string): void => {
    if (line.startsWith('LOCUS ')) {
      name = line.split(/\s+/)[1] ?? ''
      survey.names.add(name)
      if (/\scircular\s/.test(line)) special(name, { circular: true })
    } else if (line.startsWith('VERSION ')) {
      const version = line.split(/\s+/)[1]
      if (version) survey.names.add(version)
    } else if (line.startsWith('  ORGANISM')) survey.organism ??= line.slice(12).trim()
    else if (line.startsWith('ORIGIN')) survey.hasSequences = true
    else if (line.startsWith('                     /')) {
      const [, key, value = ''] = /^\s+\/(\w+)(?:="?([^"]*))?/.exec(line) ?? []
      if (key === 'locus_tag' || key === 'old_locus_tag' || key === 'gene' || key === 'protein_id') addGene(value)
      if (key === 'transl_table') addCode(name, Number(value))
      else if (key === 'organelle') addGenome(name, value.split(':').at(-1)!)
      else if (key === 'plasmid') special(name, { role: 'plasmid' })
      else if (key === 'strain') survey.strain ??= value
      else if (key === 'db_xref' && value.startsWith('taxon:')) survey.taxonId ??= Number(value.slice(6))
    }
  }

  // What is wrong with the file is told by whoever loads it.
  const log = new DefectLog(0)
  const onLine =
    file.format === 'embl' ? readAsGenBank(recordLine) : file.format === 'genbank' ? recordLine : featureLine
  const reader = new LineReader({ file: file.path, log, onLine })
  const onBytes = (bytes: Uint8Array): void => {
    // Behind the features the sequences are not asked for, whose lines may be as long as chromosomes.
    if (onLine !== featureLine || !survey.hasSequences) reader.push(bytes)
  }
  await readTextBytes(file.absolute, file.path, log, onBytes, signal)
  reader.end()
  return survey
}

/** The code that most coding sequences of a map have; null when none is told. */
export const mostFrequentCode = (codes: ReadonlyMap<number, number> | undefined): number | null => {
  const [first] = [...(codes ?? [])].sort((a, b) => b[1] - a[1])
  return first?.[0] ?? null
}
