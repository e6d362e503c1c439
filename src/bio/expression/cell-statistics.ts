// Tests between groups of cells whose values are mostly zero and given without the zeros.

import { normalTail, studentTwoSided } from '../statistics/distributions.ts'

/** Values of one gene in a group of cells: those that are not zero, and how many cells there are in all. */
export interface SparseGroup {
  values: ArrayLike<number>
  cells: number
}

export interface Moments {
  mean: number
  /** With n - 1; 0 of fewer than two cells. */
  variance: number
  /** Share of the cells whose value is not zero, of 1. */
  fraction: number
}

/**
 * Mean, variance and share of expressing cells, zeros counted.
 *
 * @example describeCells({values: [2, 4], cells: 4}) // {mean: 1.5, variance: 3.6667, fraction: 0.5}
 */
export const describeCells = ({ values, cells }: SparseGroup): Moments => {
  if (cells === 0) return { mean: 0, variance: 0, fraction: 0 }
  let sum = 0
  for (let at = 0; at < values.length; at += 1) sum += values[at]!
  const mean = sum / cells
  let squares = (cells - values.length) * mean * mean
  for (let at = 0; at < values.length; at += 1) squares += (values[at]! - mean) ** 2
  return { mean, variance: cells < 2 ? 0 : squares / (cells - 1), fraction: values.length / cells }
}

/**
 * Welch's t-test of two groups (1947, Biometrika 34:28), two-sided, from their moments. Null where it says nothing: a group of fewer
 * than two cells, or no variance in both.
 *
 * @example welchTest(describeCells({values: [1, 2, 3], cells: 3}), 3, describeCells({values: [4, 6, 8], cells: 3}), 3)
 * // {t: -3.0984, degrees: 2.9412, pValue: 0.0547}, as scipy.stats.ttest_ind(…, equal_var=False)
 */
export const welchTest = (
  first: Moments,
  firstCells: number,
  second: Moments,
  secondCells: number,
): { t: number; degrees: number; pValue: number } | null => {
  if (firstCells < 2 || secondCells < 2) return null
  const one = first.variance / firstCells
  const two = second.variance / secondCells
  if (!(one + two > 0)) return null
  const t = (first.mean - second.mean) / Math.sqrt(one + two)
  const degrees = (one + two) ** 2 / (one ** 2 / (firstCells - 1) + two ** 2 / (secondCells - 1))
  return { t, degrees, pValue: studentTwoSided(t, degrees) }
}

/**
 * Wilcoxon's rank-sum test (Mann and Whitney's U) of two groups, two-sided: normal approximation with ties in the variance and half a
 * rank of correction for continuity, as scipy.stats.mannwhitneyu(method='asymptotic') and R's wilcox.test(exact = FALSE). `auc` is the
 * share of pairs of cells in which the first is above, ties half. Null where a group is empty or all values are the same.
 *
 * @example rankSumTest({values: [5, 7], cells: 4}, {values: [1], cells: 4}).pValue // 0.4084
 */
export const rankSumTest = (
  first: SparseGroup,
  second: SparseGroup,
): { u: number; z: number; auc: number; pValue: number } | null => {
  const n = first.cells
  const m = second.cells
  if (n === 0 || m === 0) return null
  const a = Float64Array.from(first.values).sort()
  const b = Float64Array.from(second.values).sort()
  const zeros = n - a.length + m - b.length
  let rank = 0
  let rankSum = 0
  let ties = 0
  const take = (inFirst: number, count: number): void => {
    if (count === 0) return
    rankSum += inFirst * (rank + (count + 1) / 2)
    ties += count ** 3 - count
    rank += count
  }
  let i = 0
  let j = 0
  let zerosTaken = false
  while (i < a.length || j < b.length) {
    const value = i < a.length && (j >= b.length || a[i]! <= b[j]!) ? a[i]! : b[j]!
    if (value > 0 && !zerosTaken) {
      take(n - a.length, zeros)
      zerosTaken = true
    }
    const before = i
    const count = i + j
    while (i < a.length && a[i] === value) i += 1
    while (j < b.length && b[j] === value) j += 1
    take(i - before, i + j - count)
  }
  if (!zerosTaken) take(n - a.length, zeros)
  const u = rankSum - (n * (n + 1)) / 2
  const all = n + m
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)))
  if (!(variance > 0)) return null
  const apart = u - (n * m) / 2
  const z = (Math.sign(apart) * Math.max(0, Math.abs(apart) - 0.5)) / Math.sqrt(variance)
  return { u, z, auc: u / (n * m), pValue: Math.min(1, 2 * normalTail(Math.abs(z))) }
}

/**
 * log2 fold change of two groups whose values are ln(1 + x): of the means of x, with one added to each so that a few molecules in one
 * cell make no large change.
 *
 * @example log2FoldChange({values: [Math.log(8)], cells: 1}, {values: [], cells: 1}) // 3
 */
