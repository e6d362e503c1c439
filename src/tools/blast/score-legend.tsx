import type { ReactNode } from 'react'
import { scoreLegend } from './score-colours.ts'

/** Legend of the score classes, inside the drawing so that it goes along with exports. */
export const ScoreLegend = ({ x, y, title }: { x: number; y: number; title: string }): ReactNode => (
  <g transform={`translate(${x} ${y})`} className="blast-legend">
    <text x={0} y={9}>
      {title}
    </text>
    {scoreLegend().map(({ colour, label }, at) => (
      <g key={label} transform={`translate(${90 + at * 76} 0)`}>
        <rect width={14} height={10} rx={2} fill={colour} className="blast-bar" />
        <text x={19} y={9}>
          {label}
        </text>
      </g>
    ))}
  </g>
)
