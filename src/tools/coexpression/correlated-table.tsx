import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { CoexpressionResult, CorrelatedGene } from './tool.ts'

/** The genes that go with those asked for; rows can be kept as a gene set. */
export const CorrelatedTable = ({
  result: { rows, guides, assembly, dataset },
  receipt,
  pageSize,
}: {
  result: CoexpressionResult
  receipt?: Receipt
  pageSize?: number
}): ReactNode => {
  const t = useText(messages)
  const columns: TableColumn<CorrelatedGene>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ id }) => id,
      render: ({ id }) => <GeneLink id={id} assembly={assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
    {
      key: 'r',
      title: t('column.correlation'),
      kind: 'number',
      main: true,
      digits: 3,
      value: ({ correlation }) => correlation,
    },
    ...(rows.some(({ mutualRank }) => mutualRank !== null)
      ? [
          {
            key: 'mr',
            title: t('column.mutualRank'),
            help: t('help.mutualRank'),
            kind: 'number' as const,
            digits: 1,
            value: ({ mutualRank }: CorrelatedGene) => mutualRank,
          },
        ]
      : []),
    { key: 'pairs', title: t('column.pairs'), help: t('help.pairs'), kind: 'number', value: ({ pairs }) => pairs },
    ...(guides.length === 1
      ? ([
          {
            key: 'padj',
            title: t('column.padj'),
            main: true,
            help: t('help.padj'),
            kind: 'pValue',
            value: (one) => one.adjustedPValue,
          },
          { key: 'p', title: t('column.p'), kind: 'pValue', hidden: true, value: (one) => one.pValue },
        ] satisfies TableColumn<CorrelatedGene>[])
      : guides.map(
          ({ id, symbol }, at): TableColumn<CorrelatedGene> => ({
            key: `each-${id}`,
            title: symbol ?? id,
            kind: 'number',
            digits: 3,
            hidden: at >= 5,
            value: ({ each }) => each[at],
          }),
        )),
    { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
  ]
  return (
    <ResultTable
      label={t('table.title')}
      name={`${guides[0]?.id ?? 'genes'}-${dataset.id}-coexpressed`}
      {...(receipt === undefined ? {} : { receipt })}
      {...(pageSize === undefined ? {} : { pageSize })}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      gene={({ id }) => ({ id, assembly })}
    />
  )
}
