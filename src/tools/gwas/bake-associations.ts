import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { PValueDistribution, ScanThinner } from '../../bio/association/association-summary.ts'
import {
  type AssociationField,
  type AssociationFormat,
  type AssociationReader,
  AssociationTableError,
  openAssociations,
} from '../../bio/association/association-table.ts'
import { readPosition } from '../../bio/sequence/region.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { minLeftOut, refuseLeftOut } from '../../bio/text/left-out.ts'
import { hasDecimalComma } from '../../bio/text/table-cells.ts'
import { TableLines } from '../../bio/text/table-lines.ts'
import { textDefects } from '../../bio/text/text-defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import toolDefects from './defects.ts'
import {
  type Association,
  type AssociationPlot,
  type AssociationTrait,
  associationColumns,
  renderAssociation,
} from './stored.ts'

/** More traits than this belong into several tables. */
export const maxTraits = 1000
/** Best rows that are kept with all they tell. */
const keptHits = 3000
/** Of every segment the best row is kept too from here on, so that no locus is lost behind a strong one. */
const segmentFrom = 4
const segments = 1600
/** A table of all tests has half of its p-values above 0.5, were there nothing to find; one with so few is of hits. */
const minAboveHalf = 0.05

export interface BakeAssociationsOptions {
  /** Plain, gzip or bgzip. */
  file: string
  /** Columns of the table by field, where its heading does not tell them. */
  columns?: Partial<Record<AssociationField, string>>
  /** Name of the trait of rows that name none. */
  trait: string
  /** A p-value. */
  threshold?: number
  /** Whether all tests are in the table; told from the p-values where absent. */
  complete?: boolean
  outFile: string
  sequences: readonly { name: string; lengthBp: number }[]
  findSequence: (name: string) => string | null
  /** Place of a variant by its name, for tables without positions; and what to call it and its alleles, where the table does not. */
  findLocus?: (id: string) => KnownLocus | null
  log: DefectLog
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

export interface KnownLocus {
  sequence: string
  position1: number
  id?: string
  ref?: string
  alt?: string
}

export interface BakedAssociations {
  format: AssociationFormat
  columns: Partial<Record<AssociationField, string>>
  rows: number
  csiFile: string
  tbiFile: string | null
  traits: { trait: AssociationTrait; plot: AssociationPlot }[]
}

/** Gathers what is told of a trait while its rows go by. */
class TraitCollector {
  readonly #binBp: number
  readonly distribution = new PValueDistribution()
  readonly thinner: ScanThinner
  readonly #bySegment = new Map<number, Association>()
  #top: Association[] = []
  #topFrom = -1

  constructor(sequences: readonly { lengthBp: number }[]) {
    this.thinner = new ScanThinner(sequences.map(({ lengthBp }) => lengthBp))
    this.#binBp = Math.max(1, Math.ceil(sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0) / segments))
  }

