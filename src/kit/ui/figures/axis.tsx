import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { useFormat } from '../language.tsx'
import { type AxisScale, positionUnit, roundLength, roundTicks, tickDecimals } from './axis-ticks.ts'
import type { CategoryLabels } from './category-labels.ts'
import { fittingLabels } from './fitting-labels.ts'
import { labelWidth } from './text-width.ts'

const [numberPx, namePx] = [11, 12]
/** Of a grid line's number, and of a tick's. */
const awayPx = { grid: 6, tick: 9 } as const
/** Numbers of a level axis may stand out of its ends by so much, in the room that margins leave. */
const overhangPx = { left: 30, right: 12 } as const
/** From the axis to its name, where the axis is level. */
const nameBelowPx = 34
const nameAbovePx = 26

/**
 * An axis of a figure: round numbers with as many digits after the point as the finest of them needs, none over another or beyond the
 * drawing, and the name of what is measured. With `grid`, the place of the opposite edge, each number has a line across the drawing.
 */
export const Axis = ({
  side,
  scale,
  at,
  grid,
  name,
  ticks,
  text,
  whole = false,
  positions = false,
  within,
  nameStyle,
}: {
  side: 'bottom' | 'top' | 'left'
  scale: AxisScale
  /** Of a level axis its y, of an upright one its x. */
  at: number
  grid?: number
  /** With its unit; of `positions` from the unit that they are given in. */
  name?: string | ((unit: string) => string)
  /** In place of round numbers over the whole scale. */
  ticks?: readonly number[]
  /** In place of numbers. */
  text?: (tick: number) => string
  /** Of counts: no halves. */
  whole?: boolean
  /** Bases of a sequence, written in bp, kb or Mb. */
  positions?: boolean
  /** What the numbers of a level axis must stay within, from the left in pixels. */
  within?: readonly [number, number]
  nameStyle?: CSSProperties['fontStyle']
}): ReactNode => {
  const format = useFormat()
  const [from = 0, to = 0] = scale.domain()
  const [first = 0, last = 0] = scale.range()
  const [low, high] = [Math.min(first, last), Math.max(first, last)]
  const upright = side === 'left'
  const values = ticks ?? roundTicks(from, to, high - low, upright ? 'y' : 'x', whole)
  const { unit, bases, digits } = positions
    ? positionUnit(values)
    : { unit: '', bases: 1, digits: tickDecimals(values.map((value) => Math.abs(value))) }
  const shown = typeof name === 'function' ? name(unit) : name
  // Who is not told the unit by the axis's name is told it by each number.
  const unitBeside = positions && typeof name !== 'function'
  const labelOf =
    text ??
    ((tick: number): string => `${format.fixed(tick / bases, digits)}${unitBeside && tick !== 0 ? ` ${unit}` : ''}`)
  const away = grid === undefined ? awayPx.tick : awayPx.grid
  const middle = (low + high) / 2
  if (upright) {
    const labels = values.map(labelOf)
    const widest = Math.max(0, ...labels.map((label) => labelWidth(label, numberPx)))
    return (
      <g className="nv-axis">
        {values.map((value, index) => (
          <g key={value}>
            {grid === undefined ? (
              <line x1={at - 4} x2={at} y1={scale(value)} y2={scale(value)} />
            ) : (
              <line className="nv-grid-line" x1={at} x2={grid} y1={scale(value)} y2={scale(value)} />
            )}
            <text x={at - away} y={scale(value)} textAnchor="end" dominantBaseline="central">
              {labels[index]}
            </text>
          </g>
        ))}
        {grid === undefined ? <line x1={at} x2={at} y1={low} y2={high} /> : null}
        {shown === undefined ? null : (
          <text
            className="nv-axis-name"
            transform={`translate(${Math.max(namePx / 2 + 2, at - away - widest - namePx)},${middle}) rotate(-90)`}
            textAnchor="middle"
            dominantBaseline="central"
          >
            {shown}
          </text>
        )}
      </g>
    )
  }
  const [left, right] = within ?? [low - overhangPx.left, high + overhangPx.right]
  // A number is moved so that it stays within, but not away from its tick: what belongs elsewhere is not written here.
  const labels = values
    .filter((value) => scale(value) >= left && scale(value) <= right)
    .map((value) => {
      const label = labelOf(value)
      const half = labelWidth(label, numberPx) / 2
      return { value, text: label, at: Math.max(left + half, Math.min(right - half, scale(value))) }
    })
  labels.sort((a, b) => a.at - b.at)
  const fits = fittingLabels(labels, numberPx, left, right)
  const down = side === 'bottom' ? 1 : -1
  return (
    <g className="nv-axis">
      {values.map((value) => (
        <g key={value}>
          {grid === undefined ? null : (
            <line className="nv-grid-line" x1={scale(value)} x2={scale(value)} y1={grid} y2={at} />
          )}
          <line x1={scale(value)} x2={scale(value)} y1={at} y2={at + 4 * down} />
        </g>
      ))}
      {labels.map(({ value, text: label, at: labelAt }, index) =>
        fits[index] ? (
          <text key={value} x={labelAt} y={at + (down > 0 ? 16 : -8)} textAnchor="middle">
            {label}
          </text>
        ) : null,
      )}
      <line x1={low} x2={high} y1={at} y2={at} />
      {shown === undefined ? null : (
        <text
          className="nv-axis-name"
          x={middle}
          y={at + (down > 0 ? nameBelowPx : -nameAbovePx)}
          textAnchor="middle"
          fontStyle={nameStyle}
        >
          {shown}
        </text>
      )}
    </g>
  )
}

