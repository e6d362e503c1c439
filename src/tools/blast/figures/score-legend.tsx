import type { ReactNode } from 'react'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { scoreLegend } from './score-colours.ts'

const fontPx = 12
const labelPx = 19
const gapPx = 12

/** Legend of the score classes, inside the drawing so that it goes along with exports. */
export const ScoreLegend = ({ x, y, title }: { x: number; y: number; title: string }): ReactNode => {
  let next = labelWidth(title, fontPx) + gapPx
  return (
    <g transform={`translate(${x} ${y})`} className="blast-legend">
      <text x={0} y={9}>
        {title}
      </text>
      {scoreLegend().map(({ colour, label }) => {
        const at = next
        next += labelPx + labelWidth(label, fontPx) + gapPx
        return (
          <g key={label} transform={`translate(${at} 0)`}>
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
