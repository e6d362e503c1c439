import { scaleBand, scaleLinear } from 'd3'
import { type ReactNode, useMemo } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { placedScale } from '../../../kit/ui/figures/axis-ticks.ts'
import { Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { HistogramFigure } from '../../../kit/ui/figures/histogram-figure.tsx'
import { categoryColour } from '../../../kit/ui/figures/palette.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'
import type { TraitReport } from '../tool.ts'
import { useTraitName } from '../use-phenotypes.ts'

const height = 300
const margin = { top: 10, right: 14, bottom: 44, left: 54 }

/** Histogram and density of numbers. */
const Numbers = ({ report, receipt, name }: { report: TraitReport; receipt: Receipt; name: string }): ReactNode => {
  const t = useText(messages)
  const traitName = useTraitName()
  const values = useMemo(() => Float64Array.from(report.rows.flatMap(({ value }) => value ?? [])).sort(), [report.rows])
  return (
    <HistogramFigure
      values={values}
      title={t('figure.distribution')}
      name={`${name}-distribution`}
      method={t('figure.distributionMethod')}
      receipt={receipt}
      xName={traitName(report.trait)}
      countName={t('figure.count')}
    />
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
          <Axis side="left" scale={y} at={margin.left} grid={width - margin.right} name={t('figure.count')} whole />
          <Axis
            side="bottom"
            scale={placedScale((at) => x(levels[at]!)! + x.bandwidth() / 2, [0, levels.length - 1], x.range())}
            at={height - margin.bottom}
            ticks={levels.map((_, at) => at)}
            text={(at) => (levels[at]!.length > 14 ? `${levels[at]!.slice(0, 13)}…` : levels[at]!)}
            name={traitName(report.trait)}
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
            </g>
          ))}
        </Drawing>
      </div>
    </FigureFrame>
  )
}

export const DistributionFigure = (props: { report: TraitReport; receipt: Receipt; name: string }): ReactNode =>
  props.report.trait.levels === null ? <Numbers {...props} /> : <Levels {...props} />
