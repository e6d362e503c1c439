import type { ReactNode } from 'react'
import type { GraphVariant } from '../../bio/graph/variation-graph.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { NamedGenes } from '../../kit/ui/gene/named-genes.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { GraphResult } from './tool.ts'

/** Differences of the samples from the assembly in the region. */
export const VariantsTable = ({ result, receipt }: { result: GraphResult; receipt: Receipt }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const { region, variants, variantTotal, assembly, sequence, start, end } = result
  const samplesOf = ({ walks }: GraphVariant): string[] => [
    ...new Set(walks.map((walk) => nameOf(region.walks[walk]!.sample))),
  ]
  const genesOf = ({ start0, end0 }: GraphVariant): GraphResult['genes'] =>
    result.genes.filter((gene) => gene.start - 1 <= Math.max(start0, end0 - 1) && start0 < gene.end)
  const columns: TableColumn<GraphVariant>[] = [
    {
      key: 'name',
      title: t('column.variant'),
      kind: 'id',
      value: ({ name }) => name,
      on: () => ({ assembly, sequence }),
    },
    { key: 'type', title: t('column.type'), main: true, value: ({ type }) => t(`type.${type}`) },
    { key: 'start', title: t('column.start'), kind: 'number', value: ({ start0 }) => start0 + 1, hidden: true },
    { key: 'end', title: t('column.end'), kind: 'number', value: ({ end0 }) => end0, hidden: true },
    { key: 'referenceBp', title: t('column.referenceBp'), kind: 'number', value: (one) => one.referenceBp },
    { key: 'alternativeBp', title: t('column.alternativeBp'), kind: 'number', value: (one) => one.alternativeBp },
    {
      key: 'genes',
      title: t('column.genes'),
      main: true,
      value: (one) =>
        genesOf(one)
          .map(({ id, symbol }) => symbol ?? id)
          .join(', '),
      render: (one) => <NamedGenes genes={genesOf(one)} />,
    },
    { key: 'count', title: t('column.sampleCount'), kind: 'number', value: (one) => samplesOf(one).length },
    {
      key: 'samples',
      title: t('column.samples'),
      value: (one) => format.series(samplesOf(one)),
      render: (one) => format.names(samplesOf(one)),
    },
    { key: 'reference', title: t('column.reference'), long: true, hidden: true, value: (one) => one.reference },
    { key: 'alternative', title: t('column.alternative'), long: true, hidden: true, value: (one) => one.alternative },
  ]
  return (
    <Card title={t('variants.title')} flush>
      {variants.length === 0 ? (
        <EmptyState title={t('variants.none')} why={t('variants.noneWhy')} />
      ) : (
        <>
          {variantTotal > variants.length ? (
            <p className="nv-warn">{t('variants.cut', { shown: variants.length, total: variantTotal })}</p>
          ) : null}
          <ResultTable
            label={t('variants.title')}
            name={`${assembly}-${sequence}-${start}-${end}-variants`}
            receipt={receipt}
            columns={columns}
            rows={variants}
            rowKey={(one) => `${one.start0} ${one.end0} ${one.walks[0]} ${one.name}`}
          />
        </>
      )}
    </Card>
  )
}
