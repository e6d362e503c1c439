import type { ReactNode } from 'react'
import { categoryEdge } from './category-marks.tsx'
import { markPath } from './mark-shapes.ts'
import { labelWidth } from './text-width.ts'

export interface LegendEntry {
  key: string
  label: string
  /** A colour, or a texture as `categoryFill` gives it. */
  colour: string
  /** Shape of `markPath`; a square patch when absent. */
  mark?: number
  /** A line in place of a patch, with these dashes; `''` for a whole line. */
  dash?: string
  /** Of the patch; whole when absent. */
  opacity?: number
  /** More words, where the mouse points. */
  title?: string
}

const rowHeight = 18
const fontPx = 12
const linePx = 24

const keyPx = ({ dash }: LegendEntry): number => (dash === undefined ? 16 : linePx + 6)

const layOut = (
  entries: readonly LegendEntry[],
  width: number,
): { entry: LegendEntry; left: number; top: number }[] => {
  let left = 0
  let top = rowHeight / 2
  return entries.map((entry) => {
    const wide = keyPx(entry) + labelWidth(entry.label, fontPx)
    if (left > 0 && left + wide > width) {
      left = 0
      top += rowHeight
    }
    const placed = { entry, left, top }
    left += wide + 18
    return placed
  })
}

/** What a legend of these entries takes up, in rows as wide as this; nothing where there are none. */
export const legendHeight = (entries: readonly LegendEntry[], width: number): number =>
  entries.length === 0 ? 0 : layOut(entries, width).at(-1)!.top + rowHeight / 2 + 4

/** What the colours, shapes and lines of a figure stand for: within its SVG, so that its files have it. `legendHeight` is its room. */
export const Legend = ({
  entries,
  width,
  x = 0,
  y,
}: {
  entries: readonly LegendEntry[]
  width: number
  x?: number
  y: number
}): ReactNode => (
  <g transform={`translate(${x},${y})`}>
    {layOut(entries, width).map(({ entry, left, top }) => (
      <g key={entry.key} transform={`translate(${left},${top})`}>
        {entry.title === undefined ? null : <title>{entry.title}</title>}
        {entry.dash !== undefined ? (
          <path
            d={`M0,0H${linePx}`}
            stroke={entry.colour}
            strokeWidth={2.5}
            strokeDasharray={entry.dash === '' ? undefined : entry.dash}
          />
        ) : entry.mark === undefined ? (
          <rect
            width={11}
            height={11}
            y={-5.5}
            rx={2}
            fill={entry.colour}
            fillOpacity={entry.opacity}
            stroke={categoryEdge}
            strokeWidth={0.5}
          />
        ) : (
          <path transform="translate(5.5,0)" d={markPath(entry.mark, 58)} fill={entry.colour} />
        )}
        <text x={keyPx(entry)} dominantBaseline="central" fontSize={fontPx}>
          {entry.label}
        </text>
      </g>
    ))}
  </g>
)
