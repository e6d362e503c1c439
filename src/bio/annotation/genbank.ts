// GenBank flat files, line by line. Sources: the GenBank release notes (flat file format) and the INSDC feature table
// definition, version 11.

import { unrollReadParts } from '../sequence/origin.ts'
import { oppositeStrand, type Strand } from '../sequence/region.ts'
import type { DefectLog } from '../text/defects.ts'
import { type Attributes, Feature, formatGff3Attributes } from './feature.ts'
import { genbankDefects } from './genbank-defects.ts'
import { geneModelDefects } from './gene-model-defects.ts'

export interface GenBankRecord {
  /** Accession with version, else the accession, else the LOCUS name. */
  name: string
  locus: string
  accession: string | null
  definition: string
  organism: string
  lengthBp: number | null
  circular: boolean
}

export interface GenBankReaderOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  /** Whether the sequence of a record is known to be circular though its LOCUS line does not say so. */
  isCircular?(record: GenBankRecord): boolean
  /** Called for each record before its features and sequence. */
  onRecord?(record: GenBankRecord): void
  /**
   * Features in the manner of GFF3: genes, transcripts with their exons, CDS parts with phases, everything else under its
   * Sequence Ontology name.
   */
  onFeature(feature: Feature): void
  /** Bases of the record, lower or upper case as written. */
  onSequence?(bases: string, record: GenBankRecord): void
}

/** A part of a location: first and last base counted from 1. */
export interface LocationPart {
  start1: number
  end1: number
  strand: '+' | '-'
}

export interface ParsedLocation {
  /** In the order of reading, from the 5' end of the feature. */
  parts: LocationPart[]
  /** It has a "<" or ">": an end is not known. */
  partial: boolean
  /** Accessions of parts that lie in other records and were left out. */
  remote: string[]
  /** A span that runs backwards was read as one across the origin of the circle. */
  wrapped: boolean
}

/**
 * Reads a location: spans, single bases, `complement`, `join`, `order`, `<` and `>`, and the sites and ranges of old records
 * (`12^13`, `12.20`, `(12.20)..90`), which become spans. Of several possible places (`one-of`) the first is taken. With the length of a
 * circular sequence, a span whose start lies after its end (plasmid editors write so) goes across the origin. Null when it cannot
 * be read.
 *
 * Example: `parseLocation('complement(join(1..10,21..30))')` has the parts 21..30 and 1..10 on strand `-`.
 */
