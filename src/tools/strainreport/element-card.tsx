import { scaleSequential } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { inkOn, viridis } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { ElementCopies, StrainReport } from './tool.ts'

type Family = ElementCopies['families'][number]

/** Families that are drawn: the table has all. */
const drawnFamilies = 40
const [rowPx, cellPx] = [22, 58]

const CopiesFigure = ({
  elements,
  strain,
  receipt,
}: {
  elements: ElementCopies
  strain: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const families = elements.families.slice(0, drawnFamilies)
  const names = elements.assemblies.map(nameOf)
  const left = Math.max(...families.map(({ family }) => labelWidth(family, 12))) + 20
  const top = Math.max(...names.map((name) => labelWidth(name, 11))) * 0.72 + 20
  const most = Math.max(1, ...families.flatMap(({ copies }) => copies))
  const colour = scaleSequential((share: number) => viridis(1 - 0.9 * share)).domain([0, Math.log1p(most)])
  const own = elements.assemblies.indexOf(strain)
  const width = left + elements.assemblies.length * cellPx + 110
  const height = top + families.length * rowPx + 8
  return (
    <FigureFrame
      title={t('elements.figure')}
      name={`strain-elements-${strain}`}
      receipt={receipt}
      method={t('elements.method')}
    >
      <div className="strain-figure">
        <svg data-figure width={width} height={height} role="img" aria-label={t('elements.figure')}>
          {names.map((name, at) => (
            <text
              key={elements.assemblies[at]}
              transform={`translate(${left + (at + 0.5) * cellPx},${top - 8}) rotate(-45)`}
              fontSize={11}
              fontWeight={at === own ? 700 : undefined}
            >
              {name}
            </text>
          ))}
          {families.map(({ family, copies }, row) => (
            <g key={family} transform={`translate(0,${top + row * rowPx})`}>
              <text x={left - 8} y={rowPx / 2} dominantBaseline="central" textAnchor="end" fontSize={12}>
                {family}
              </text>
              {copies.map((count, at) => {
                const fill = count === 0 ? 'var(--sunken)' : colour(Math.log1p(count))
                return (
                  <g key={elements.assemblies[at]} transform={`translate(${left + at * cellPx},0)`}>
                    <rect width={cellPx - 2} height={rowPx - 2} rx={2} fill={fill} />
                    <text
                      x={cellPx / 2 - 1}
                      y={rowPx / 2 - 1}
                      dominantBaseline="central"
                      textAnchor="middle"
                      fontSize={11}
                      style={{ fill: count === 0 ? 'var(--muted)' : inkOn(fill) }}
                    >
                      {format.number(count)}
                    </text>
                  </g>
                )
              })}
            </g>
          ))}
          {own < 0 ? null : (
            <rect
              x={left + own * cellPx - 2}
              y={top - 2}
              width={cellPx + 2}
              height={families.length * rowPx + 2}
              rx={3}
              fill="none"
              stroke="var(--figure-ink)"
              strokeWidth={1.8}
            />
          )}
        </svg>
      </div>
    </FigureFrame>
  )
}

/** Copies of transposable elements by family, all genomes side by side. */
export const ElementCard = ({ report, receipt }: { report: StrainReport; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const { elements, strain, reference } = report
  if (elements === null)
    return (
      <Card title={t('elements.title')}>
        <EmptyState title={t(`elements.why.${report.elementsWhy ?? 'unnamed'}`)} />
      </Card>
    )
  const [own, there] = [strain.id, reference.id].map((id) => elements.assemblies.indexOf(id)) as [number, number]
  const copiesOf = ({ copies }: Family, at: number): number => copies[at] ?? 0
  const totalOf = (at: number): number => elements.families.reduce((sum, one) => sum + copiesOf(one, at), 0)
  // What differs most tells most.
  const apart = (one: Family): number => Math.abs(copiesOf(one, own) - copiesOf(one, there))
  const [first] = [...elements.families].sort((a, b) => apart(b) - apart(a))
  const columns: TableColumn<Family>[] = [
    { key: 'family', title: t('column.family'), kind: 'id', value: ({ family }) => family },
    { key: 'class', title: t('column.class'), value: ({ code }) => code },
    { key: 'length', title: t('column.length'), kind: 'number', value: ({ lengthBp }) => lengthBp },
    ...elements.assemblies.map(
      (id, at): TableColumn<Family> => ({
        key: id,
        title: nameOf(id),
        kind: 'number',
        main: id === strain.id || id === reference.id,
        value: (one) => copiesOf(one, at),
      }),
    ),
  ]
  return (
    <>
      <Card title={t('elements.title')} flush>
        <div className="strain-lead">
          {own < 0 || there < 0 || first === undefined ? null : (
            <p className="strain-head">
              {t('elements.head', {
                family: first.family,
                own: copiesOf(first, own),
                there: copiesOf(first, there),
                total: totalOf(own),
                totalThere: totalOf(there),
                strain: nameOf(strain.id),
                reference: nameOf(reference.id),
              })}
            </p>
          )}
          <p className="nv-quiet">{t(`elements.${elements.basis}`)}</p>
          {elements.without.length === 0 ? null : (
            <p className="nv-quiet">{t('elements.without', { assemblies: listOf(elements.without) })}</p>
          )}
          {elements.total > elements.families.length ? (
            <p className="nv-quiet">{t('elements.cut', { shown: elements.families.length, total: elements.total })}</p>
          ) : null}
        </div>
        <ResultTable
          label={t('elements.title')}
          name="strain-elements"
          receipt={receipt}
          rows={elements.families}
          rowKey={({ family }) => family}
          columns={columns}
          pageSize={25}
        />
      </Card>
      <CopiesFigure elements={elements} strain={strain.id} receipt={receipt} />
      {elements.places.length === 0 ? null : (
        <Card title={t('elements.places', { strain: nameOf(strain.id) })} flush>
          <ResultTable
            label={t('elements.places', { strain: nameOf(strain.id) })}
            name="strain-element-places"
            receipt={receipt}
            rows={elements.places}
            rowKey={({ sequence, start }) => `${sequence}-${start}`}
            pageSize={25}
            columns={[
              { key: 'family', title: t('column.family'), kind: 'id', value: ({ family }) => family },
              {
                key: 'locus',
                title: t('column.locus'),
                kind: 'region',
                value: ({ sequence, start, end }) => `${sequence}:${start}..${end}`,
                on: ({ sequence }) => ({ assembly: strain.id, sequence }),
              },
              { key: 'strand', title: t('column.strand'), value: ({ strand }) => strand },
              {
                key: 'identity',
                title: t('column.identity'),
                kind: 'number',
                digits: 1,
                value: ({ identity }) => 100 * identity,
              },
              {
                key: 'coverage',
                title: t('column.coverage'),
                kind: 'number',
                digits: 1,
                value: ({ coverage }) => 100 * coverage,
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}
