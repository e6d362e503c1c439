import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { type ExpressionDataset, expressionDatasetsEndpoint } from '../../../contracts/expression.ts'
import { saysSimulated } from '../../../contracts/simulated.ts'
import type { LocalizedText } from '../../../contracts/text.ts'
import { useFormat, useText } from '../language.tsx'
import { call } from '../request.ts'
import { Tag } from './card.tsx'
import { CheckGroup } from './check-group.tsx'
import { Unanswered } from './empty-state.tsx'
import { messages } from './expression-messages.ts'
import { Checkbox, SelectField } from './field.tsx'
import { givenText } from './form-values.ts'
import type { Values } from './schema-fields.ts'

/** Expression data sets of an assembly, by the `datasets/` route of the tool that asks. */
export const useDatasets = (tool: string, assembly: string | undefined): UseQueryResult<ExpressionDataset[]> =>
  useQuery({
    queryKey: ['expression-datasets', assembly ?? ''],
    enabled: assembly !== undefined && assembly !== '',
    queryFn: async (context) =>
      (await call(expressionDatasetsEndpoint(tool), { assembly: assembly ?? '' }, context)).datasets,
    staleTime: 5 * 60_000,
    retry: false,
  })

/** The unit of a data set in the reader's language. */
export const useUnitName = (): ((unit: string) => string) => {
  const t = useText(messages)
  return (unit) => t(`unit.${unit}` as 'unit.TPM')
}

/** Said wherever simulated values show; not where the name that it stands beside says so by itself. */
export const SimulatedTag = ({ simulated, beside }: { simulated: boolean; beside?: LocalizedText }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  return simulated && !saysSimulated(format.text(beside)) ? (
    <Tag tone="amber" title={t('expression.simulatedWhy')}>
      {t('expression.simulated')}
    </Tag>
  ) : null
}

/**
 * The fields `dataset`, `group` and `levels` of a tool over expression, and `contrast` where it is asked for: a data set of the chosen
 * assembly, the factor by which its samples are told apart, and which of them take part.
 */
export const ExpressionFields = ({
  tool,
  values,
  onValues,
  onAdjust,
  problems,
  contrasts = false,
  noContrast,
  minSamples = 1,
}: {
  tool: string
  values: Values
  onValues: (change: Values) => void
  onAdjust: (change: Values) => void
  problems: Record<string, string[]>
  contrasts?: boolean
  /** Where a data set without comparisons leads on to. */
  noContrast?: (dataset: ExpressionDataset, assembly: string) => ReactNode
  /** Data sets of fewer samples are not the first to be taken. */
  minSamples?: number
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const unitName = useUnitName()
  const assembly = givenText(values.assembly)
  const datasetsAnswer = useDatasets(tool, assembly)
  const datasets = datasetsAnswer.data
  const asked = givenText(values.dataset)
  const first =
    datasets?.find((one) => (contrasts ? one.contrasts.length > 0 : one.samples.length >= minSamples)) ?? datasets?.[0]
  const dataset = datasets?.find(({ id }) => id === asked) ?? first
  // A data set of another assembly, as the form was left.
  const strange = datasets !== undefined && asked !== undefined && dataset?.id !== asked
  useEffect(() => {
    if (strange) onAdjust({ dataset: undefined, group: undefined, levels: [], contrast: undefined })
  }, [strange, onAdjust])
  if (datasets === undefined)
    return datasetsAnswer.isError ? (
      <Unanswered of={datasetsAnswer} line />
    ) : (
      <div className={`nv-expression-waiting${contrasts ? ' nv-expression-waiting-contrasts' : ''}`} aria-hidden />
    )
  if (dataset === undefined) return <p className="nv-field-help">{t('expression.none')}</p>
  const chosen = Array.isArray(values.levels) ? values.levels.map(String) : []
  const group = givenText(values.group) ?? dataset.group ?? ''
  const levels = dataset.factors.find(({ name }) => name === group)?.levels ?? []
  return (
    <>
      <SelectField
        label={t('expression.dataset')}
        problems={problems.dataset ?? []}
        aside={<SimulatedTag simulated={dataset.simulated} beside={dataset.name} />}
        help={format.text(dataset.description)}
        value={dataset.id}
        onChoose={(id) =>
          onValues({
            dataset: id === first?.id ? undefined : id,
            group: undefined,
            levels: [],
            contrast: undefined,
          })
        }
        options={datasets.map((one) => ({
          value: one.id,
          label: t(contrasts && one.contrasts.length === 0 ? 'expression.optionNoContrast' : 'expression.option', {
            name: format.text(one.name),
            samples: one.samples.length,
            unit: unitName(one.unit),
          }),
        }))}
      />
      {contrasts ? (
        dataset.contrasts.length === 0 ? (
          <p className="nv-field-help">
            {t('expression.noContrast')} {noContrast?.(dataset, assembly ?? '')}
          </p>
        ) : (
          <SelectField
            label={t('expression.contrast')}
            problems={problems.contrast ?? []}
            value={givenText(values.contrast) ?? dataset.contrasts[0]!.id}
            onChoose={(contrast) => onValues({ contrast })}
            options={dataset.contrasts.map((one) => ({ value: one.id, label: format.text(one.name) }))}
          />
        )
      ) : dataset.factors.length === 0 ? null : (
        <>
          <SelectField
            label={t('expression.group')}
            problems={problems.group ?? []}
            value={group}
            onChoose={(factor) => onValues({ group: factor === dataset.group ? undefined : factor, levels: [] })}
            options={dataset.factors.map(({ name, levels: own }) => ({
              value: name,
              label: `${name} (${own.length})`,
            }))}
          />
          <details className="nv-advanced" open={chosen.length > 0 || (problems.levels ?? []).length > 0 || undefined}>
            <summary>
              {t('expression.levels')}
              {chosen.length === 0 ? null : <small>{`${chosen.length} / ${levels.length}`}</small>}
            </summary>
            <p className="nv-field-help">{t('expression.levelsHelp')}</p>
            <CheckGroup label={t('expression.levels')} className="nv-checks nv-expression-levels">
              {levels.map((level) => (
                <Checkbox
                  key={level}
                  checked={chosen.includes(level)}
                  onCheck={(on) =>
                    onValues({ levels: levels.filter((one) => (one === level ? on : chosen.includes(one))) })
                  }
                >
                  {level === '' ? '–' : level}
                </Checkbox>
              ))}
            </CheckGroup>
            {(problems.levels ?? []).map((problem) => (
              <p key={problem} className="nv-field-problem" role="alert">
                {problem}
              </p>
            ))}
          </details>
        </>
      )}
    </>
  )
}
