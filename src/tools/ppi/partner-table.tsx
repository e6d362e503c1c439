import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import { countsRecords, useEdgeColumns } from './network-tables.tsx'
import type { NetworkEdge, NetworkNode, NetworkResult } from './tool.ts'

interface Partner {
  node: NetworkNode
  edge: NetworkEdge
}

/** The partners of one gene with their scores; rows can be kept as a gene set. */
export const PartnerTable = ({
  result,
  receipt,
  gene,
}: {
  result: NetworkResult
  receipt: Receipt
  gene: string
}): ReactNode => {
  const t = useText(messages)
  const { nodes, edges, assembly } = result
  const own = nodes.findIndex(({ id }) => id === gene)
  const rows = edges.flatMap((edge): Partner[] =>
    edge.a === own ? [{ node: nodes[edge.b]!, edge }] : edge.b === own ? [{ node: nodes[edge.a]!, edge }] : [],
  )
  const edgeColumns = useEdgeColumns({ ...result, edges: rows.map(({ edge }) => edge) }).filter(
    ({ key }) => !/^[ab](-symbol)?$/.test(key) && key !== 'score',
  )
  const columns: TableColumn<Partner>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ node }) => node.id,
      render: ({ node }) => <GeneLink id={node.id} assembly={assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ node }) => node.symbol },
    {
      key: 'score',
      title: t(countsRecords(result) ? 'column.records' : 'column.score'),
      main: true,
      kind: 'number',
      digits: 3,
      value: ({ edge }) => edge.score,
    },
    ...edgeColumns.map(
      ({ render: _, on: __, order: ___, ...column }): TableColumn<Partner> => ({
        ...column,
        value: ({ edge }) => column.value(edge),
      }),
    ),
    { key: 'description', title: t('column.description'), long: true, value: ({ node }) => node.description },
  ]
  return (
    <ResultTable
      label={t('panel.title')}
      name={`${gene}-ppi`}
      receipt={receipt}
      columns={columns}
      rows={rows}
      rowKey={({ node }) => node.id}
      gene={({ node }) => ({ id: node.id, assembly })}
      pageSize={25}
    />
  )
}
