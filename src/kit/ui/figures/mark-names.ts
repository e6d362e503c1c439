import { labelWidth } from './text-width.ts'

/** Height of the letters. */
export const namePx = 11
/** Half of a mark, about. */
const markPx = 6

export interface NamedMark {
  x: number
  y: number
  text: string | null
}

/**
 * Names beside their marks, right or left of them, where they lie over no mark and no other name; `at` is the place of the mark among
 * those given, `y` the base line. Those that come first are named first.
 */
export const nameMarks = (
  marks: readonly NamedMark[],
  from: number,
  to: number,
): { at: number; x: number; y: number; text: string; anchor: 'start' | 'end' }[] => {
  const taken = marks.map((mark) => ({ from: mark.x - markPx, to: mark.x + markPx, y: mark.y }))
  return marks.flatMap(({ x, y, text }, at) => {
    if (text === null || text === '') return []
    const wide = labelWidth(text, namePx)
    for (const anchor of ['start', 'end'] as const) {
      const box =
        anchor === 'start'
          ? { from: x + markPx + 2, to: x + markPx + 2 + wide, y }
          : { from: x - markPx - 2 - wide, to: x - markPx - 2, y }
      if (box.from < from || box.to > to) continue
      if (taken.some((one) => one.from < box.to && one.to > box.from && Math.abs(one.y - y) < namePx + 2)) continue
      taken.push(box)
      return [{ at, x: anchor === 'start' ? box.from : box.to, y: y + 4, text, anchor }]
    }
    return []
  })
}
