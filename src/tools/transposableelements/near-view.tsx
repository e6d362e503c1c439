import type { ReactNode } from 'react'
import { transposonClass } from '../../bio/repeats/transposon-classes.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { nearColumns, useElementColumns } from './element-columns.tsx'
import { orderColour, sortOrders } from './element-parts.tsx'
import { orderLegend } from './landscape-figure.tsx'
import messages from './messages.ts'
import { type GeneElement, geneRelations } from './tool.ts'

const barHeight = 26
const narrowestPx = 420

/** Pairs by how the element lies to the gene, stacked by order. */
const RelationFigure = ({
  rows,
  name,
  receipt,
}: {
  rows: GeneElement[]
  name: string
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const [root, given] = useWidth<HTMLElement>()
  const width = Math.max(narrowestPx, given)
  const counts = geneRelations.map((relation) => {
    const byOrder = new Map<string, number>()
    for (const row of rows)
      if (row.relation === relation) {
        const { order } = transposonClass(row.element.code)
        byOrder.set(order, (byOrder.get(order) ?? 0) + 1)
      }
    return { relation, byOrder, total: [...byOrder.values()].reduce((sum, one) => sum + one, 0) }
  })
  const orders = sortOrders(new Set(counts.flatMap(({ byOrder }) => [...byOrder.keys()])))
  const max = Math.max(1, ...counts.map(({ total }) => total))
  const label = 132
  const inner = width - label - 64
  const legend = orderLegend(orders, language)
  const head = legendHeight(legend, width - label)
  const numbers = counts.flatMap(({ relation, byOrder }) =>
    [...byOrder].map(([order, count]) => ({ relation, order, count })),
  )
  return (
    <FigureFrame
      title={t('near.byRelation')}
      name={`${name}-relations`}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('near.method')}
      numbers={{
        rows: numbers,
        rowKey: ({ relation, order }) => `${relation}/${order}`,
        columns: [
          { key: 'relation', title: t('column.relation'), value: ({ relation }) => t(`relation.${relation}`) },
          { key: 'order', title: t('column.order'), value: ({ order }) => t(`option.orders.${order as 'LTR'}`) },
          { key: 'pairs', title: t('column.pairs'), kind: 'number', value: ({ count }) => count },
        ],
      }}
    >
      <ScrollBox ref={root} className="te-figure" label={t('near.byRelation')}>
        <svg width={width} height={head + counts.length * barHeight} role="img" aria-label={t('near.byRelation')}>
          <Legend entries={legend} x={label} y={0} width={width - label} />
          {counts.map(({ relation, byOrder, total }, row) => {
            let left = 0
            const y = head + row * barHeight
            return (
              <g key={relation}>
                <text
                  x={label - 8}
                  y={y + barHeight / 2}
                  textAnchor="end"
                  dominantBaseline="central"
                  fontSize={12}
                  fill="var(--figure-ink)"
                >
                  {t(`relation.${relation}`)}
                </text>
                {orders.map((order) => {
                  const count = byOrder.get(order) ?? 0
                  const wide = (count / max) * inner
                  const from = left
                  left += wide
                  return count === 0 ? null : (
                    <rect
                      key={order}
                      x={label + from}
                      y={y + 4}
                      width={Math.max(1, wide)}
                      height={barHeight - 8}
                      fill={orderColour(order)}
                    >
                      <title>{`${t(`option.orders.${order as 'LTR'}`)}: ${format.number(count)}`}</title>
                    </rect>
                  )
                })}
                <text
                  x={label + left + 6}
                  y={y + barHeight / 2}
                  dominantBaseline="central"
                  fontSize={12}
                  fill="var(--figure-axis)"
                >
                  {format.number(total)}
                </text>
              </g>
            )
          })}
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}

/** Genes with the elements in and near them; rows become gene sets. */
export const NearTable = ({
  rows,
  name,
  rate,
  receipt,
  pageSize,
  total,
}: {
  rows: GeneElement[]
  name: string
  rate: number | null
  receipt?: Receipt
  pageSize?: number
  total?: number
}): ReactNode => {
  const t = useText(messages)
  const own: TableColumn<GeneElement>[] = [
    ...nearColumns<GeneElement>(t),
    { key: 'overlap', title: t('column.overlap'), kind: 'number', value: ({ overlapBp }) => overlapBp },
  ]
  const element = useElementColumns<GeneElement>((row) => row.element, rate)
  return (
    <ResultTable
      label={t('near.title')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      {...(pageSize === undefined ? {} : { pageSize })}
      {...(total === undefined ? {} : { total })}
      rows={rows}
      rowKey={({ gene, element: one }) => `${gene.id}/${one.id}`}
      columns={[
        ...own,
        ...element,
        {
          key: 'description',
          title: t('column.description'),
          long: true,
          hidden: true,
          value: ({ gene }) => gene.description,
        },
      ]}
      gene={({ gene }) => ({ id: gene.id, assembly: gene.assembly })}
      empty={<EmptyState title={t('none.near')} why={t('none.nearWhy')} />}
    />
  )
}

export { RelationFigure }
