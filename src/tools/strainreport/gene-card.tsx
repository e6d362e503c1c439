import { type ReactNode, useMemo, useState } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { PresenceMark } from '../../kit/ui/gene/presence-mark.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import type { GeneFilter } from './gene-filter.ts'
import messages from './messages.ts'
import { type GeneChange, geneChanges, type StrainReport } from './tool.ts'

/** What became of genes, in both directions. */
export const GeneCard = ({
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
  const nameOf = useAssemblyNames()
  const [shown, setShown] = useState<GeneChange | 'every'>('every')
  const { genes, strain, reference } = report
  const all = genes?.rows ?? []
  const rows = useMemo(
    () => all.filter(({ id, change }) => (shown === 'every' || change === shown) && filter([id])),
    [all, shown, filter],
  )
  const { structure } = report
  const differenceOf = useMemo(() => {
    const found = new Map<string, string>()
    for (const one of structure?.differences ?? [])
      if (one.regions.length > 0) for (const gene of one.genes) found.set(gene, one.regions.join(', '))
    return found
  }, [structure])
  if (genes === null)
    return (
      <Card title={t('genes.title')}>
        <EmptyState title={t('genes.notComputed')} />
      </Card>
    )
  return (
    <Card
      title={t('genes.title')}
      aside={format.number(genes.rows.length)}
      flush
      actions={
        rows.length === 0 ? undefined : (
          <GeneSetMenu
            genes={rows.map(({ id, assembly }) => ({ id, assembly }))}
            name={t('genes.set', {
              what: shown === 'every' ? t('genes.title') : t(`change.${shown}`),
              strain: nameOf(strain.id),
              reference: nameOf(reference.id),
            })}
          />
        )
      }
    >
      <div className="strain-lead">
        <p className="strain-head">
          {t('genes.head', { ...genes.counts, strain: nameOf(strain.id), reference: nameOf(reference.id) })}
        </p>
        <p className="nv-quiet">{t('genes.method')}</p>
        {genes.rows.length === 0 ? null : (
          <div className="strain-choice" data-screen-only>
            <span>{t('genes.shown')}</span>
            <Select
              aria-label={t('genes.shown')}
              value={shown}
              onChoose={(value) => setShown(value as typeof shown)}
              options={(['every', ...geneChanges] as const).map((value) => ({
                value,
                label:
                  value === 'every'
                    ? t('genes.every')
                    : `${t(`change.${value}`)} (${format.number(genes.rows.filter(({ change }) => change === value).length)})`,
              }))}
            />
          </div>
        )}
      </div>
      <ResultTable
        label={t('genes.title')}
        name="strain-genes"
        receipt={receipt}
        rows={rows}
        rowKey={({ assembly, id }) => `${assembly}-${id}`}
        gene={({ assembly, id }) => ({ assembly, id })}
        pageSize={25}
        empty={
          all.length > 0 ? (
            <EmptyState title={t('filter.none')} />
          ) : (
            <EmptyState title={t('genes.none')} why={t('genes.noneWhy')} />
          )
        }
        columns={[
          {
            key: 'change',
            title: t('column.change'),
            main: true,
            value: ({ change }) => t(`change.${change}`),
            render: ({ change, state }) => (
              <span className="strain-kind">
                <PresenceMark state={state} /> {t(`change.${change}`)}
              </span>
            ),
          },
          {
            key: 'gene',
            title: t('column.gene'),
            kind: 'id',
            main: true,
            value: ({ id }) => id,
            render: ({ id, assembly }) => <GeneLink id={id} assembly={assembly} />,
          },
          { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
          {
            key: 'product',
            title: t('column.product'),
            long: true,
            main: true,
            value: ({ description }) => description,
          },
          {
            key: 'region',
            title: t('column.regions'),
            help: t('help.regions'),
            value: ({ id }) => differenceOf.get(id) ?? null,
          },
          { key: 'genome', title: t('column.genome'), value: ({ assembly }) => nameOf(assembly) },
          {
            key: 'consequence',
            title: t('column.consequence'),
            value: ({ frame }) => (frame === null ? null : t(`frame.${frame}`)),
          },
          { key: 'hgvs', title: t('column.hgvs'), kind: 'id', value: ({ hgvs }) => hgvs },
          {
            key: 'kept',
            title: t('column.kept'),
            kind: 'number',
            digits: 1,
            value: ({ keptShare }) => (keptShare === null ? null : 100 * keptShare),
          },
          {
            key: 'coverage',
            title: t('column.coverage'),
            kind: 'number',
            digits: 1,
            hidden: true,
            value: ({ coverage }) => 100 * coverage,
          },
          {
            key: 'locus',
            title: t('column.locus'),
            kind: 'region',
            value: ({ sequence, start, end }) => `${sequence}:${start}..${end}`,
            on: ({ assembly, sequence }) => ({ assembly, sequence }),
          },
          { key: 'strand', title: t('column.strand'), hidden: true, value: (one) => one.strand },
          { key: 'place', title: t('column.place'), kind: 'region', hidden: true, value: ({ place }) => place },
          { key: 'others', title: t('column.others'), kind: 'number', value: ({ alsoIn }) => alsoIn },
          { key: 'otherwise', title: t('column.otherwise'), kind: 'number', hidden: true, value: ({ notIn }) => notIn },
          {
            key: 'unknown',
            title: t('column.unknown'),
            kind: 'number',
            hidden: true,
            value: ({ unknownIn }) => unknownIn,
          },
        ]}
      />
    </Card>
  )
}
