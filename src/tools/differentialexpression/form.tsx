import { ArrowLeftRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ExpressionDataset, expressionData } from '../../contracts/expression.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { CheckGroup } from '../../kit/ui/controls/check-group.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag, useDatasets, useUnitName } from '../../kit/ui/controls/expression-fields.tsx'
import { Checkbox, Field, Segmented, SelectField, TextArea } from '../../kit/ui/controls/field.tsx'
import { givenText, textOf } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import { exampleGroups } from './example-groups.ts'
import messages from './messages.ts'
import tool, { listNames } from './tool.ts'

const namesOf = (value: unknown): string[] => listNames(textOf(value))

/** Samples chosen by a factor's levels, within levels of other factors. */
interface Choice {
  factor: string
  test: string
  reference: string
  within: Record<string, string>
}

const samplesOf = (dataset: ExpressionDataset, { factor, within }: Choice, level: string): string[] =>
  level === ''
    ? []
    : dataset.samples
        .filter(
          ({ factors }) =>
            factors[factor] === level &&
            Object.entries(within).every(([name, one]) => one === '' || name === factor || factors[name] === one),
        )
        .map(({ id }) => id)

const GroupFields = ({
  dataset,
  values,
  onValues,
  onAdjust,
  problems,
}: Pick<FormProps, 'values' | 'onValues' | 'onAdjust' | 'problems'> & { dataset: ExpressionDataset }): ReactNode => {
  const t = useText(messages)
  const { factors, samples } = dataset
  const parting = factors.filter(({ levels }) => levels.length > 1 && levels.length < samples.length)
  const [choice, setChoice] = useState<Choice>({
    factor: parting.find(({ name }) => name === dataset.group)?.name ?? parting[0]?.name ?? '',
    test: '',
    reference: '',
    within: {},
  })
  const [test, reference] = [namesOf(values.test), namesOf(values.reference)]
  // What the data set is grouped by has two levels: they can be compared in one way but for the direction, and are filled in, once, where
  // no groups came with the address.
  const main = parting.find(({ name }) => name === dataset.group)
  const only = main?.levels.length === 2 ? exampleGroups(dataset) : null
  const offered = useRef(only !== null && test.length === 0 && reference.length === 0 ? only : null)
  useEffect(() => {
    // Into the form alone: the address may be that of a result whose input is still on its way.
    if (offered.current !== null) onAdjust(offered.current)
    offered.current = null
  }, [onAdjust])
  const levels = parting.find(({ name }) => name === choice.factor)?.levels ?? []
  // Of groups that came with the address or the example: the levels that they are.
  const levelOf = (group: readonly string[], chosen: string): string => {
    const own = samples.filter(({ id }) => group.includes(id)).map(({ factors: of }) => of[choice.factor] ?? '')
    return new Set(own).size === 1 && own.length === group.length ? own[0]! : own.length === 0 ? chosen : ''
  }
  const choose = (change: Partial<Choice>): void => {
    // Of two levels the other one is what the first is compared with.
    const other = (level: string): string => (levels.length === 2 ? (levels.find((one) => one !== level) ?? '') : '')
    const { test: chosenTest = '', reference: chosenReference = '' } = change
    if (chosenTest !== '' && reference.length === 0) change = { ...change, reference: other(chosenTest) }
    else if (chosenReference !== '' && test.length === 0) change = { ...change, test: other(chosenReference) }
    const next: Choice = {
      ...choice,
      test: levelOf(test, choice.test),
      reference: levelOf(reference, choice.reference),
      ...change,
    }
    setChoice(next)
    onValues({
      test: samplesOf(dataset, next, next.test),
      reference: samplesOf(dataset, next, next.reference),
      testName: undefined,
      referenceName: undefined,
    })
  }
  const place = (id: string, group: string): void =>
    onValues({
      test: [...test.filter((one) => one !== id), ...(group === 'test' ? [id] : [])],
      reference: [...reference.filter((one) => one !== id), ...(group === 'reference' ? [id] : [])],
    })
  const within = Object.entries(choice.within).flatMap(([name, level]) =>
    level === '' || name === choice.factor ? [] : [`${name}: ${level}`],
  )
  // Samples without a factor that parts them are named one by one; so are groups that are no level of it.
  const isFolded =
    parting.length > 0 &&
    (test.length === 0 || levelOf(test, '') !== '') &&
    (reference.length === 0 || levelOf(reference, '') !== '')
  const others = parting.filter(({ name }) => name !== choice.factor)
  const chosenCovariates = namesOf(values.covariates)
  return (
    <>
      {parting.length === 0 ? null : (
        <>
          <SelectField
            label={t('form.factor')}
            value={choice.factor}
            onChoose={(factor) => choose({ factor, test: '', reference: '' })}
            options={parting.map(({ name, levels: own }) => ({ value: name, label: `${name} (${own.length})` }))}
          />
          <div className="dif-groups">
            {(['test', 'reference'] as const).map((group) => (
              <SelectField
                key={group}
                label={t(`form.${group}Level`)}
                aside={t('form.count', { count: (group === 'test' ? test : reference).length })}
                value={levelOf(group === 'test' ? test : reference, choice[group])}
                onChoose={(level) => choose({ [group]: level })}
                problems={isFolded ? (problems[group] ?? []) : []}
                options={[
                  { value: '', label: t('form.chooseLevel') },
                  ...levels.filter((level) => level !== '').map((level) => ({ value: level, label: level })),
                ]}
              />
            ))}
          </div>
          <div className="dif-swap">
            <p className="nv-field-help">{t('form.direction')}</p>
            <Button
              size="small"
              look="quiet"
              icon={<ArrowLeftRight size={14} aria-hidden />}
              disabled={test.length === 0 && reference.length === 0}
              onClick={() => onValues({ test: reference, reference: test })}
            >
              {t('form.swap')}
            </Button>
          </div>
          {others.length === 0 ? null : (
            <details className="nv-advanced">
              <summary>
                {t('form.within')}
                {within.length === 0 ? null : <small>{within.join(', ')}</small>}
              </summary>
              {others.map(({ name, levels: own }) => (
                <SelectField
                  key={name}
                  label={name}
                  value={choice.within[name] ?? ''}
                  onChoose={(level) => choose({ within: { ...choice.within, [name]: level } })}
                  options={[
                    { value: '', label: t('form.anyLevel') },
                    ...own.filter((level) => level !== '').map((level) => ({ value: level, label: level })),
                  ]}
                />
              ))}
            </details>
          )}
        </>
      )}
      <details className="nv-advanced" open={!isFolded || undefined}>
        <summary>{t('form.each')}</summary>
        {(['test', 'reference'] as const).map((group) => (
          <Field
            key={group}
            label={t(`field.${group}`)}
            help={group === 'test' ? t('help.test') : t('help.reference')}
            problems={problems[group]}
            aside={t('form.count', { count: (group === 'test' ? test : reference).length })}
          >
            {(control) => (
              <TextArea
                {...control}
                rows={3}
                value={textOf(values[group])}
                onChange={(event) => onValues({ [group]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <ul className="dif-samples">
          {samples.map(({ id, label, factors: of }) => (
            <li key={id}>
              <span>
                {label}
                <small>
                  {parting
                    .map(({ name }) => of[name] ?? '')
                    .filter((level) => level !== '' && !label.includes(level))
                    .join(' · ')}
                </small>
              </span>
              <Segmented
                label={label}
                value={test.includes(id) ? 'test' : reference.includes(id) ? 'reference' : 'none'}
                onChoose={(group) => place(id, group)}
                options={[
                  { value: 'test', label: t('group.test') },
                  { value: 'reference', label: t('group.reference') },
                  { value: 'none', label: '–' },
                ]}
              />
            </li>
          ))}
        </ul>
      </details>
      {others.length === 0 && chosenCovariates.length === 0 ? null : (
        <details
          className="nv-advanced"
          open={chosenCovariates.length > 0 || (problems.covariates ?? []).length > 0 || undefined}
        >
          <summary>{t('form.covariates')}</summary>
          <Field label={t('field.covariates')} help={t('help.covariates')} problems={problems.covariates}>
            {(control) => (
              <CheckGroup
                id={control.id}
                label={t('field.covariates')}
                className="nv-checks"
                describedBy={control['aria-describedby']}
              >
                {factors
                  .filter(({ name, levels: own }) => name !== choice.factor && own.length > 1)
                  .map(({ name }) => (
                    <Checkbox
                      key={name}
                      checked={chosenCovariates.includes(name)}
                      onCheck={(on) =>
                        onValues({
                          covariates: on ? [...chosenCovariates, name] : chosenCovariates.filter((one) => one !== name),
                        })
                      }
                    >
                      {name}
                    </Checkbox>
                  ))}
              </CheckGroup>
            )}
          </Field>
        </details>
      )}
    </>
  )
}

/** Assembly, data set, and the two groups: by levels of a factor, by name, or one by one. */
export const ComparisonForm = (props: FormProps): ReactNode => {
  const { values, onValues, onAdjust, problems, fields } = props
  const t = useText(messages)
  const format = useFormat()
  const unitName = useUnitName()
  const text = useToolText(messages)
  const answer = useDatasets(tool.id, givenText(values.assembly))
  const datasets = answer.data
  const counts = datasets?.find(({ unit }) => unit === 'counts')
  const dataset = datasets?.find(({ id }) => id === givenText(values.dataset)) ?? counts ?? datasets?.[0]
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{
        assembly: { needs: expressionData },
        genes: { widget: 'genes' },
        minCount: { advanced: true, when: () => dataset?.unit === 'counts' },
        alpha: { advanced: true },
      }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {part(['assembly'])}
      {datasets === undefined ? (
        answer.isError ? (
          <Unanswered of={answer} line />
        ) : (
          <div className="dif-waiting">
            <Waiting />
          </div>
        )
      ) : dataset === undefined ? (
        <p className="nv-field-help">{t('form.none')}</p>
      ) : (
        <>
          <SelectField
            label={t('field.dataset')}
            problems={problems.dataset ?? []}
            aside={<SimulatedTag simulated={dataset.simulated} />}
            help={format.text(dataset.description)}
            value={dataset.id}
            onChoose={(id) => onValues({ dataset: id, test: [], reference: [], covariates: [] })}
            options={datasets.map((one) => ({
              value: one.id,
              label: t('form.dataset', {
                name: format.text(one.name),
                count: one.samples.length,
                unit: unitName(one.unit),
              }),
            }))}
          />
          <GroupFields key={dataset.id} {...{ dataset, values, onValues, onAdjust, problems }} />
        </>
      )}
      <details
        className="nv-advanced"
        open={textOf(values.genes) !== '' || (problems.genes ?? []).length > 0 || undefined}
      >
        <summary>{t('form.genes')}</summary>
        {part(['genes'])}
      </details>
      {part(['method', 'minCount', 'alpha'])}
    </>
  )
}
