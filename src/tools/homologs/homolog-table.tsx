import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import tool, { type FoundHomolog, relations } from './tool.ts'

/** Address of the answer for one gene. */
export const homologsAddress = ({ id, assembly }: { id: string; assembly: string }): string =>
  `${tool.route}?${new URLSearchParams({ by: 'genes', genes: id, assembly, run: '1' })}`

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
  const format = useFormat()
  const nameOf = useAssemblyNames()
  /** A percentage with a bar as long as it, so that a column is read at a glance. */
  const shareColumn = (
    key: string,
    title: string,
    value: (one: FoundHomolog) => number | null,
  ): TableColumn<FoundHomolog> => ({
    key,
    title,
    kind: 'number',
    digits: 1,
    value,
    render: (one) => {
      const share = value(one)
      return share === null ? (
        '–'
      ) : (
        <span className="hom-share">
          {format.fixed(share, 1)}
          <span aria-hidden>
            <span style={{ inlineSize: `${Math.max(0, Math.min(100, share))}%` }} />
          </span>
        </span>
      )
    },
  })
  const columns: TableColumn<FoundHomolog>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: (one) => one.gene,
      render: (one) => <GeneLink id={one.gene} assembly={one.assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (one) => one.symbol },
    { key: 'assembly', title: t('column.assembly'), main: true, value: (one) => nameOf(one.assembly) },
    {
      key: 'relation',
      title: t('column.relation'),
      main: true,
      help: t('help.relation'),
      value: (one) => t(`relation.${one.relation}`),
    },
    { ...shareColumn('identity', t('column.identity'), (one) => one.identity), main: true },
    shareColumn('coverage', t('column.coverage'), (one) => one.coverage),
    shareColumn('targetCoverage', t('column.targetCoverage'), (one) => one.targetCoverage),
    { key: 'evalue', title: t('column.evalue'), kind: 'statistic', value: (one) => one.evalue },
    { key: 'bitScore', title: t('column.bitScore'), kind: 'number', digits: 1, value: (one) => one.bitScore },
    {
      key: 'chosenBy',
      title: t('column.chosenBy'),
      help: t('help.chosenBy'),
      value: (one) => (one.chosenBy === null ? null : t(`chosenBy.${one.chosenBy}`)),
    },
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
