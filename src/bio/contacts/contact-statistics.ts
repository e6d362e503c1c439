/**
 * Statistics of contact maps (Hi-C). Bins are counted from 0 within their chromosome; NaN stands for what cannot be said, such as
 * the balanced contacts of a bin that balancing left out.
 */

import { median } from '../statistics/quantile.ts'

export interface ExpectedTable {
  /** Columns of `averages`: "none" (plain counts), then the weights. */
  columns: string[]
  /** By chromosome, by column: the mean contact of two bins that lie n bins apart; NaN where there is no such pair. */
  chromosomes: { name: string; averages: Float64Array[] }[]
}

/**
 * How many pairs of usable bins lie each number of bins apart. `usable(bin)` of `bins` in all.
 *
 * Example: of four bins of which the second is unusable, `[3, 1, 1, 1]`.
 */
export const countPairsByDistance = (bins: number, usable: (bin: number) => boolean): Float64Array => {
  const kept: number[] = []
  const left: number[] = []
  for (let bin = 0; bin < bins; bin += 1) (usable(bin) ? kept : left).push(bin)
  const pairs = new Float64Array(bins)
  // Of the usable and the unusable the fewer are paired one by one, so that a long chromosome does not take its square.
  if (kept.length <= left.length) {
    for (const [at, one] of kept.entries())
      for (let next = at; next < kept.length; next += 1) pairs[kept[next]! - one]! += 1
    return pairs
  }
  for (let apart = 0; apart < bins; apart += 1) pairs[apart] = bins - apart
  // Pairs in which the first is unusable, then in which the second is; those of two were taken away twice.
  const before = new Float64Array(bins + 1)
  for (const bin of left) before[bin + 1]! += 1
  for (let bin = 0; bin < bins; bin += 1) before[bin + 1]! += before[bin]!
  for (let apart = 0; apart < bins; apart += 1)
    pairs[apart]! -= before[bins - apart]! + (before[bins]! - before[apart]!)
  for (const [at, one] of left.entries())
    for (let next = at; next < left.length; next += 1) pairs[left[next]! - one]! += 1
  return pairs
}

/**
 * Sums up the contacts within chromosomes by the distance of their bins, and gives the mean over all pairs of usable bins, those
 * without a contact included: what is expected at that distance (Lieberman-Aiden et al., Science 326:289, 2009). Each chromosome by
 * itself, all distances. Bins count through the genome; weights are factors of bins.
 */
export const createDistanceSums = (
  chromosomes: readonly { name: string; bins: number }[],
  weights: readonly { name: string; values: Float64Array }[],
) => {
  const starts = [0]
  for (const { bins } of chromosomes) starts.push(starts.at(-1)! + bins)
  const sums = chromosomes.map(({ bins }) => [null, ...weights].map(() => new Float64Array(bins)))
  let chromosome = 0
  return {
    /** Contacts of the upper half of the map; a pair of the lower half is passed over. */
    add(ones: Float64Array, twos: Float64Array, counts: Float64Array): void {
      for (let at = 0; at < ones.length; at += 1) {
        const one = ones[at]!
        const two = twos[at]!
        while (one >= starts[chromosome + 1]!) chromosome += 1
        while (one < starts[chromosome]!) chromosome -= 1
        if (two < one || two >= starts[chromosome + 1]!) continue
        const ofChromosome = sums[chromosome]!
        const count = counts[at]!
        ofChromosome[0]![two - one]! += count
        for (let number = 0; number < weights.length; number += 1) {
          const { values } = weights[number]!
          const balanced = count * values[one]! * values[two]!
          if (!Number.isNaN(balanced)) ofChromosome[number + 1]![two - one]! += balanced
        }
      }
    },
    finish(): ExpectedTable {
      return {
        columns: ['none', ...weights.map(({ name }) => name)],
        chromosomes: chromosomes.map(({ name, bins }, number) => ({
          name,
          averages: sums[number]!.map((ofColumn, column) => {
            const weight = weights[column - 1]?.values
            const first = starts[number]!
            const pairs = countPairsByDistance(bins, (bin) => weight === undefined || weight[first + bin]! > 0)
            return ofColumn.map((sum, apart) => (pairs[apart]! > 0 ? sum / pairs[apart]! : Number.NaN))
          }),
        })),
      }
    },
  }
}

