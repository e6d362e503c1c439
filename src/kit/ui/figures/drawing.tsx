import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { ScrollBox } from '../controls/scroll-box.tsx'

/**
 * A drawing whose marks are links or buttons, in its own pixels; files are made from it. With `scroll` (a class) it stands in a
 * box that a wide drawing is scrolled in, also by the keyboard.
 */
export const Drawing = ({
  width,
  height,
  label,
  title = label,
  className,
  scroll,
  middle,
  children,
}: {
  width: number
  height: number
  /** What it is, for who does not see it. */
  label: string
  /** What the mouse is told where no mark lies. */
  title?: string
  className?: string
  scroll?: string
  /** What a drawing wider than its box shows in the middle at first, from the left in pixels; its left end when absent. */
  middle?: number
  children: ReactNode
}): ReactNode => {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null && middle !== undefined) box.current.scrollLeft = middle - box.current.clientWidth / 2
  }, [middle])
  const drawn = (
    // biome-ignore lint/a11y/useSemanticElements: a picture must not hold links, and an SVG has no fieldset.
    <svg
      data-figure
      className={className}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={label}
    >
      <title>{title}</title>
      {children}
    </svg>
  )
  return scroll === undefined ? (
    drawn
  ) : (
    <ScrollBox ref={box} className={scroll} label={label}>
      {drawn}
    </ScrollBox>
  )
}

/** Steps of a scale: enough that it looks smooth, few enough for a file to hold. */
const scaleParts = 30

/** What the colours of a figure mean, within an SVG: colours from 0 to 1 with the numbers that these stand for. */
export const ColourScale = ({
  x,
  y,
  width = 140,
  colour,
  ends,
  middle,
  title,
}: {
  x: number
  y: number
  width?: number
  colour: (fraction: number) => string
  /** What stands below 0 and below 1. */
  ends: readonly [string, string]
  /** What stands below the middle. */
  middle?: string
  /** What is measured, above. */
  title?: string
}): ReactNode => {
  const top = title === undefined ? 0 : 6
  return (
    <g transform={`translate(${x},${y})`} className="nv-scale">
      {title === undefined ? null : <text y={0}>{title}</text>}
      {Array.from({ length: scaleParts }, (_, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a scale keep their order.
          key={at}
          x={(at * width) / scaleParts}
          y={top}
          width={width / scaleParts + 0.4}
          height={10}
          fill={colour(at / (scaleParts - 1))}
        />
      ))}
      <text y={top + 24}>{ends[0]}</text>
      {middle === undefined ? null : (
        <text x={width / 2} y={top + 24} textAnchor="middle">
          {middle}
        </text>
      )}
      <text x={width} y={top + 24} textAnchor="end">
        {ends[1]}
      </text>
    </g>
  )
}

/** Places of a layout brought into a drawing: `fitInto(values, 800, 40)` gives the function from a value to 40..760. */
export const fitInto = (values: readonly number[], room: number, margin: number): ((value: number) => number) => {
  const [from, to] = [Math.min(...values), Math.max(...values)]
  return (value) => (from === to ? room / 2 : margin + ((value - from) / (to - from)) * (room - 2 * margin))
}
