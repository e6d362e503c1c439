/**
 * Quantile of ascending values between the order statistics (Hyndman and Fan 1996, American Statistician 50:361, type 7; R's default).
 * NaN of none.
 *
 * @example quantile([1, 2, 3, 4], 0.25) // 1.75
 */
export const quantile = (sorted: ArrayLike<number>, fraction: number): number => {
  if (sorted.length === 0) return Number.NaN
  const index = (sorted.length - 1) * fraction
  const low = Math.floor(index)
  const high = Math.min(sorted.length - 1, low + 1)
  return sorted[low]! + (index - low) * (sorted[high]! - sorted[low]!)
}

/**
 * Middle value, in whatever order they come; of an even number the mean of the two in the middle. NaN of none.
 *
 * @example median([4, 1, 3, 2]) // 2.5
 */
export const median = (values: ArrayLike<number>): number => quantile(Float64Array.from(values).sort(), 0.5)