/** Part of the pairs of a square that must be usable. */
const minShare = 0.66

/**
 * Insulation of every bin: the mean contact in a square of `window` bins to each side of it, divided by the median of all bins, as the
 * logarithm to base 2 (Crane et al., Nature 523:240, 2015; bins of the square as cooltools has them: i - window < a <= i <= b < i + window,
 * of which pairs closer than `ignored` bins and those with an unusable bin are left out). Low where few contacts pass over the bin; NaN
 * where less than two thirds of the square are usable.
 */
export const createInsulation = (bins: number, usable: (bin: number) => boolean, window: number, ignored = 2) => {
  // A contact of the bins a <= b lies in the squares of max(a, b - window + 1) to min(b, a + window - 1): noted at both ends.
  const steps = new Float64Array(bins + 1)
  return {
    add(a: number, b: number, value: number): void {
      if (b - a < ignored || Number.isNaN(value) || !usable(a) || !usable(b)) return
      const first = Math.max(a, b - window + 1)
      const last = Math.min(b, a + window - 1)
      if (first > last) return
      steps[first]! += value
      steps[last + 1]! -= value
    },
    /** Pairs that lie at most so many bins apart are all that is asked for. */
    farthest: 2 * (window - 1),
    finish(): { score: Float64Array; pairs: Float64Array } {
      const pairs = new Float64Array(bins)
      /** Usable bins before each bin. */
      const before = new Float64Array(bins + 1)
      for (let bin = 0; bin < bins; bin += 1) before[bin + 1] = before[bin]! + (usable(bin) ? 1 : 0)
      const mean = new Float64Array(bins)
      let sum = 0
      for (let bin = 0; bin < bins; bin += 1) {
        sum += steps[bin]!
        let count = 0
        for (let a = Math.max(0, bin - window + 1); a <= bin; a += 1) {
          if (before[a + 1] === before[a]) continue
          const from = Math.max(bin, a + ignored)
          const to = Math.min(bins, bin + window)
          if (to > from) count += before[to]! - before[from]!
        }
        pairs[bin] = count
        mean[bin] = count > 0 ? sum / count : Number.NaN
      }
      // At the ends of a chromosome and beside unusable segments the square is mostly empty, and what is left of it lies nearest to the
      // diagonal: no score there (cooltools' min_frac_valid_pixels).
      const whole = window * window - (ignored * (ignored + 1)) / 2
      for (let bin = 0; bin < bins; bin += 1) if (pairs[bin]! < minShare * whole) mean[bin] = Number.NaN
      const middle = median(mean.filter((value) => !Number.isNaN(value)))
      // Sums that were added and taken away again leave a rest of rounding where there is nothing.
      return { score: mean.map((value) => (value > middle * 1e-12 ? Math.log2(value / middle) : Number.NaN)), pairs }
    },
  }
}

export interface InsulationBoundary {
  bin: number
  /** Prominence of the dip: how far the score rises on the less high of its two sides before a deeper dip comes. */
  strength: number
}

/**
 * Dips of the insulation score, each with its prominence (topographic, as cooltools and scipy count it): borders of domains. Bins
 * without a score are passed over.
 *
 * Example: of 0, -1, 0.5, -2, 0 the dips are bin 1 with 1 and bin 3 with 2.
 */
