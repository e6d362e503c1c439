// From values of windows to regions: which windows stand out, and which of them belong together.

/** Windows in order: by sequence, then by start. */
export interface WindowLoci {
  /** Number of the sequence of each window. */
  sequence: ArrayLike<number>
  start1: ArrayLike<number>
  end1: ArrayLike<number>
}

export type Tail = 'high' | 'low'

/** Whether a value stands out. */
export const isBeyond = (value: number, cutoff: number, tail: Tail): boolean =>
  tail === 'high' ? value >= cutoff : value <= cutoff

/**
 * The value that the outermost share of all windows reaches: of n windows with a value the ceil(share · n) outermost, and those
 * equal to the last of them, pass. Null where no window has a value.
 *
 * Example: of the values 1 to 100 the highest 5 % reach 96.
 */
export const findCutoff = (values: ArrayLike<number>, share: number, tail: Tail): number | null => {
  const sorted = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort()
  if (sorted.length === 0) return null
  // 5 % of 100 is 5.000000000000001 in floating point.
  const count = Math.max(1, Math.min(sorted.length, Math.ceil(share * sorted.length - 1e-9)))
  return tail === 'high' ? sorted[sorted.length - count]! : sorted[count - 1]!
}

/**
 * Share of the windows with a value that lie at or below a value: 0.99 for one that a hundredth exceeds. `sorted` ascending.
 *
 * Example: `shareAtOrBelow(Float64Array.of(1, 2, 3, 4), 3)` is 0.75.
 */
export const shareAtOrBelow = (sorted: Float64Array, value: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return sorted.length === 0 ? 0 : low / sorted.length
}

export interface SweepRegion {
  /** Number of the sequence. */
  sequence: number
  start1: number
  end1: number
  /** Windows of it that stand out. */
  windows: number
  /** The one that stands out most by `rank`. */
  peak: number
}

/**
 * Joins windows that stand out into regions: those of one sequence that overlap, touch, or lie no more than `gapBp` bases apart.
 * `outliers` are numbers of windows in ascending order; `rank` is greater the more a window stands out.
 *
 * Example: windows 1..10, 11..20 and 31..40 with a gap of 5 are two regions, 1..20 and 31..40; with a gap of 10 they are one.
 */
export const mergeWindows = (
  { sequence, start1, end1 }: WindowLoci,
  outliers: readonly number[],
  gapBp: number,
  rank: (window: number) => number,
): SweepRegion[] => {
  const regions: SweepRegion[] = []
  for (const window of outliers) {
    const last = regions.at(-1)
    if (last !== undefined && last.sequence === sequence[window] && start1[window]! - last.end1 - 1 <= gapBp) {
      last.end1 = Math.max(last.end1, end1[window]!)
      last.windows += 1
      if (rank(window) > rank(last.peak)) last.peak = window
    } else
      regions.push({
        sequence: sequence[window]!,
        start1: start1[window]!,
        end1: end1[window]!,
        windows: 1,
        peak: window,
      })
  }
  return regions
}
