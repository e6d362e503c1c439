import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { decimalsFor } from '../../../kit/ui/figures/decimals.ts'
import { Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { groupLegend } from '../../../kit/ui/figures/group-legend.ts'
import { Legend, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { markPath, maxMarks, noMark } from '../../../kit/ui/figures/mark-shapes.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'

export interface ScatterPoint {
  accession: string
  x: number
  y: number
  group: string | null
}

const height = 360
const margin = { top: 10, right: 14, bottom: 46, left: 66 }

const extent = (values: readonly number[]): [number, number] => [
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
  values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
]

/** Points of two measures with a straight line. */
export const ScatterFigure = ({
  title,
  points,
  xName,
  yName,
  line,
  method,
  receipt,
  name,
  actions,
}: {
  title: string
  points: ScatterPoint[]
  xName: string
  yName: string
  line: { slope: number; intercept: number } | null
  method: string
  receipt: Receipt
  name: string
  actions?: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>(560)
  const sizes = new Map<string, number>()
  for (const { group } of points) if (group !== null) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const groups = [...sizes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([group]) => group)
  const legend = groupLegend(groups, t('map.other'))
  const [lowX, highX] = extent(points.map((one) => one.x))
  const [lowY, highY] = extent(points.map((one) => one.y))
  const x = scaleLinear([lowX, highX], [margin.left, width - margin.right]).nice()
  const y = scaleLinear([lowY, highY], [height - margin.bottom, margin.top]).nice()
  const digits = { x: decimalsFor(highX - lowX), y: decimalsFor(highY - lowY) }
  // The line ends where it leaves the drawing.
  const [bottomY = lowY, topY = highY] = y.domain()
  const crossings =
    line === null || line.slope === 0 ? [] : [bottomY, topY].map((value) => (value - line.intercept) / line.slope)
  const from = Math.max(lowX, crossings.length === 0 ? lowX : Math.min(...crossings))
  const to = Math.min(highX, crossings.length === 0 ? highX : Math.max(...crossings))
  const entryOf = (group: string | null) =>
    group === null ? undefined : legend[Math.min(groups.indexOf(group), maxMarks - 1)]
  return (
    <FigureFrame
      title={title}
      name={name}
      method={method}
      receipt={receipt}
      actions={actions}
      numbers={{
        rows: points,
        rowKey: (one) => one.accession,
        columns: [
          { key: 'accession', title: t('column.accession'), kind: 'id', value: (one) => one.accession },
          { key: 'group', title: t('column.group'), hidden: groups.length === 0, value: (one) => one.group },
          { key: 'x', title: xName, kind: 'number', digits: digits.x, value: (one) => one.x },
          { key: 'y', title: yName, kind: 'number', digits: digits.y, value: (one) => one.y },
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height + legendHeight(legend, width)} label={title}>
          <Axis side="left" scale={y} at={margin.left} grid={width - margin.right} name={yName} />
          <Axis side="bottom" scale={x} at={height - margin.bottom} grid={margin.top} name={xName} />
          {points.map((one) => {
            const entry = entryOf(one.group)
            return (
              <path
                key={one.accession}
                transform={`translate(${x(one.x)},${y(one.y)})`}
                d={markPath(entry?.mark ?? (legend.length === 0 ? 0 : noMark), 26)}
                fill={entry?.colour ?? 'var(--figure-axis)'}
                fillOpacity={0.8}
              >
                <title>
                  {`${one.accession}${one.group === null ? '' : ` · ${one.group}`}: ${format.number(one.x, digits.x)}, ${format.number(one.y, digits.y)}`}
                </title>
              </path>
            )
          })}
          {line === null ? null : (
            <path
              d={`M${x(from)},${y(line.intercept + line.slope * from)}L${x(to)},${y(line.intercept + line.slope * to)}`}
              stroke="var(--figure-ink)"
              strokeDasharray="5 3"
            />
          )}
          <Legend entries={legend} width={width} y={height} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
