import { normalQuantile } from '../../bio/statistics/distributions.ts'
import { findSeparator, readNumber, splitCells } from '../../bio/text/table-cells.ts'
import { joinTableLines } from '../../bio/text/table-lines.ts'
import type { TextLog } from '../../bio/text/text-encoding.ts'
import { fieldError } from '../../contracts/errors.ts'

/** Values of a phenotype by accession; of several values of one their mean. */
export interface PhenotypeValues {
  values: Map<string, number>
  repeated: number
  /** Name of the column where the table has a heading. */
  name: string | null
}

const cutLine = (line: string): string[] => {
  const separator = findSeparator(line)
  const cells = line.includes(separator) ? splitCells(line, separator) : line.trim().split(/\s+/)
  return cells.map((cell) => cell.trim())
}

/** Rows of a pasted table; throws a field error for a quote that is not closed. */
const rowsOf = (text: string, field: 'values' | 'covariates'): string[] => {
  const log: TextLog = {
    report: (_catalogue, code, _file, line) => {
      if (code !== 'table-line-break') throw fieldError([field], 'problem.quote', { line: line ?? 1 })
    },
  }
  return joinTableLines(text.split(/\r\n|\n|\r/), field, log)
}

/**
 * Reads a pasted phenotype: an accession and its number a line, parted by tab, comma, semicolon or blanks; a heading may stand first,
 * what was not measured is NA or empty. Throws a field error that names the line.
 */
export const readValues = (text: string): PhenotypeValues => {
  const sums = new Map<string, { sum: number; count: number }>()
  let name: string | null = null
  let first = true
  for (const [number, line] of rowsOf(text, 'values').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [accession = '', value = ''] = cutLine(line)
    const read = readNumber(value)
    if (first && read === null) {
      first = false
      name = value
      continue
    }
    first = false
    if (accession === '') throw fieldError(['values'], 'problem.noAccession', { line: number + 1 })
    if (read === null) throw fieldError(['values'], 'problem.notNumber', { line: number + 1, text: value.slice(0, 40) })
    if (Number.isNaN(read)) continue
    const before = sums.get(accession)
    if (before === undefined) sums.set(accession, { sum: read, count: 1 })
    else {
      before.sum += read
      before.count += 1
    }
  }
  if (sums.size === 0) throw fieldError(['values'], 'problem.noValues')
  return {
    values: new Map([...sums].map(([accession, { sum, count }]) => [accession, sum / count])),
    repeated: [...sums.values()].filter(({ count }) => count > 1).length,
    name,
  }
}

export interface Covariates {
  names: string[]
  /** Numbers by accession, one a name; accessions with something missing are not here. */
  values: Map<string, number[]>
}

/**
 * Reads covariates: an accession and its covariates a line, with a heading of their names. A column of words becomes a column of 0 and 1
 * for each word but the first in the order of the alphabet.
 */
export const readCovariates = (text: string, max: number): Covariates => {
  const lines = rowsOf(text, 'covariates')
    .map((line, number) => ({ line, number: number + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))
    .map(({ line, number }) => ({ cells: cutLine(line), number }))
  const width = lines[0]?.cells.length ?? 0
  if (width < 2) throw fieldError(['covariates'], 'problem.covariateColumns')
  const uneven = lines.find(({ cells }) => cells.length !== width)
  if (uneven !== undefined)
    throw fieldError(['covariates'], 'problem.covariateLine', {
      line: uneven.number,
      found: uneven.cells.length,
      wanted: width,
    })
  // A heading is a first line without a number, above lines that have some.
  const headed =
    lines.length > 1 &&
    lines[0]!.cells.slice(1).every((cell) => readNumber(cell) === null) &&
    (lines[1]!.cells.slice(1).some((cell) => readNumber(cell) !== null) ||
      lines.slice(1).every(({ cells }) => cells[1] !== lines[0]!.cells[1]))
  const heads = headed ? lines[0]!.cells : lines[0]!.cells.map((_, at) => `covariate ${at}`)
  const rows = headed ? lines.slice(1) : lines
  const names: string[] = []
  const columns: ((cells: string[]) => number[])[] = []
  for (let at = 1; at < width; at += 1) {
    const numbers = rows.map(({ cells }) => readNumber(cells[at]!))
    if (numbers.every((value) => value !== null)) {
      names.push(heads[at]!)
      columns.push((cells) => [readNumber(cells[at]!)!])
      continue
    }
    const missing = (cell: string): boolean => Number.isNaN(readNumber(cell) ?? 0)
    const levels = [...new Set(rows.map(({ cells }) => cells[at]!).filter((cell) => !missing(cell)))].sort().slice(1)
    names.push(...levels.map((level) => `${heads[at]!}=${level}`))
    columns.push((cells) => levels.map((level) => (missing(cells[at]!) ? Number.NaN : Number(cells[at] === level))))
  }
  if (names.length > max)
    throw fieldError(['covariates'], 'problem.tooManyCovariates', { count: names.length, limit: max })
  const values = new Map<string, number[]>()
  for (const { cells } of rows) {
    const own = columns.flatMap((column) => column(cells))
    if (own.every((value) => !Number.isNaN(value))) values.set(cells[0]!, own)
  }
  return { names, values }
}

/** Values put on the quantiles of a normal distribution by their ranks, ties by their mean rank (Blom 1958: (r - 3/8) / (n + 1/4)). */
export const normalByRank = (values: readonly number[]): number[] => {
  const order = values.map((_, at) => at).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to += 1
    for (let at = from; at <= to; at += 1) ranks[order[at]!] = (from + to) / 2 + 1
    from = to + 1
  }
  return ranks.map((rank) => normalQuantile((rank - 0.375) / (values.length + 0.25)))
}
