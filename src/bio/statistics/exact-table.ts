import { logGamma } from './distributions.ts'

/** Tables that are looked at before the exact test is given up, unless the caller says otherwise: a good part of a second. */
const usualTables = 200_000
/** Cells of a table that is gone through; of more there are nearly always too many tables. */
const maxCells = 1000
/** As R's fisher.test: tables as likely as the one seen count, rounding allowed for. */
const alike = 1 + 1e-7

/**
 * Fisher's exact test of a table of counts in the extension of Freeman and Halton (1951, Biometrika 38:141), two-sided: the probability of
 * all tables with the same margins that are not likelier than this one, as R's fisher.test. Null where fewer than two rows or columns have
 * counts, or where the table has more cells, or there are more than `maxTables`, than can be gone through.
 *
 * @example exactTable([[3, 1], [1, 3]]) // 0.4857
 */
export const exactTable = (counts: readonly (readonly number[])[], maxTables = usualTables): number | null => {
  const rows = counts.map((row) => row.reduce((sum, one) => sum + one, 0))
  const width = counts[0]?.length ?? 0
  const columns = Array.from({ length: width }, (_, at) => counts.reduce((sum, row) => sum + row[at]!, 0))
  const filled = rows.flatMap((sum, at) => (sum > 0 ? [at] : []))
  const kept = columns.flatMap((sum, at) => (sum > 0 ? [at] : []))
  if (filled.length < 2 || kept.length < 2 || filled.length * kept.length > maxCells) return null
  const total = rows.reduce((sum, one) => sum + one, 0)
  const logs = Float64Array.from({ length: total + 1 }, (_, at) => logGamma(at + 1))
  const rowSums = filled.map((at) => rows[at]!)
  const columnSums = kept.map((at) => columns[at]!)
  const margins =
    rowSums.reduce((sum, one) => sum + logs[one]!, 0) +
    columnSums.reduce((sum, one) => sum + logs[one]!, 0) -
    logs[total]!
  const seen = Math.exp(
    margins - filled.reduce((sum, row) => sum + kept.reduce((part, at) => part + logs[counts[row]![at]!]!, 0), 0),
  )
  let tables = 0
  let sum = 0
  const rest = [...columnSums]
  /** Fills the table cell by cell; the last row and the last column follow from the margins. */
  const fill = (row: number, column: number, left: number, log: number): boolean => {
    if (row === rowSums.length - 1) {
      tables += 1
      const probability = Math.exp(margins - log - rest.reduce((part, one) => part + logs[one]!, 0))
      if (probability <= seen * alike) sum += probability
      return tables <= maxTables
    }
    if (column === columnSums.length - 1) {
      if (left > rest[column]!) return true
      rest[column]! -= left
      const goesOn = fill(row + 1, 0, rowSums[row + 1]!, log + logs[left]!)
      rest[column]! += left
      return goesOn
    }
    let behind = 0
    for (let at = column + 1; at < columnSums.length; at += 1) behind += rest[at]!
    const least = Math.max(0, left - behind)
    for (let count = least; count <= Math.min(left, rest[column]!); count += 1) {
      rest[column]! -= count
      const goesOn = fill(row, column + 1, left - count, log + logs[count]!)
      rest[column]! += count
      if (!goesOn) return false
    }
    return true
  }
  return fill(0, 0, rowSums[0]!, 0) ? Math.min(1, sum) : null
}