export const findBoundaries = (score: ArrayLike<number>): InsulationBoundary[] => {
  const bins: number[] = []
  for (let bin = 0; bin < score.length; bin += 1) if (!Number.isNaN(score[bin]!)) bins.push(bin)
  const at = (index: number): number => score[bins[index]!]!
  /** Highest score on the way from each place to the next lower one, on one side. */
  const rises = (step: 1 | -1): Float64Array => {
    const highest = new Float64Array(bins.length)
    const stack: { value: number; highest: number }[] = []
    for (let n = 0; n < bins.length; n += 1) {
      const index = step === 1 ? n : bins.length - 1 - n
      const value = at(index)
      let top = value
      while (stack.length > 0 && stack.at(-1)!.value >= value) top = Math.max(top, stack.pop()!.highest)
      // The way ends before the lower one, at the edge when there is none.
      highest[index] = top
      stack.push({ value, highest: top })
    }
    return highest
  }
  const left = rises(1)
  const right = rises(-1)
  const found: InsulationBoundary[] = []
  for (let index = 1; index < bins.length - 1; index += 1) {
    const value = at(index)
    if (!(value < at(index - 1))) continue
    let end = index
    while (end + 1 < bins.length && at(end + 1) === value) end += 1
    if (end === bins.length - 1) continue
    if (at(end + 1) > value) {
      const strength = Math.min(left[index]!, right[index]!) - value
      if (strength > 0) found.push({ bin: bins[(index + end) >> 1]!, strength })
    }
    index = end
  }
  return found
}

/**
 * The first eigenvector of the correlation of the rows of an observed/expected matrix (compartments: Lieberman-Aiden et al., Science
 * 326:289, 2009), scaled to a mean square of 1 over the bins that have values. `matrix` is whole and symmetric, row after row; rows
 * without a number get NaN. Its sign says nothing by itself. `share` is the part of the variance that it explains.
 */
export const findCompartments = (matrix: Float64Array, bins: number): { vector: Float64Array; share: number } => {
  const kept: number[] = []
  for (let row = 0; row < bins; row += 1) {
    let some = 0
    for (let column = 0; column < bins && some < 2; column += 1) {
      const value = matrix[row * bins + column]!
      if (!Number.isNaN(value) && value !== 0) some += 1
    }
    if (some === 2) kept.push(row)
  }
  const vector = new Float64Array(bins).fill(Number.NaN)
  const size = kept.length
  if (size < 3) return { vector, share: Number.NaN }
  // Rows with mean 0 and length 1: their products are the correlations. A cell that is not known takes the row's mean.
  const rows = new Float64Array(size * size)
  let correlated = 0
  for (const [at, row] of kept.entries()) {
    let sum = 0
    let count = 0
    for (const column of kept) {
      const value = matrix[row * bins + column]!
      if (Number.isNaN(value)) continue
      sum += value
      count += 1
    }
    const mean = sum / count
    let squares = 0
    for (const [index, column] of kept.entries()) {
      const value = matrix[row * bins + column]!
      const apart = !Number.isNaN(value) ? value - mean : 0
      rows[at * size + index] = apart
      squares += apart * apart
    }
    if (squares === 0) continue
    correlated += 1
    const length = Math.sqrt(squares)
    for (let index = 0; index < size; index += 1) rows[at * size + index]! /= length
  }
  let now = Float64Array.from({ length: size }, (_, at) => Math.sin(at + 1))
  let value = 0
  for (let round = 0; round < 1000; round += 1) {
    const projected = new Float64Array(size)
    for (let at = 0; at < size; at += 1) {
      const factor = now[at]!
      for (let index = 0; index < size; index += 1) projected[index]! += factor * rows[at * size + index]!
    }
    const next = new Float64Array(size)
    let squares = 0
    for (let at = 0; at < size; at += 1) {
      let sum = 0
      for (let index = 0; index < size; index += 1) sum += rows[at * size + index]! * projected[index]!
      next[at] = sum
      squares += sum * sum
    }
    const length = Math.sqrt(squares)
    if (length === 0) return { vector, share: Number.NaN }
    let apart = 0
    for (let at = 0; at < size; at += 1) {
      next[at]! /= length
      apart = Math.max(apart, Math.abs(next[at]! - now[at]!))
    }
    now = next
    value = length
    if (apart < 1e-9) break
  }
  for (const [at, bin] of kept.entries()) vector[bin] = now[at]! * Math.sqrt(size)
  return { vector, share: value / correlated }
}
