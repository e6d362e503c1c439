import { labelWidth } from './text-width.ts'

export interface LabelledPoint {
  x: number
  y: number
  text: string
  /** From the point to the nearest edge of its label. */
  radius: number
  /** On which side the label is tried first: `start` (absent) right of the point, `end` left of it. */
  side?: 'start' | 'end'
  /** Written over other points where no place is free of them; over other labels never. */
  needed?: boolean
}

export interface LabelBox {
  left: number
  top: number
  right: number
  bottom: number
}

export interface PlacedLabel {
  /** Where the text begins, or ends, or has its middle, as `anchor` says; `y` is the middle of its height. */
  x: number
  y: number
  anchor: 'start' | 'middle' | 'end'
}

const gapPx = 2
/** Of the letters, with what hangs below the line. */
const heightOf = (fontPx: number): number => fontPx * 1.15

const cellPx = 48

/** Boxes by the cells of a grid that they touch, so that thousands of dots cost no more than those nearby. */
class BoxGrid {
  readonly #cells = new Map<string, LabelBox[]>()

  #cellsOf({ left, top, right, bottom }: LabelBox): string[] {
    const cells: string[] = []
    for (let column = Math.floor(left / cellPx); column <= Math.floor(right / cellPx); column += 1)
      for (let row = Math.floor(top / cellPx); row <= Math.floor(bottom / cellPx); row += 1)
        cells.push(`${column},${row}`)
    return cells
  }

  add(box: LabelBox): void {
    for (const cell of this.#cellsOf(box)) {
      const boxes = this.#cells.get(cell)
      if (boxes === undefined) this.#cells.set(cell, [box])
      else boxes.push(box)
    }
  }

  touches(box: LabelBox, except?: LabelBox): boolean {
    for (const cell of this.#cellsOf(box))
      for (const other of this.#cells.get(cell) ?? [])
        if (
          other !== except &&
          other.left < box.right &&
          other.right > box.left &&
          other.top < box.bottom &&
          other.bottom > box.top
        )
          return true
    return false
  }
}

/**
 * Where the label of each point can be written so that it lies over no other label, over no point and within the bounds: beside its
 * point, on the side wanted or else the other, above or below; null where there is no such place. Those that come first are placed first. Of the points that have
 * no label, `others` are kept clear as well.
 */
export const placeLabels = (
  points: readonly LabelledPoint[],
  {
    fontPx,
    bounds,
    others = [],
  }: { fontPx: number; bounds: LabelBox; others?: readonly { x: number; y: number; radius: number }[] },
): (PlacedLabel | null)[] => {
  const dots = new BoxGrid()
  const labels = new BoxGrid()
  const dotOf = ({ x, y, radius }: { x: number; y: number; radius: number }): LabelBox => ({
    left: x - radius,
    top: y - radius,
    right: x + radius,
    bottom: y + radius,
  })
  const own = points.map(dotOf)
  for (const dot of [...own, ...others.map(dotOf)]) dots.add(dot)
  const height = heightOf(fontPx)
  return points.map(({ x, y, text, radius, side = 'start', needed = false }, at) => {
    const width = labelWidth(text, fontPx)
    const away = radius + gapPx
    const candidates: PlacedLabel[] = [
      { x: x + away, y, anchor: 'start' },
      { x: x - away, y, anchor: 'end' },
      { x, y: y - away - height / 2, anchor: 'middle' },
      { x, y: y + away + height / 2, anchor: 'middle' },
      { x: x + away * 0.7, y: y - away * 0.7 - height / 2, anchor: 'start' },
      { x: x + away * 0.7, y: y + away * 0.7 + height / 2, anchor: 'start' },
      { x: x - away * 0.7, y: y - away * 0.7 - height / 2, anchor: 'end' },
      { x: x - away * 0.7, y: y + away * 0.7 + height / 2, anchor: 'end' },
    ]
    if (side === 'end') candidates.sort((a, b) => Number(b.anchor === 'end') - Number(a.anchor === 'end'))
    let over: { candidate: PlacedLabel; box: LabelBox } | null = null
    for (const candidate of candidates) {
      const left =
        candidate.anchor === 'start'
          ? candidate.x
          : candidate.anchor === 'end'
            ? candidate.x - width
            : candidate.x - width / 2
      const box = { left, right: left + width, top: candidate.y - height / 2, bottom: candidate.y + height / 2 }
      const within =
        box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top && box.bottom <= bounds.bottom
      if (!within || labels.touches(box)) continue
      if (dots.touches(box, own[at])) {
        over ??= { candidate, box }
        continue
      }
      labels.add(box)
      return candidate
    }
    if (!needed || over === null) return null
    labels.add(over.box)
    return over.candidate
  })
}

/** Lines that a label is moved up or down at most: farther off it would be read as the name of something else. */
const maxMovedLines = 5

/** Places about the box of what is named, nearest first: above, below, right and left of it. */
const placesAbout = (
  { left, top, right, bottom }: LabelBox,
  width: number,
  height: number,
): { x: number; y: number }[] => {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return [1, 2, 3].flatMap((away) => {
    const gap = 2 * gapPx * away
    return [
      { x, y: top - gap - height / 2 },
      { x, y: bottom + gap + height / 2 },
      { x: right + gap + width / 2, y },
      { x: left - gap - width / 2, y },
    ]
  })
}

/**
 * Labels of groups of points. One whose group has a box stands beside it, where `isFree` says that nothing else is drawn; where there is
 * no such place, and without a box, it is written about its middle, moved up or down by as little as keeps it off those before it, and
 * sideways only to stay within the bounds. Null for what lies beyond them, and where there is no room nearby.
 */
export const settleLabels = (
  labels: readonly { x: number; y: number; width: number; box?: LabelBox }[],
  { fontPx, bounds, isFree = () => true }: { fontPx: number; bounds: LabelBox; isFree?: (box: LabelBox) => boolean },
): ({ x: number; y: number } | null)[] => {
  const taken = new BoxGrid()
  const height = heightOf(fontPx)
  const boxAt = (x: number, y: number, width: number): LabelBox => ({
    left: x - width / 2,
    right: x + width / 2,
    top: y - height / 2,
    bottom: y + height / 2,
  })
  return labels.map(({ x, y, width, box: group }) => {
    if (x < bounds.left || x > bounds.right || y < bounds.top || y > bounds.bottom) return null
    for (const place of group === undefined ? [] : placesAbout(group, width, height)) {
      // Pushed sideways into the drawing, as a name above a group at its edge is.
      const middle = Math.max(bounds.left + width / 2, Math.min(bounds.right - width / 2, place.x))
      const box = boxAt(middle, place.y, width)
      if (box.top < bounds.top || box.bottom > bounds.bottom || taken.touches(box) || !isFree(box)) continue
      taken.add(box)
      return { x: middle, y: place.y }
    }
    const middle = Math.max(bounds.left + width / 2, Math.min(bounds.right - width / 2, x))
    for (let step = 0; step <= 2 * maxMovedLines; step += 1) {
      const moved = y + Math.ceil(step / 2) * (height + 1) * (step % 2 === 0 ? 1 : -1)
      const at = Math.max(bounds.top + height / 2, Math.min(bounds.bottom - height / 2, moved))
      const box = boxAt(middle, at, width)
      if (taken.touches(box)) continue
      taken.add(box)
      return { x: middle, y: at }
    }
    return null
  })
}
