import type { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { GridLines } from '../../kit/ui/figures/drawing.tsx'
import { useFormat } from '../../kit/ui/language.tsx'

export interface Plot {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
}

/** Where a chart of these pixels is drawn, with room for axes and their names. */
export const plotOf = (width: number, height: number): Plot => ({
  width,
  height,
  left: 66,
  top: 28,
  right: 14,
  bottom: height - 46,
})

/** Axes with units: whole numbers below, families at the left. */
export const Axes = ({
  plot,
  x,
  xTicks,
  y,
  xName,
  yName,
}: {
  plot: Plot
  x: (value: number) => number
  xTicks: number[]
  y: ReturnType<typeof scaleLinear<number, number>>
  xName: string
  yName: string
}): ReactNode => {
  const format = useFormat()
  return (
    <g className="nv-axis">
      <GridLines
        of="y"
        ticks={y.ticks(5)}
        place={y}
        from={plot.left}
        to={plot.width - plot.right}
        text={(tick) => format.number(tick, 1)}
      />
      <line x1={plot.left} x2={plot.width - plot.right} y1={plot.bottom} y2={plot.bottom} stroke="var(--figure-axis)" />
      {xTicks.map((tick) => (
        <text key={tick} x={x(tick)} y={plot.bottom + 16} textAnchor="middle" fontSize={11} fill="var(--figure-axis)">
          {format.number(tick)}
        </text>
      ))}
      <text
        x={(plot.left + plot.width - plot.right) / 2}
        y={plot.height - 8}
        textAnchor="middle"
        fontSize={12}
        fill="var(--figure-ink)"
      >
        {xName}
      </text>
      <text x={4} y={14} fontSize={12} fill="var(--figure-ink)">
        {yName}
      </text>
    </g>
  )
}

/** Whole numbers from 1 (or 2) to `most`, thinned so that their labels do not touch. */
export const wholeTicks = (min: number, max: number, px: number): number[] => {
  const wanted = Math.max(2, Math.floor(px / 34))
  const step = Math.max(1, Math.ceil((max - min + 1) / wanted))
  const ticks: number[] = []
  for (let value = max; value >= min; value -= step) ticks.unshift(value)
  return ticks
}

/** About how wide a text of 12 pixels is: Chinese signs are twice as wide as letters. */
export const textPx = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e7f ? 12.4 : 6.8), 0)
