import { labelWidth } from './text-width.ts'

/** Least room between two labels of an axis, in pixels. */
const gapPx = 4

/**
 * Which labels of an axis can be written without touching each other or the axis's ends: from the left, each that still has room. A
 * label may be wider than what it names, so that names are read on a phone, too.
 *
 * @param labels text, and the place of its middle in pixels, in ascending order
 * @example fittingLabels([{ text: 'chrI', at: 15 }, { text: 'chrII', at: 30 }, { text: 'chrIII', at: 55 }], 11, 0, 100)
 * // [true, false, true]
 */
export const fittingLabels = (
  labels: readonly { text: string; at: number }[],
  fontPx: number,
  min: number,
  max: number,
): boolean[] => {
  let end = min - gapPx
  return labels.map(({ text, at }) => {
    const half = labelWidth(text, fontPx) / 2
    const fits = at - half >= end + gapPx && at + half <= max
    if (fits) end = at + half
    return fits
  })
}
