import { type ReactNode, useMemo } from 'react'
import { describeGroup } from '../../bio/expression/expression-statistics.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { valuesOf } from '../../kit/ui/expression/expression-scale.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { GeneRow } from './tool.ts'

/** Means over groups that are shown at first; the others, and every sample, are to be had under the table's columns. */
const shownGroups = 6

/** Values of genes by group and by sample, with their specificity. */
export const ExpressionTable = ({
  genes,
  dataset,
  samples,
  group,
  assembly,
  receipt,
}: {
  genes: GeneRow[]
  dataset: ExpressionDataset
  samples: ExpressionDataset['samples']
  group: string | null
  assembly: string
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const levels = useMemo(
    () => (group === null ? [] : [...new Set(samples.map(({ factors }) => factors[group] ?? ''))]),
    [group, samples],
  )
  const rows = useMemo(
    () =>
      genes.map((gene) => {
        const values = valuesOf(gene, dataset, samples, 'loaded')
        const means = levels.map(
          (level) =>
            describeGroup(
              [...samples.keys()]
                .filter((at) => (samples[at]!.factors[group!] ?? '') === level)
                .map((at) => values[at]!),
            )?.mean ?? null,
        )
        return { gene, means, mean: describeGroup(values)?.mean ?? null }
      }),
    [genes, dataset, samples, levels, group],
  )
  type Row = (typeof rows)[number]
  const columns: TableColumn<Row>[] = [
    {
      key: 'gene',
      title: t('column.gene'),
      kind: 'id',
      value: ({ gene }) => gene.id,
      render: ({ gene }) => <GeneLink id={gene.id} assembly={assembly} />,
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ gene }) => gene.symbol },
    { key: 'description', title: t('column.description'), long: true, value: ({ gene }) => gene.description },
    {
      key: 'tau',
      title: t('column.tau'),
      help: t('help.tau'),
      kind: 'number',
      digits: 3,
      value: ({ gene }) => gene.tau,
    },
    { key: 'mean', title: t('column.mean'), kind: 'number', digits: 2, value: ({ mean }) => mean },
    ...levels.map(
      (level, at): TableColumn<Row> => ({
        key: `g${at}`,
        title: level === '' ? '–' : level,
        kind: 'number',
        digits: 2,
        hidden: at >= shownGroups,
        value: ({ means }) => means[at],
      }),
    ),
    ...samples.map(
      ({ id }, at): TableColumn<Row> => ({
        key: `s${at}`,
        title: id,
        help: t('help.sampleValue'),
        kind: 'number',
        digits: 2,
        hidden: true,
        value: ({ gene }) => gene.values[at],
      }),
    ),
  ]
  return (
    <ResultTable
      label={t('table.title')}
      name={`${dataset.id}-expression`}
      receipt={receipt}
      columns={columns}
      rows={rows}
      rowKey={({ gene }) => gene.id}
      gene={({ gene }) => ({ id: gene.id, assembly })}
    />
  )
}
