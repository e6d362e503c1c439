import type { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { placedScale } from '../../kit/ui/figures/axis-ticks.ts'

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
  top: 12,
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
}): ReactNode => (
  <>
    <Axis side="left" scale={y} at={plot.left} grid={plot.width - plot.right} name={yName} whole />
    <Axis
      side="bottom"
      scale={placedScale(x, [xTicks[0] ?? 0, xTicks.at(-1) ?? 1], [plot.left, plot.width - plot.right])}
      at={plot.bottom}
      ticks={xTicks}
      name={xName}
    />
  </>
)

/** Whole numbers from 1 (or 2) to `most`, thinned so that their labels do not touch. */
export const wholeTicks = (min: number, max: number, px: number): number[] => {
  const wanted = Math.max(2, Math.floor(px / 34))
  const step = Math.max(1, Math.ceil((max - min + 1) / wanted))
  const ticks: number[] = []
  for (let value = max; value >= min; value -= step) ticks.unshift(value)
  return ticks
}
