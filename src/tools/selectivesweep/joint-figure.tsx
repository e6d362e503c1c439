import { scaleLinear } from 'd3'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { openCanvas } from '../../kit/ui/figures/canvas.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useTheme } from '../../kit/ui/theme.ts'
import { pointColours } from './genome-figure.tsx'

const margin = { top: 14, right: 18, bottom: 44, left: 62 }
const height = 380
const widest = 640
const maxMarks = 40_000

const extentOf = (values: readonly number[]): [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? [0, 1] : low === high ? [low - 0.5, high + 0.5] : [low, high]
}

/** Two values of each window against each other, with both cut-offs: what published sweeps are told from. */
export const JointFigure = ({
  first,
  second,
  names,
  cutoffs,
  isOutlier,
  title,
}: {
  first: readonly (number | null)[]
  second: readonly (number | null)[]
  names: readonly [string, string]
  cutoffs: readonly [number | null, number | null]
  isOutlier: (window: number) => boolean
  title: string
}): ReactNode => {
  const theme = useTheme()
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.min(widest, Math.max(320, given))
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useMemo(() => {
    const both = first.flatMap((a, at) => {
      const b = second[at]
      return a === null || b === null || b === undefined ? [] : [{ window: at, a, b }]
    })
    const x = scaleLinear(extentOf(both.map(({ b }) => b)), [margin.left, width - margin.right]).nice()
    const y = scaleLinear(extentOf(both.map(({ a }) => a)), [height - margin.bottom, margin.top]).nice()
    return {
      x,
      y,
      dots: both.map(({ window: at, a, b }) => ({ window: at, x: x(b), y: y(a), beyond: isOutlier(at) })),
    }
  }, [first, second, width, isOutlier])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens' colours.
  useEffect(() => {
    const context = openCanvas(canvas.current, width, height)
    if (context === null) return
    for (const beyond of [false, true]) {
      context.globalAlpha = beyond ? 1 : 0.5
      context.fillStyle = beyond ? pointColours.beyond : pointColours.odd
      for (const dot of drawn.dots) if (dot.beyond === beyond) context.fillRect(dot.x - 1.3, dot.y - 1.3, 2.6, 2.6)
    }
  }, [drawn, width, theme])

  const frame = (marks: boolean): ReactNode => (
    <>
      <Axis side="bottom" scale={drawn.x} at={height - margin.bottom} grid={margin.top} name={names[1]} />
      <Axis side="left" scale={drawn.y} at={margin.left} grid={width - margin.right} name={names[0]} />
      {marks
        ? drawn.dots.map(({ window: at, x, y, beyond }) => (
            <circle
              key={at}
              cx={x.toFixed(1)}
              cy={y.toFixed(1)}
              r={1.5}
              fill={beyond ? pointColours.beyond : pointColours.odd}
              fillOpacity={beyond ? 1 : 0.5}
            />
          ))
        : null}
      {cutoffs[0] === null ? null : (
        <line
          x1={margin.left}
          x2={width - margin.right}
          y1={drawn.y(cutoffs[0])}
          y2={drawn.y(cutoffs[0])}
          stroke={pointColours.beyond}
          strokeDasharray="5 3"
        />
      )}
      {cutoffs[1] === null ? null : (
        <line
          y1={margin.top}
          y2={height - margin.bottom}
          x1={drawn.x(cutoffs[1])}
          x2={drawn.x(cutoffs[1])}
          stroke={pointColours.beyond}
          strokeDasharray="5 3"
        />
      )}
    </>
  )
  return (
    <div ref={root} className="nv-layers">
      <svg width={width} height={height} className="nv-layers-file" data-figure aria-hidden>
        {frame(drawn.dots.length <= maxMarks)}
      </svg>
      <canvas ref={canvas} className="nv-layers-under" style={{ inlineSize: width, blockSize: height }} aria-hidden />
      <svg width={width} height={height} role="img" aria-label={title}>
        {frame(false)}
      </svg>
    </div>
  )
}
