import { comparableValue, type ExpressionUnit, isLogarithmic, standardise, tau } from './expression-statistics.ts'

/** Values as they are compared between samples without taking logarithms: counts as counts per million, others as they are. */
export const perMillion = (value: number, unit: string, sum: number): number =>
  unit === 'counts' ? (sum > 0 ? (value * 1e6) / sum : 0) : value

/** How a heat map shows values: standard deviations from the gene's mean, logarithms, or as loaded (counts per million). */
export const profileScales = ['zscore', 'log', 'loaded'] as const
export type ProfileScale = (typeof profileScales)[number]

/** Values of a gene on a scale; `sums` are those of the samples. NaN where there is none. */
export const scaleProfile = (
  values: ArrayLike<number>,
  unit: string,
  sums: ArrayLike<number>,
  scale: ProfileScale,
): Float64Array => {
  const out = Float64Array.from(values)
  for (let at = 0; at < out.length; at += 1)
    out[at] =
      scale === 'loaded'
        ? perMillion(out[at]!, unit, sums[at]!)
        : comparableValue(out[at]!, unit as ExpressionUnit, sums[at]!)
  return scale === 'zscore' ? standardise(out) : out
}

/**
 * Specificity tau of a gene over groups of samples: of the logarithm of each group's mean, log2(mean + 1), counts as counts per million.
 * Null for units that are logarithms already (ratios have no zero to count from).
 *
 * @example profileTau([0, 0, 15], 'TPM', [1, 1, 1], ['a', 'a', 'b']) // 1
 */
export const profileTau = (
  values: ArrayLike<number>,
  unit: string,
  sums: ArrayLike<number>,
  groups: readonly string[],
): number | null => {
  if (isLogarithmic(unit as ExpressionUnit)) return null
  const totals = new Map<string, { sum: number; count: number }>()
  for (const [at, group] of groups.entries()) {
    const value = perMillion(values[at]!, unit, sums[at]!)
    if (Number.isNaN(value)) continue
    const total = totals.get(group) ?? { sum: 0, count: 0 }
    total.sum += value
    total.count += 1
    totals.set(group, total)
  }
  return tau([...totals.values()].map(({ sum, count }) => Math.log2(sum / count + 1)))
}
