import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { decimalsFor } from '../../../kit/ui/figures/decimals.ts'
import { Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { markPath, maxMarks } from '../../../kit/ui/figures/mark-shapes.ts'
import { categoryColour, otherColour } from '../../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'

export interface BoxRow {
  name: string
  count: number
  mean: number
  deviation: number | null
  lowerWhisker: number
  lowerQuartile: number
  median: number
  upperQuartile: number
  upperWhisker: number
  /** What is drawn as points. */
  values: { key: string; value: number; outlier: boolean }[]
}

const rowHeight = 34
const top = 8
const bottom = 44
/** More points than this in a row hide one another: outliers alone are drawn. */
const maxPoints = 400

/** Boxes, one below the other, so that long names of groups have room. */
export const BoxFigure = ({
  title,
  rows,
  axis,
  method,
  receipt,
  name,
  reference,
}: {
  title: string
  rows: BoxRow[]
  axis: string
  method: string
  receipt: Receipt
  name: string
  /** Title of the names' column. */
  reference: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>(560)
  const labels = rows.map((row) => `${row.name.length > 24 ? `${row.name.slice(0, 23)}…` : row.name} (${row.count})`)
  const left = Math.min(220, 14 + Math.max(40, ...labels.map((label) => labelWidth(label, 12))))
  const ends = rows.flatMap((row) => [
    row.lowerWhisker,
    row.upperWhisker,
    ...row.values.filter(({ outlier }) => outlier).map(({ value }) => value),
  ])
  const [low, high] = [
    ends.reduce((a, b) => Math.min(a, b), Infinity),
    ends.reduce((a, b) => Math.max(a, b), -Infinity),
  ]
  const spread = high > low ? high - low : Math.abs(high) || 1
  const x = scaleLinear([low - spread * 0.03, high + spread * 0.03], [left, width - 14]).nice()
  const height = top + rows.length * rowHeight + bottom
  const digits = decimalsFor(spread)
  const middle = (at: number): number => top + (at + 0.5) * rowHeight
  return (
    <FigureFrame
      title={title}
      name={name}
      method={method}
      receipt={receipt}
      numbers={{
        rows,
        rowKey: (row) => row.name,
        columns: [
          { key: 'name', title: reference, value: (row) => row.name },
          { key: 'count', title: t('column.n'), kind: 'number', value: (row) => row.count },
          { key: 'mean', title: t('column.mean'), kind: 'number', digits, value: (row) => row.mean },
          { key: 'deviation', title: t('column.deviation'), kind: 'number', digits, value: (row) => row.deviation },
          { key: 'median', title: t('column.median'), kind: 'number', digits, value: (row) => row.median },
          {
            key: 'quartiles',
            title: t('column.quartiles'),
            value: (row) => `${format.number(row.lowerQuartile, digits)} – ${format.number(row.upperQuartile, digits)}`,
          },
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height} label={title}>
          <Axis side="bottom" scale={x} at={height - bottom} grid={top} name={axis} />
          {rows.map((row, at) => {
            const colour = at < maxMarks - 1 ? categoryColour(at) : otherColour
            return (
              <g key={row.name}>
                <title>
                  {`${row.name}: ${format.number(row.count)}; ${format.number(row.mean, digits)} ± ${row.deviation === null ? '–' : format.number(row.deviation, digits)}`}
                </title>
                <text x={left - 8} y={middle(at)} textAnchor="end" dominantBaseline="central">
                  {labels[at]}
                </text>
                <path
                  d={`M${x(row.lowerWhisker)},${middle(at)}H${x(row.lowerQuartile)}M${x(row.upperQuartile)},${middle(at)}H${x(row.upperWhisker)}`}
                  stroke="var(--figure-axis)"
                />
                <rect
                  x={x(row.lowerQuartile)}
                  width={Math.max(1, x(row.upperQuartile) - x(row.lowerQuartile))}
                  y={middle(at) - 9}
                  height={18}
                  fill={colour}
                  fillOpacity={0.35}
                  stroke={colour}
                />
                <path d={`M${x(row.median)},${middle(at) - 9}v18`} stroke="var(--figure-ink)" strokeWidth={2} />
                {row.values
                  .filter(({ outlier }) => outlier || row.values.length <= maxPoints)
                  .map(({ key, value, outlier }, index) => (
                    <path
                      key={key}
                      transform={`translate(${x(value)},${middle(at) + (outlier ? 0 : (((index * 7) % 13) - 6) * 1.1)})`}
                      d={outlier ? 'M-3,-3L3,3M-3,3L3,-3' : markPath(at, 9)}
                      fill={outlier ? 'none' : 'var(--figure-ink)'}
                      fillOpacity={0.45}
                      stroke={outlier ? 'var(--figure-ink)' : 'none'}
                    >
                      <title>{`${key}: ${format.number(value, digits)}`}</title>
                    </path>
                  ))}
              </g>
            )
          })}
        </Drawing>
      </div>
    </FigureFrame>
  )
}
