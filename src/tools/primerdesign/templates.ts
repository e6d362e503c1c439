import {
  chooseRepresentative,
  type OrientedInterval,
  readCodingParts,
  readExons,
} from '../../bio/annotation/gene-geometry.ts'
import { parseFastaText } from '../../bio/sequence/fasta.ts'
import { listIllegalLetters } from '../../bio/sequence/illegal-letters.ts'
import { parseRegions } from '../../bio/sequence/region.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { createNamer } from '../../bio/text/unique-names.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { locusMessage } from '../../contracts/region.ts'
import type { StoredTranscript } from '../../database/genes.ts'
import { listAssembliesOfPlaces } from '../../kit/data/find-assembly.ts'
import { findLocus } from '../../kit/data/find-locus.ts'
import type { CatalogueGene, GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { readMarks, type TemplateInterval, type TemplatePosition } from './intervals.ts'
import { type Design, limits, type Note, type PrimerInput } from './tool.ts'

export type Block = Design['blocks'][number]

/** What primers are designed on. */
export interface Template {
  name: string
  bases: string
  assembly: string | null
  gene: CatalogueGene | null
  transcript: StoredTranscript | null
  part: Design['part']
  blocks: Block[]
  features: Design['features']
  /** Last template base before each exon junction; only of spliced templates. */
  junctions: number[]
  marked: { targets: TemplateInterval[]; excluded: TemplateInterval[]; included: TemplateInterval | null }
  notes: Note[]
}

export interface TemplateProblem extends Note {
  query: string
}

const noMarks = (): Template['marked'] => ({ targets: [], excluded: [], included: null })

/** Genomic pieces of a segment of the template, ascending; empty for a pasted sequence. */
export const placeSegment = (
  blocks: readonly Block[],
  start: number,
  end: number,
): { start: number; end: number; strand: '+' | '-' }[] =>
  blocks
    .flatMap((block): { start: number; end: number; strand: '+' | '-' }[] => {
      const from = Math.max(start, block.start)
      const to = Math.min(end, block.end)
      if (from > to) return []
      return block.strand === '-'
        ? [
            {
              start: block.genomeEnd - (to - block.start),
              end: block.genomeEnd - (from - block.start),
              strand: block.strand,
            },
          ]
        : [
            {
              start: block.genomeStart + from - block.start,
              end: block.genomeStart + to - block.start,
              strand: block.strand,
            },
          ]
    })
    .sort((a, b) => a.start - b.start)

/** Where a genomic segment lies on the template; null when none of it does. What lies beyond is cut. */
export const placeOnTemplate =
  (blocks: readonly Block[]): TemplatePosition =>
  (sequence, start1, end1) => {
    const parts = blocks.flatMap((block) => {
      const from = Math.max(Math.min(start1, end1), block.genomeStart)
      const to = Math.min(Math.max(start1, end1), block.genomeEnd)
      if (block.sequence !== sequence || from > to) return []
      return block.strand === '-'
        ? [{ start: block.start + block.genomeEnd - to, end: block.start + block.genomeEnd - from }]
        : [{ start: block.start + from - block.genomeStart, end: block.start + to - block.genomeStart }]
    })
    return parts.length === 0
      ? null
      : { start: Math.min(...parts.map((one) => one.start)), end: Math.max(...parts.map((one) => one.end)) }
  }

const blocksOf = (pieces: readonly OrientedInterval[], sequence: string): Block[] => {
  let at = 0
  return pieces.map(({ start1, end1, strand }) => {
    const start = at + 1
    at += end1 - start1 + 1
    return { start, end: at, sequence, genomeStart: start1, genomeEnd: end1, strand }
  })
}

/** Genomic segments on the template, as features of a kind. */
const featuresOf = (
  blocks: readonly Block[],
  sequence: string,
  intervals: readonly { start1: number; end1: number }[],
  kind: Design['features'][number]['kind'],
): Design['features'] => {
  const find = placeOnTemplate(blocks)
  return intervals
    .flatMap(({ start1, end1 }) => find(sequence, start1, end1) ?? [])
    .map((one) => ({ ...one, kind }))
    .sort((a, b) => a.start - b.start)
}

const readPieces = async (
  data: PortalData,
  assembly: string,
  sequence: string,
  pieces: readonly OrientedInterval[],
): Promise<string> => {
  const parts: string[] = []
  for (const { start1, end1, strand } of pieces) {
    const bases = await data.fetchSequence(assembly, sequence, start1, end1)
    parts.push(strand === '-' ? reverseComplement(bases, { rna: false }) : bases)
  }
  return parts.join('')
}

/** The template of a gene: its span with flanks on its strand, or the spliced exons or coding parts of its representative transcript. */
const templateOfGene = async (
  gene: CatalogueGene,
  query: string,
  input: Pick<PrimerInput, 'part' | 'flankBp'>,
  sequence: GenomeSequence,
  data: PortalData,
): Promise<Template | TemplateProblem> => {
  const wanted = query.toLowerCase()
  const typed = gene.transcripts.find(
    (one) => one.id.toLowerCase() === wanted || one.proteinId?.toLowerCase() === wanted,
  )
  const isGeneName = [gene.id, gene.symbol, ...gene.aliases].some((name) => name?.toLowerCase() === wanted)
  const transcript = (isGeneName ? undefined : typed) ?? chooseRepresentative(gene.transcripts)
  const strand = gene.strand === '-' ? '-' : '+'
  const notes: Note[] = []
  let pieces: OrientedInterval[]
  if (input.part === 'gene') {
    const outside = sequence.circular
      ? Math.max(0, Math.min(input.flankBp, Math.floor((sequence.lengthBp - (gene.end - gene.start + 1)) / 2)))
      : input.flankBp
    let start1 = gene.start - outside
    let end1 = gene.end + outside
    if (sequence.circular) {
      // Before the origin: the same bases one round later.
      if (start1 < 1) {
        start1 += sequence.lengthBp
        end1 += sequence.lengthBp
      }
    } else {
      if (start1 < 1 || end1 > sequence.lengthBp) notes.push({ id: 'note.edge', params: { sequence: sequence.name } })
      start1 = Math.max(1, start1)
      end1 = Math.min(sequence.lengthBp, end1)
    }
    pieces = [{ start1, end1, strand }]
  } else {
    if (transcript === null) return { query, id: 'reason.no-transcript', params: {} }
    pieces = input.part === 'cds' ? readCodingParts(transcript, gene.strand) : readExons(transcript, gene.strand)
    if (pieces.length === 0) return { query, id: 'reason.no-cds', params: {} }
  }
  const lengthBp = pieces.reduce((sum, one) => sum + one.end1 - one.start1 + 1, 0)
  if (lengthBp > limits.templateBp)
    return { query, id: 'reason.too-long', params: { length: lengthBp, maximum: limits.templateBp } }
  const blocks = blocksOf(pieces, gene.sequence)
  const coding = transcript === null ? [] : readCodingParts(transcript, gene.strand)
  const exons = transcript === null ? [] : readExons(transcript, gene.strand)
  return {
    name: gene.id,
    bases: await readPieces(data, gene.assembly, gene.sequence, pieces),
    assembly: gene.assembly,
    gene,
    transcript,
    part: input.part,
    blocks,
    features: [
      ...featuresOf(blocks, gene.sequence, exons, 'exon'),
      ...featuresOf(blocks, gene.sequence, coding, 'cds'),
    ],
    junctions: blocks.slice(0, -1).map((block) => block.end),
    marked: noMarks(),
    notes,
  }
}

const readGenes = async (
  input: PrimerInput,
  data: PortalData,
): Promise<{ templates: Template[]; problems: TemplateProblem[] }> => {
  const names = (input.genes ?? []).filter((name) => !/\p{Cc}/u.test(name))
  if (names.length === 0) throw fieldError(['genes'], 'genes.none')
  const resolved = await data.resolveGenes(names, input.assembly)
  // A name that several genomes have is that of the reference's gene; ids of other genomes stay what they are.
  const home = input.assembly === undefined ? (await data.defaultAssembly())?.id : undefined
  const several = new Map(resolved.ambiguous.map(({ query, genes }) => [query, genes.length]))
  if (home !== undefined && several.size > 0) {
    const { found } = await data.resolveGenes([...several.keys()], home)
    const taken = new Set(found.map(({ query }) => query))
    resolved.found.push(...found)
    resolved.ambiguous = resolved.ambiguous.filter(({ query }) => !taken.has(query))
  }
  const problems: TemplateProblem[] = [
    ...resolved.unknown.map((query) => ({ query, id: 'reason.unknown', params: {} })),
    ...resolved.ambiguous.map(({ query, genes }) => ({
      query,
      id: 'reason.ambiguous',
      params: {
        count: genes.length,
        genes: genes
          .slice(0, 10)
          .map((gene) => `${gene.assembly}: ${gene.id}`)
          .join(', '),
      },
    })),
  ]
  const templates: Template[] = []
  const byAssembly = new Map<string, Map<string, string>>()
  for (const { query, gene } of resolved.found) {
    const own = byAssembly.get(gene.assembly) ?? new Map<string, string>()
    byAssembly.set(gene.assembly, own)
    // Two names of one gene are one template.
    if (!own.has(gene.id)) own.set(gene.id, query)
  }
  const part = input.purpose === 'qpcr' && input.part === 'gene' ? 'cdna' : input.part
  for (const [assembly, own] of byAssembly) {
    const sequences = new Map((await data.listSequences(assembly)).map((one) => [one.name, one]))
    for (const gene of await data.getGenes(assembly, [...own.keys()])) {
      const sequence = sequences.get(gene.sequence)
      if (sequence === undefined) continue
      const found = await templateOfGene(gene, own.get(gene.id)!, { ...input, part }, sequence, data)
      if ('bases' in found) {
        const query = own.get(gene.id)!
        const count = several.get(query)
        if (count !== undefined)
          found.notes.push({ id: 'note.taken', params: { query, count, assembly, gene: gene.id } })
        templates.push(found)
      } else problems.push(found)
    }
  }
  return { templates, problems }
}

const readRegionLines = ({ regions }: Pick<PrimerInput, 'regions'>): ReturnType<typeof parseRegions> => {
  const lines = parseRegions(regions)
  if (lines.length === 0) throw fieldError(['regions'], 'regions.none')
  if (lines.length > limits.templates)
    throw fieldError(['regions'], 'templates.tooMany', { count: lines.length, maximum: limits.templates })
  return lines
}

/** The assembly of the regions: the one chosen, else the only one that has them. Rejects at the field where that is none or several. */
const assemblyOfRegions = async (input: PrimerInput, data: PortalData): Promise<string> => {
  if (input.assembly !== undefined) return input.assembly
  const lines = readRegionLines(input)
  const having = await listAssembliesOfPlaces(
    data,
    lines.map(({ text }) => text),
  )
  if (having.length === 0) throw fieldError(['regions'], 'regions.nowhere', { name: lines[0]!.text.slice(0, 80) })
  if (having.length > 1) throw fieldError(['assembly'], 'assembly.needed', { count: having.length })
  return having[0]!
}

/** The input with the assembly of its regions. */
export const completeInput = async (input: PrimerInput, data: PortalData): Promise<PrimerInput> =>
  input.source === 'regions' ? { ...input, assembly: await assemblyOfRegions(input, data) } : input

const readRegionTemplates = async (input: PrimerInput, data: PortalData): Promise<Template[]> => {
  const lines = readRegionLines(input)
  const assembly = await assemblyOfRegions(input, data)
  const templates: Template[] = []
  for (const { line, text, result } of lines) {
    if (!result.ok && result.error.code === 'region-number-comma')
      throw fieldError(['regions'], locusMessage(result.error.code), result.error.params)
    if (!result.ok && result.error.code !== 'region-range-missing')
      throw fieldError(['regions'], 'regions.unreadable', { line, text: text.slice(0, 80) })
    const { sequence, start1, askedEnd1, strand } = await findLocus(data, assembly, text, ['regions']).catch(
      (error: unknown) => {
        if (!(error instanceof PortalError) || !error.code.startsWith('UNKNOWN_')) throw error
        const name = result.ok ? result.region.sequenceName : text.trim()
        throw fieldError(['regions'], 'regions.sequence', { line, name: name.slice(0, 80), assembly })
      },
    )
    const end1 = askedEnd1
    const last = sequence.circular ? 2 * sequence.lengthBp : sequence.lengthBp
    if (end1 > last || end1 - start1 >= sequence.lengthBp)
      throw fieldError(['regions'], 'regions.beyond', { line, sequence: sequence.name, length: sequence.lengthBp })
    if (end1 - start1 + 1 > limits.templateBp)
      throw fieldError(['regions'], 'regions.tooLong', { line, maximum: limits.templateBp })
    const pieces: OrientedInterval[] = [{ start1, end1, strand }]
    const blocks = blocksOf(pieces, sequence.name)
    const genes = await data.listGenesInRegion(assembly, sequence.name, start1, end1, 200)
    templates.push({
      name: `${sequence.name}_${start1}_${end1}${strand === '-' ? '_r' : ''}`,
      bases: await readPieces(data, assembly, sequence.name, pieces),
      assembly,
      gene: null,
      transcript: null,
      part: null,
      blocks,
      features: featuresOf(
        blocks,
        sequence.name,
        genes.map((gene) => ({ start1: gene.start, end1: gene.end })),
        'gene',
      ),
      junctions: [],
      marked: noMarks(),
      notes: [],
    })
  }
  return templates
}

const readSequences = (input: PrimerInput): Template[] => {
  if (input.sequence.trim() === '') throw fieldError(['sequence'], 'sequence.none')
  // The signs of primer3web are no residues: they are taken out record by record.
  const records =
    input.sequence.includes('>') && /^\s*>/m.test(input.sequence)
      ? splitRecords(input.sequence)
      : [{ name: 'template', text: input.sequence }]
  if (records.length > limits.templates)
    throw fieldError(['sequence'], 'templates.tooMany', { count: records.length, maximum: limits.templates })
  const nameOf = createNamer()
  return records.map(({ name, text }) => {
    const marks = readMarks(text.replace(/[\s\d]+/g, ''))
    if (marks === null) throw fieldError(['sequence'], 'sequence.marks', { name })
    const { records: read, log, alphabet } = parseFastaText(marks.bases)
    const bases = (read[0]?.sequence ?? '').toUpperCase().replaceAll('U', 'T')
    const illegal = alphabet === 'protein' ? null : listIllegalLetters(log)
    if (illegal !== null)
      throw fieldError(['sequence'], 'sequence.illegal', {
        name,
        letters: illegal.letters.replaceAll(/ \d+:/g, ' '),
        kinds: illegal.kinds,
        more: illegal.more,
      })
    if (alphabet === 'protein' || /[^ACGTRYSWKMBDHVNX]/.test(bases))
      throw fieldError(['sequence'], 'sequence.notBases', { name })
    if (bases === '') throw fieldError(['sequence'], 'sequence.empty', { name })
    if (bases.length > limits.templateBp)
      throw fieldError(['sequence'], 'sequence.longRecord', { name, maximum: limits.templateBp })
    return {
      name: nameOf(name),
      // Lower case may be a mask; letters that the reader brought to one form are as many as before.
      bases: keepCase(marks.bases, bases),
      assembly: null,
      gene: null,
      transcript: null,
      part: null,
      blocks: [],
      features: [],
      junctions: [],
      marked: { targets: marks.targets, excluded: marks.excluded, included: marks.included },
      notes: [],
    }
  })
}

const keepCase = (written: string, bases: string): string =>
  written.length === bases.length
    ? [...bases].map((base, at) => (written[at] === written[at]!.toLowerCase() ? base.toLowerCase() : base)).join('')
    : bases

/** Records of a FASTA text with their lines joined. A `<` or `>` within a line is a sign of primer3web, not a header. */
const splitRecords = (text: string): { name: string; text: string }[] => {
  const records: { name: string; text: string }[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^\s*>/.test(line))
      records.push({ name: line.trim().slice(1).trim().split(/\s+/)[0]?.slice(0, 80) || 'template', text: '' })
    else if (records.length === 0) {
      if (line.trim() !== '') records.push({ name: 'template', text: line })
    } else records.at(-1)!.text += line
  }
  return records
}

/**
 * The templates that the input asks for. Rejects beside the field for what makes the whole impossible; single genes that give none
 * are problems.
 */
export const readTemplates = async (
  input: PrimerInput,
  data: PortalData,
): Promise<{ templates: Template[]; problems: TemplateProblem[] }> => {
  if (input.source === 'genes') return readGenes(input, data)
  if (input.source === 'regions') return { templates: await readRegionTemplates(input, data), problems: [] }
  return { templates: readSequences(input), problems: [] }
}
