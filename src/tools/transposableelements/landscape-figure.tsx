import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { transposonOrderName } from '../../bio/repeats/transposon-classes.ts'
import type { Language } from '../../contracts/text.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import type { ElementSummary } from '../../kit/data/element-data.ts'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { RoleNote, useRegionLabel, useRoleStyle, useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { browseAddress, orderColour, sortOrders } from './element-parts.tsx'
import messages from './messages.ts'

const rowHeight = 34
const barHeight = 24
/** With what the height of a window stands for. */
const headPx = 22
const axisHeight = 40
const labelPx = 92
const narrowestPx = 560

/** What the colours of these orders stand for, without the words in brackets. */
export const orderLegend = (orders: readonly string[], language: Language): LegendEntry[] =>
  orders.map((order) => ({
    key: order,
    label: transposonOrderName(order as 'LTR', language).replace(/\s*[(（].*$/, ''),
    colour: orderColour(order),
  }))

/** Full bars stand for a multiple of this share. */
const roundStep = 0.05

/** Chromosomes to scale, each window filled to the share that elements cover. */
export const LandscapeFigure = ({
  summary,
  assembly,
  receipt,
}: {
  summary: ElementSummary
  assembly: string
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const styleOf = useRoleStyle()
  const regionOf = useRegionLabel()
  const labelOf = useSequenceLabel()
  const navigate = useNavigate()
  const [root, given] = useWidth<HTMLElement>()
  const width = Math.max(narrowestPx, given)
  const shown = summary.sequences.filter(({ count, lengthBp }) => count > 0 || lengthBp >= summary.windowBp)
  const orders = sortOrders(new Set(shown.flatMap(({ windows }) => Object.keys(windows))))
  const longest = Math.max(1, ...shown.map(({ lengthBp }) => lengthBp))
  const inner = width - labelPx - 10
  const windowPx = (summary.windowBp / longest) * inner
  // Genomes with few elements would show empty bars: the scale ends at the fullest window.
  const totals = shown.map(({ windows }) => {
    const length = Math.max(0, ...Object.values(windows).map((shares) => shares.length))
    return Array.from({ length }, (_, at) => Object.values(windows).reduce((sum, shares) => sum + (shares[at] ?? 0), 0))
  })
  const max = Math.max(0.01, ...totals.flat())
  const step = max > roundStep ? roundStep : 0.01
  const top = Math.min(1, Math.ceil(max / step - 1e-9) * step)
  const numbers = shown.flatMap(({ name, windows }) =>
    Object.entries(windows).flatMap(([order, shares]) =>
      shares.flatMap((share, at) => (share > 0 ? [{ name, order, start: at * summary.windowBp + 1, share }] : [])),
    ),
  )
  const legend = orderLegend(orders, language)
  const head = headPx + legendHeight(legend, inner)
  const height = head + shown.length * rowHeight + axisHeight
  return (
    <FigureFrame
      title={t('overview.landscape')}
      name={`${assembly}-transposon-landscape`}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('overview.landscapeMethod', { window: format.basePairs(summary.windowBp) })}
      numbers={{
        rows: numbers,
        rowKey: ({ name, order, start }) => `${name}/${order}/${start}`,
        columns: [
          {
            key: 'sequence',
            title: t('column.sequence'),
            kind: 'id',
            value: ({ name }) => name,
            on: ({ name }) => ({ assembly, sequence: name }),
          },
          {
            key: 'order',
            title: t('column.order'),
            value: ({ order }) => transposonOrderName(order as 'LTR', language),
          },
          { key: 'window', title: t('column.window'), kind: 'number', value: ({ start }) => start },
          { key: 'share', title: '%', kind: 'number', digits: 2, value: ({ share }) => 100 * share },
        ],
      }}
    >
      <RoleNote sequences={shown.map(({ name }) => ({ assembly, sequence: name }))} />
      <ScrollBox ref={root} className="te-figure" label={t('overview.landscape')}>
        {/* biome-ignore lint/a11y/useSemanticElements: an SVG has no fieldset. */}
        <svg width={width} height={height} role="group" aria-label={t('overview.landscape')}>
          <Legend entries={legend} x={labelPx} y={0} width={inner} />
          <text x={labelPx} y={head - 8} fontSize={11} fill="var(--figure-axis)">
            {t('overview.landscapeHeight', { max: `${format.number(100 * top, 0)} %` })}
          </text>
          {shown.map((sequence, row) => {
            const y = head + row * rowHeight
            const length = (sequence.lengthBp / longest) * inner
            const open = (): void => void navigate(browseAddress({ assembly, region: sequence.name }))
            const label = `${labelOf(assembly, sequence.name)}: ${format.number(sequence.count)}, ${format.number((100 * sequence.bp) / sequence.lengthBp, 1)} %`
            return (
              // biome-ignore lint/a11y/useSemanticElements: an SVG has no anchor that the router knows.
              <g
                key={sequence.name}
                role="link"
                tabIndex={0}
                aria-label={label}
                className="te-link"
                onClick={open}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') open()
                }}
              >
                <title>{label}</title>
                <text
                  x={labelPx - 8}
                  y={y + barHeight / 2}
                  textAnchor="end"
                  dominantBaseline="central"
                  fontSize={12}
                  fontStyle={styleOf(assembly, sequence.name)}
                  fill="var(--figure-ink)"
                >
                  {sequence.name.length > 13 ? `${sequence.name.slice(0, 12)}…` : sequence.name}
                </text>
                <rect x={labelPx} y={y} width={Math.max(1, length)} height={barHeight} fill="var(--figure-grid)" />
                {(totals[row] ?? []).map((_, at) => {
                  let below = 0
                  const start = at * summary.windowBp
                  const span = Math.min(summary.windowBp, sequence.lengthBp - start)
                  return orders.map((order) => {
                    const share = sequence.windows[order]?.[at] ?? 0
                    if (share <= 0) return null
                    const tall = Math.min(barHeight - below, (share / top) * barHeight)
                    below += tall
                    return (
                      <rect
                        // biome-ignore lint/suspicious/noArrayIndexKey: windows keep their places.
                        key={`${order}/${at}`}
                        x={labelPx + (start / longest) * inner}
                        y={y + barHeight - below}
                        width={Math.max(0.8, (span / summary.windowBp) * windowPx)}
                        height={tall}
                        fill={orderColour(order)}
                      >
                        <title>{`${regionOf(assembly, { sequence: sequence.name, start: start + 1, end: start + span })}: ${format.number(100 * share, 1)} %`}</title>
                      </rect>
                    )
                  })
                })}
              </g>
            )
          })}
          <Axis
            side="bottom"
            scale={scaleLinear([0, longest], [labelPx, labelPx + inner])}
            at={height - axisHeight + 2}
            positions
            name={(unit) => t('overview.axisPosition', { unit })}
          />
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}
