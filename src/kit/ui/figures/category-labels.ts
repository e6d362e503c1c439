import { shortenNames } from './shortened-names.ts'
import { labelWidth } from './text-width.ts'

export interface CategoryLabels {
  /** Degrees: level, slanting or upright; turned labels end at their category. */
  angle: 0 | -50 | -90
  /** Every how many categories one has its name: those between have no room. */
  every: number
  /** What the names take up below (or above) the axis, in pixels. */
  roomPx: number
  /** Names as they are written, shortened where they are longer than the room. */
  texts: string[]
}

/** Of the letters, with the gap to the next line. */
const lineOf = (fontPx: number): number => fontPx * 1.12
const slant = (50 * Math.PI) / 180

/**
 * How the names of categories that stand `stepPx` apart are written so that none lies over another: level where they fit, else slanting,
 * else upright, and in the end not each.
 *
 * @example layCategoryLabels(['wild type', 'mutant'], 90, { fontPx: 11, maxRoomPx: 110 }).angle // 0
 */
export const layCategoryLabels = (
  names: readonly string[],
  stepPx: number,
  { fontPx, maxRoomPx }: { fontPx: number; maxRoomPx: number },
): CategoryLabels => {
  const widest = Math.max(0, ...names.map((name) => labelWidth(name, fontPx)))
  if (widest + 6 <= stepPx) return { angle: 0, every: 1, roomPx: lineOf(fontPx) + 6, texts: [...names] }
  const angle = stepPx * Math.sin(slant) >= lineOf(fontPx) ? -50 : -90
  const sine = angle === -50 ? Math.sin(slant) : 1
  const height = angle === -50 ? fontPx * Math.cos(slant) : 0
  const maxPx = (maxRoomPx - height - 6) / sine
  const longest = Math.max(1, ...names.map((name) => [...name].length))
  const texts = widest <= maxPx ? [...names] : shortenNames(names, Math.max(3, (longest * maxPx) / widest))
  const long = Math.max(0, ...texts.map((text) => labelWidth(text, fontPx)))
  return {
    angle,
    every: Math.max(1, Math.ceil(lineOf(fontPx) / Math.max(0.1, stepPx * sine))),
    roomPx: Math.min(maxRoomPx, long * sine + height + 6),
    texts,
  }
}
