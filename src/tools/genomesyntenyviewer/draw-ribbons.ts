import type { Ribbons } from './layout.ts'

/** Which bases of a row stand in the window: pixel = (base - offset) × scale. */
export interface RowView {
  offset: number
  scale: number
}

interface Surface {
  width: number
  height: number
  /** Pixels as 0xAABBGGRR, opaque. */
  pixels: Uint32Array
  /** What is drawn at each pixel, plus one; null where nobody asks. */
  picks: Uint32Array | null
}

/** Share of the way from one row to the other that a ribbon has gone across at a share of the height: an S, flat at both ends. */
const ease = (share: number): number => share * share * (3 - 2 * share)

/** Of 256; what is chosen is drawn over the rest. */
export const strength = { usual: 120, strong: 200, chosen: 256 } as const

/**
 * Draws ribbons between two rows into the lines from `top` to `bottom`, line by line: a ribbon is one run of pixels on each, so that
 * 20,000 of them take milliseconds. At least one pixel wide. Ribbons of `chosen` (by source) are drawn last and stronger, the others in
 * the strength `usual`, of 256. Returns how many were in the window.
 */
export const drawRibbons = (
  surface: Surface,
  ribbons: Ribbons,
  [above, below]: [RowView, RowView],
  [top, bottom]: [number, number],
  chosen = -1,
  usual: number = strength.usual,
): number => {
  const { width, pixels, picks } = surface
  const lines = bottom - top
  const shares = Float64Array.from({ length: lines }, (_, line) => ease((line + 0.5) / lines))
  const { a0, a1, b0, b1, source, colour } = ribbons
  let drawn = 0
  let before = { a: Number.NaN, b: 0, colour: 0 }
  for (const last of [false, true])
    for (let ribbon = 0; ribbon < a0.length; ribbon += 1) {
      if ((source[ribbon] === chosen) !== last) continue
      const x0 = (a0[ribbon]! - above.offset) * above.scale
      const x1 = (a1[ribbon]! - above.offset) * above.scale
      const y0 = (b0[ribbon]! - below.offset) * below.scale
      const y1 = (b1[ribbon]! - below.offset) * below.scale
      // What has neither end in the window only crosses it.
      const isAbove = Math.max(x0, x1) >= 0 && Math.min(x0, x1) <= width
      if (!isAbove && (Math.max(y0, y1) < 0 || Math.min(y0, y1) > width)) continue
      drawn += 1
      const value = colour[ribbon]!
      const a = last ? strength.chosen : usual
      const keep = 256 - a
      // Red and blue together, green alone: two multiplications a pixel.
      const rb = (value & 0xff00ff) * a
      const g = (value & 0x00ff00) * a
      const pick = source[ribbon]! + 1
      const inside = Math.min(x0, x1, y0, y1) >= 0 && Math.max(x0, x1, y0, y1) < width
      if (inside && Math.abs(x1 - x0) < 1 && Math.abs(y1 - y0) < 1) {
        const [a0px, b0px] = [Math.floor(x0), Math.floor(y0)]
        // Of neighbours that fall on the same pixels one is seen.
        if (!last && before.a === a0px && before.b === b0px && before.colour === value) continue
        before = { a: a0px, b: b0px, colour: value }
        for (let line = 0, row = top * width; line < lines; line += 1, row += width) {
          const at = row + ((x0 + (y0 - x0) * shares[line]!) | 0)
          const under = pixels[at]!
          pixels[at] =
            0xff000000 |
            (((rb + (under & 0xff00ff) * keep) >>> 8) & 0xff00ff) |
            (((g + (under & 0x00ff00) * keep) >>> 8) & 0x00ff00)
          if (picks !== null) picks[at] = pick
        }
        continue
      }
      for (let line = 0; line < lines; line += 1) {
        const share = shares[line]!
        let left = x0 + (y0 - x0) * share
        let right = x1 + (y1 - x1) * share
        if (left > right) [left, right] = [right, left]
        let from = Math.round(left)
        let to = Math.round(right)
        if (to <= from) to = from + 1
        if (from < 0) from = 0
        if (to > width) to = width
        const row = (top + line) * width
        for (let at = row + from; at < row + to; at += 1) {
          const under = pixels[at]!
          // Unsigned shifts: the product of the upper byte reaches the sign bit.
          pixels[at] =
            0xff000000 |
            (((rb + (under & 0xff00ff) * keep) >>> 8) & 0xff00ff) |
            (((g + (under & 0x00ff00) * keep) >>> 8) & 0x00ff00)
          if (picks !== null) picks[at] = pick
        }
      }
    }
  return drawn
}

/** `#rrggbb` or `#rgb` as a pixel. Example: `pixelOf('#ff8000')` is 0xff0080ff. */
export const pixelOf = (colour: string): number => {
  const digits = colour.trim().replace('#', '')
  const value = Number.parseInt(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits, 16)
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | ((value >> 16) & 0xff)) >>> 0
}

/** Outline of a ribbon as an SVG path, the same S. */
export const ribbonPath = (
  [x0, x1]: [number, number],
  [y0, y1]: [number, number],
  [top, bottom]: [number, number],
): string => {
  const third = (bottom - top) / 2
  const n = (value: number): string => value.toFixed(1)
  return `M${n(x0)},${n(top)}C${n(x0)},${n(top + third)} ${n(y0)},${n(bottom - third)} ${n(y0)},${n(bottom)}L${n(y1)},${n(bottom)}C${n(y1)},${n(bottom - third)} ${n(x1)},${n(top + third)} ${n(x1)},${n(top)}Z`
}
