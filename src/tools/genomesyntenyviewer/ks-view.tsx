import { type ReactNode, useMemo } from 'react'
import { densityOf } from '../../bio/statistics/group-tests.ts'
import { median } from '../../bio/statistics/quantile.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { HistogramFigure } from '../../kit/ui/figures/histogram-figure.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { KsDistribution, SyntenyResult } from './tool.ts'

const keyOf = ({ first, second }: { first: number; second: number }): string => `${first}-${second}`

/** The highest point of the density; null where values do not differ. */
const peakOf = (values: readonly number[]): number | null =>
  densityOf(values).reduce<{ x: number; y: number } | null>(
    (best, point) => (best === null || point.y > best.y ? point : best),
    null,
  )?.x ?? null

/** Ks of the pairs of genes in collinear blocks: a histogram of two genomes, and all comparisons in a table. */
export const KsView = ({
  distributions,
  result,
  receipt,
}: {
  distributions: readonly KsDistribution[]
  result: SyntenyResult
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const [query, change] = useAddressValues()
  const { genomes } = result
  const shown = distributions.find((one) => keyOf(one) === query.get('view.plot')) ?? distributions[0]
  const values = useMemo(() => Float64Array.from(shown?.values ?? []), [shown])
  const rows = useMemo(
    () =>
      distributions.map((one) => ({
        ...one,
        median: one.values.length === 0 ? null : median(one.values),
        peak: peakOf(one.values),
      })),
    [distributions],
  )
  if (shown === undefined) return <EmptyState title={t('pairs.none')} why={t('pairs.noneWhy')} />
  const [first, second] = [genomes[shown.first]!.id, genomes[shown.second]!.id]
  return (
    <div className="gsv-block">
      {distributions.length < 2 ? null : (
        <SelectField
          label={t('plot.pair')}
          value={keyOf(shown)}
          onChoose={(value) => change({ 'view.plot': value }, true)}
          options={distributions.map((one) => ({
            value: keyOf(one),
            label: `${nameOf(genomes[one.first]!.id)} – ${nameOf(genomes[one.second]!.id)}`,
          }))}
        />
      )}
      {values.length === 0 ? (
        <EmptyState title={t('ks.none')} why={t('ks.noneWhy')} />
      ) : (
        <HistogramFigure
          values={values}
          title={t('ks.title', { first: nameOf(first), second: nameOf(second) })}
          name={`ks-${first}-${second}`}
          method={t('ks.method', { measured: shown.measured, pairs: shown.pairs })}
          receipt={receipt}
          xName="Ks"
          countName={t('column.pairs')}
        />
      )}
      <Card title={t('ks.table')} flush>
        <ResultTable
          label={t('ks.table')}
          name="ks-distributions"
          receipt={receipt}
          plain
          rows={rows}
          rowKey={keyOf}
          columns={[
            { key: 'first', title: t('column.first'), kind: 'id', value: (one) => genomes[one.first]!.id },
            { key: 'second', title: t('column.second'), kind: 'id', value: (one) => genomes[one.second]!.id },
            { key: 'pairs', title: t('column.pairs'), kind: 'number', value: (one) => one.pairs },
            { key: 'measured', title: t('column.measured'), kind: 'number', value: (one) => one.measured },
            {
              key: 'without',
              title: t('column.without'),
              kind: 'number',
              help: t('help.without'),
              value: (one) => one.measured - one.values.length,
            },
            { key: 'median', title: t('block.medianKs'), kind: 'number', digits: 4, value: (one) => one.median },
            {
              key: 'peak',
              title: t('column.peak'),
              kind: 'number',
              digits: 4,
              help: t('help.peak'),
              value: (one) => one.peak,
            },
          ]}
        />
      </Card>
    </div>
  )
}
