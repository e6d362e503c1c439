import type { ReactNode } from 'react'

interface Point {
  x: number
  y: number
}

/** Where a pointer is, in CSS pixels from the upper left corner of the element that listens. */
export const pointerPosition = (event: {
  currentTarget: Element
  clientX: number
  clientY: number
}): [x: number, y: number] => {
  const box = event.currentTarget.getBoundingClientRect()
  return [event.clientX - box.left, event.clientY - box.top]
}

/** The dot nearest to a place, of those less than `reachPx` away; null where there is none. */
export const nearestDot = <Dot extends Point>(
  dots: Iterable<Dot>,
  x: number,
  y: number,
  reachPx: number,
): Dot | null => {
  let best: Dot | null = null
  let min = reachPx ** 2
  for (const dot of dots) {
    const apart = (dot.x - x) ** 2 + (dot.y - y) ** 2
    if (apart < min) {
      min = apart
      best = dot
    }
  }
  return best
}

/** A ring about the dot pointed at, within an SVG; files of the figure have none. */
export const PointedRing = ({ at }: { at: Point }): ReactNode => (
  <circle data-screen-only cx={at.x} cy={at.y} r={6} fill="none" stroke="var(--figure-ink)" strokeWidth={1.5} />
)

const tipWidth = 240

/** What is said of the place pointed at: beside it, and within a figure that is so wide. */
export const PointerTip = ({ at, width, children }: { at: Point; width: number; children: ReactNode }): ReactNode => (
  <div
    className="nv-tip"
    style={{
      insetInlineStart: Math.min(at.x + 14, Math.max(0, width - tipWidth)),
      insetBlockStart: at.y + 14,
    }}
  >
    {children}
  </div>
)