  add(sequence: number, row: Association): void {
    const { logP } = row
    this.distribution.add(logP)
    this.thinner.add(sequence, row.position, logP)
    if (logP >= segmentFrom) {
      const segment = sequence * 1e6 + Math.floor(row.position / this.#binBp)
      const before = this.#bySegment.get(segment)
      if (before === undefined || logP > before.logP) this.#bySegment.set(segment, row)
    }
    if (logP <= this.#topFrom) return
    this.#top.push(row)
    if (this.#top.length >= 2 * keptHits) {
      this.#top.sort((a, b) => b.logP - a.logP)
      this.#top.length = keptHits
      this.#topFrom = this.#top[keptHits - 1]!.logP
    }
  }

  hits(): Association[] {
    const kept = this.#top.sort((a, b) => b.logP - a.logP).slice(0, keptHits)
    return [...new Set([...kept, ...this.#bySegment.values()])].sort((a, b) => b.logP - a.logP)
  }
}

/**
 * Reads a table of associations of any size and writes it sorted and indexed, with what figures and lists need of each trait. What is
 * wrong is told to `log`; null when nothing of it can be used. Memory is bounded by the number of traits, not of rows.
 */
export const bakeAssociations = async (options: BakeAssociationsOptions): Promise<BakedAssociations | null> => {
  const { log, sequences, signal } = options
  const shownName = basename(options.file)
  const numberOf = new Map(sequences.map(({ name }, number) => [name, number]))
  const lengthOf = new Map(sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const known = new Map<string, string | null>()
  const traits = new Map<string, TraitCollector>()
  const counts = { total: 0, used: 0, missing: 0, unknown: 0, outside: 0, noLocus: 0, zero: 0, unreadable: 0 }
  const beyond = { below0: 0, above1: 0, line: null as number | null, value: '' }
  const unknownNames = new Set<string>()
  let firstUnreadable: number | null = null
  let firstMissing: number | null = null
  let firstZero: number | null = null
  let firstOutside: number | null = null
  let firstUnknown: number | null = null
  let firstUnplaced: number | null = null
  let unreadableExample = ''
  let outsideExample = ''
  let unplacedExample = ''
  let reader: AssociationReader | null = null
  let failed = false
  let lines: string[] = []

  const onLine = (line: string, number: number): void => {
    if (failed || line.trim() === '' || line.startsWith('##')) return
    if (reader === null) {
      try {
        reader = openAssociations(line, options.columns)
      } catch (error) {
        if (!(error instanceof AssociationTableError)) throw error
        failed = true
        log.report(toolDefects, `gwas-${error.reason}`, shownName, number, {
          column: error.column,
          columns: error.columns.slice(0, 20).join(', '),
        })
      }
      return
    }
    const row = reader.read(line)
    // Rows of covariates would dilute the shares.
    if (row === 'test') return
    counts.total += 1
    if (typeof row === 'string') {
      if (row === 'missing') {
        counts.missing += 1
        firstMissing ??= number
      }
      if (row === 'beyond') {
        const value = reader.cellOf(line, 'p')
        beyond[Number(value) < 0 ? 'below0' : 'above1'] += 1
        if (beyond.line === null) Object.assign(beyond, { line: number, value })
      }
      if (row === 'unreadable' || row === 'beyond') {
        counts.unreadable += 1
        if (firstUnreadable === null) {
          for (const field of ['logP', 'p'] as const) {
            const cell = reader.cellOf(line, field)
            if (!hasDecimalComma(cell)) continue
            failed = true
            log.report(textDefects, 'phenotype-decimal-comma', shownName, number, {
              value: cell,
              column: reader.columns[field] ?? '',
            })
            return
          }
          firstUnreadable = number
          unreadableExample = line.replaceAll('\t', ' ')
        }
      }
      return
    }
    let { chromosome, position1, id, effectAllele, otherAllele } = row
    let sequence: string | null | undefined = chromosome === null ? null : known.get(chromosome)
    if (chromosome !== null && sequence === undefined) {
      sequence = options.findSequence(chromosome)
      known.set(chromosome, sequence)
      if (sequence !== null && sequence !== chromosome)
        log.report(toolDefects, 'gwas-sequence-renamed', shownName, null, { from: chromosome, to: sequence })
    }
    if (position1 === null || sequence === null || sequence === undefined) {
      const locus = id === null ? null : (options.findLocus?.(id) ?? null)
      if (locus !== null) {
        sequence = locus.sequence
        position1 = locus.position1
        if (effectAllele === null || !/^[ACGTN]+$/.test(effectAllele)) effectAllele = locus.alt ?? effectAllele
        if (otherAllele === null || !/^[ACGTN]+$/.test(otherAllele)) otherAllele = locus.ref ?? otherAllele
        id = locus.id ?? id
      }
    }
    if (position1 === null || (chromosome === null && (sequence === null || sequence === undefined))) {
      counts.noLocus += 1
      if (firstUnplaced === null) {
        firstUnplaced = number
        unplacedExample = line.replaceAll('\t', ' ')
      }
      return
    }
    if (sequence === null || sequence === undefined) {
      counts.unknown += 1
      firstUnknown ??= number
      if (unknownNames.size < 5 && chromosome !== null) unknownNames.add(chromosome)
      return
    }
    if (position1 > lengthOf.get(sequence)!) {
      counts.outside += 1
      if (firstOutside === null) {
        firstOutside = number
        outsideExample = `${sequence}:${position1}`
      }
      return
    }
    if (row.zero) {
      counts.zero += 1
      firstZero ??= number
    }
    const trait = row.trait ?? options.trait
    let collector = traits.get(trait)
    if (collector === undefined) {
      if (traits.size === maxTraits) {
        failed = true
        log.report(toolDefects, 'gwas-traits', shownName, number, {
          limit: maxTraits,
          column: reader.columns.trait ?? '',
        })
        return
      }
      collector = new TraitCollector(sequences)
      traits.set(trait, collector)
    }
    const association: Association = {
      sequence,
      position: position1,
      id: id === null || id === '' ? `${sequence}:${position1}` : id,
      effectAllele,
      otherAllele,
      logP: row.logP,
      beta: row.beta,
      se: row.se,
      frequency: row.frequency,
      minorFrequency: row.minorFrequency,
      samples: row.samples,
      trait,
    }
    counts.used += 1
    collector.add(numberOf.get(sequence)!, association)
    lines.push(renderAssociation(association))
  }

  const sizeBytes = (await stat(options.file)).size
  const rows = new TableLines({ file: shownName, log, onLine })
  const textReader = new LineReader({ file: shownName, log, onLine: (line, number) => rows.addLine(line, number) })
  const source = async function* (): AsyncGenerator<string> {
    yield `#${associationColumns.join('\t')}`
    const take = (): string[] => {
      const ready = lines
      lines = []
      return ready
    }
    for await (const piece of readDecompressed(options.file, (bytes) => options.onProgress?.(bytes / sizeBytes))) {
      signal?.throwIfAborted()
      textReader.push(piece)
      yield* take()
      if (failed || textReader.refused) return
    }
    textReader.end()
    rows.end()
    yield* take()
  }
  const tabixLog = new DefectLog()
  const written = await bakeTabix({
    source: { lines: source(), name: shownName },
    format: 'bed',
    outFile: options.outFile,
    sequences,
    log: tabixLog,
    ...(signal === undefined ? {} : { signal }),
  })
  const opened = reader as AssociationReader | null
  if (failed || opened === null) {
    if (!failed && !log.hasErrors) log.report(textDefects, 'text-empty', shownName, null)
    return null
  }
  const { total } = counts
  if (counts.missing > 0)
    log.report(toolDefects, 'gwas-missing', shownName, firstMissing, { count: counts.missing, total })
  if (counts.unreadable > 0)
    log.report(toolDefects, 'gwas-unreadable', shownName, firstUnreadable, { count: counts.unreadable, total })
  if (counts.unknown > 0)
    log.report(toolDefects, 'gwas-sequence-unknown', shownName, firstUnknown, {
      count: counts.unknown,
      total,
      names: [...unknownNames].join(', '),
    })
  if (counts.outside > 0)
    log.report(toolDefects, 'gwas-outside', shownName, firstOutside, { count: counts.outside, total })
  if (counts.noLocus > 0)
    log.report(toolDefects, 'gwas-unplaced', shownName, firstUnplaced, { count: counts.noLocus, total })
  if (counts.zero > 0) log.report(toolDefects, 'gwas-zero', shownName, firstZero, { count: counts.zero })
  // No program writes such a p-value, and of a scan as -log10(p) nine rows in ten look like p-values.
  const notP = beyond.below0 + beyond.above1
  if (notP >= minLeftOut) {
    log.report(toolDefects, 'gwas-p-beyond', shownName, beyond.line, {
      count: notP,
      total,
      value: beyond.value,
      column: opened.columns.p ?? '',
      looks: beyond.below0 === 0 ? '@minus-log10-p' : beyond.above1 === 0 ? '@log10-p' : '@statistic',
    })
    return null
  }
  // A table of names alone is placed by another: a name that is not there is unknown, a place that cannot be read is unusable.
  const byName = opened.columns.position === undefined
  const unusable = [
    { count: counts.unreadable, line: firstUnreadable, example: unreadableExample },
    { count: byName ? 0 : counts.noLocus, line: firstUnplaced, example: unplacedExample },
    { count: counts.outside, line: firstOutside, example: outsideExample },
  ].filter(({ count }) => count > 0)
  const refused =
    refuseLeftOut(log, shownName, {
      why: 'unusable',
      total,
      line: unusable[0]?.line ?? null,
      example: unusable[0]?.example ?? '',
      count: unusable.reduce((sum, { count }) => sum + count, 0),
    }) ||
    refuseLeftOut(log, shownName, {
      why: 'unknown',
      count: counts.unknown + (byName ? counts.noLocus : 0),
      total,
      line: firstUnknown ?? firstUnplaced,
      example: unknownNames.size > 0 ? [...unknownNames].join(', ') : unplacedExample,
    })
  if (refused) return null
  if (counts.used === 0) {
    log.report(toolDefects, 'gwas-none', shownName, null, { total })
    return null
  }
  let hitsOnly = 0
  const reported = [...traits].map(([id, collector]) => {
    const { distribution } = collector
    const { count } = distribution
    const complete = options.complete ?? distribution.shareAbove(0.5) >= minAboveHalf
    if (!complete) hitsOnly += 1
    const threshold = options.threshold ?? (complete ? 0.05 / count : null)
    const hits = collector.hits()
    const trait: AssociationTrait = {
      id,
      count,
      complete,
      lambda: complete ? distribution.lambda() : null,
      threshold,
      thresholdBy: options.threshold !== undefined ? 'stated' : complete ? 'bonferroni' : null,
      significant: threshold === null ? null : distribution.countFrom(-Math.log10(threshold)),
      best: hits[0] ?? null,
    }
    const plot: AssociationPlot = {
      trait: id,
      sequences: sequences.map(({ name, lengthBp }) => ({ name, lengthBp })),
      scan: collector.thinner.finish(),
      quantiles: complete ? distribution.quantiles() : [],
      hits,
    }
    return { trait, plot }
  })
  if (hitsOnly > 0 && options.complete === undefined)
    log.report(toolDefects, 'gwas-hits-only', shownName, null, { count: hitsOnly, total: reported.length })
  return {
    format: opened.format,
    columns: opened.columns,
    rows: counts.used,
    csiFile: written.csiFile,
    tbiFile: written.tbiFile,
    traits: reported,
  }
}

/**
 * Places of variants by their names: a PLINK .bim or .map, a VCF, GEMMA's annotation (name, position, chromosome), or a table with
 * a heading that says id, chromosome and position.
 */
export const readLoci = async (
  file: string,
  findSequence: (name: string) => string | null,
  log: DefectLog,
): Promise<Map<string, KnownLocus>> => {
  const loci = new Map<string, KnownLocus>()
  const sequences = new Map<string, string | null>()
  const sequenceOf = (name: string): string | null => {
    let sequence = sequences.get(name)
    if (sequence === undefined) {
      sequence = findSequence(name)
      sequences.set(name, sequence)
    }
    return sequence
  }
  const put = (id: string | undefined, chromosome: string | undefined, position: string | undefined): void => {
    if (id === undefined || chromosome === undefined || position === undefined || id === '.') return
    const place = readPosition(position)
    const sequence = sequenceOf(chromosome)
    if (sequence !== null && place.ok) loci.set(id, { sequence, position1: place.value })
  }
  let order: [id: number, chromosome: number, position: number] | null = null
  const reader = new LineReader({
    file: basename(file),
    log,
    onLine: (line) => {
      if (line.startsWith('##') || line.trim() === '') return
      const cells = line
        .replace(/^#/, '')
        .trim()
        .split(line.includes('\t') ? /[\t ]+/ : /[, ]+/)
      if (order === null) {
        const heads = cells.map((cell) => cell.toLowerCase())
        const find = (...wanted: string[]): number => heads.findIndex((head) => wanted.includes(head))
        const named: [number, number, number] = [
          find('id', 'snp', 'rs', 'rsid', 'marker', 'name'),
          find('chrom', 'chr', 'chromosome'),
          find('pos', 'position', 'bp', 'ps'),
        ]
        if (named.every((at) => at >= 0)) {
          order = named
          return
        }
        // .bim has six columns, .map four: chromosome, name, centimorgans, position.
        order = cells.length === 6 || (cells.length === 4 && sequenceOf(cells[0]!) !== null) ? [1, 0, 3] : [0, 2, 1]
      }
      put(cells[order[0]], cells[order[1]], cells[order[2]])
    },
  })
  for await (const piece of readDecompressed(file)) reader.push(piece)
  reader.end()
  return loci
}
