// Tables of windows as programs of population genetics write them: vcftools (.windowed.weir.fst, .windowed.pi, .Tajima.D), pixy, XP-CLR
// (Chen
// et al. 2010, and xpclr in Python), BED and tables with a heading.

import type { DefectLog } from '../text/defects.ts'
import { refuseLeftOut } from '../text/left-out.ts'
import { hasDecimalComma, readNumber } from '../text/table-cells.ts'
import { textDefects } from '../text/text-defects.ts'
import { sweepDefects } from './sweep-defects.ts'

export type WindowStatistic = 'fst' | 'hudson' | 'dxy' | 'pi' | 'piRatio' | 'tajimaD' | 'xpclr' | 'other'

/** What a lab says of a column, where its name does not. */
export interface NamedColumn {
  column: string
  statistic?: WindowStatistic
  populations?: readonly string[]
}

export interface ReadSeries {
  /** Name of the column. */
  column: string
  statistic: WindowStatistic
  populations: string[]
  /** By window; NaN where the table has none. */
  values: Float64Array
}

export interface ReadWindows {
  /** Names as the file has them. */
  sequences: string[]
  sequence: Uint32Array
  start1: Uint32Array
  end1: Uint32Array
  sites: Uint32Array | null
  series: ReadSeries[]
}

export interface WindowTableOptions {
  file: string
  log: DefectLog
  columns?: readonly NamedColumn[]
  /** Populations that all values are of, where neither the table nor `columns` says. */
  populations?: readonly string[]
  maxRows: number
}

