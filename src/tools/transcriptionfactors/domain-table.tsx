import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { Words } from './rules/domain-words.ts'
import type { Domain, Verdict } from './tool.ts'

export interface DomainRow extends Domain {
  protein: string
  counts: boolean
  at: number
}

/** Every domain of every protein, those that do not count after those that do. */
export const domainRows = (
  proteins: readonly (Pick<Verdict, 'domains' | 'covered'> & { name: string })[],
): DomainRow[] =>
  proteins.flatMap(({ name, domains, covered }) =>
    [
      ...domains.map((domain) => ({ ...domain, counts: true })),
      ...covered.map((domain) => ({ ...domain, counts: false })),
    ].map((domain, at) => ({ ...domain, protein: name, at })),
  )

export const domainRowKey = ({ protein, at }: DomainRow): string => `${protein} ${at}`

const range = (start: number | null, end: number | null): string | null => (start === null ? null : `${start}-${end}`)

export const domainColumns = (t: Words): TableColumn<DomainRow>[] => [
  { key: 'protein', title: t('column.protein'), kind: 'id', value: (one) => one.protein },
  { key: 'label', title: t('column.domain'), value: (one) => one.label },
  { key: 'domain', title: t('column.accession'), kind: 'id', value: (one) => one.accession ?? one.domain },
  { key: 'profile', title: t('column.profile'), kind: 'id', hidden: true, value: (one) => one.profile },
  { key: 'start', title: t('column.from'), kind: 'number', value: (one) => one.start },
  { key: 'end', title: t('column.to'), kind: 'number', value: (one) => one.end },
  { key: 'score', title: t('column.score'), kind: 'number', digits: 1, value: (one) => one.score },
  {
    key: 'threshold',
    title: t('column.threshold'),
    help: t('help.threshold'),
    kind: 'number',
    digits: 1,
    value: (one) => one.threshold,
  },
  { key: 'evalue', title: t('column.evalue'), help: t('help.evalue'), kind: 'statistic', value: (one) => one.evalue },
  {
    key: 'counts',
    title: t('column.counts'),
    help: t('help.counts'),
    value: (one) => t(one.counts ? 'value.counts' : 'value.covered'),
  },
  {
    key: 'alignment',
    title: t('column.alignment'),
    kind: 'id',
    hidden: true,
    value: (one) => range(one.alignmentStart, one.alignmentEnd),
  },
  {
    key: 'profilePart',
    title: t('column.profilePart'),
    kind: 'id',
    hidden: true,
    value: (one) =>
      one.profileStart === null ? null : `${range(one.profileStart, one.profileEnd)}/${one.profileLength}`,
  },
]

export const DomainTable = ({
  proteins,
  name,
  receipt,
}: {
  proteins: readonly (Pick<Verdict, 'domains' | 'covered'> & { name: string })[]
  name: string
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  return (
    <ResultTable
      label={t('table.domains')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      columns={domainColumns(t)}
      rows={domainRows(proteins)}
      rowKey={domainRowKey}
    />
  )
}
