// Domains, loops and compartments of contact maps, as the programs that call them write them.

import { hasDecimalComma, readNumber } from '../text/table-cells.ts'

export interface ContactRegion {
  sequence: string
  /** Half-open, counted from 0, as BED has it. */
  start0: number
  end0: number
  name: string | null
  value: number | null
}

export interface ContactLoop {
  a: Omit<ContactRegion, 'value' | 'name'>
  b: Omit<ContactRegion, 'value' | 'name'>
  name: string | null
  score: number | null
}

export type ContactFeatureProblem =
  | { code: 'track-column-count'; params: { found: number; format: string; expected: number } }
  | { code: 'track-bad-coordinate'; params: { column: string; value: string; min: number } }
  | { code: 'track-start-after-end'; params: { start: number; end: number } }
  | { code: 'track-beyond-sequence'; params: { end: number; sequence: string; length: number } }
  | { code: 'phenotype-decimal-comma' | 'cell-no-number'; params: { value: string; column: string } }

/** Thrown at a line that is none of its kind. */
export class ContactLineError extends Error {
  readonly problem: ContactFeatureProblem
  constructor(problem: ContactFeatureProblem) {
    super(problem.code)
    this.problem = problem
  }
}

const coordinate = (text: string | undefined, column: string): number => {
  // Programs over data frames write whole numbers as 120000.0.
  const number = /^\d+(\.0*)?$/.test(text ?? '') ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number))
    throw new ContactLineError({ code: 'track-bad-coordinate', params: { column, value: text ?? '', min: 0 } })
  return number
}

const segmentAt = (cells: string[], at: number): { sequence: string; start0: number; end0: number } => {
  const start0 = coordinate(cells[at + 1], 'start')
  const end0 = coordinate(cells[at + 2], 'end')
  if (start0 >= end0)
    throw new ContactLineError({ code: 'track-start-after-end', params: { start: start0, end: end0 } })
  return { sequence: cells[at]!, start0, end0 }
}

const textOf = (cell: string | undefined): string | null => (cell === undefined || /^\.?$/.test(cell) ? null : cell)

/** The value of a cell, null where it has none. Throws ContactLineError for a decimal comma and for what is neither. */
const cellValue = (cell: string | undefined, column: string): number | null => {
  const number = cell === undefined ? Number.NaN : readNumber(cell)
  if (number === null) {
    const code = hasDecimalComma(cell!) ? 'phenotype-decimal-comma' : 'cell-no-number'
    throw new ContactLineError({ code, params: { value: cell!, column } })
  }
  return Number.isNaN(number) ? null : number
}

/** Lines that say nothing of the genome: empty, comments, and those for the UCSC browser. */
const isAside = (line: string): boolean => line.trim() === '' || /^(?:#|track\b|browser\b)/.test(line)

const needColumns = (cells: string[], expected: number, format: string): void => {
  if (cells.length < expected)
    throw new ContactLineError({ code: 'track-column-count', params: { found: cells.length, format, expected } })
}

/** Names by which tables of programs head the columns of their values: cooltools' eigs-cis, dcHiC, HOMER's PC1. */
const valueHeads = /^(?:E1|PC1|EV1|eigenvector|value|score|compartment)$/i

/**
 * Reads domains (`tads`: BED, or BEDPE as Arrowhead writes its squares), or compartments (bedGraph, BED whose names or scores tell them, or
 * a table headed as cooltools heads its eigenvectors). Call it line by line; null for a line that holds nothing. Throws
 * ContactLineError.
 *
 * Example: of `tads` the line `chr1<tab>0<tab>90000<tab>d1` is `{sequence: 'chr1', start0: 0, end0: 90000, name: 'd1', value: null}`.
 */
export const createRegionReader = (kind: 'tads' | 'compartments') => {
  let valueColumn: number | null = null
  let heading: string[] = []
  let lines = 0
  return (line: string): ContactRegion | null => {
    if (isAside(line)) {
      return null
    }
    const cells = line.split('\t').map((cell) => cell.trim())
    lines += 1
    // A head over the columns names them: the second is no number.
    if (lines === 1 && !/^\d/.test(cells[1] ?? '')) {
      const found = cells.findIndex((cell, at) => at > 2 && valueHeads.test(cell))
      valueColumn = found < 0 ? null : found
      heading = cells
      return null
    }
    needColumns(cells, 3, kind === 'tads' ? 'BED' : 'bedGraph')
    const interval = segmentAt(cells, 0)
    if (kind === 'tads') return { ...interval, name: cells[3] === cells[0] ? null : textOf(cells[3]), value: null }
    const reported = cells[valueColumn ?? 3]
    // A and B as names, with a score or without.
    const sign = /^A\d*$/i.test(reported ?? '') ? 1 : /^B\d*$/i.test(reported ?? '') ? -1 : null
    // BED has a name before its score.
    const scored =
      valueColumn === null && reported !== undefined && readNumber(reported) === null && !hasDecimalComma(reported)
    const at = scored && cells.length > 4 ? 4 : (valueColumn ?? 3)
    const value = sign ?? cellValue(cells[at], heading[at] ?? '@value')
    return value === null ? null : { ...interval, name: null, value }
  }
}

/**
 * Reads loops line by line: BEDPE, or a table of its six first columns with a head (HiCCUPS, cooltools dots, chromosight, Mustache).
 * Column 7 is the name and 8 the score when it is a number. Throws ContactLineError.
 */
export const createLoopReader = () => {
  let lines = 0
  let scoreColumn: number | null = null
  let heading: string[] | null = null
  return (line: string): ContactLoop | null => {
    if (isAside(line) && !/^#?chr(?:om)?1\b/i.test(line)) return null
    const cells = line.split('\t').map((cell) => cell.trim())
    lines += 1
    if (lines === 1 && !/^\d/.test(cells[1] ?? '')) {
      heading = cells
      const found = cells.findIndex(
        (cell, at) => at > 5 && /^(?:score|count|observed|DETECTION_SCALE|FDR)$/i.test(cell),
      )
      scoreColumn = found < 0 ? null : found
      return null
    }
    if (line.startsWith('#')) return null
    needColumns(cells, 6, 'BEDPE')
    // A BEDPE may have words where others have the score.
    const isWord = heading === null && readNumber(cells[7] ?? '') === null && !hasDecimalComma(cells[7]!)
    const at = heading === null ? (isWord ? null : 7) : scoreColumn
    return {
      a: segmentAt(cells, 0),
      b: segmentAt(cells, 3),
      name: heading === null ? textOf(cells[6]) : null,
      score: at === null ? null : cellValue(cells[at], heading?.[at] ?? '@score'),
    }
  }
}
