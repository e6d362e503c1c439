import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { decimalsFor } from '../../kit/ui/figures/decimals.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import messages from './messages.ts'
import type { TraitReport } from './tool.ts'

/** Whether groups differ: tests of all together, and of each two. */
export const GroupTests = ({
  report,
  groupName,
  receipt,
  name,
}: {
  report: TraitReport
  groupName: string
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { variance, ranks, table, pairs, ungrouped, trait } = report
  const numbers = (test: NonNullable<TraitReport['variance']>) => ({
    degrees: format.number(test.degrees),
    residual: format.number(test.residualDegrees ?? 0),
    statistic: format.statistic(test.statistic),
    p: format.statistic(test.pValue),
    effect: format.number(test.effect, 3),
  })
  const digits = decimalsFor(trait.figures === null ? 1 : trait.figures.max - trait.figures.min)
  return (
    <Card title={t('tests.title')}>
      {variance === null && ranks === null && table === null ? <p className="nv-quiet">{t('tests.none')}</p> : null}
      <ul className="phe-tests">
        {variance === null ? null : <li>{t('tests.variance', numbers(variance))}</li>}
        {ranks === null ? null : <li>{t('tests.ranks', numbers(ranks))}</li>}
        {table === null ? null : <li>{t('tests.table', numbers(table))}</li>}
      </ul>
      {table === null || table.fewExpected <= 0.2 ? null : (
        <p className="nv-warn">{t('tests.few', { share: format.percent(table.fewExpected, 0) })}</p>
      )}
      {ungrouped === 0 ? null : (
        <p className="nv-quiet">{t('tests.ungrouped', { count: ungrouped, group: groupName })}</p>
      )}
      {pairs.length === 0 ? null : (
        <ResultTable
          label={t('tests.pairs')}
          name={`${name}-pairs`}
          rows={pairs}
          rowKey={(pair) => `${pair.first}\t${pair.second}`}
          receipt={receipt}
          columns={[
            { key: 'first', title: t('column.first'), value: (pair) => pair.first },
            { key: 'second', title: t('column.second'), main: true, value: (pair) => pair.second },
            {
              key: 'difference',
              title: t('column.difference'),
              kind: 'number',
              digits,
              value: (pair) => pair.difference,
            },
            { key: 't', title: t('column.welchT'), kind: 'number', digits: 2, value: (pair) => pair.welch?.t },
            {
              key: 'p',
              title: t('column.welchP'),
              kind: 'pValue',
              hidden: true,
              value: (pair) => pair.welch?.pValue,
            },
            {
              key: 'adjusted',
              main: true,
              title: t('column.welchAdjusted'),
              kind: 'pValue',
              value: (pair) => pair.welch?.adjustedPValue,
            },
            {
              key: 'auc',
              title: t('column.auc'),
              help: t('help.auc'),
              kind: 'number',
              digits: 3,
              value: (pair) => pair.ranks?.auc,
            },
            {
              key: 'ranksP',
              title: t('column.ranksP'),
              kind: 'pValue',
              hidden: true,
              value: (pair) => pair.ranks?.pValue,
            },
            {
              key: 'ranksAdjusted',
              title: t('column.ranksAdjusted'),
              kind: 'pValue',
              value: (pair) => pair.ranks?.adjustedPValue,
            },
          ]}
        />
      )}
    </Card>
  )
}
