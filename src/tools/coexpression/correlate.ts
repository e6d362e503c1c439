import {
  type CorrelationMethod,
  type CorrelationQuery,
  correlateMany,
  correlateRows,
  prepareQuery,
} from '../../bio/statistics/correlation.ts'
import type { OpenExpression } from '../../kit/data/expression-data.ts'
import type { MatrixFile } from '../../store/npy-matrix.ts'

type Direction = 'positive' | 'negative' | 'both'

/** A correlation as it is ranked: the greater the better. */
export const strength = (r: number, direction: Direction): number =>
  direction === 'positive' ? r : direction === 'negative' ? -r : Math.abs(r)

export interface Correlations {
  /** By row of the matrix; NaN where it cannot be told. */
  r: Float64Array
  pairs: Uint16Array
}

/** The rows that a coefficient is taken over: standardised values, or ranks. Closed by the caller. */
export const openRows = (open: OpenExpression, method: CorrelationMethod): Promise<MatrixFile<'<f4' | '<u2'>> =>
  method === 'pearson' ? open.openStandard() : open.openRanks()

const prepare = async (
  matrix: MatrixFile<'<f4' | '<u2'>,
  rows: readonly number[],
  columns: Uint32Array,
  method: CorrelationMethod,
): Promise<CorrelationQuery[]> => (await matrix.readRows(rows)).map((row) => prepareQuery(row, columns, method))

/** Correlation of some rows with all rows; the file is gone through once, a few megabytes at a time. */
export const correlateWithAll = async (
  matrix: MatrixFile<'<f4' | '<u2'>,
  rows: readonly number[],
  columns: Uint32Array,
  method: CorrelationMethod,
  signal: AbortSignal,
): Promise<Correlations[]> => {
  const queries = await prepare(matrix, rows, columns, method)
  const found = rows.map(() => ({ r: new Float64Array(matrix.rows), pairs: new Uint16Array(matrix.rows) }))
  for await (const { first, count, cells } of matrix.scan()) {
    signal.throwIfAborted()
    if (method === 'pearson' && queries.length > 1)
      correlateMany(queries, cells, count, matrix.columns, (row, r, pairs) => {
        for (let at = 0; at < queries.length; at += 1) {
          found[at]!.r[first + row] = r[at]!
          found[at]!.pairs[first + row] = pairs[at]!
        }
      })
    else
      for (const [at, query] of queries.entries())
        correlateRows(query, cells, count, matrix.columns, found[at]!.r, found[at]!.pairs, first)
  }
  return found
}

/**
 * Places of genes in the lists of others by Pearson's coefficient: for each candidate row and each guide, 1 + how many genes correlate
 * with the candidate better
 * than the guide does. `known[guide][candidate]` is their correlation. Pairs with fewer than `minimumPairs` samples do not count.
 */
export const indexByRow = async (
  matrix: MatrixFile<'<f4' | '<u2'>,
  candidates: readonly number[],
  guides: readonly number[],
  known: readonly Float64Array[],
  settings: { columns: Uint32Array; direction: Direction; minimumPairs: number },
  signal: AbortSignal,
): Promise<Uint32Array[]> => {
  const { columns, direction, minimumPairs } = settings
  const queries = await prepare(matrix, candidates, columns, 'pearson')
  const indexes = guides.map(() => new Uint32Array(candidates.length).fill(1))
  const bars = guides.map((_, guide) => candidates.map((row) => strength(known[guide]![row]!, direction)))
  for await (const { first, count, cells } of matrix.scan()) {
    signal.throwIfAborted()
    correlateMany(queries, cells, count, matrix.columns, (row, r, pairs) => {
      const here = first + row
      for (let at = 0; at < queries.length; at += 1) {
        if (pairs[at]! < minimumPairs || here === candidates[at]) continue
        const value = strength(r[at]!, direction)
        // The same pair reckoned from its other side may differ in the last digits: such are equal.
        for (let guide = 0; guide < guides.length; guide += 1)
          if (here !== guides[guide] && value > bars[guide]![at]! + 1e-9) indexes[guide]![at]! += 1
      }
    })
  }
  return indexes
}

/** Correlation of every pair of these rows; those that cannot be told are left out. */
export const correlateAmong = async (
  matrix: MatrixFile<'<f4' | '<u2'>,
  rows: readonly number[],
  columns: Uint32Array,
  method: CorrelationMethod,
  minimumPairs: number,
): Promise<[a: number, b: number, r: number][]> => {
  const values = await matrix.readRows(rows)
  const block = new Float64Array(rows.length * matrix.columns)
  for (const [at, row] of values.entries()) block.set(row, at * matrix.columns)
  const found: [number, number, number][] = []
  const r = new Float64Array(rows.length)
  const pairs = new Uint16Array(rows.length)
  for (const [a, row] of values.entries()) {
    correlateRows(prepareQuery(row, columns, method), block, rows.length, matrix.columns, r, pairs)
    for (let b = a + 1; b < rows.length; b += 1)
      if (!Number.isNaN(r[b]!) && pairs[b]! >= minimumPairs) found.push([a, b, r[b]!])
  }
  return found
}
