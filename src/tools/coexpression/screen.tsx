import type { ReactNode } from 'react'
import type { z } from 'zod'
import { expressionData } from '../../contracts/expression.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { ExpressionFields, SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { WithSymbols } from '../../kit/ui/gene/with-symbols.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { defineScreen, type FormProps, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { CorrelatedTable } from './correlated-table.tsx'
import { getExample } from './endpoints.ts'
import messages from './messages.ts'
import { NetworkFigure } from './network-figure.tsx'
import tool, { type CoexpressionResult, minSamples } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const Form = ({ values, onValues, onAdjust, problems, fields }: FormProps): ReactNode => {
  const text = useToolText(messages)
  const among = values.combine === 'among'
  const byThreshold = values.keep === 'threshold'
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{
        assembly: { needs: expressionData },
        genes: { widget: 'genes' },
        direction: { when: () => !among },
        keep: { when: () => !among },
        top: { when: () => !among && !byThreshold },
        threshold: { when: () => !among && byThreshold },
        minimumPairs: { advanced: true },
      }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {part(['genes', 'assembly'])}
      <ExpressionFields
        tool={tool.id}
        values={values}
        onValues={onValues}
        onAdjust={onAdjust}
        problems={problems}
        minSamples={minSamples}
      />
      {part(['measure', 'combine', 'direction', 'keep', 'top', 'threshold', 'minimumPairs'])}
    </>
  )
}

const ResultView = ({ result, receipt, input }: ResultProps<Input, CoexpressionResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, guides, rows, unknown, absent, ambiguous, completeTo, dataset, total } = result
  return (
    <>
      <NamesNote assembly={assembly} unknown={unknown} ambiguous={ambiguous} absent={absent} dataset={dataset.id} />
      {completeTo === null ? null : (
        <p className="nv-quiet">{t('note.completeTo', { rank: format.number(completeTo, 1) })}</p>
      )}
      {total > rows.length ? <p className="nv-warn">{t('note.cut', { shown: rows.length, total })}</p> : null}
      {result.network.nodes.length < 2 ? null : (
        <NetworkFigure
          key={`${dataset.id}/${guides[0]?.id ?? ''}/${rows.length}`}
          result={result}
          receipt={receipt}
          name={`${guides[0]?.id ?? 'genes'}-${dataset.id}-network`}
        />
      )}
      {input.combine === 'among' ? null : rows.length === 0 ? (
        <EmptyState title={t('table.none')} why={t('table.noneWhy')} />
      ) : (
        <Card
          title={t('table.title')}
          flush
          actions={<GeneSetMenu genes={[...guides, ...rows].map(({ id }) => ({ id, assembly }))} />}
        >
          <CorrelatedTable result={result} receipt={receipt} />
        </Card>
      )}
    </>
  )
}

const Headline = ({ result, among }: { result: CoexpressionResult; among: boolean }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { guides, rows, dataset, tested, sampleCount } = result
  const shared = { dataset: format.text(dataset.name), samples: sampleCount }
  const text = among
    ? t('head.among', { ...shared, genes: guides.length })
    : t('head.found', {
        ...shared,
        gene: guides.length === 1 ? (guides[0]!.symbol ?? guides[0]!.id) : '',
        genes: guides.length,
        count: rows.length,
        tested,
        best: rows[0] === undefined ? '–' : format.number(rows[0].correlation, 3),
      })
  return (
    <>
      <WithSymbols text={text} genes={guides} /> <SimulatedTag simulated={dataset.simulated} beside={dataset.name} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  loadExample: async ({ assembly }) => {
    const { gene } = await call(getExample, { assembly })
    return gene === null ? null : { assembly, genes: [gene] }
  },
  Form,
  fields: { assembly: { needs: expressionData } },
  Result: ResultView,
  headline: ({ result, input }) => <Headline result={result} among={input.combine === 'among'} />,
})