const roles: [role: 'sequence' | 'start' | 'end' | 'position' | 'sites', pattern: RegExp][] = [
  ['sequence', /^#?(chrom|chr|chromosome|seqid|seqname|sequence|scaffold|contig)$/i],
  ['start', /^(bin_?start|start|chromstart|window_pos_1|win(dow)?_?start|begin|from)$/i],
  ['end', /^(bin_?end|end|stop|chromend|window_pos_2|win(dow)?_?end|to)$/i],
  ['position', /^(pos|position|mid|midpoint|center|centre|physical_?pos|bp)$/i],
  ['sites', /^(n_?variants|n_?snps|no_sites|no_snps|n_?sites|sites|snps|num_?snps)$/i],
]

const kinds: [WindowStatistic, RegExp][] = [
  ['hudson', /hudson/i],
  ['fst', /fst/i],
  ['tajimaD', /tajima|^(avg_)?d$/i],
  ['xpclr', /xp-?_?clr/i],
  ['dxy', /dxy/i],
  ['piRatio', /pi.*ratio|ratio.*pi|^rod$/i],
  ['pi', /(^|[^a-z])pi([^a-z]|$)|nucleotide_?diversity/i],
]

/**
 * What the values of a column are, by its name. Example: `guessStatistic('WEIGHTED_FST')` is `'fst'`, of `'log2_pi_ratio'` `'piRatio'`,
 * of `'iHS'` null.
 */
export const guessStatistic = (column: string): WindowStatistic | null =>
  kinds.find(([, pattern]) => pattern.test(column))?.[0] ?? null

// Grid and score columns of the XP-CLR of Chen et al., which writes no heading.
const xpclrColumns = ['chrom', 'grid', 'nSNPs', 'position', 'geneticPos', 'XPCLR', 'max_s']

/** Numbers with as many places as there are rows so far. */
class Column {
  values = new Float64Array(1024).fill(Number.NaN)
  set(row: number, value: number): void {
    while (row >= this.values.length) {
      const wider = new Float64Array(2 * this.values.length).fill(Number.NaN)
      wider.set(this.values)
      this.values = wider
    }
    this.values[row] = value
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))
const readValue = (text: string | undefined): number =>
  text !== undefined && isNumber(text) ? Number(text) : Number.NaN

/** A value as programs write it, NaN where they say that there is none (-nan, inf); null for what is no number. */
const readStatistic = (text: string | undefined): number | null =>
  text === undefined || /^[+-]?(nan|inf(inity)?)$/i.test(text.trim()) ? Number.NaN : readNumber(text)

/**
 * Reads a table of windows line by line. Columns are found by their headings; tab or blanks part them. Starts count from 0 in a
 * BED and in vcftools' Tajima.D, from 1 elsewhere. Windows of a table without ends reach to the next start; of one with positions only
 * they are that position. Where columns name populations (pop; pop1 and pop2, as pixy has them), each is a series of its own.
 *
 * Example: the lines `CHROM BIN_START N_SNPS TajimaD`, `chrI 0 12 -1.5` and `chrI 10000 9 0.3` are windows 1..10000 and
 * 10001..20000 of a series `TajimaD`.
 */
export class WindowTableReader {
  readonly #options: WindowTableOptions
  readonly #sequences = new Map<string, number>()
  readonly #sequence = new Column()
  readonly #start = new Column()
  readonly #end = new Column()
  readonly #sites = new Column()
  readonly #series = new Map<
    string,
    { column: string; statistic: WindowStatistic; populations: string[]; values: Column }
  >()
  readonly #rowOf = new Map<string, number>()
  #rows = 0
  #tabbed = true
  #heading: string[] | null = null
  #places = new Map<string, number>()
  #columns: { at: number; column: string; statistic: WindowStatistic; populations: string[] | null; asked: boolean }[] =
    []
  /** By column, cells that are no numbers, the first of them, and how many are. */
  readonly #cells = new Map<number, { bad: number; numbers: number; first: { line: number; example: string } | null }>()
  #populationColumns: number[] = []
  #zeroBased = false
  #hasEnds = false
  #full = false
  #refused = false
  #told = 0
  #read = 0
  #leftOut = 0
  #firstLeft: { line: number; example: string } | null = null
  #headingLine = 0

  constructor(options: WindowTableOptions) {
    this.#options = options
  }

  addLine(text: string, line: number): void {
    const { file, log, maxRows } = this.#options
    // A last cell may be empty.
    const trimmed = this.#heading !== null && this.#tabbed ? text.replace(/[\r\n]+$/, '') : text.trim()
    if (trimmed.trim() === '' || trimmed.startsWith('##') || this.#full) return
    if (this.#heading === null) {
      this.#tabbed = trimmed.includes('\t')
      const cells = this.#split(trimmed)
      // A comment that is not a heading.
      if (trimmed.startsWith('#') && cells.length < 3) return
      const headless = cells.length >= 3 && isNumber(cells[1]!)
      if (!this.#open(headless ? this.#headlessNames(cells) : cells, line)) {
        this.#full = true
        return
      }
      if (!headless) return
    }
    const cells = this.#split(trimmed)
    this.#read++
    if (cells.length < this.#heading!.length) {
      this.#leaveOut(line, trimmed)
      if (this.#told++ < 20)
        log.report(sweepDefects, 'windows-columns', file, line, {
          found: cells.length,
          expected: this.#heading!.length,
        })
      return
    }
    const cell = (role: string): string | undefined => cells[this.#places.get(role) ?? -1]
    const offset = this.#zeroBased ? 1 : 0
    const from = cell('start') ?? cell('position')
    const start = readValue(from) + offset
    const end = this.#hasEnds ? readValue(cell('end')) : this.#places.has('start') ? Number.NaN : start
    // A BED of one base and an interval that ends where it begins are the same to many writers.
    if (!Number.isInteger(start) || start < 1 || (this.#hasEnds && !(Number.isInteger(end) && end >= start))) {
      this.#leaveOut(line, trimmed)
      if (this.#told++ < 20)
        log.report(sweepDefects, 'windows-place', file, line, {
          start: from ?? '',
          end: (this.#hasEnds ? cell('end') : undefined) ?? '',
        })
      return
    }
    const name = cell('sequence')!.replace(/^#/, '')
    const row = this.#rowFor(name, start, end)
    if (row === null) {
      this.#full = true
      log.report(sweepDefects, 'windows-too-many', file, line, { limit: maxRows })
      return
    }
    const sites = readValue(cell('sites'))
    if (!Number.isNaN(sites)) this.#sites.set(row, sites)
    const populations = this.#populationColumns.map((at) => cells[at]!)
    for (const { at, column, statistic, populations: named } of this.#columns) {
      const value = this.#readCell(cells[at], at, column, line)
      if (value === null) return
      const of = named ?? (populations.length > 0 ? populations : [...(this.#options.populations ?? [])])
      const key = `${column}\t${of.join('\t')}`
      let series = this.#series.get(key)
      if (series === undefined) {
        series = { column, statistic, populations: of, values: new Column() }
        this.#series.set(key, series)
      }
      series.values.set(row, value)
    }
  }

  /** The value of a cell; null after it refused the table. */
  #readCell(text: string | undefined, at: number, column: string, line: number): number | null {
    const { file, log } = this.#options
    const value = readStatistic(text)
    const counts = this.#cells.get(at) ?? { bad: 0, numbers: 0, first: null }
    this.#cells.set(at, counts)
    if (value !== null) {
      if (!Number.isNaN(value)) counts.numbers++
      return value
    }
    if (hasDecimalComma(text!)) {
      this.#full = true
      this.#refused = true
      log.report(textDefects, 'phenotype-decimal-comma', file, line, { value: text!.trim(), column })
      return null
    }
    counts.bad++
    counts.first ??= { line, example: text! }
    return Number.NaN
  }

  #split(text: string): string[] {
    return this.#tabbed ? text.split('\t').map((cell) => cell.trim()) : text.split(/\s+/)
  }

  #headlessNames(cells: string[]): string[] {
    // The grid's number stands where a BED has its start.
    if (!this.#tabbed && cells.length === xpclrColumns.length) return xpclrColumns
    const [, , third, ...values] = cells
    const isValue = (cell: string): boolean => isNumber(cell) || hasDecimalComma(cell)
    if (!isNumber(third!)) return ['chrom', 'position', ...cells.slice(2).map((_, at) => `value${at + 1}`)]
    if (values.length === 0) return ['chrom', 'position', 'value1']
    // A name before the score, as BED has it.
    return [
      'chrom',
      'chromStart',
      'chromEnd',
      ...values.map((value, at) => (isValue(value) ? `value${at + 1}` : 'name')),
    ]
  }

  #open(heading: string[], line: number): boolean {
    const { file, log, columns = [] } = this.#options
    this.#heading = heading
    this.#headingLine = line
    for (const [role, pattern] of roles) {
      const at = heading.findIndex((name) => pattern.test(name))
      if (at >= 0) this.#places.set(role, at)
    }
    this.#hasEnds = this.#places.has('start') && this.#places.has('end')
    if (!this.#places.has('sequence') || !(this.#places.has('start') || this.#places.has('position'))) {
      log.report(sweepDefects, 'windows-no-place', file, line, { heading: heading.join(' ').slice(0, 200) })
      return false
    }
    const starts = heading[this.#places.get('start') ?? -1] ?? ''
    this.#zeroBased =
      /^chromstart$/i.test(starts) ||
      (/\.bed(graph)?(\.b?gz)?$/i.test(file) && this.#hasEnds) ||
      // vcftools counts the bins of its Tajima.D from 0, and those of Fst and pi from 1.
      (/^bin_?start$/i.test(starts) && !this.#hasEnds)
    this.#populationColumns = heading.flatMap((name, at) =>
      /^(pop|population|pop_?1|pop_?2)$/i.test(name) ? [at] : [],
    )
    const taken = new Set([...this.#places.values(), ...this.#populationColumns])
    const named = columns.flatMap((one) => {
      const at = heading.findIndex((name) => name.toLowerCase() === one.column.toLowerCase())
      if (at < 0) log.report(sweepDefects, 'windows-no-column', file, line, { column: one.column })
      return at < 0 ? [] : [{ at, one }]
    })
    const free = heading.flatMap((column, at) => (taken.has(at) || column === 'name' ? [] : [{ at, column }]))
    const guessed = free.filter(({ column }) => guessStatistic(column) !== null && !/^count_/i.test(column))
    this.#columns =
      named.length > 0
        ? named.map(({ at, one }) => ({
            at,
            column: heading[at]!,
            statistic: one.statistic ?? guessStatistic(heading[at]!) ?? 'other',
            populations: one.populations === undefined ? null : [...one.populations],
            asked: true,
          }))
        : (guessed.length > 0 ? guessed : free).map(({ at, column }) => ({
            at,
            column,
            statistic: guessStatistic(column) ?? 'other',
            populations: null,
            asked: guessed.length > 0,
          }))
    if (this.#columns.length === 0) {
      log.report(sweepDefects, 'windows-no-values', file, line, { heading: heading.join(' ').slice(0, 200) })
      return false
    }
    return true
  }

  /** Row of a window; the same for all populations of one. Null when there are too many. */
  #rowFor(name: string, start: number, end: number): number | null {
    const key = `${name}\t${start}\t${end}`
    if (this.#populationColumns.length > 0) {
      const known = this.#rowOf.get(key)
      if (known !== undefined) return known
    }
    if (this.#rows >= this.#options.maxRows) return null
    const row = this.#rows
    this.#rows += 1
    if (this.#populationColumns.length > 0) this.#rowOf.set(key, row)
    let sequence = this.#sequences.get(name)
    if (sequence === undefined) {
      sequence = this.#sequences.size
      this.#sequences.set(name, sequence)
    }
    this.#sequence.set(row, sequence)
    this.#start.set(row, start)
    this.#end.set(row, end)
    return row
  }

  #leaveOut(line: number, text: string): void {
    this.#leftOut++
    this.#firstLeft ??= { line, example: text }
  }

  /** Tells of cells that are no numbers; true when there are too many. A column that nobody asked for may be one of words. */
  #judgeCells(): boolean {
    const { file, log } = this.#options
    let refused = false
    for (const { at, column, asked } of this.#columns) {
      const { bad = 0, numbers = 0, first = null } = this.#cells.get(at) ?? {}
      if (first === null || numbers === 0 || (!asked && bad > numbers)) continue
      log.report(textDefects, 'cell-no-number', file, first.line, { value: first.example, column })
      const example = `${column}: ${first.example}`
      const facts = {
        why: 'unusable',
        count: this.#leftOut + bad,
        total: this.#read,
        line: first.line,
        example,
      } as const
      refused = refuseLeftOut(log, file, facts) || refused
    }
    return refused
  }

  /** The table with its windows as they came; null when it has none, which is reported. */
  finish(): ReadWindows | null {
    const { file, log } = this.#options
    if (this.#refused) return null
    const first = this.#firstLeft
    if (first) {
      const facts = { why: 'unusable', count: this.#leftOut, total: this.#read, ...first } as const
      if (refuseLeftOut(log, file, facts)) return null
    }
    if (this.#judgeCells()) return null
    if (this.#rows === 0) {
      // What is wrong with the heading has been told.
      if (!this.#full) log.report(sweepDefects, 'windows-none', file, null)
      return null
    }
    if ([...this.#series.values()].every(({ values }) => values.values.every(Number.isNaN))) {
      log.report(sweepDefects, 'windows-no-numbers', file, this.#headingLine, {
        columns: this.#columns.map(({ column }) => column).join(', '),
      })
      return null
    }
    const taken = (column: Column): Float64Array => {
      column.set(this.#rows - 1, column.values[this.#rows - 1] ?? Number.NaN)
      return column.values.slice(0, this.#rows)
    }
    const start = taken(this.#start)
    const end = taken(this.#end)
    const sequence = taken(this.#sequence)
    if (!this.#hasEnds && this.#places.has('start')) {
      // The commonest distance of one start to the next is the width of all.
      const counts = new Map<number, number>()
      for (let row = 1; row < this.#rows; row++) {
        const apart = start[row]! - start[row - 1]!
        if (sequence[row] === sequence[row - 1] && apart > 0) counts.set(apart, (counts.get(apart) ?? 0) + 1)
      }
      const [width = 1] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0] ?? []
      for (let row = 0; row < this.#rows; row++) end[row] = start[row]! + width - 1
    }
    const sites = taken(this.#sites)
    return {
      sequences: [...this.#sequences.keys()],
      sequence: Uint32Array.from(sequence),
      start1: Uint32Array.from(start),
      end1: Uint32Array.from(end),
      sites: sites.some((value) => !Number.isNaN(value)) ? Uint32Array.from(sites, (value) => value || 0) : null,
      series: [...this.#series.values()].map(({ values, ...about }) => ({ ...about, values: taken(values) })),
    }
  }
}
