import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type tool from './tool.ts'
import type { HomologQuery } from './tool.ts'

export type Result = z.output<(typeof tool)['result']>
type Counts = NonNullable<HomologQuery['orthogroup']>['counts']

const cellHeight = 34
const rowGap = 8
const minPx = 104
const fontPx = 12
/** Of a cell beside its name and count. */
const spacePx = 36

/** Assemblies as cells beside each other, filled where the orthogroup has genes: a row of the presence matrix. */
export const OrthogroupCard = ({
  query,
  assemblies,
  receipt,
}: {
  query: HomologQuery
  assemblies: Result['assemblies']
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const [root, width] = useWidth<HTMLDivElement>()
  const group = query.orthogroup
  if (group === null) return null
  const counts = [...group.counts]
  const present = counts.filter(({ genes }) => genes.length > 0)
  const lacking = new Set(query.lacking)
  const ofParalogs = present.flatMap(({ assembly }) => (lacking.has(assembly) ? [assembly] : []))
  const total = counts.reduce((sum, { genes }) => sum + genes.length, 0)
  const about = new Map(assemblies.map((one) => [one.id, one]))
  // Of a partial assembly nothing is known where it has no gene.
  const isUnknown = ({ assembly, genes }: Counts[number]): boolean =>
    genes.length === 0 && about.get(assembly)?.partial === true
  // The count is bold, which is a tenth wider.
  const widthOf = ({ assembly, genes }: Counts[number]): number =>
    labelWidth(nameOf(assembly), fontPx) + 1.1 * labelWidth(String(genes.length), fontPx) + spacePx
  const wanted = Math.max(minPx, ...counts.map(widthOf))
  const columns = Math.max(1, Math.min(counts.length, Math.floor(width / wanted)))
  const cellWidth = width / columns
  const rows = Math.ceil(counts.length / columns)
  const titleOf = ({ assembly, genes }: Counts[number]): string =>
    genes.length > 0
      ? `${t('group.cell', { assembly: nameOf(assembly), count: genes.length })}: ${genes.slice(0, 20).join(', ')}`
      : t(isUnknown({ assembly, genes }) ? 'group.absentPartial' : 'group.absent', { assembly: nameOf(assembly) })
  return (
    <FigureFrame
      title={t('group.title', { id: group.id })}
      aside={
        <>
          {t('group.genes', { count: total, present: present.length, all: counts.length })}{' '}
          {group.source === 'table' ? <Tag>{t('group.table')}</Tag> : null}
        </>
      }
      name={`${group.id}-presence`}
      receipt={receipt}
      method={t('group.method')}
      actions={<GeneSetMenu genes={present.flatMap(({ assembly, genes }) => genes.map((id) => ({ id, assembly })))} />}
      numbers={{
        rows: counts,
        rowKey: ({ assembly }) => assembly,
        columns: [
          { key: 'assembly', title: t('column.assembly'), value: ({ assembly }) => nameOf(assembly) },
          {
            key: 'species',
            title: t('column.species'),
            value: ({ assembly }) => about.get(assembly)?.speciesName ?? null,
          },
          {
            key: 'count',
            title: t('column.count'),
            kind: 'number',
            value: (cell) => (isUnknown(cell) ? null : cell.genes.length),
          },
          { key: 'ids', title: t('column.ids'), long: true, value: ({ genes }) => genes.join(', ') },
        ],
      }}
    >
      <div ref={root} className="hom-presence">
        <svg
          width={width}
          height={rows * (cellHeight + rowGap) - rowGap}
          role="img"
          aria-label={counts.map(titleOf).join('; ')}
        >
          {counts.map((cell, number) => {
            const x = (number % columns) * cellWidth
            const y = Math.floor(number / columns) * (cellHeight + rowGap)
            const filled = cell.genes.length > 0 && !lacking.has(cell.assembly)
            return (
              <g key={cell.assembly} transform={`translate(${x},${y})`}>
                <title>{titleOf(cell)}</title>
                <rect
                  x={1}
                  y={1}
                  width={Math.max(1, cellWidth - 8)}
                  height={cellHeight - 2}
                  rx={3}
                  fill={filled ? 'var(--gene-fill)' : 'var(--surface)'}
                  stroke={cell.genes.length > 0 ? 'var(--gene-fill)' : 'var(--line-strong)'}
                  strokeDasharray={isUnknown(cell) ? '4 3' : undefined}
                />
                <text
                  x={9}
                  y={cellHeight / 2}
                  dominantBaseline="central"
                  fontSize={fontPx}
                  style={{ fill: filled ? 'var(--on-primary)' : 'var(--muted)' }}
                >
                  {nameOf(cell.assembly)}
                </text>
                <text
                  x={cellWidth - 16}
                  y={cellHeight / 2}
                  dominantBaseline="central"
                  textAnchor="end"
                  fontSize={fontPx}
                  fontWeight={700}
                  style={{ fill: filled ? 'var(--on-primary)' : 'var(--muted)' }}
                >
                  {isUnknown(cell) ? '?' : cell.genes.length}
                </text>
              </g>
            )
          })}
        </svg>
      </div>
      {ofParalogs.length === 0 ? null : (
        <p className="nv-quiet">{t('group.lacking', { assemblies: listOf(ofParalogs) })}</p>
      )}
      {counts.some(isUnknown) ? <p className="nv-quiet">{t('group.unknown')}</p> : null}
    </FigureFrame>
  )
}