/** A bar of a round length with what it stands for: what a drawing to scale without an axis has. */
export const ScaleBar = ({
  x,
  y,
  perPx,
  maxPx = 120,
  text,
}: {
  /** Its left end, or with a negative `maxPx` its right one. */
  x: number
  y: number
  /** What a pixel stands for. */
  perPx: number
  maxPx?: number
  /** Its length in words: `format.basePairs` of bases. */
  text: (length: number) => string
}): ReactNode => {
  if (!(perPx > 0 && Number.isFinite(perPx))) return null
  const { length, px } = roundLength(perPx, Math.abs(maxPx))
  const left = maxPx < 0 ? x - px : x
  return (
    <g className="nv-axis nv-scale-bar">
      <path d={`M${left},${y - 4}v8M${left},${y}h${px}M${left + px},${y - 4}v8`} />
      <text x={left + px / 2} y={y - 7} textAnchor="middle">
        {text(length)}
      </text>
    </g>
  )
}

/** Names of the categories beside a drawing, as `layCategoryLabels` laid them out; each has its whole name for the mouse. */
export const CategoryAxis = ({
  labels: { angle, every, texts },
  names,
  place,
  at,
  side = 'bottom',
  fontStyle,
  wrap = (_, label) => label,
}: {
  labels: CategoryLabels
  names: readonly string[]
  /** Middle of the n-th category. */
  place: (index: number) => number
  /** Edge of the drawing. */
  at: number
  side?: 'bottom' | 'top'
  fontStyle?: 'italic'
  /** A link about a name, for one. */
  wrap?: (index: number, label: ReactNode) => ReactNode
}): ReactNode => {
  const below = side === 'bottom'
  const moved = angle === 0 ? [0, below ? 15 : -6] : angle === -90 ? [0, below ? 5 : -5] : [2, below ? 9 : -5]
  return (
    <g className="nv-axis">
      {texts.map((text, index) =>
        index % every === 0 ? (
          <Fragment key={names[index]}>
            {wrap(
              index,
              <text
                transform={`translate(${place(index) + moved[0]!},${at + moved[1]!})${angle === 0 ? '' : ` rotate(${angle})`}`}
                textAnchor={angle === 0 ? 'middle' : below ? 'end' : 'start'}
                dominantBaseline={angle === -90 ? 'central' : undefined}
                fontStyle={fontStyle}
              >
                <title>{names[index]}</title>
                {text}
              </text>,
            )}
          </Fragment>
        ) : null,
      )}
    </g>
  )
}
