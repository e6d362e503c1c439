// Corrections of p-values for many tests.

/**
 * Benjamini and Hochberg's adjusted p-values (1995, J R Stat Soc B 57:289), in the order given: the smallest false discovery rate at
 * which each would be called. `tests` is the number of tests made, where only the smallest of their p-values are given.
 *
 * @example adjustByBenjaminiHochberg([0.01, 0.02, 0.5]) // [0.03, 0.03, 0.5]
 */
export const adjustByBenjaminiHochberg = (pValues: ArrayLike<number>, tests: number = pValues.length): Float64Array => {
  const order = Uint32Array.from({ length: pValues.length }, (_, at) => at).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = new Float64Array(pValues.length)
  let min = 1
  for (let rank = order.length; rank >= 1; rank--) {
    const at = order[rank - 1]!
    min = Math.min(min, (pValues[at]! * tests) / rank)
    adjusted[at] = min
  }
  return adjusted
}

/**
 * Holm's adjusted p-values (1979, Scand J Stat 6:65), in the order given: they bound the probability of any wrong call, and are never
 * above Bonferroni's.
 *
 * @example adjustByHolm([0.01, 0.02, 0.5]) // [0.03, 0.04, 0.5]
 */
export const adjustByHolm = (pValues: ArrayLike<number>, tests: number = pValues.length): Float64Array => {
  const order = Uint32Array.from({ length: pValues.length }, (_, at) => at).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = new Float64Array(pValues.length)
  let max = 0
  for (const [rank, at] of order.entries()) {
    max = Math.max(max, Math.min(1, pValues[at]! * (tests - rank)))
    adjusted[at] = max
  }
  return adjusted
}

/**
 * Bonferroni's adjusted p-values: each times the number of tests, at most 1.
 *
 * @example adjustByBonferroni([0.01, 0.02, 0.5]) // [0.03, 0.06, 1]
 */
export const adjustByBonferroni = (pValues: ArrayLike<number>, tests: number = pValues.length): Float64Array =>
  Float64Array.from(pValues, (pValue) => Math.min(1, pValue * tests))
