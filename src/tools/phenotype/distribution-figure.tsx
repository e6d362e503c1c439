import { scaleBand, scaleLinear } from 'd3'
import { type ReactNode, useMemo } from 'react'
import { densityOf, histogramOf } from '../../bio/group-tests.ts'
import type { Receipt } from '../../contracts/receipt.ts'
import { Drawing, GridLines } from '../../kit/ui/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figure-frame.tsx'
import { useWidth } from '../../kit/ui/gene-structure.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { categoryColour } from '../../kit/ui/palette.ts'
import messages from './messages.ts'
import type { TraitReport } from './tool.ts'
import { decimalsFor, useTraitName } from './use-phenotypes.ts'

const height = 300
const margin = { top: 10, right: 14, bottom: 44, left: 54 }

const AxisNames = ({ x, y, width }: { x: string; y: string; width: number }): ReactNode => (
  <>
    <text x={(margin.left + width - margin.right) / 2} y={height - 6} textAnchor="middle">
      {x}
    </text>
    <text transform={`translate(14,${(margin.top + height - margin.bottom) / 2}) rotate(-90)`} textAnchor="middle">
      {y}
    </text>
  </>
)

/** Histogram and density of numbers. */
const Histogram = ({ report, receipt, name }: { report: TraitReport; receipt: Receipt; name: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const traitName = useTraitName()
  const [root, width] = useWidth<HTMLDivElement>(560)
  const values = useMemo(() => Float64Array.from(report.rows.flatMap(({ value }) => value ?? [])).sort(), [report.rows])
  const { edges, counts } = useMemo(() => histogramOf(values), [values])
  const density = useMemo(() => densityOf(values), [values])
  const step = edges[1]! - edges[0]!
  const most = Math.max(...counts, ...density.map(({ y }) => y * values.length * step))
  const x = scaleLinear([edges[0]!, edges.at(-1)!], [margin.left, width - margin.right])
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]).nice()
  const digits = decimalsFor(step * 10)
  const line = density
    .filter((point) => point.x >= edges[0]! && point.x <= edges.at(-1)!)
    .map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.x)},${y(point.y * values.length * step)}`)
    .join('')
  return (
    <FigureFrame
      title={t('figure.distribution')}
      name={`${name}-distribution`}
      method={t('figure.distributionMethod')}
      receipt={receipt}
      numbers={{
        rows: counts.map((count, at) => ({ from: edges[at]!, to: edges[at + 1]!, count })),
        rowKey: (one) => String(one.from),
        columns: [
          { key: 'from', title: t('column.from'), kind: 'number', digits, value: (one) => one.from },
          { key: 'to', title: t('column.to'), kind: 'number', digits, value: (one) => one.to },
          { key: 'count', title: t('column.n'), kind: 'number', value: (one) => one.count },
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height} label={t('figure.distribution')}>
          <GridLines
            of="y"
            ticks={y.ticks(5)}
            place={y}
            from={margin.left}
            to={width - margin.right}
            text={(tick) => format.number(tick)}
          />
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
          <GridLines
            of="x"
            ticks={x.ticks(Math.max(3, Math.floor(width / 90)))}
            place={x}
            from={height - margin.bottom}
            to={height - margin.bottom + 5}
            text={(tick) => format.number(tick, digits)}
          />
          <path
            className="phe-rug"
            d={[...values].map((value) => `M${x(value)},${height - margin.bottom}v5`).join('')}
          />
          <AxisNames x={traitName(report.trait)} y={t('figure.count')} width={width} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}

/** Bars of levels. */
const Levels = ({ report, receipt, name }: { report: TraitReport; receipt: Receipt; name: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const traitName = useTraitName()
  const [root, width] = useWidth<HTMLDivElement>(560)
  const levels = report.trait.levels ?? []
  const counts = report.trait.levelCounts ?? []
  const x = scaleBand(levels, [margin.left, width - margin.right]).padding(0.2)
  const y = scaleLinear([0, Math.max(1, ...counts)], [height - margin.bottom, margin.top]).nice()
  const step = Math.max(1, Math.ceil(levels.length / (width / 46)))
  return (
    <FigureFrame
      title={t('figure.distribution')}
      name={`${name}-distribution`}
      method={t('figure.levelsMethod')}
      receipt={receipt}
      numbers={{
        rows: levels.map((level, at) => ({ level, count: counts[at]! })),
        rowKey: (one) => one.level,
        columns: [
          { key: 'level', title: t('column.level'), value: (one) => one.level },
          { key: 'count', title: t('column.n'), kind: 'number', value: (one) => one.count },
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height} label={t('figure.distribution')}>
          <GridLines
            of="y"
            ticks={y.ticks(5)}
            place={y}
            from={margin.left}
            to={width - margin.right}
            text={(tick) => format.number(tick)}
          />
          {levels.map((level, at) => (
            <g key={level}>
              <rect
                x={x(level)!}
                width={x.bandwidth()}
                y={y(counts[at]!)}
                height={y(0) - y(counts[at]!)}
                fill={categoryColour(0)}
              >
                <title>{`${level}: ${format.number(counts[at]!)}`}</title>
              </rect>
              {at % step === 0 ? (
                <text
                  x={x(level)! + x.bandwidth() / 2}
                  y={height - margin.bottom + 16}
                  textAnchor="middle"
                  fontSize={11}
                >
                  {level.length > 14 ? `${level.slice(0, 13)}…` : level}
                </text>
              ) : null}
            </g>
          ))}
          <AxisNames x={traitName(report.trait)} y={t('figure.count')} width={width} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}

export const DistributionFigure = (props: { report: TraitReport; receipt: Receipt; name: string }): ReactNode =>
  props.report.trait.levels === null ? <Histogram {...props} /> : <Levels {...props} />
