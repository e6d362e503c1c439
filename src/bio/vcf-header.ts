// Headers of VCF files, and checks of their lines before they become tracks. Source: VCF 4.3 and 4.5 specifications (hts-specs).

import type { TrackCheckOptions, TrackSummary } from './bed.ts'
import { resolveTrackSequences, TrackOrder } from './track-order.ts'

export interface VcfField {
  id: string
  /** `A`, `R`, `G`, `.` or a count. */
  number: string
  type: string
  description: string
}

export interface VcfHeader {
  /** "4.2" of "VCFv4.2"; null where the first line does not say. */
  version: string | null
  /** Sequences that the header names, with their lengths where it gives them. */
  contigs: Map<string, number | null>
  info: Map<string, VcfField>
  format: Map<string, VcfField>
  /** Filters with their descriptions. */
  filters: Map<string, string>
  samples: string[]
  /** All `##` lines as written. */
  metaLines: string[]
}

/**
 * Reads a structured header line into its keys, quotes and escapes resolved; null when it is not of that form.
 *
 * Example: `parseVcfMetaLine('##INFO=<ID=DP,Description="a, \\"b\\"">')` is `{key: 'INFO', fields: {ID: 'DP', Description:
 * 'a, "b"'}}`.
 */
export function parseVcfMetaLine(line: string): { key: string; fields: Record<string, string> } | null {
  const match = /^##([^=]+)=<(.*)>\s*$/.exec(line)
  if (!match) return null
  const fields: Record<string, string> = {}
  const body = match[2]!
  let position = 0
  while (position < body.length) {
    const name = /^\s*([^=,"<>]+)=/.exec(body.slice(position))
    if (!name) return null
    position += name[0].length
    let value = ''
    if (body[position] === '"') {
      position++
      while (position < body.length && body[position] !== '"') {
        if (body[position] === '\\' && position + 1 < body.length) position++
        value += body[position++]
      }
      if (body[position] !== '"') return null
      position++
    } else {
      // Brackets hold lists: Values=[a, b].
      const plain = /^(\[[^\]]*\]|[^,]*)/.exec(body.slice(position))![0]
      value = plain.trim()
      position += plain.length
    }
    fields[name[1]!.trim()] = value
    if (body[position] !== undefined && body[position] !== ',') return null
    position++
  }
  return { key: match[1]!, fields }
}

const fixedColumns = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO']
const knownVersions = new Set(['4.0', '4.1', '4.2', '4.3', '4.4', '4.5'])

export interface VcfSummary extends TrackSummary {
  header: VcfHeader
}

/**
 * Checks a VCF line by line: version, header lines, the column line and its samples, positions, alleles, order, and that
 * sequences exist in the genome with the lengths that the header gives.
 *
 * Example: a file whose first line is not `##fileformat=VCFv4…` gives the error `vcf-no-fileformat`.
 */
export class VcfChecker {
  readonly #options: TrackCheckOptions
  readonly #order: TrackOrder
  readonly #contigLines = new Map<string, number>()
  readonly header: VcfHeader = {
    version: null,
    contigs: new Map(),
    info: new Map(),
    format: new Map(),
    filters: new Map(),
    samples: [],
    metaLines: [],
  }
  #firstLine = true
  #columnCount = 0
  #featureCount = 0
  #broken = false

  constructor(options: TrackCheckOptions) {
    this.#options = options
    this.#order = new TrackOrder(options)
  }

  addLine(line: string, lineNumber: number): void {
    const { file, log } = this.#options
    if (this.#broken || line.trim() === '') return
    if (this.#firstLine) {
      this.#firstLine = false
      const version = /^##fileformat=VCFv(\d+\.\d+)/.exec(line)?.[1]
      if (version === undefined) log.report('vcf-no-fileformat', file, lineNumber)
      else {
        this.header.version = version
        if (!knownVersions.has(version)) log.report('vcf-version', file, lineNumber, { version })
      }
    }
    if (line.startsWith('##')) this.#readMeta(line, lineNumber)
    else if (line.startsWith('#')) this.#readColumns(line, lineNumber)
    else this.#readRecord(line, lineNumber)
  }

  #readMeta(line: string, lineNumber: number): void {
    const { file, log } = this.#options
    this.header.metaLines.push(line)
    const meta = parseVcfMetaLine(line)
    if (!meta) {
      // Lines of the form ##key=value mean nothing to a reader.
      if (/^##(INFO|FORMAT|FILTER|contig)=/.test(line) || !line.includes('='))
        log.report('vcf-bad-meta-line', file, lineNumber)
      return
    }
    const { key, fields } = meta
    const id = fields.ID
    if (id === undefined) return
    if (key === 'contig') {
      const length = Number(fields.length)
      this.header.contigs.set(id, fields.length !== undefined && Number.isSafeInteger(length) ? length : null)
      this.#contigLines.set(id, lineNumber)
    } else if (key === 'FILTER') this.header.filters.set(id, fields.Description ?? '')
    else if (key === 'INFO' || key === 'FORMAT') {
      const target = key === 'INFO' ? this.header.info : this.header.format
      target.set(id, {
        id,
        number: fields.Number ?? '.',
        type: fields.Type ?? 'String',
        description: fields.Description ?? '',
      })
    }
  }

  #readColumns(line: string, lineNumber: number): void {
    const { file, log } = this.#options
    const columns = line.split('\t')
    for (const [index, expected] of fixedColumns.entries()) {
      if (columns[index] === expected) continue
      log.report('vcf-bad-column-line', file, lineNumber, { column: index + 1, value: columns[index] ?? '', expected })
      this.#broken = true
      return
    }
    this.#columnCount = columns.length
    if (columns.length > 8 && columns[8] !== 'FORMAT') {
      log.report('vcf-bad-column-line', file, lineNumber, { column: 9, value: columns[8]!, expected: 'FORMAT' })
      this.#broken = true
      return
    }
    const seen = new Set<string>()
    for (const sample of columns.slice(9)) {
      if (seen.has(sample)) log.report('vcf-duplicate-sample', file, lineNumber, { sample })
      seen.add(sample)
    }
    this.header.samples = columns.slice(9)
  }

  #readRecord(line: string, lineNumber: number): void {
    const { file, log } = this.#options
    if (this.#columnCount === 0) {
      log.report('vcf-no-column-line', file, lineNumber)
      this.#broken = true
      return
    }
    // Only the first columns are looked at: lines of thousands of samples are long.
    let tabs = 0
    for (let at = line.indexOf('\t'); at >= 0; at = line.indexOf('\t', at + 1)) tabs++
    if (tabs + 1 !== this.#columnCount) {
      log.report('track-column-count-varies', file, lineNumber, { found: tabs + 1, expected: this.#columnCount })
      return
    }
    const [chrom, position, , reference, alternatives, quality] = line.split('\t', 6) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    // Position 0 is the telomere before the first base.
    if (!wholeNumber.test(position)) {
      log.report('track-bad-coordinate', file, lineNumber, { column: 'POS', value: position, least: 0 })
      return
    }
    for (const [column, value, form, expected] of [
      ['REF', reference, /^[ACGTNRYSWKMBDHV]+$/i, '@bases'],
      ['ALT', alternatives, alternativeForm, '@bases'],
      ['QUAL', quality, /^(\.|-?\d+(\.\d+)?([eE][-+]?\d+)?|[-+]?inf(inity)?|nan)$/i, '@number'],
    ] as const) {
      if (form.test(value)) continue
      log.report('track-bad-field', file, lineNumber, { column, value, expected })
      return
    }
    this.#featureCount++
    const start1 = Number(position)
    this.#order.add(chrom, start1, start1 + reference.length - 1, lineNumber)
  }

  /** The file is at its end; what was found, with sequences looked up in the genome. */
  end(): VcfSummary {
    const { file, log, sequences } = this.#options
    if (!this.#firstLine && this.#columnCount === 0 && !this.#broken) log.report('vcf-no-column-line', file, null)
    if (this.#featureCount === 0 && !log.hasErrors) log.report('track-no-rows', file, null)
    const sequenceMap = resolveTrackSequences(this.#order, this.#options)
    for (const [name, length] of this.header.contigs) {
      const known = sequences?.get(sequenceMap.get(name) ?? name)
      if (known === undefined || length === null || known === length) continue
      log.report('vcf-contig-length', file, this.#contigLines.get(name)!, {
        sequence: name,
        found: length,
        expected: known,
      })
    }
    return {
      header: this.header,
      featureCount: this.#featureCount,
      columnCount: this.#columnCount,
      sorted: this.#order.sorted,
      sequenceNames: this.#order.sequenceNames,
      sequenceMap,
    }
  }
}

const wholeNumber = /^\d+$/
// Bases, "*" for a deletion over the site, <symbols>, breakends with brackets, single breakends with a dot.
const alternativeForm =
  /^(\.|([ACGTNRYSWKMBDHV]+|\*|<[^<>\s]+>|[ACGTN.]*[[\]][^[\]]+[[\]][ACGTN.]*|\.[ACGTN]+|[ACGTN]+\.)(,([ACGTNRYSWKMBDHV]+|\*|<[^<>\s]+>|[ACGTN.]*[[\]][^[\]]+[[\]][ACGTN.]*|\.[ACGTN]+|[ACGTN]+\.))*)$/i
