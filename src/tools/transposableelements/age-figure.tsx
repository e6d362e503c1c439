import type { ReactNode } from 'react'
import { transposonClass, transposonOrderName } from '../../bio/repeats/transposon-classes.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { CategoryTextures, categoryEdge, categoryFill, useTextureId } from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/gene-structure.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { ageMy } from './element-parts.tsx'
import messages from './messages.ts'
import { ageBins, type ElementSummary } from './stored.ts'

const usualHeight = 300
const usualMargins = { left: 58, right: 14, top: 62, bottom: 44 }
const [keyPx, keyRowPx] = [62, 16]
const narrowestPx = 460

/** A number of steps at round values up to `most`. */
const ticks = (max: number): number[] => {
  const rough = max / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, at) => Number((at * step).toPrecision(6)))
}

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
  const keyColumns = Math.max(1, Math.floor(inner / keyPx))
  const moreKeys = keyRowPx * Math.max(0, Math.ceil(rows.length / keyColumns) - 1)
  const margins = { ...usualMargins, top: usualMargins.top + moreKeys }
  const height = usualHeight + moreKeys
  const tall = height - margins.top - margins.bottom
  const x = (bin: number): number => margins.left + (bin / bins) * inner
  const y = (value: number): number => margins.top + tall - (value / max) * tall
  const wanted = Math.max(1, Math.ceil(bins / 10))
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
          <CategoryTextures figure={figure} count={rows.length} />
          {rows.map(({ code }, at) => (
            <g
              key={code}
              transform={`translate(${margins.left + (at % keyColumns) * keyPx},${13 + Math.floor(at / keyColumns) * keyRowPx})`}
            >
              <rect width={11} height={11} y={-9} rx={2} fill={categoryFill(figure, at)} stroke={categoryEdge} />
              <text x={16} fontSize={12} fill="var(--figure-ink)">
                {code}
              </text>
            </g>
          ))}
          {ticks(max).map((value) => (
            <g key={value}>
              <line
                x1={margins.left}
                x2={width - margins.right}
                y1={y(value)}
                y2={y(value)}
                stroke="var(--figure-grid)"
              />
              <text
                x={margins.left - 6}
                y={y(value)}
                textAnchor="end"
                dominantBaseline="central"
                fontSize={11}
                fill="var(--figure-axis)"
              >
                {format.number(value, 3)}
              </text>
            </g>
          ))}
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
                  fill={categoryFill(figure, at)}
                  stroke={categoryEdge}
                  strokeWidth={0.5}
                >
                  <title>{`${code}, K ${bin}–${bin + 1} %: ${format.number(value, 3)}`}</title>
                </rect>
              )
            })
          })}
          <line
            x1={margins.left}
            x2={width - margins.right}
            y1={margins.top + tall}
            y2={margins.top + tall}
            stroke="var(--figure-axis)"
          />
          {Array.from({ length: bins + 1 }, (_, bin) => bin)
            .filter((bin) => bin % wanted === 0)
            .map((bin) => (
              <g
                key={bin}
                transform={`translate(${x(bin)},0)`}
                fontSize={11}
                textAnchor="middle"
                fill="var(--figure-axis)"
              >
                <line y1={margins.top + tall} y2={margins.top + tall + 4} stroke="var(--figure-axis)" />
                <text y={margins.top + tall + 16}>{bin}</text>
                {measure === 'ltr' && rate !== null ? (
                  <text y={margins.top - 8}>{format.number(ageMy(bin, rate) ?? 0, 2)}</text>
                ) : null}
              </g>
            ))}
          <text x={margins.left + inner / 2} y={height - 8} textAnchor="middle" fontSize={12} fill="var(--figure-ink)">
            {t('overview.axisDistance')}
          </text>
          {measure === 'ltr' && rate !== null ? (
            <text
              x={margins.left + inner / 2}
              y={margins.top - 24}
              textAnchor="middle"
              fontSize={12}
              fill="var(--figure-ink)"
            >
              {t('overview.axisTime')}
            </text>
          ) : null}
          <text
            transform={`translate(13,${margins.top + tall / 2}) rotate(-90)`}
            textAnchor="middle"
            fontSize={12}
            fill="var(--figure-ink)"
          >
            {t(measure === 'ltr' ? 'overview.axisElements' : 'overview.axisGenome')}
          </text>
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}
