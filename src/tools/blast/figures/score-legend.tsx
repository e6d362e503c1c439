import type { ReactNode } from 'react'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { scoreLegend } from './score-colours.ts'

const fontPx = 12
const labelPx = 19
const gapPx = 12
/** From the first to the second of two lines. */
export const stackedPx = 17

/** Legend of the score classes, inside the drawing so that it goes along with exports; in two lines where it is `stacked`. */
export const ScoreLegend = ({
  x,
  y,
  title,
  stacked = false,
}: {
  x: number
  y: number
  title: string
  stacked?: boolean
}): ReactNode => {
  let next = stacked ? 0 : labelWidth(title, fontPx) + gapPx
  return (
    <g transform={`translate(${x} ${y})`} className="blast-legend">
      <text x={0} y={9}>
        {title}
      </text>
      {scoreLegend().map(({ colour, label }) => {
        const at = next
        next += labelPx + labelWidth(label, fontPx) + gapPx
        return (
          <g key={label} transform={`translate(${at} ${stacked ? stackedPx : 0})`}>
            <rect width={14} height={10} rx={2} fill={colour} className="blast-bar" />
            <text x={labelPx} y={9}>
              {label}
            </text>
          </g>
        )
      })}
    </g>
  )
}
