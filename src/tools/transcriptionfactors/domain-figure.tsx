import { scaleLinear } from 'd3'
import { type ReactNode, useState } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import {
  CategoryTextures,
  categoryEdge,
  categoryFill,
  categoryInk,
  useTextureId,
} from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useText } from '../../kit/ui/language.tsx'
import { type DomainRow, domainColumns, domainRowKey, domainRows } from './domain-table.tsx'
import messages from './messages.ts'
import { architectureOf } from './rules/domain-words.ts'
import type { Domain, Verdict } from './tool.ts'

/** A protein to be drawn. */
export interface DrawnProtein extends Pick<Verdict, 'domains' | 'covered'> {
  name: string
  symbol: string | null
  length: number
}

const firstDrawn = 40
const maxDrawn = 400
const rowHeight = 30
const barHeight = 18
const axisHeight = 46
const narrowestPx = 300
const characterPx = 6.3

/** Proteins to scale with their domains; one colour is one domain, told by the legend and, where there is room, on the domain. */
export const DomainFigure = ({
  proteins,
  name,
  receipt,
  annotated = false,
}: {
  proteins: DrawnProtein[]
  name: string
  receipt?: Receipt
  annotated?: boolean
}): ReactNode => {
  const t = useText(messages)
  const [root, given] = useWidth<HTMLElement>()
  const [count, setCount] = useState(firstDrawn)
  const drawn = proteins.slice(0, count)
  const width = Math.max(narrowestPx, given)
  const named = new Map<string, { label: string; count: number }>()
  for (const { domains } of proteins)
    for (const { domain, label } of domains) {
      const known = named.get(domain)
      if (known === undefined) named.set(domain, { label, count: 1 })
      else known.count += 1
    }
  const legend = [...named].sort((a, b) => b[1].count - a[1].count)
  const numbers = new Map(legend.map(([domain], at) => [domain, at]))
  const figure = useTextureId()
  const labelOf = ({ name: id, symbol }: DrawnProtein): string => symbol ?? id
  const labelPx = Math.min(170, Math.max(70, ...drawn.map((one) => labelOf(one).length * 7 + 14)))
  const longest = Math.max(1, ...drawn.map(({ length }) => length))
  const x = (residue: number): number => labelPx + ((residue - 1) / longest) * (width - labelPx - 16)
  const entries: LegendEntry[] = legend.map(([domain, { label }], number) => ({
    key: domain,
    label,
    colour: categoryFill(figure, number),
  }))
  const head = legendHeight(entries, width - labelPx)
  const height = head + drawn.length * rowHeight + axisHeight
  const titleOf = ({ label, profile, start, end, evalue }: Domain): string =>
    start === null || end === null
      ? t('figure.unplaced', { label, profile })
      : evalue === null
        ? t('figure.domainPlain', { label, profile, start, end })
        : t('figure.domain', { label, profile, start, end, evalue: evalue.toExponential(1) })
  const rows: DomainRow[] = domainRows(proteins)
  return (
    <FigureFrame
      title={t('figure.title')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      method={t(annotated ? 'figure.methodAnnotation' : 'figure.method')}
      numbers={{ rows, rowKey: domainRowKey, columns: domainColumns(t) }}
    >
      <ScrollBox ref={root} className="tf-figure" label={t('figure.title')}>
        <svg width={width} height={height} role="img" aria-label={t('figure.title')}>
          <title>{t('figure.title')}</title>
          <Legend entries={entries} x={labelPx} y={0} width={width - labelPx} />
          {drawn.map((protein, number) => {
            const y = head + number * rowHeight + rowHeight / 2
            const { domains, length } = protein
            const loose = domains.filter(({ start }) => start === null)
            const room = Math.floor((labelPx - 10) / 7)
            const label = labelOf(protein)
            return (
              <g key={protein.name}>
                <title>
                  {t('figure.label', { name: protein.name, domains: architectureOf(domains) || '–', length })}
                </title>
                <text
                  x={labelPx - 8}
                  y={y}
                  textAnchor="end"
                  dominantBaseline="central"
                  fontSize={12}
                  fontStyle={protein.symbol === null ? undefined : 'italic'}
                  fill="var(--figure-ink)"
                >
                  {label.length <= room ? label : `${label.slice(0, room - 1)}…`}
                </text>
                <line
                  x1={x(1)}
                  x2={Math.max(x(1) + 1, x(length))}
                  y1={y}
                  y2={y}
                  stroke="var(--figure-axis)"
                  strokeWidth={2}
                />
                {domains.map((domain) => {
                  const { start, end } = domain
                  const unplaced = start === null || end === null
                  const from = unplaced ? labelPx + 6 + loose.indexOf(domain) * 84 : x(start)
                  const size = unplaced ? 80 : Math.max(3, x(end + 1) - from)
                  const own = numbers.get(domain.domain)!
                  const fits = domain.label.length * characterPx + 6 <= size
                  return (
                    <g key={`${domain.profile} ${start} ${loose.indexOf(domain)}`}>
                      <title>{titleOf(domain)}</title>
                      <rect
                        x={from}
                        y={y - barHeight / 2}
                        width={size}
                        height={barHeight}
                        rx={Math.min(5, size / 3)}
                        fill={unplaced ? 'var(--surface)' : categoryFill(figure, own)}
                        {...(unplaced
                          ? { stroke: categoryColour(own), strokeWidth: 1.5, strokeDasharray: '4 3' }
                          : { stroke: categoryEdge })}
                      />
                      {fits ? (
                        <text
                          x={from + size / 2}
                          y={y}
                          textAnchor="middle"
                          dominantBaseline="central"
                          fontSize={11}
                          style={unplaced ? { fill: 'var(--figure-ink)' } : categoryInk(own)}
                          pointerEvents="none"
                        >
                          {domain.label}
                        </text>
                      ) : null}
                    </g>
                  )
                })}
                <text
                  x={Math.min(x(length) + 5, width - 2)}
                  y={y}
                  textAnchor={x(length) + 40 > width ? 'end' : 'start'}
                  dy={x(length) + 40 > width ? -9 : 0}
                  dominantBaseline="central"
                  fontSize={10}
                  fill="var(--figure-axis)"
                >
                  {length}
                </text>
              </g>
            )
          })}
          <Axis
            side="bottom"
            scale={scaleLinear([1, longest], [x(1), x(longest)])}
            at={head + drawn.length * rowHeight + 2}
            name={t('figure.axis')}
            whole
          />
          <CategoryTextures figure={figure} count={legend.length} />
        </svg>
        {proteins.length > drawn.length ? (
          <p className="nv-quiet tf-more">
            {t('figure.cut', { shown: drawn.length, total: proteins.length })}{' '}
            {count < maxDrawn ? (
              <Button size="small" onClick={() => setCount(maxDrawn)}>
                {t('figure.more', { count: Math.min(maxDrawn, proteins.length) })}
              </Button>
            ) : null}
          </p>
        ) : null}
      </ScrollBox>
    </FigureFrame>
  )
}
