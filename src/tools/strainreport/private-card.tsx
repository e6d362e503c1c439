import { type ReactNode, useMemo } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { namesOfGenes } from '../../kit/ui/gene/difference-place.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import type { GeneFilter } from './gene-filter.ts'
import messages from './messages.ts'
import { listPrivate, type PrivateRow, withoutCount } from './private-rows.ts'
import { differenceKey, useKindName, usePlaces } from './structure-card.tsx'
import type { StrainReport } from './tool.ts'

/** What no other genome of the species has. */
export const PrivateCard = ({
  report,
  filter,
  receipt,
}: {
  report: StrainReport
  filter: GeneFilter
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const kindOf = useKindName(report)
  const placesOf = usePlaces(report)
  const all = useMemo(() => listPrivate(report, report.reference.id), [report])
  const rows = useMemo(
    () => all.filter(({ difference, gene }) => filter(difference === null ? [gene.id] : difference.genes)),
    [all, filter],
  )
  const { others } = report
  if (others === 0)
    return (
      <Card title={t('private.title')}>
        <EmptyState title={t('private.alone')} />
      </Card>
    )
  const placeOf = ({ difference, gene }: PrivateRow): string => {
    if (difference === null) return `${gene.sequence}:${gene.start}..${gene.end}`
    const { a, b } = placesOf(difference)
    return difference.kind === 'insertion' || difference.copyIn === 'second' ? b : a
  }
  const assemblyOf = ({ difference, gene }: PrivateRow): { assembly: string; sequence: string } =>
    difference === null
      ? { assembly: gene.assembly, sequence: gene.sequence }
      : difference.kind === 'insertion' || difference.copyIn === 'second'
        ? { assembly: report.strain.id, sequence: difference.b.sequence }
        : { assembly: report.reference.id, sequence: difference.a.sequence }
  return (
    <Card title={t('private.title')} aside={format.number(all.length)} flush>
      <div className="strain-lead">
        <p className="strain-head">
          {t('private.head', {
            differences: all.filter(({ gene }) => gene === null).length,
            genes: all.filter(({ gene }) => gene !== null).length,
            others,
          })}
        </p>
        <p className="nv-quiet">{t('private.method')}</p>
      </div>
      <ResultTable
        label={t('private.title')}
        name="strain-private"
        receipt={receipt}
        rows={rows}
        rowKey={({ difference, gene }) =>
          difference === null ? `${gene.assembly}-${gene.id}` : differenceKey(difference)
        }
        gene={({ gene }) => (gene === null ? null : { id: gene.id, assembly: gene.assembly })}
        pageSize={25}
        empty={
          all.length > 0 ? (
            <EmptyState title={t('filter.none')} />
          ) : (
            <EmptyState title={t('private.none')} why={t('private.noneWhy')} />
          )
        }
        columns={[
          {
            key: 'what',
            title: t('column.what'),
            value: ({ difference, gene }) => (difference === null ? t(`change.${gene.change}`) : kindOf(difference)),
          },
          {
            key: 'gene',
            title: t('column.gene'),
            kind: 'id',
            value: ({ difference, gene }) =>
              gene !== null ? gene.id : difference.geneCount === 0 ? null : namesOfGenes(difference),
            render: ({ difference, gene }) =>
              gene !== null ? (
                <GeneLink id={gene.id} assembly={gene.assembly} symbol={gene.symbol} />
              ) : (
                namesOfGenes(difference)
              ),
          },
          {
            key: 'details',
            title: t('column.details'),
            long: true,
            value: ({ difference, gene }) =>
              gene !== null
                ? gene.description
                : difference.regions.length === 0
                  ? null
                  : format.series(difference.regions),
          },
          {
            key: 'size',
            title: t('column.size'),
            kind: 'number',
            value: ({ difference, gene }) => (difference === null ? gene.end - gene.start + 1 : difference.sizeBp),
          },
          { key: 'locus', title: t('column.locus'), kind: 'region', value: placeOf, on: assemblyOf },
          { key: 'without', title: t('column.notInOthers'), kind: 'number', value: withoutCount },
        ]}
      />
    </Card>
  )
}
