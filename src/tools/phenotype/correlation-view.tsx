import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { getTraitPair } from './endpoints.ts'
import { MatrixFigure, pairAt } from './figures/matrix-figure.tsx'
import { ScatterFigure } from './figures/scatter-figure.tsx'
import messages from './messages.ts'
import type { PhenotypeResult, TraitCorrelation } from './tool.ts'
import { useTraitName } from './use-phenotypes.ts'

const Pair = ({
  result,
  correlation,
  pair: [i, j],
  group,
  receipt,
  onClose,
}: {
  result: PhenotypeResult
  correlation: TraitCorrelation
  pair: [number, number]
  group: string | undefined
  receipt: Receipt
  onClose: () => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const traitName = useTraitName()
  const { species, dataset } = result
  const [x, y] = [correlation.traits[i]!, correlation.traits[j]!]
  const answer = useQuery({
    queryKey: ['phenotype-pair', species, dataset.id, x.id, y.id, group ?? ''],
    queryFn: (context) =>
      call(
        getTraitPair,
        { species, dataset: dataset.id, x: x.id, y: y.id, ...(group === undefined ? {} : { group }) },
        context,
      ),
    staleTime: 5 * 60_000,
  })
  const { data } = answer
  if (answer.isError) return <Unanswered of={answer} />
  if (data === undefined) return <Waiting />
  const number = (value: number | null): string => (value === null ? '–' : format.number(value, 3))
  return (
    <ScatterFigure
      title={t('scatter.title', { x: format.text(x.name), y: format.text(y.name) })}
      points={data.points}
      xName={traitName(x)}
      yName={traitName(y)}
      line={data.slope === null || data.intercept === null ? null : { slope: data.slope, intercept: data.intercept }}
      method={t('scatter.method', {
        pearson: number(data.pearson),
        spearman: number(data.spearman),
        n: format.number(data.points.length),
      })}
      receipt={receipt}
      name={`${x.id}-${y.id}`.replace(/[^\w.-]+/g, '_')}
      actions={
        <Button
          size="small"
          look="quiet"
          aria-label={t('scatter.close')}
          title={t('scatter.close')}
          icon={<X size={14} aria-hidden />}
          onClick={onClose}
        />
      }
    />
  )
}

export const CorrelationView = ({
  result,
  correlation,
  group,
  receipt,
}: {
  result: PhenotypeResult
  correlation: TraitCorrelation
  group: string | undefined
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [chosen, setChosen] = useState<[number, number] | null>(null)
  const { traits, r, n, pValue, adjustedPValue, leftOut } = correlation
  const count = traits.length
  const name = `${result.dataset.id}-correlation`
  const rows = useMemo(
    () =>
      traits.flatMap((_, i) =>
        traits.slice(i + 1).map((__, index) => {
          const j = i + 1 + index
          const at = pairAt(count, i, j)
          return { i, j, r: r[at]!, n: n[at]!, p: pValue[at]!, adjusted: adjustedPValue[at]! }
        }),
      ),
    [traits, count, r, n, pValue, adjustedPValue],
  )
  return (
    <>
      {leftOut.length === 0 ? null : (
        <p className="nv-quiet">
          {t('correlation.left', { names: format.names(leftOut.map(({ name }) => format.text(name))) })}
        </p>
      )}
      <MatrixFigure correlation={correlation} receipt={receipt} name={name} chosen={chosen} onChoose={setChosen} />
      {chosen === null ? null : (
        <Pair
          key={chosen.join()}
          {...{ result, correlation, group, receipt }}
          pair={chosen}
          onClose={() => setChosen(null)}
        />
      )}
      <Card title={t('correlation.pairs')} aside={<SimulatedTag simulated={result.dataset.simulated} />} flush>
        <ResultTable
          label={t('correlation.pairs')}
          name={name}
          rows={rows}
          rowKey={(row) => `${row.i}/${row.j}`}
          receipt={receipt}
          initialSort={{ key: 'p', descending: false }}
          onRow={(row) => setChosen([row.i, row.j])}
          columns={[
            { key: 'first', title: t('column.firstTrait'), value: (row) => format.text(traits[row.i]!.name) },
            {
              key: 'second',
              title: t('column.secondTrait'),
              main: true,
              value: (row) => format.text(traits[row.j]!.name),
            },
            { key: 'r', title: t('column.r'), kind: 'number', digits: 3, main: true, value: (row) => row.r },
            { key: 'n', title: t('column.n'), kind: 'number', value: (row) => row.n },
            { key: 'p', title: t('column.p'), kind: 'pValue', value: (row) => row.p },
            { key: 'adjusted', title: t('column.adjusted'), kind: 'pValue', value: (row) => row.adjusted },
          ]}
        />
      </Card>
    </>
  )
}
