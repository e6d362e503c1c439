import { scaleLinear } from 'd3'
import { type ReactNode, useMemo } from 'react'
import { densityOf, histogramOf } from '../../../bio/statistics/group-tests.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { useFormat, useText } from '../language.tsx'
import { Axis } from './axis.tsx'
import { decimalsFor } from './decimals.ts'
import { Drawing } from './drawing.tsx'
import { FigureFrame } from './figure-frame.tsx'
import { messages } from './figure-messages.ts'
import { categoryColour } from './palette.ts'
import { useWidth } from './use-width.ts'

const height = 300
const margin = { top: 10, right: 14, bottom: 44, left: 54 }

/**
 * Histogram of numbers with their density, and a tick for each number below. Values ascend and are at least one; widths of bins and of
 * the kernel are those of `histogramOf` and `densityOf`, which the method should name.
 */
export const HistogramFigure = ({
  values,
  title,
  name,
  method,
  receipt,
  xName,
  countName,
}: {
  values: Float64Array
  title: string
  /** Of files, without their ending. */
  name: string
  method: string
  receipt: Receipt
  xName: string
  /** What is counted, such as "Accessions". */
  countName: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>(560)
  const { edges, counts } = useMemo(() => histogramOf(values), [values])
  const density = useMemo(() => densityOf(values), [values])
  const step = edges[1]! - edges[0]!
  const max = Math.max(...counts, ...density.map(({ y }) => y * values.length * step))
  // The density reaches beyond the values: cut at the outermost bars it would seem to stop there.
  const ends = [edges[0]!, edges.at(-1)!, ...density.map((point) => point.x)]
  const x = scaleLinear([Math.min(...ends), Math.max(...ends)], [margin.left, width - margin.right])
  const y = scaleLinear([0, max], [height - margin.bottom, margin.top]).nice()
  const digits = decimalsFor(step * 10)
  const line = density
    .map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.x)},${y(point.y * values.length * step)}`)
    .join('')
  return (
    <FigureFrame
      title={title}
      name={name}
      method={method}
      receipt={receipt}
      numbers={{
        rows: counts.map((count, at) => ({ from: edges[at]!, to: edges[at + 1]!, count })),
        rowKey: (one) => String(one.from),
        columns: [
          { key: 'from', title: t('histogram.from'), kind: 'number', digits, value: (one) => one.from },
          { key: 'to', title: t('histogram.to'), kind: 'number', digits, value: (one) => one.to },
          { key: 'count', title: countName, kind: 'number', value: (one) => one.count },
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height} label={title}>
          <Axis side="left" scale={y} at={margin.left} grid={width - margin.right} name={countName} whole />
          {counts.map((count, at) => (
            <rect
              key={edges[at]}
              x={x(edges[at]!) + 0.5}
              width={Math.max(0.5, x(edges[at + 1]!) - x(edges[at]!) - 1)}
              y={y(count)}
              height={y(0) - y(count)}
              fill={categoryColour(4)}
            >
              <title>{`${format.number(edges[at]!, digits)} – ${format.number(edges[at + 1]!, digits)}: ${format.number(count)}`}</title>
            </rect>
          ))}
          <path d={line} fill="none" stroke={categoryColour(0)} strokeWidth={2} />
          <Axis side="bottom" scale={x} at={height - margin.bottom} name={xName} />
          <path
            className="nv-rug"
            d={[...values].map((value) => `M${x(value)},${height - margin.bottom}v5`).join('')}
          />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
