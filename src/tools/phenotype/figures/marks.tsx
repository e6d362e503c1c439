import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3'
import type { ReactNode } from 'react'
import { categoryEdge } from '../../../kit/ui/figures/category-marks.tsx'
import { categoryColour, otherColour } from '../../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'

/** A triangle on its point, and a bar. */
const symbolPoint: SymbolType = {
  draw(context, size) {
    const y = Math.sqrt(size / (Math.sqrt(3) * 3))
    context.moveTo(0, 2 * y)
    context.lineTo(-Math.sqrt(3) * y, -y)
    context.lineTo(Math.sqrt(3) * y, -y)
    context.closePath()
  },
}
const symbolBar: SymbolType = {
  draw(context, size) {
    const tall = Math.sqrt(size / 3)
    context.rect(-1.5 * tall, -tall / 2, 3 * tall, tall)
  },
}

/** Shapes beside the colours, so that groups are told apart without them. */
const shapes = [
  ...[symbolCircle, symbolTriangle, symbolSquare, symbolDiamond, symbolCross, symbolStar, symbolWye],
  ...[symbolPoint, symbolBar],
]
const usualArea = 34

/** Groups beyond this share one mark. */
export const maxMarks = shapes.length

/** Of what has no group. */
export const noMark = -1

const ring = (area: number): string => {
  const circle = (radius: number, sweep: 0 | 1): string =>
    `M${radius},0A${radius},${radius},0,1,${sweep},${-radius},0A${radius},${radius},0,1,${sweep},${radius},0Z`
  const radius = Math.sqrt(area / Math.PI)
  return circle(radius, 1) + circle(radius / 2, 0)
}

/** Outline of the mark of the n-th group about its middle; a ring for `noMark`, and those beyond the last have the last. */
export const markPath = (group: number, area = usualArea): string =>
  group === noMark ? ring(area) : (symbol(shapes[Math.min(group, maxMarks - 1)], area)() ?? '')

export interface LegendEntry {
  key: string
  label: string
  colour: string
  /** Shape; a square patch when absent. */
  mark?: number
}

/** Names of colours and marks in rows, within an SVG; `legendHeight` is what it takes. */
export const Legend = ({ entries, width, y }: { entries: LegendEntry[]; width: number; y: number }): ReactNode => (
  <g transform={`translate(0,${y})`}>
    {layOut(entries, width).map(({ entry, left, top }) => (
      <g key={entry.key} transform={`translate(${left},${top})`}>
        {entry.mark === undefined ? (
          <rect
            x={0}
            y={-5}
            width={10}
            height={10}
            rx={2}
            fill={entry.colour}
            stroke={categoryEdge}
            strokeWidth={0.5}
          />
        ) : (
          <path transform="translate(5,0)" d={markPath(entry.mark, 52)} fill={entry.colour} />
        )}
        <text x={16} dominantBaseline="central" fontSize={12}>
          {entry.label}
        </text>
      </g>
    ))}
  </g>
)

const rowHeight = 20

const layOut = (entries: LegendEntry[], width: number): { entry: LegendEntry; left: number; top: number }[] => {
  let left = 4
  let top = rowHeight / 2
  return entries.map((entry) => {
    const wide = 34 + labelWidth(entry.label, 12)
    if (left > 4 && left + wide > width) {
      left = 4
      top += rowHeight
    }
    const placed = { entry, left, top }
    left += wide
    return placed
  })
}

export const legendHeight = (entries: LegendEntry[], width: number): number =>
  entries.length === 0 ? 0 : (layOut(entries, width).at(-1)?.top ?? 0) + rowHeight

/** Groups with their colours and shapes, the largest first; those beyond the last colour share the grey. */
export const groupLegend = (groups: readonly string[], other: string): LegendEntry[] => [
  ...groups
    .slice(0, maxMarks - 1)
    .map((name, at) => ({ key: name, label: name, colour: categoryColour(at), mark: at })),
  ...(groups.length < maxMarks ? [] : [{ key: '~other', label: other, colour: otherColour, mark: maxMarks - 1 }]),
]
