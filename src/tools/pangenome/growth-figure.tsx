import { area, line, scaleLinear } from 'd3'
import { type ReactNode, useState } from 'react'
import { judgeOpenness } from '../../bio/comparative/pan-genome.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Segmented } from '../../kit/ui/controls/field.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { Axes, plotOf, wholeTicks } from './chart-parts.tsx'
import messages from './messages.ts'
import type { PanGenome } from './tool.ts'

const height = 340
/** An exponent from fewer genomes than this is told with a caution. */
const fewGenomes = 8

interface Series {
  key: 'pan' | 'core' | 'freshLabel'
  colour: string
  /** Number of assemblies of the first value. */
  from: number
  values: number[]
  spread: { low: number[]; high: number[] } | null
  fit: ((n: number) => number) | null
}

/** A text with its powers of a Greek letter raised, as in `N^γ`. */
const withPowers = (text: string): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order.
  text.split(/\^(−?[αγ])/).map((part, at) => (at % 2 === 1 ? <sup key={at}>{part}</sup> : part))

/** Sizes of pan and core genome, or new families, as assemblies are added. */
export const GrowthFigure = ({ result, receipt }: { result: PanGenome; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const [view, setView] = useState<'both' | 'fresh'>('both')
  const { growth, spread, heaps, fresh } = result
  const genomes = growth.pan.length
  const power = (fit: PanGenome['heaps']): ((n: number) => number) | null =>
    fit === null ? null : (n) => fit.factor * n ** fit.exponent
  const series: Series[] =
    view === 'both'
      ? [
          {
            key: 'pan',
            colour: categoryColour(0),
            from: 1,
            values: growth.pan,
            spread: spread.pan,
            fit: power(heaps),
          },
          {
            key: 'core',
            colour: categoryColour(5),
            from: 1,
            values: growth.core,
            spread: spread.core,
            fit: null,
          },
        ]
      : [
          {
            key: 'freshLabel',
            colour: categoryColour(2),
            from: 2,
            values: growth.fresh.slice(1),
            spread: null,
            fit: power(fresh),
          },
        ]
  const plot = plotOf(width, height)
  const from = Math.min(...series.map((one) => one.from))
  const every = series.flatMap(({ values, spread: band }) => [...values, ...(band?.low ?? []), ...(band?.high ?? [])])
  const [min, max] = [Math.min(...every), Math.max(...every)]
  const x = scaleLinear([from, Math.max(from + 1, genomes)], [plot.left + 8, plot.width - plot.right - 8])
  // Sizes that differ by little would be two straight lines on an axis from 0.
  const y = scaleLinear(
    [view === 'both' ? Math.max(0, min - (max - min) * 0.12) : 0, max],
    [plot.bottom, plot.top],
  ).nice()
  const round = (value: number, digits: number): string => Number(value.toPrecision(digits)).toString()
  const margin = (value: number | null): string => (value === null ? 'none' : round(value, 2))
  const openness = judgeOpenness(fresh)
  const legend: LegendEntry[] = [
    ...series.map(({ key, colour }) => ({ key, label: t(`growth.${key}`), colour, dash: '' })),
    ...(genomes < 3 || series.every(({ fit }) => fit === null)
      ? []
      : [{ key: 'fit', label: t('growth.fit'), colour: 'var(--figure-ink)', dash: '5 4' }]),
  ]
  const rows = growth.pan.map((_, at) => at + 1).filter((n) => n >= from)
  return (
    <FigureFrame
      title={t('growth.title')}
      name={view === 'both' ? 'pan-genome-growth' : 'new-families'}
      receipt={receipt}
      method={t('growth.method', { orders: spread.orders, complete: spread.complete ? 'yes' : 'no' })}
      numbers={{
        rows,
        rowKey: String,
        columns: [
          { key: 'n', title: t('growth.column.n'), kind: 'number', value: (n) => n },
          ...series.flatMap((one) => {
            const name = t(`growth.${one.key}`)
            const cell = (values: number[]) => (n: number) => values[n - one.from] ?? null
            return [
              { key: one.key, title: name, kind: 'number' as const, digits: 2, value: cell(one.values) },
              ...(one.spread === null
                ? []
                : (['low', 'high'] as const).map((side) => ({
                    key: `${one.key}-${side}`,
                    title: t(`growth.column.${side}`, { name }),
                    kind: 'number' as const,
                    digits: 1,
                    value: cell(one.spread![side]),
                  }))),
              ...(one.fit === null
                ? []
                : [
                    {
                      key: `${one.key}-fit`,
                      title: t('growth.column.fit', { name }),
                      kind: 'number' as const,
                      digits: 2,
                      value: one.fit,
                    },
                  ]),
            ]
          }),
        ],
      }}
    >
      <div className="pan-bar">
        <Segmented
          label={t('growth.view')}
          value={view}
          onChoose={(value) => setView(value === 'fresh' ? 'fresh' : 'both')}
          options={[
            { value: 'both', label: t('growth.both') },
            { value: 'fresh', label: t('growth.fresh') },
          ]}
        />
      </div>
      <div ref={root} className="pan-figure">
        <svg
          data-figure
          width={width}
          height={height + legendHeight(legend, width)}
          role="img"
          aria-label={t('growth.title')}
        >
          <Axes
            plot={plot}
            x={x}
            xTicks={wholeTicks(from, genomes, plot.width - plot.left - plot.right)}
            y={y}
            xName={t('growth.x')}
            yName={t('growth.y')}
          />
          {series.map((one) => {
            const indexes = one.values.map((_, at) => at)
            const band =
              one.spread === null
                ? null
                : area<number>()
                    .x((at) => x(at + one.from))
                    .y0((at) => y(one.spread!.low[at]!))
                    .y1((at) => y(one.spread!.high[at]!))(indexes)
            const fitted = one.fit
            const steps = Array.from({ length: 80 }, (_, at) => one.from + ((genomes - one.from) * at) / 79)
            return (
              <g key={one.key}>
                {band === null ? null : <path d={band} fill={one.colour} fillOpacity={0.18} />}
                {fitted === null || genomes < 3 ? null : (
                  <path
                    d={
                      line<number>()
                        .x((n) => x(n))
                        .y((n) => y(fitted(n)))(steps) ?? ''
                    }
                    fill="none"
                    stroke="var(--figure-ink)"
                    strokeWidth={1.2}
                    strokeDasharray="5 4"
                  />
                )}
                <path
                  d={
                    line<number>()
                      .x((at) => x(at + one.from))
                      .y((at) => y(one.values[at]!))(indexes) ?? ''
                  }
                  fill="none"
                  stroke={one.colour}
                  strokeWidth={2}
                />
                {genomes > 60
                  ? null
                  : indexes.map((at) => (
                      <circle key={at} cx={x(at + one.from)} cy={y(one.values[at]!)} r={3} fill={one.colour}>
                        <title>{`${t(`growth.${one.key}`)}, ${at + one.from}: ${format.number(one.values[at]!, 1)}`}</title>
                      </circle>
                    ))}
              </g>
            )
          })}
          <Legend entries={legend} width={width} y={height} />
        </svg>
      </div>
      <div className="pan-words">
        {heaps === null || view === 'fresh' ? null : (
          <p>
            {withPowers(
              t('growth.heaps', {
                factor: round(heaps.factor, 5),
                exponent: round(heaps.exponent, 3),
                margin: margin(heaps.exponentMargin),
              }),
            )}
          </p>
        )}
        {/* Open or closed is judged by α, so that its value stands before the judgement whichever curve is shown. */}
        {fresh === null ? null : (
          <p>
            {withPowers(
              t('growth.alpha', {
                factor: round(fresh.factor, 5),
                exponent: round(-fresh.exponent, 3),
                margin: margin(fresh.exponentMargin),
              }),
            )}
          </p>
        )}
        {openness === null ? null : <p>{t(`growth.${openness}`)}</p>}
        {genomes < fewGenomes ? <p className="nv-quiet">{t('growth.few', { count: genomes })}</p> : null}
      </div>
    </FigureFrame>
  )
}