export function parseLocation(text: string, circularLengthBp: number | null = null): ParsedLocation | null {
  const remote: string[] = []
  let partial = false
  // An end within a range, `(102.110)..200`: its outer base is taken, as for `<` and `>`.
  const compact = text
    .replace(/\s+/g, '')
    .replace(/one-of\((\d+)(?:,\d+)*\)/g, '$1')
    .replace(
      /\((\d+)\.(\d+)\)(\.\.)|(\.\.)\((\d+)\.(\d+)\)/g,
      (_, startLow, _startHigh, after, before, _endLow, endHigh) => {
        partial = true
        return before === undefined ? `${startLow}${after}` : `${before}${endHigh}`
      },
    )
  let wrapped = false
  let position = 0

  const readList = (): LocationPart[] | null => {
    const parts: LocationPart[] = []
    while (true) {
      const next = readOne()
      if (next === null) return null
      parts.push(...next)
      if (compact[position] !== ',') return parts
      position++
    }
  }
  const readOne = (): LocationPart[] | null => {
    const call = /^(complement|join|order|bond)\(/.exec(compact.slice(position, position + 12))
    if (call) {
      position += call[0].length
      const inside = readList()
      if (inside === null || compact[position] !== ')') return null
      position++
      if (call[1] === 'complement') {
        return inside.reverse().map((part) => ({ ...part, strand: oppositeStrand(part.strand) }))
      }
      return inside
    }
    const span = /^([A-Za-z][\w.-]*:)?([<>]?)(\d+)(?:(\.\.|\.|\^)([<>]?)(\d+))?/.exec(compact.slice(position))
    if (!span) return null
    position += span[0].length
    if (span[2] || span[5]) partial = true
    if (span[1]) {
      remote.push(span[1].slice(0, -1))
      return []
    }
    const start1 = Number(span[3])
    const end1 = span[6] === undefined ? start1 : Number(span[6])
    if (start1 < 1) return null
    // The site between the last and the first base of a circle is written backwards as well.
    if (start1 > end1 && span[4] !== '^') {
      if (circularLengthBp === null || start1 > circularLengthBp) return null
      wrapped = true
      return [
        { start1, end1: circularLengthBp, strand: '+' },
        { start1: 1, end1, strand: '+' },
      ]
    }
    return [{ start1: Math.min(start1, end1), end1: Math.max(start1, end1), strand: '+' }]
  }

  const parts = readList()
  if (parts === null || position !== compact.length) return null
  return { parts, partial, remote, wrapped }
}

interface RawFeature {
  key: string
  location: string
  qualifiers: [name: string, value: string][]
  line: number
  /** What is being read: the location, a qualifier that may go on, or one whose quote was closed. */
  open: 'location' | 'quoted' | 'closed'
}

// INSDC keys that have another name in the Sequence Ontology (mapping table of the GFF3 files that NCBI writes).
const ontologyTypes: Record<string, string> = {
  source: 'region',
  misc_feature: 'sequence_feature',
  mobile_element: 'mobile_genetic_element',
  regulatory: 'regulatory_region',
  variation: 'sequence_alteration',
  misc_RNA: 'transcript',
  precursor_RNA: 'primary_transcript',
  prim_transcript: 'primary_transcript',
  rep_origin: 'origin_of_replication',
  sig_peptide: 'signal_peptide',
  mat_peptide: 'mature_protein_region',
  misc_binding: 'binding_site',
  protein_bind: 'protein_binding_site',
  misc_recomb: 'recombination_feature',
  misc_difference: 'sequence_difference',
  V_segment: 'V_gene_segment',
  D_segment: 'D_gene_segment',
  J_segment: 'J_gene_segment',
  C_region: 'C_gene_segment',
  assembly_gap: 'gap',
}

const transcriptKeys = /^(mRNA|tRNA|rRNA|ncRNA|tmRNA|misc_RNA|precursor_RNA|prim_transcript|[VDJ]_segment|C_region)$/
// What gene, transcript and CDS say already; kept as plain features under a name that makes no gene model.
const repeatedKeys = /^(exon|intron|5'UTR|3'UTR|5'clip|3'clip)$/

const qualifierNames: Record<string, string> = {
  db_xref: 'Dbxref',
  note: 'Note',
  ncRNA_class: 'ncrna_class',
}
// The protein itself is derived from the sequence; its text would be most of the memory.
const leftOut = new Set(['translation', 'codon_start'])

/**
 * Reads GenBank flat files into features in the manner of GFF3 and the bases of each record. Genes are tied to their
 * transcripts and coding sequences by locus tag, else by gene name; where no gene line exists, one is made.
 *
 * Example: the lines of a record with a CDS `join(10..20,31..40)` of the locus tag `b1` give a gene 10..40 with ID `b1` and
 * two CDS parts under it.
 */
export class GenBankReader {
  readonly #options: GenBankReaderOptions
  #section: 'none' | 'header' | 'features' | 'origin' = 'none'
  #record: GenBankRecord | null = null
  #headerKey = ''
  #recordLine = 0
  #features: RawFeature[] = []
  #recordCount = 0
  #basesRead = 0
  #announced = false
  readonly #ids = new Map<string, number>()

  constructor(options: GenBankReaderOptions) {
    this.#options = options
  }

  addLine(line: string, lineNumber: number): void {
    if (line.startsWith('LOCUS')) {
      this.#closeRecord(false)
      this.#openRecord(line, lineNumber)
      return
    }
    if (!this.#record) return
    if (line.startsWith('//')) {
      this.#closeRecord(true)
      return
    }
    const keyword = line.charCodeAt(0) > 32 ? line.split(/\s/, 1)[0]! : ''
    if (keyword !== '') {
      this.#startSection(keyword, line)
      return
    }
    if (this.#section === 'features') this.#addFeatureLine(line, lineNumber)
    else if (this.#section === 'origin') this.#addBases(line)
    else this.#continueHeader(line)
  }

  /** The file is at its end; one without any record is an error in the log. */
  end(): void {
    this.#closeRecord(false)
    const { file, log } = this.#options
    if (this.#recordCount === 0 && log.count('text-empty') === 0)
      log.report(genbankDefects, 'genbank-no-record', file, null)
  }

  #openRecord(line: string, lineNumber: number): void {
    // The columns of LOCUS moved between releases; its words did not.
    const words = line.trim().split(/\s+/)
    const unit = words.findIndex((word, index) => index > 1 && (word === 'bp' || word === 'aa'))
    const length = unit > 0 ? Number(words[unit - 1]) : Number.NaN
    if (words[unit] === 'aa') {
      this.#options.log.report(genbankDefects, 'genbank-protein', this.#options.file, lineNumber, {
        name: words[1] ?? '',
      })
    }
    this.#record = {
      name: words[1] ?? `record_${this.#recordCount + 1}`,
      locus: words[1] ?? '',
      accession: null,
      definition: '',
      organism: '',
      lengthBp: Number.isSafeInteger(length) ? length : null,
      circular: words.includes('circular'),
    }
    this.#recordCount++
    this.#recordLine = lineNumber
    this.#section = 'header'
    this.#headerKey = 'LOCUS'
    this.#features = []
    this.#basesRead = 0
    this.#announced = false
  }

  #startSection(keyword: string, line: string): void {
    const record = this.#record!
    const rest = line.slice(keyword.length).trim()
    this.#headerKey = keyword
    if (keyword === 'FEATURES') this.#section = 'features'
    else if (keyword === 'ORIGIN') {
      this.#section = 'origin'
      this.#announce()
    } else {
      this.#section = 'header'
      if (keyword === 'DEFINITION') record.definition = rest
      else if (keyword === 'ACCESSION') {
        record.accession = rest.split(/\s+/)[0] || null
        if (record.accession && record.accession !== 'unknown') record.name = record.accession
      } else if (keyword === 'VERSION') {
        const version = rest.split(/\s+/)[0]
        if (version) record.name = version
      }
    }
  }

  #continueHeader(line: string): void {
    const record = this.#record!
    const text = line.trim()
    if (this.#headerKey === 'DEFINITION') record.definition = `${record.definition} ${text}`.trim()
    else if (text.startsWith('ORGANISM')) record.organism = text.slice(8).trim()
  }

  #addBases(line: string): void {
    const bases = line.replace(/[\s\d]+/g, '')
    if (bases === '') return
    this.#basesRead += bases.length
    this.#options.onSequence?.(bases, this.#record!)
  }

  #addFeatureLine(line: string, lineNumber: number): void {
    const text = line.replaceAll('\t', ' ').trimEnd()
    if (text.trim() === '') return
    // A key stands in column 6, location and qualifiers in column 22; hand-made files keep at least that order.
    const indent = text.length - text.trimStart().length
    const last = this.#features.at(-1)
    if (indent < 12 && !text.trimStart().startsWith('/')) {
      const [key, ...location] = text.trim().split(/\s+/)
      this.#features.push({
        key: key!,
        location: location.join(''),
        qualifiers: [],
        line: lineNumber,
        open: 'location',
      })
      return
    }
    if (!last) return
    const content = text.trimStart()
    if (last.open === 'quoted') {
      this.#continueQuoted(last, content)
      return
    }
    if (content.startsWith('/')) {
      const equals = content.indexOf('=')
      if (equals < 0) {
        last.qualifiers.push([content.slice(1), 'true'])
        last.open = 'closed'
        return
      }
      const value = content.slice(equals + 1)
      const name = content.slice(1, equals)
      if (!value.startsWith('"')) {
        last.qualifiers.push([name, value])
        last.open = 'closed'
        return
      }
      last.qualifiers.push([name, ''])
      this.#continueQuoted(last, value.slice(1))
      return
    }
    if (last.open === 'location') last.location += content
    else {
      const qualifier = last.qualifiers.at(-1)
      if (qualifier) qualifier[1] += content
    }
  }

  // Quotes inside a value are doubled. Lines of a value were broken at blanks, those of a translation anywhere.
  #continueQuoted(feature: RawFeature, content: string): void {
    const qualifier = feature.qualifiers.at(-1)!
    const closing = /(^|[^"])("")*"$/.test(content)
    const piece = (closing ? content.slice(0, -1) : content).replaceAll('""', '"')
    const glue = qualifier[1] === '' || qualifier[0] === 'translation' || qualifier[1].endsWith('-') ? '' : ' '
    qualifier[1] += glue + piece
    feature.open = closing ? 'closed' : 'quoted'
  }

  #announce(): void {
    if (this.#announced) return
    this.#announced = true
    const record = this.#record!
    if (!record.circular && this.#options.isCircular?.(record)) record.circular = true
    this.#options.onRecord?.(record)
  }

  #closeRecord(ended: boolean): void {
    const record = this.#record
    if (!record) return
    const { file, log } = this.#options
    this.#announce()
    this.#emitFeatures(record)
    if (!ended) log.report(genbankDefects, 'genbank-no-end', file, this.#recordLine, { name: record.name })
    if (record.lengthBp !== null && this.#basesRead > 0 && this.#basesRead !== record.lengthBp) {
      log.report(genbankDefects, 'genbank-length-differs', file, this.#recordLine, {
        name: record.name,
        expected: record.lengthBp,
        found: this.#basesRead,
      })
    }
    this.#record = null
    this.#section = 'none'
  }

  // -------------------------------------------------------------------------------------------------------------------

  #emitFeatures(record: GenBankRecord): void {
    const located: LocatedFeature[] = []
    for (const raw of this.#features) {
      const location = parseLocation(raw.location, record.circular ? record.lengthBp : null)
      const { file, log } = this.#options
      if (location === null) {
        log.report(genbankDefects, 'genbank-bad-location', file, raw.line, { location: raw.location, type: raw.key })
        continue
      }
      if (location.wrapped) {
        log.report(genbankDefects, 'genbank-origin-wrap', file, raw.line, { location: raw.location, type: raw.key })
      }
      for (const remote of location.remote) {
        log.report(genbankDefects, 'genbank-remote-part', file, raw.line, { type: raw.key, remote })
      }
      if (location.parts.length === 0) continue
      const { parts, partial } = location
      located.push({ raw, parts: this.#unroll(raw, parts, record), placed: parts, partial })
    }
    this.#features = []

    const genes = this.#collectGenes(located, record)
    for (const { raw, parts, placed, partial } of located) {
      const attributes = readQualifiers(raw)
      if (partial) attributes.partial = ['true']
      if (raw.key === 'gene') continue
      if (raw.key === 'CDS') this.#emitCds(raw, parts, attributes, genes, record)
      else if (transcriptKeys.test(raw.key)) this.#emitTranscript(raw, parts, attributes, genes, record)
      else this.#emitPlain(raw, placed, attributes, record)
    }
  }

  // A gene across the origin of a circle is written join(3900..4000,1..90); GFF3 counts on beyond the length instead.
  #unroll(raw: RawFeature, parts: LocationPart[], record: GenBankRecord): LocationPart[] {
    const { lengthBp } = record
    if (lengthBp === null || parts.length < 2) return parts
    const unrolled = unrollReadParts(parts, lengthBp, !isTransSpliced(raw))
    if (record.circular) return unrolled
    if (raw.key !== 'source' && unrolled.some((part) => part.end1 > lengthBp) && abutAtEnds(parts, lengthBp)) {
      const { file, log } = this.#options
      log.report(genbankDefects, 'genbank-linear-origin', file, raw.line, {
        location: raw.location,
        type: raw.key,
        name: record.name,
      })
    }
    return parts
  }

  /** Emits the genes, those that only their children name included, and gives them by tag. */
  #collectGenes(located: readonly LocatedFeature[], record: GenBankRecord): Map<string, GenBankGene[]> {
    const genes = new Map<string, GenBankGene[]>()
    const addGene = (tag: string | null, gene: GenBankGene) => {
      if (tag === null) return
      const known = genes.get(tag)
      if (known) known.push(gene)
      else genes.set(tag, [gene])
    }
    for (const { raw, parts, partial } of located) {
      if (raw.key !== 'gene') continue
      const attributes = readQualifiers(raw)
      if (partial) attributes.partial = ['true']
      const tag = tagOf(raw)
      const id = this.#takeId(tag ?? `gene_line_${raw.line}`, raw)
      const span = spanOf(parts)
      addGene(tag, { id, ...span, childCount: 0 })
      this.#emit(
        isPseudo(raw) ? 'pseudogene' : 'gene',
        [span],
        spanStrand(parts),
        { ID: [id], ...attributes },
        raw,
        record,
      )
    }
    const implied = new Map<string, { raw: RawFeature; parts: LocationPart[] }>()
    for (const { raw, parts } of located) {
      if (raw.key !== 'CDS' && !transcriptKeys.test(raw.key)) continue
      const tag = tagOf(raw)
      if (tag === null || genes.has(tag)) continue
      const known = implied.get(tag)
      if (known) known.parts.push(...parts)
      else implied.set(tag, { raw, parts: [...parts] })
    }
    for (const [tag, { raw, parts }] of implied) {
      const id = this.#takeId(tag, raw)
      const span = spanOf(parts)
      addGene(tag, { id, ...span, childCount: 0 })
      const own = readQualifiers(raw)
      const attributes: Attributes = { ID: [id] }
      for (const key of ['gene', 'locus_tag', 'gene_synonym', 'old_locus_tag', 'Dbxref', 'pseudo']) {
        if (own[key]) attributes[key] = own[key]
      }
      this.#options.log.report(geneModelDefects, 'model-gene-made', this.#options.file, raw.line, {
        type: raw.key,
        transcript: tag,
        gene: id,
      })
      this.#emit('gene', [span], spanStrand(parts), attributes, raw, record)
    }
    return genes
  }

  #takeId(wanted: string, raw: RawFeature): string {
    const firstLine = this.#ids.get(wanted)
    if (firstLine === undefined) {
      this.#ids.set(wanted, raw.line)
      return wanted
    }
    let number = 2
    while (this.#ids.has(`${wanted}_dup${number}`)) number++
    const renamed = `${wanted}_dup${number}`
    this.#ids.set(renamed, raw.line)
    this.#options.log.report(geneModelDefects, 'model-duplicate-renamed', this.#options.file, raw.line, {
      type: raw.key,
      id: wanted,
      firstLine,
      renamed,
    })
    return renamed
  }

  #geneOf(raw: RawFeature, parts: readonly LocationPart[], genes: Map<string, GenBankGene[]>): GenBankGene | null {
    const tag = tagOf(raw)
    const candidates = (tag === null ? undefined : genes.get(tag)) ?? []
    const span = spanOf(parts)
    return candidates.find((gene) => gene.start1 <= span.start1 && gene.end1 >= span.end1) ?? candidates[0] ?? null
  }

  #emitCds(
    raw: RawFeature,
    parts: readonly LocationPart[],
    attributes: Attributes,
    genes: Map<string, GenBankGene[]>,
    record: GenBankRecord,
  ): void {
    const gene = this.#geneOf(raw, parts, genes)
    // A gene may have several coding sequences that start alike; the id keeps their parts apart.
    const id = attributes.protein_id?.[0] ?? `${gene?.id ?? 'CDS'}_line_${raw.line}`
    const base: Attributes = { ID: [id], ...(gene ? { Parent: [gene.id] } : {}), ...attributes }
    const codonStart = Number(raw.qualifiers.find(([name]) => name === 'codon_start')?.[1] ?? '1')
    let phase = codonStart === 2 ? 1 : codonStart === 3 ? 2 : 0
    const rows = parts.map((part) => {
      const own = phase
      phase = (((own - (part.end1 - part.start1 + 1)) % 3) + 3) % 3
      return { part, phase: own as 0 | 1 | 2 }
    })
    for (const { part, phase: own } of rows) this.#emit('CDS', [part], part.strand, base, raw, record, own)
  }

  #emitTranscript(
    raw: RawFeature,
    parts: readonly LocationPart[],
    attributes: Attributes,
    genes: Map<string, GenBankGene[]>,
    record: GenBankRecord,
  ): void {
    const gene = this.#geneOf(raw, parts, genes)
    const number = gene ? ++gene.childCount : 1
    const wanted = attributes.transcript_id?.[0] ?? (gene ? `${gene.id}.t${number}` : `${raw.key}_line_${raw.line}`)
    const id = this.#takeId(wanted, raw)
    const base: Attributes = { ID: [id], ...(gene ? { Parent: [gene.id] } : {}), ...attributes }
    this.#emit(ontologyTypes[raw.key] ?? raw.key, [spanOf(parts)], spanStrand(parts), base, raw, record)
    for (const part of parts) this.#emit('exon', [part], part.strand, { Parent: [id] }, raw, record)
  }

  #emitPlain(raw: RawFeature, parts: readonly LocationPart[], attributes: Attributes, record: GenBankRecord): void {
    const repeated = repeatedKeys.test(raw.key)
    const type = repeated ? 'sequence_feature' : (ontologyTypes[raw.key] ?? raw.key)
    const base: Attributes = { ...attributes, gbkey: [raw.key] }
    if (raw.key === 'source' && record.circular) base.Is_circular = ['true']
    for (const part of parts) this.#emit(type, [part], raw.key === 'source' ? '.' : part.strand, base, raw, record)
  }

  #emit(
    type: string,
    [span]: readonly { start1: number; end1: number }[],
    strand: Strand,
    attributes: Attributes,
    raw: RawFeature,
    record: GenBankRecord,
    phase: 0 | 1 | 2 | null = null,
  ): void {
    const { start1, end1 } = span!
    const text = formatGff3Attributes(attributes)
    this.#options.onFeature(
      new Feature(record.name, 'GenBank', type, start1, end1, null, strand, phase, text, 'gff3', raw.line),
    )
  }
}