export const log2FoldChange = (first: SparseGroup, second: SparseGroup): number => {
  const mean = ({ values, cells }: SparseGroup): number => {
    let sum = 0
    for (let at = 0; at < values.length; at += 1) sum += Math.expm1(values[at]!)
    return cells === 0 ? 0 : sum / cells
  }
  return Math.log2((mean(first) + 1) / (mean(second) + 1))
}

/**
 * The rank-sum test of each group of cells against all the others, as `rankSumTest` has it, from one ranking. `values` are those that
 * are not zero, `groups` the group of each, `sizes` the cells of each group. Null for a group that is empty or everything.
 *
 * @example rankSumEach([5, 7, 1], [0, 0, 1], [4, 4])[0].u // 11
 */
export const rankSumEach = (
  values: Float32Array,
  groups: Uint16Array,
  sizes: readonly number[],
): ({ u: number; z: number; auc: number; pValue: number } | null)[] => {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  // Value and group in one number that sorts as the value does: the bits of a float, turned so that they rise with it, then the group.
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const keys = new Float64Array(values.length)
  for (let at = 0; at < keys.length; at += 1) {
    const bit = bits[at]!
    keys[at] = (bit >>> 31 === 1 ? ~bit >>> 0 : (bit | 0x80000000) >>> 0) * 65_536 + groups[at]!
  }
  keys.sort()
  const rankSums = new Float64Array(sizes.length)
  const nonzero = new Float64Array(sizes.length)
  for (const group of groups) nonzero[group]! += 1
  let rank = 0
  let ties = 0
  const zeros = all - values.length
  const takeZeros = (): void => {
    for (const [group, size] of sizes.entries()) rankSums[group]! += (size - nonzero[group]!) * (rank + (zeros + 1) / 2)
    ties += zeros ** 3 - zeros
    rank += zeros
  }
  let zerosTaken = zeros === 0
  for (let from = 0; from < keys.length; ) {
    const value = Math.floor(keys[from]! / 65_536)
    if (!zerosTaken && value >= 0x80000000) {
      takeZeros()
      zerosTaken = true
    }
    let to = from + 1
    while (to < keys.length && Math.floor(keys[to]! / 65_536) === value) to += 1
    const count = to - from
    const middle = rank + (count + 1) / 2
    for (let at = from; at < to; at += 1) rankSums[keys[at]! % 65_536]! += middle
    ties += count ** 3 - count
    rank += count
    from = to
  }
  if (!zerosTaken) takeZeros()
  return sizes.map((n, group) => {
    const m = all - n
    if (n === 0 || m === 0) return null
    const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)))
    if (!(variance > 0)) return null
    const u = rankSums[group]! - (n * (n + 1)) / 2
    const apart = u - (n * m) / 2
    const z = (Math.sign(apart) * Math.max(0, Math.abs(apart) - 0.5)) / Math.sqrt(variance)
    return { u, z, auc: u / (n * m), pValue: Math.min(1, 2 * normalTail(Math.abs(z))) }
  })
}

/** Two genes in the same cells. */
export interface GenePair {
  cells: number
  /** Cells in which both, or only one of them, are above zero. */
  both: number
  onlyFirst: number
  onlySecond: number
  /** Pearson's r, zeros counted; null where either is the same in all cells. */
  correlation: number | null
}

/**
 * Two genes in the cells of a group: those whose `codes` are `code`, all without codes. Values of every cell, zeros too.
 *
 * @example countPair([1, 0, 2, 0], [1, 0, 0, 3], null, 0)
 * // {cells: 4, both: 1, onlyFirst: 1, onlySecond: 1, correlation: -0.4924}, as numpy.corrcoef
 */
export const countPair = (
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  codes: ArrayLike<number> | null,
  code: number,
): GenePair => {
  let [cells, both, onlyFirst, onlySecond] = [0, 0, 0, 0]
  // Means and co-moments as they grow (Welford 1962, Technometrics 4:419), which many large values do not spoil.
  let [meanX, meanY, squareX, squareY, product] = [0, 0, 0, 0, 0]
  for (let cell = 0; cell < first.length; cell += 1) {
    if (codes !== null && codes[cell] !== code) continue
    const [x, y] = [first[cell]!, second[cell]!]
    cells += 1
    if (x > 0 && y > 0) both += 1
    else if (x > 0) onlyFirst += 1
    else if (y > 0) onlySecond += 1
    const apart = x - meanX
    meanX += apart / cells
    squareX += apart * (x - meanX)
    const apartY = y - meanY
    meanY += apartY / cells
    squareY += apartY * (y - meanY)
    product += apart * (y - meanY)
  }
  const correlation = squareX > 0 && squareY > 0 ? product / Math.sqrt(squareX * squareY) : null
  return { cells, both, onlyFirst, onlySecond, correlation }
}
