import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { GeneBlock } from './tool.ts'

/** Collinear blocks that a gene lies in; partners can be kept as a gene set. */
export const BlockTable = ({
  blocks,
  gene,
  assembly,
  receipt,
  pageSize,
}: {
  blocks: GeneBlock[]
  gene: string
  assembly: string
  receipt?: Receipt
  pageSize?: number
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  return (
    <ResultTable
      label={t('blocks.title')}
      name={`${gene}-blocks`}
      {...(receipt === undefined ? {} : { receipt })}
      {...(pageSize === undefined ? {} : { pageSize })}
      rows={blocks}
      rowKey={(one) =>
        `${one.sequence}:${one.start} ${one.otherAssembly} ${one.otherSequence}:${one.otherStart}-${one.otherEnd}`
      }
      gene={(one) => (one.partner === null ? null : { id: one.partner, assembly: one.otherAssembly })}
      empty={<EmptyState title={t('blocks.none')} why={t('blocks.noneWhy')} />}
      columns={[
        { key: 'assembly', title: t('column.assembly'), value: (one) => nameOf(one.otherAssembly) },
        {
          key: 'partner',
          title: t('column.partner'),
          main: true,
          kind: 'id',
          value: (one) => one.partner,
          render: (one) =>
            one.partner === null ? null : (
              <GeneLink id={one.partner} assembly={one.otherAssembly} symbol={one.partnerSymbol} />
            ),
        },
        { key: 'kind', title: t('column.kind'), help: t('help.kind'), value: (one) => t(`kind.${one.kind}`) },
        { key: 'pairs', title: t('column.pairs'), kind: 'number', main: true, value: (one) => one.pairs },
        {
          key: 'orientation',
          title: t('column.orientation'),
          value: (one) => t(one.orientation === 1 ? 'value.alike' : 'value.turned'),
        },
        {
          key: 'locus',
          title: t('column.locus'),
          kind: 'region',
          value: (one) => `${one.sequence}:${one.start}..${one.end}`,
          on: ({ sequence }) => ({ assembly, sequence }),
        },
        {
          key: 'otherLocus',
          title: t('column.otherLocus'),
          kind: 'region',
          value: (one) => `${one.otherSequence}:${one.otherStart}..${one.otherEnd}`,
          on: (one) => ({ assembly: one.otherAssembly, sequence: one.otherSequence }),
        },
        { key: 'score', title: t('column.score'), kind: 'number', digits: 0, value: (one) => one.score },
        { key: 'evalue', title: t('column.evalue'), kind: 'statistic', value: (one) => one.evalue },
      ]}
    />
  )
}
