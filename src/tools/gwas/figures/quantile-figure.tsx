import { scaleLinear } from 'd3'
import { type ReactNode, useMemo } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import type { ScanView } from '../endpoints.ts'
import messages from '../messages.ts'

const margin = { top: 12, right: 14, bottom: 44, left: 54 }
/** As high as the Manhattan plot beside it. */
const minHeight = 382
/** What lies so many times above the expected is drawn at the upper edge: one strong hit would press all others flat. */
const maxRise = 2.2

/**
 * How many tests lie above the axis, of whose points the first `drawn` do: beyond the smallest p-values not every test has a point, so
 * that those between the last above and the first below may be on either side.
 */
export const countAbove = (
  points: readonly Pick<ScanView['quantiles'][number], 'rank'>[],
  drawn: number,
): { count: number; exact: boolean } => {
  const last = points[drawn - 1]?.rank ?? 0
  return { count: last, exact: drawn === points.length || points[drawn]!.rank === last + 1 }
}

/** Observed against expected p-values with the band that chance stays in, and lambda. */
export const QuantileFigure = ({
  view,
  name,
  receipt,
}: {
  view: ScanView
  name: string
  receipt?: Receipt | undefined
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, full] = useWidth<HTMLDivElement>()
  const width = Math.min(full, 640)
  const height = Math.min(Math.max(minHeight, width * 0.8), Math.max(300, width))
  const points = view.quantiles
  const { x, y, band, dots, above } = useMemo(() => {
    const maxX = Math.max(1, ...points.map(({ expected }) => expected)) * 1.04
    const highest = Math.max(maxX, ...points.map(({ observed }) => observed))
    const cap = highest > maxRise * 1.5 * maxX ? maxRise * maxX : highest
    const maxY = Math.max(cap, ...points.map(({ high }) => Math.min(high, maxX * 1.5))) * 1.03
    const over = points.filter(({ observed }) => observed > cap)
    const across = scaleLinear([0, maxX], [margin.left, width - margin.right])
    const up = scaleLinear([0, maxY], [height - margin.bottom, margin.top])
    const at = (a: number, b: number): string => `${across(a).toFixed(1)},${up(b).toFixed(1)}`
    return {
      x: across,
      y: up,
      band: `M${points.map(({ expected, high }) => at(expected, high)).join('L')}L${[...points]
        .reverse()
        .map(({ expected, low }) => at(expected, low))
        .join('L')}Z`,
      dots: points
        .filter(({ observed }) => observed <= cap)
        .map(({ expected, observed }) => `M${at(expected, observed)}h.01`)
        .join(''),
      above: {
        marks: over.map(({ expected }) => across(expected)),
        highest: over.length === 0 ? null : highest,
        ...countAbove(points, over.length),
      },
    }
  }, [points, width, height])
  const lambda = view.trait.lambda
  const aboveText =
    above.highest === null
      ? null
      : t('qq.above', { count: above.count, exact: String(above.exact), highest: format.fixed(above.highest, 1) })
  const marksFrom = Math.min(...above.marks) - 8
  // Marks that reach far to the left leave no room beside them.
  const besideMarks = marksFrom - labelWidth(aboveText ?? '', 11) >= margin.left
  const diagonal = Math.min(x.domain()[1]!, y.domain()[1]!)
  return (
    <FigureFrame
      title={t('qq.title')}
      aside={lambda === null ? undefined : `λ = ${format.fixed(lambda, 2)}`}
      name={`${name}-qq`}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('qq.method')}
      numbers={{
        rows: points,
        rowKey: ({ expected }) => String(expected),
        columns: [
          { key: 'expected', title: t('qq.expected'), kind: 'number', digits: 4, value: ({ expected }) => expected },
          { key: 'observed', title: t('qq.observed'), kind: 'number', digits: 4, value: ({ observed }) => observed },
          { key: 'low', title: t('qq.low'), kind: 'number', digits: 4, value: ({ low }) => low },
          { key: 'high', title: t('qq.high'), kind: 'number', digits: 4, value: ({ high }) => high },
        ],
      }}
    >
      <div ref={root}>
        <svg
          data-figure
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={t('qq.label', { lambda: lambda === null ? '–' : format.fixed(lambda, 2) })}
        >
          <Axis side="bottom" scale={x} at={height - margin.bottom} grid={margin.top} name={t('qq.expected')} />
          <Axis side="left" scale={y} at={margin.left} grid={width - margin.right} name={t('qq.observed')} />
          {points.length === 0 ? null : <path d={band} fill="#56b4e9" fillOpacity={0.28} />}
          <line x1={x(0)} y1={y(0)} x2={x(diagonal)} y2={y(diagonal)} stroke="var(--figure-axis)" />
          <path d={dots} stroke="#2f7d6b" strokeWidth={4.4} strokeLinecap="round" fill="none" />
          {above.marks.map((at) => (
            <path key={at} d={`M${at - 4},${margin.top + 7}l4,-7l4,7Z`} fill="#d55e00" />
          ))}
          {aboveText === null ? null : (
            <text
              x={besideMarks ? marksFrom : width - margin.right}
              y={margin.top + (besideMarks ? 8 : 20)}
              textAnchor="end"
              fontSize={11}
              fill="var(--figure-ink)"
            >
              {aboveText}
            </text>
          )}
        </svg>
      </div>
    </FigureFrame>
  )
}
