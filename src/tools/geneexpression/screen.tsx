import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { expressionData } from '../../contracts/expression.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { ExpressionFields, SimulatedTag, useDatasets, useUnitName } from '../../kit/ui/controls/expression-fields.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { Tabs } from '../../kit/ui/controls/tabs.tsx'
import { samplesOf } from '../../kit/ui/expression/expression-scale.ts'
import { HeatMap } from '../../kit/ui/expression/heat-map.tsx'
import { directionOf } from '../../kit/ui/figures/change-figure.tsx'
import { PublicationOfData } from '../../kit/ui/gene/cited-data.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { defineScreen, type FormProps, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { DifferentialView } from './differential-view.tsx'
import { ExpressionTable } from './expression-table.tsx'
import messages from './messages.ts'
import { PictureFigure } from './picture-figure.tsx'
import { ProfileFigure } from './profile-figure.tsx'
import tool, { type ExpressionResult, shownScale } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const Form = ({ values, onValues, onAdjust, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const text = useToolText(messages)
  const assembly = givenText(values.assembly)
  const datasets = useDatasets(tool.id, assembly).data
  const compared = datasets?.some(({ contrasts }) => contrasts.length > 0) ?? true
  const differential = values.task === 'differential'
  const variable = values.by === 'variable'
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{
        assembly: { needs: expressionData },
        genes: { widget: 'genes', when: () => !variable },
        top: { when: () => variable },
        distance: { advanced: true },
        linkage: { advanced: true },
      }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {compared || differential ? part(['task']) : null}
      {part(['assembly'])}
      {compared || datasets?.length === 0 ? null : <p className="nv-field-help">{t('contrast.load')}</p>}
      <ExpressionFields
        tool={tool.id}
        values={values}
        onValues={onValues}
        onAdjust={onAdjust}
        problems={problems}
        contrasts={differential}
        noContrast={({ id }, assembly) => (
          <Link to={`/tools/differentialexpression?${new URLSearchParams({ assembly, dataset: id })}`}>
            {t('contrast.compute')}
          </Link>
        )}
      />
      {differential ? null : part(['by', 'genes', 'top', 'scale', 'cluster', 'distance', 'linkage'])}
    </>
  )
}

const tabName = 'view.figure'

const ResultView = ({ input, result, receipt }: ResultProps<Input, ExpressionResult>): ReactNode => {
  const t = useText(messages)
  const [query, change] = useAddressValues()
  const { dataset, expression, differential, assembly } = result
  if (differential !== null)
    return <DifferentialView differential={differential} dataset={dataset} assembly={assembly} receipt={receipt} />
  if (expression === null) return null
  const { genes, picture, unknown, absent, ambiguous } = expression
  const samples = samplesOf(dataset, expression)
  const group = input.group ?? dataset.group
  const tabs = [
    { key: 'heat', label: t('tab.heat') },
    { key: 'profile', label: t('tab.profile') },
    ...(picture === null ? [] : [{ key: 'picture', label: t('tab.picture') }]),
    { key: 'table', label: t('tab.table'), count: genes.length },
  ]
  const asked = query.get(tabName) ?? 'heat'
  const chosen = tabs.some(({ key }) => key === asked) ? asked : 'heat'
  return (
    <>
      <NamesNote assembly={assembly} unknown={unknown} ambiguous={ambiguous} absent={absent} dataset={dataset.id} />
      <Tabs tabs={tabs} chosen={chosen} onChoose={(key) => change({ [tabName]: key }, true)} label={t('tab.label')}>
        {chosen === 'heat' ? (
          <HeatMap
            key={`${dataset.id}/${genes.length}/${samples.length}/${genes[0]?.id ?? ''}`}
            dataset={dataset}
            expression={expression}
            assembly={assembly}
            scale={shownScale(input.scale, dataset)}
            groups={
              group === null ? null : { name: group, ofSamples: samples.map(({ factors }) => factors[group] ?? '') }
            }
            receipt={receipt}
          />
        ) : chosen === 'profile' ? (
          <ProfileFigure
            key={`${dataset.id}/${group ?? ''}`}
            genes={genes}
            dataset={dataset}
            samples={samples}
            factor={group}
            receipt={receipt}
            name={`${dataset.id}-profiles`}
          />
        ) : chosen === 'picture' && picture !== null ? (
          <PictureFigure picture={picture} genes={genes} dataset={dataset} samples={samples} receipt={receipt} />
        ) : (
          <Card title={t('table.title')} flush>
            <ExpressionTable
              genes={genes}
              dataset={dataset}
              samples={samples}
              group={group}
              assembly={assembly}
              receipt={receipt}
            />
          </Card>
        )}
      </Tabs>
    </>
  )
}

const Headline = ({ result, by }: { result: ExpressionResult; by: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const unitName = useUnitName()
  const { dataset, expression, differential } = result
  const directions = (differential?.points ?? []).map((point) => directionOf(point))
  return (
    <>
      {expression === null
        ? t('head.differential', {
            name: format.text(differential?.contrast.name),
            measured: dataset.measure === null ? 'expression' : 'other',
            count: directions.length,
            up: directions.filter((direction) => direction > 0).length,
            down: directions.filter((direction) => direction < 0).length,
          })
        : t('head.expression', {
            which: by,
            genes: expression.genes.length,
            samples: expression.samples.length,
            dataset: format.text(dataset.name),
            // Tn-seq, say: its counts are not of transcripts.
            measure: format.text(dataset.measure) || 'none',
            unit: unitName(dataset.unit),
            source: format.text(dataset.source) || 'none',
          })}{' '}
      <SimulatedTag simulated={dataset.simulated} /> <PublicationOfData assembly={result.assembly} dataset={dataset} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form,
  fields: { assembly: { needs: expressionData } },
  Result: ResultView,
  headline: ({ result, input }) => <Headline result={result} by={input.by} />,
})
