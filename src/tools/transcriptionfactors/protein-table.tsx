import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { GeneSummary } from '../../contracts/genes.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { familyAddress } from './addresses.ts'
import messages from './messages.ts'
import { architectureOf, bestEvalue, whyNone } from './rules/domain-words.ts'
import type { Verdict } from './tool.ts'

export interface ListedProtein extends Verdict {
  name: string
  gene: GeneSummary | null
  transcript: string | null
  length: number
}

/** Proteins with their families and domains; rows of genes can be kept as a gene set and sent on. */
export const ProteinTable = ({
  proteins,
  name,
  receipt,
  annotated = false,
  assembly,
}: {
  proteins: readonly ListedProtein[]
  name: string
  receipt?: Receipt
  /** Domains of annotation have neither scores nor e-values. */
  annotated?: boolean
  /** Where the families of pasted proteins can be looked at. */
  assembly?: string
}): ReactNode => {
  const t = useText(messages)
  const withGenes = proteins.some(({ gene }) => gene !== null)
  const missed = proteins.some(({ family }) => family === null)
  const gene = (value: (gene: GeneSummary) => string | number | null) => (one: ListedProtein) =>
    one.gene === null ? null : value(one.gene)
  const columns: TableColumn<ListedProtein>[] = [
    {
      key: 'name',
      title: t(withGenes ? 'column.gene' : 'column.protein'),
      kind: 'id',
      value: (one) => one.name,
      render: (one) => (one.gene === null ? one.name : <GeneLink id={one.gene.id} assembly={one.gene.assembly} />),
    },
    ...(withGenes
      ? [
          {
            key: 'symbol',
            title: t('column.symbol'),
            kind: 'symbol',
            value: gene(({ symbol }) => symbol),
          } satisfies TableColumn<ListedProtein>,
        ]
      : []),
    {
      key: 'family',
      title: t('column.family'),
      value: (one) => one.family,
      render: ({ family, gene: of }) => {
        const where = of?.assembly ?? assembly
        return family === null || where === undefined ? family : <Link to={familyAddress(where, family)}>{family}</Link>
      },
    },
    ...(missed
      ? [
          {
            key: 'why',
            title: t('column.why'),
            long: true,
            value: (one: ListedProtein) => whyNone(one, t),
          } satisfies TableColumn<ListedProtein>,
        ]
      : []),
    { key: 'architecture', title: t('column.architecture'), value: (one) => architectureOf(one.domains) || null },
    { key: 'length', title: t('column.length'), kind: 'number', value: (one) => one.length },
    ...(annotated
      ? []
      : [
          {
            key: 'best',
            title: t('column.best'),
            kind: 'statistic',
            value: bestEvalue,
          } satisfies TableColumn<ListedProtein>,
        ]),
    { key: 'within', title: t('column.within'), hidden: true, value: (one) => one.within.join(' > ') || null },
    { key: 'type', title: t('column.type'), help: t('help.type'), hidden: !missed, value: (one) => one.type },
    { key: 'alsoFits', title: t('column.alsoFits'), hidden: true, value: (one) => one.alsoFits.join(', ') || null },
    { key: 'domains', title: t('column.domains'), kind: 'number', hidden: true, value: (one) => one.domains.length },
    { key: 'rule', title: t('column.rule'), kind: 'id', hidden: true, value: (one) => one.rule },
    ...(withGenes
      ? ([
          {
            key: 'description',
            title: t('column.description'),
            long: true,
            value: gene(({ description }) => description),
          },
          {
            key: 'transcript',
            title: t('column.transcript'),
            kind: 'id',
            hidden: true,
            value: (one) => one.transcript,
          },
          {
            key: 'sequence',
            title: t('column.sequence'),
            kind: 'id',
            hidden: true,
            value: gene(({ sequence }) => sequence),
          },
          { key: 'start', title: t('column.start'), kind: 'number', hidden: true, value: gene(({ start }) => start) },
          { key: 'end', title: t('column.end'), kind: 'number', hidden: true, value: gene(({ end }) => end) },
          { key: 'strand', title: t('column.strand'), kind: 'id', hidden: true, value: gene(({ strand }) => strand) },
        ] satisfies TableColumn<ListedProtein>[])
      : []),
  ]
  return (
    <ResultTable
      label={t(withGenes ? 'table.genes' : 'table.proteins')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      columns={columns}
      rows={[...proteins]}
      rowKey={(one) => one.name}
      {...(withGenes
        ? {
            gene: (one: ListedProtein) => (one.gene === null ? null : { id: one.gene.id, assembly: one.gene.assembly }),
          }
        : {})}
    />
  )
}
