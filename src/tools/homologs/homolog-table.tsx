import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import { type FoundHomolog, relations } from './tool.ts'

/** Percent of the neighbours that agree; null where nothing was compared. */
const syntenyPercent = ({ sharedNeighbours, neighbours }: FoundHomolog): number | null =>
  sharedNeighbours === null || neighbours === null || neighbours === 0 ? null : (100 * sharedNeighbours) / neighbours

/** Homologs with all that was computed of them; rows can be kept as a gene set. */
export const HomologTable = ({
  homologs,
  name,
  receipt,
  pageSize,
}: {
  homologs: FoundHomolog[]
  name: string
  receipt?: Receipt
  pageSize?: number
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const columns: TableColumn<FoundHomolog>[] = [
    {
      key: 'relation',
      title: t('column.relation'),
      help: t('help.relation'),
      value: (one) => t(`relation.${one.relation}`),
    },
    {
      key: 'chosenBy',
      title: t('column.chosenBy'),
      help: t('help.chosenBy'),
      value: (one) => (one.chosenBy === null ? null : t(`chosenBy.${one.chosenBy}`)),
    },
    { key: 'assembly', title: t('column.assembly'), value: (one) => nameOf(one.assembly) },
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: (one) => one.gene,
      render: (one) => <GeneLink id={one.gene} assembly={one.assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (one) => one.symbol },
    { key: 'identity', title: t('column.identity'), kind: 'number', digits: 1, value: (one) => one.identity },
    { key: 'coverage', title: t('column.coverage'), kind: 'number', digits: 1, value: (one) => one.coverage },
    {
      key: 'targetCoverage',
      title: t('column.targetCoverage'),
      kind: 'number',
      digits: 1,
      value: (one) => one.targetCoverage,
    },
    { key: 'evalue', title: t('column.evalue'), kind: 'statistic', value: (one) => one.evalue },
    { key: 'bitScore', title: t('column.bitScore'), kind: 'number', digits: 1, value: (one) => one.bitScore },
    {
      key: 'reciprocalBest',
      title: t('column.reciprocalBest'),
      help: t('help.reciprocalBest'),
      value: (one) => (one.reciprocalBest === null ? null : t(one.reciprocalBest ? 'value.yes' : 'value.no')),
    },
    {
      key: 'synteny',
      title: t('column.synteny'),
      help: t('help.synteny'),
      kind: 'number',
      digits: 0,
      value: syntenyPercent,
    },
    {
      key: 'neighbours',
      title: t('column.neighbours'),
      kind: 'number',
      hidden: true,
      value: (one) => one.neighbours,
    },
    { key: 'description', title: t('column.description'), long: true, value: (one) => one.description },
    { key: 'orthogroup', title: t('column.orthogroup'), kind: 'id', hidden: true, value: (one) => one.orthogroup },
    {
      key: 'sequence',
      title: t('column.sequence'),
      kind: 'id',
      hidden: true,
      value: (one) => one.sequence,
      on: (one) => one,
    },
    { key: 'start', title: t('column.start'), kind: 'number', hidden: true, value: (one) => one.start },
    { key: 'end', title: t('column.end'), kind: 'number', hidden: true, value: (one) => one.end },
    { key: 'strand', title: t('column.strand'), kind: 'id', hidden: true, value: (one) => one.strand },
  ]
  return (
    <ResultTable
      label={t('table.title')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      {...(pageSize === undefined ? {} : { pageSize })}
      columns={columns}
      rows={[...homologs].sort((a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation))}
      rowKey={(one) => `${one.assembly}/${one.gene}`}
      gene={(one) => ({ id: one.gene, assembly: one.assembly })}
      empty={<EmptyState title={t('query.none')} why={t('query.noneWhy')} />}
    />
  )
}
