import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { transposonClass, transposonOrderName } from '../../bio/repeats/transposon-classes.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import type { ElementSummary } from '../../kit/data/element-data.ts'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { CategoryTextures, categoryEdge, categoryFill, useTextureId } from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { categoryBeside } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { ageMy, codeLabel, orderPlaces } from './element-parts.tsx'
import messages from './messages.ts'
import { ageBins } from './stored.ts'

const usualHeight = 300
const usualMargins = { left: 58, right: 14, top: 48, bottom: 44 }
const narrowestPx = 460

/** Stacked bars by age: distances between LTRs (elements), or from the consensus (share of the genome). */
export const AgeFigure = ({
  summary,
  measure,
  rate,
  name,
  receipt,
}: {
  summary: ElementSummary
  measure: 'ltr' | 'consensus'
  rate: number | null
  name: string
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const [root, given] = useWidth<HTMLElement>()
  const width = Math.max(narrowestPx, given)
  const rows =
    measure === 'ltr'
      ? summary.ages.ltr.map(({ code, counts }) => ({ code, values: counts }))
      : summary.ages.consensus.map(({ code, bins }) => ({
          code,
          values: bins.map((bp) => (100 * bp) / summary.genomeBp),
        }))
  const totals = Array.from({ length: ageBins }, (_, bin) =>
    rows.reduce((sum, { values }) => sum + (values[bin] ?? 0), 0),
  )
  // The axis ends behind the oldest bin that has something.
  const last = Math.max(
    9,
    totals.reduce((found, total, bin) => (total > 0 ? bin : found), 0),
  )
  const bins = last + 1
  const max = Math.max(...totals, 1e-9)
  const inner = width - usualMargins.left - usualMargins.right
  const figure = useTextureId()
  // The landscape above colours orders: a code has the colour of none of them.
  const taken = orderPlaces(new Set(summary.sequences.flatMap(({ windows }) => Object.keys(windows))))
  const placeOf = (at: number): number => categoryBeside(taken, at)
  const legend: LegendEntry[] = rows.map(({ code }, at) => ({
    key: code,
    label: codeLabel(code, language),
    colour: categoryFill(figure, placeOf(at)),
    title: transposonOrderName(transposonClass(code).order, language),
  }))
  const legendPx = legendHeight(legend, inner)
  const timed = measure === 'ltr' && rate !== null
  const margins = { ...usualMargins, top: (timed ? usualMargins.top : 12) + legendPx }
  const height = usualHeight + legendPx
  const tall = height - margins.top - margins.bottom
  const x = scaleLinear([0, bins], [margins.left, margins.left + inner])
  const y = scaleLinear([0, max], [margins.top + tall, margins.top]).nice()
  const numbers = rows.flatMap(({ code, values }) =>
    values.flatMap((value, bin) => (value > 0 ? [{ code, bin, value }] : [])),
  )
  return (
    <FigureFrame
      title={t('overview.age')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      method={
        measure === 'ltr'
          ? t('overview.ageLtrMethod', { rate: rate?.toExponential() ?? 'none' })
          : t('overview.ageConsensusMethod')
      }
      numbers={{
        rows: numbers,
        rowKey: ({ code, bin }) => `${code}/${bin}`,
        columns: [
          { key: 'code', title: t('column.code'), kind: 'id', value: ({ code }) => code },
          {
            key: 'order',
            title: t('column.order'),
            value: ({ code }) => transposonOrderName(transposonClass(code).order, language),
          },
          {
            key: 'bin',
            title: t('column.bin'),
            value: ({ bin }) => (bin === ageBins - 1 ? `≥ ${bin}` : `${bin}–${bin + 1}`),
          },
          ...(measure === 'ltr' && rate !== null
            ? [
                {
                  key: 'age',
                  title: t('column.age', { rate: rate.toExponential() }),
                  kind: 'number' as const,
                  digits: 3,
                  value: ({ bin }: { bin: number }) => ageMy(bin, rate),
                },
              ]
            : []),
          {
            key: 'value',
            title: measure === 'ltr' ? t('column.count') : t('column.share'),
            kind: 'number',
            digits: 4,
            value: ({ value }) => value,
          },
        ],
      }}
    >
      <ScrollBox ref={root} className="te-figure" label={t('overview.age')}>
        <svg width={width} height={height} role="img" aria-label={t('overview.age')}>
          <CategoryTextures figure={figure} count={placeOf(rows.length - 1) + 1} />
          <Legend entries={legend} x={margins.left} y={0} width={inner} />
          <Axis
            side="left"
            scale={y}
            at={margins.left}
            grid={width - margins.right}
            name={t(measure === 'ltr' ? 'overview.axisElements' : 'overview.axisGenome')}
            whole={measure === 'ltr'}
          />
          {Array.from({ length: bins }, (_, bin) => {
            let below = 0
            return rows.map(({ code, values }, at) => {
              const value = values[bin] ?? 0
              if (value <= 0) return null
              const from = below
              below += value
              return (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: bins keep their places.
                  key={`${code}/${bin}`}
                  x={x(bin) + 0.5}
                  width={Math.max(1, inner / bins - 1)}
                  y={y(below)}
                  height={Math.max(0.5, y(from) - y(below))}
                  fill={categoryFill(figure, placeOf(at))}
                  stroke={categoryEdge}
                  strokeWidth={0.5}
                >
                  <title>{`${code}, K ${bin}–${bin + 1} %: ${format.number(value, 3)}`}</title>
                </rect>
              )
            })
          })}
          <Axis side="bottom" scale={x} at={margins.top + tall} name={t('overview.axisDistance')} whole />
          {timed ? (
            <Axis
              side="top"
              scale={scaleLinear([0, ageMy(bins, rate) ?? 0], [margins.left, margins.left + inner])}
              at={margins.top}
              name={t('overview.axisTime')}
            />
          ) : null}
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}