interface LocatedFeature {
  raw: RawFeature
  /** In the order of reading; beyond the length of a circle where the feature crosses its origin. */
  parts: LocationPart[]
  /** The same within the sequence. */
  placed: LocationPart[]
  partial: boolean
}

interface GenBankGene {
  id: string
  start1: number
  end1: number
  childCount: number
}

function spanOf(parts: readonly LocationPart[]): { start1: number; end1: number } {
  return {
    start1: Math.min(...parts.map((part) => part.start1)),
    end1: Math.max(...parts.map((part) => part.end1)),
  }
}

function spanStrand(parts: readonly LocationPart[]): Strand {
  return parts[0]!.strand
}

function tagOf(raw: RawFeature): string | null {
  const find = (name: string) => raw.qualifiers.find(([own]) => own === name)?.[1]
  return find('locus_tag') ?? find('gene') ?? null
}

function abutAtEnds(parts: readonly LocationPart[], lengthBp: number): boolean {
  return parts.some((part) => part.start1 === 1) && parts.some((part) => part.end1 === lengthBp)
}

function isTransSpliced(raw: RawFeature): boolean {
  return raw.qualifiers.some(([name, value]) => name === 'trans_splicing' || /trans[-_ ]splic/i.test(value))
}

function isPseudo(raw: RawFeature): boolean {
  return raw.qualifiers.some(([name]) => name === 'pseudo' || name === 'pseudogene')
}

function readQualifiers(raw: RawFeature): Attributes {
  const attributes: Attributes = {}
  for (const [name, value] of raw.qualifiers) {
    if (leftOut.has(name)) continue
    const key = qualifierNames[name] ?? name
    const values = name === 'gene_synonym' ? value.split(/;\s*/) : [value]
    attributes[key] = [...(attributes[key] ?? []), ...values]
  }
  return attributes
}
