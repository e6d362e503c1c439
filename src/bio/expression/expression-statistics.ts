// Figures of expression values: scales, groups, specificity.

import { quantile } from '../statistics/quantile.ts'

/** Units that a matrix may have. `intensity` is of one-colour arrays; `log2` any values that are logarithms already. */
export const expressionUnits = ['TPM', 'FPKM', 'RPKM', 'CPM', 'counts', 'intensity', 'log2', 'log2ratio'] as const
export type ExpressionUnit = (typeof expressionUnits)[number]

/** Units whose values are logarithms, and may be below zero. */
export const isLogarithmic = (unit: ExpressionUnit): boolean => unit === 'log2' || unit === 'log2ratio'

/**
 * A value on the scale on which genes are compared: logarithms as they are, others log2(x + 1); counts are first made counts per
 * million of their sample's sum. `comparableValue(3, 'TPM', 0)` is 2.
 */
export const comparableValue = (value: number, unit: ExpressionUnit, sum: number): number => {
  if (isLogarithmic(unit)) return value
  return Math.log2((unit === 'counts' ? (sum > 0 ? (value * 1e6) / sum : 0) : value) + 1)
}

/** Values less their mean, over their standard deviation (n - 1); all 0 where they are constant, NaN stays. */
export const standardise = (values: ArrayLike<number>): Float64Array => {
  const out = Float64Array.from(values)
  let sum = 0
  let n = 0
  for (const value of out)
    if (!Number.isNaN(value)) {
      sum += value
      n += 1
    }
  const mean = n === 0 ? 0 : sum / n
  let squares = 0
  let raw = 0
  for (const value of out)
    if (!Number.isNaN(value)) {
      squares += (value - mean) ** 2
      raw += value * value
    }
  const deviation = n < 2 || squares <= 1e-24 * raw ? 0 : Math.sqrt(squares / (n - 1))
  for (let at = 0; at < out.length; at += 1)
    if (!Number.isNaN(out[at]!)) out[at] = deviation === 0 ? 0 : (out[at]! - mean) / deviation
  return out
}

export interface GroupFigures {
  count: number
  mean: number
  /** Standard deviation with n - 1, and of the mean; null of fewer than two values. */
  deviation: number | null
  error: number | null
  /** Quartiles as `quantile` has them; whiskers reach the last value within 1.5 times the box. */
  lowerWhisker: number
  lowerQuartile: number
  median: number
  upperQuartile: number
  upperWhisker: number
}

/** Figures of the values that are there; null when none is. `describeGroup([1, 2, 3]).deviation` is 1. */
export const describeGroup = (values: Iterable<number>): GroupFigures | null => {
  const sorted = Float64Array.from([...values].filter((value) => !Number.isNaN(value))).sort()
  const count = sorted.length
  if (count === 0) return null
  const mean = sorted.reduce((sum, value) => sum + value, 0) / count
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = count < 2 ? null : Math.sqrt(squares / (count - 1))
  const lowerQuartile = quantile(sorted, 0.25)
  const upperQuartile = quantile(sorted, 0.75)
  const reach = 1.5 * (upperQuartile - lowerQuartile)
  return {
    count,
    mean,
    deviation,
    error: deviation === null ? null : deviation / Math.sqrt(count),
    lowerWhisker: sorted.find((value) => value >= lowerQuartile - reach)!,
    lowerQuartile,
    median: quantile(sorted, 0.5),
    upperQuartile,
    upperWhisker: sorted.findLast((value) => value <= upperQuartile + reach)!,
  }
}

/**
 * Specificity tau of a profile of values that are not negative (Yanai et al. 2005, Bioinformatics 21:650): 0 alike everywhere, 1 in one
 * place only. NaN values are passed over; null of fewer than two values, or where all are 0.
 *
 * @example tau([0, 8, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0]) // 0.9545
 */
export const tau = (profile: Iterable<number>): number | null => {
  const values = [...profile].filter((value) => !Number.isNaN(value))
  const max = Math.max(...values)
  if (values.length < 2 || !(max > 0)) return null
  return values.reduce((sum, value) => sum + 1 - Math.max(0, value) / max, 0) / (values.length - 1)
}
