import { type ReactNode, useState } from 'react'
import { evidenceChannels } from '../../bio/networks/interaction-tables.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { useEvidenceName } from './evidence-names.ts'
import messages from './messages.ts'
import type { NetworkEdge, NetworkNode, NetworkResult } from './tool.ts'

type Part = Pick<NetworkResult, 'assembly' | 'dataset' | 'interologSource' | 'nodes' | 'edges'>

/** Channels that the values of an edge stand for, STRING's likeness of the two proteins left out. */
export const shownChannels = ({ dataset }: Pick<Part, 'dataset'>): { name: string; at: number }[] => {
  const all = dataset?.channels ?? []
  return evidenceChannels(all).map((name) => ({ name, at: all.indexOf(name) }))
}

/** In words: whose interaction it is. */
export const useOrigin = (): ((edge: NetworkEdge) => string) => {
  const t = useText(messages)
  return ({ evidence, transferred, interolog }) =>
    interolog === null
      ? t(transferred ? 'origin.transferred' : 'origin.own')
      : t(evidence === null ? 'origin.interolog' : 'origin.both', { assembly: interolog.assembly })
}

/** Whether a data set counts records instead of giving a confidence. */
export const countsRecords = ({ dataset, interologSource }: Part): boolean =>
  (dataset ?? interologSource?.dataset)?.measure === 'records'

/** Columns of interactions, as tables and files have them. */
export const useEdgeColumns = (result: Part): TableColumn<NetworkEdge>[] => {
  const t = useText(messages)
  const nameOf = useEvidenceName()
  const originOf = useOrigin()
  const format = useFormat()
  const { nodes, assembly, edges } = result
  const node = (side: 'a' | 'b') => (edge: NetworkEdge) => nodes[edge[side]]!
  const records = countsRecords(result)
  const interologs = edges.some(({ interolog }) => interolog !== null)
  return [
    ...(['a', 'b'] as const).flatMap((side): TableColumn<NetworkEdge>[] => [
      {
        key: side,
        title: t(`column.${side}`),
        kind: 'id',
        main: true,
        value: (edge) => node(side)(edge).id,
        render: (edge) => <GeneLink id={node(side)(edge).id} assembly={assembly} symbol={node(side)(edge).symbol} />,
      },
      {
        key: `${side}-symbol`,
        title: t(`column.${side}Symbol`),
        kind: 'symbol',
        // It stands beside the id: two columns more left no room for the confidence on a phone.
        hidden: true,
        value: (edge) => node(side)(edge).symbol,
      },
    ]),
    {
      key: 'score',
      title: t(records ? 'column.records' : 'column.score'),
      kind: 'number',
      main: true,
      digits: 3,
      value: ({ score }) => score,
    },
    {
      key: 'origin',
      title: t('column.origin'),
      hidden: edges.every(({ transferred, interolog }) => !transferred && interolog === null),
      value: originOf,
    },
    ...shownChannels(result).map(
      ({ name, at }): TableColumn<NetworkEdge> => ({
        key: `evidence-${name}`,
        title: nameOf(name),
        kind: 'number',
        digits: 3,
        hidden: !edges.some(({ evidence }) => (evidence?.[at] ?? 0) > 0),
        value: ({ evidence }) => evidence?.[at],
        // Most channels are silent about most interactions: noughts would hide what there is.
        render: ({ evidence }) =>
          (evidence?.[at] ?? 0) === 0 ? <span className="nv-none">–</span> : format.fixed(evidence![at]!, 3),
      }),
    ),
    ...(interologs
      ? ([
          { key: 'interolog-a', title: t('column.interologA'), kind: 'id', value: (edge) => edge.interolog?.a },
          { key: 'interolog-b', title: t('column.interologB'), kind: 'id', value: (edge) => edge.interolog?.b },
          {
            key: 'identity',
            title: t('column.identity'),
            kind: 'number',
            digits: 1,
            value: (edge) => edge.interolog?.jointIdentity,
          },
        ] satisfies TableColumn<NetworkEdge>[])
      : []),
  ]
}

export const EdgeTable = ({
  result,
  receipt,
  name,
  pageSize,
}: {
  result: Part
  receipt?: Receipt
  name: string
  pageSize?: number
}): ReactNode => {
  const t = useText(messages)
  const { nodes, edges, assembly } = result
  const columns = useEdgeColumns(result)
  const [chosen, setChosen] = useState<NetworkEdge[]>([])
  const genes = [...new Set((chosen.length > 0 ? chosen : edges).flatMap(({ a, b }) => [nodes[a]!.id, nodes[b]!.id]))]
  return (
    <Card title={t('edges.title')} flush actions={<GeneSetMenu genes={genes.map((id) => ({ id, assembly }))} />}>
      <ResultTable
        label={t('edges.title')}
        name={`${name}-interactions`}
        {...(receipt === undefined ? {} : { receipt })}
        {...(pageSize === undefined ? {} : { pageSize })}
        columns={columns}
        rows={edges}
        rowKey={({ a, b }) => `${a}/${b}`}
        onSelect={setChosen}
      />
    </Card>
  )
}

export const GeneTable = ({ result, receipt, name }: { result: Part; receipt: Receipt; name: string }): ReactNode => {
  const t = useText(messages)
  const { nodes, edges, assembly } = result
  const queries = nodes.filter(({ shell }) => shell === 0)
  const query = queries.length === 1 ? nodes.indexOf(queries[0]!) : null
  /** What joins each partner to the one gene that was asked about. */
  const scores = new Map(
    query === null
      ? []
      : edges.flatMap(({ a, b, score }): [NetworkNode, number][] =>
          a === query ? [[nodes[b]!, score]] : b === query ? [[nodes[a]!, score]] : [],
        ),
  )
  const columns: TableColumn<NetworkNode>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ id }) => id,
      render: ({ id }) => <GeneLink id={id} assembly={assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
    ...(query === null
      ? []
      : [
          {
            key: 'score',
            title: t(countsRecords(result) ? 'column.records' : 'column.score'),
            help: t(countsRecords(result) ? 'help.recordsWith' : 'help.scoreWith', {
              gene: nodes[query]!.symbol ?? nodes[query]!.id,
            }),
            kind: 'number' as const,
            main: true,
            digits: countsRecords(result) ? 0 : 3,
            value: (node: NetworkNode) => scores.get(node),
          },
        ]),
    {
      key: 'cluster',
      title: t('column.cluster'),
      kind: 'number',
      main: query === null,
      value: ({ cluster }) => cluster,
    },
    {
      key: 'degree',
      title: t('column.degree'),
      help: t('help.degree'),
      kind: 'number',
      main: true,
      value: ({ degree }) => degree,
    },
    { key: 'shell', title: t('column.shell'), help: t('help.shell'), kind: 'number', value: ({ shell }) => shell },
    { key: 'description', title: t('column.description'), long: true, value: ({ description }) => description },
  ]
  return (
    <Card title={t('genes.title')} flush actions={<GeneSetMenu genes={nodes.map(({ id }) => ({ id, assembly }))} />}>
      <ResultTable
        label={t('genes.title')}
        name={`${name}-genes`}
        receipt={receipt}
        columns={columns}
        rows={nodes}
        rowKey={({ id }) => id}
        gene={({ id }) => ({ id, assembly })}
      />
    </Card>
  )
}
