import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { Checkbox, Field, SelectField } from '../../kit/ui/controls/field.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useAccessionColumn } from '../../kit/ui/gene/biology-names.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import { listChoices } from './endpoints.ts'
import messages from './messages.ts'
import { limits, splitNames } from './tool.ts'

export const useChoices = (assembly: string | undefined, variants?: string) =>
  useQuery({
    queryKey: ['sweep-choices', assembly ?? '', variants ?? ''],
    enabled: assembly !== undefined,
    queryFn: (context) =>
      call(listChoices, { assembly: assembly ?? '', ...(variants === undefined ? {} : { variants }) }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })

const advanced = { advanced: true }

/** The form as the schema draws it, with what is loaded in the place of ids. */
export const SweepForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const columnName = useAccessionColumn()
  const format = useFormat()
  const text = useToolText(messages)
  const choicesAnswer = useChoices(givenText(values.assembly), givenText(values.variants))
  const choices = choicesAnswer.data
  const asked = givenText(values.variants)
  const set = choices?.variantSets.find(({ id }) => id === asked) ?? choices?.variantSets[0]
  // A set of another assembly, as the form was left.
  const strange = choices !== undefined && asked !== undefined && set?.id !== asked
  useEffect(() => {
    if (strange) onValues({ variants: undefined, populations: [] })
  }, [strange, onValues])
  const pasted = givenText(values.groups) !== undefined
  const groupings = choices?.groupings ?? []
  const grouping = groupings.find(({ name }) => name === (givenText(values.grouping) ?? 'population')) ?? groupings[0]
  const first = grouping?.name
  // Where no accession has a population, the first grouping that there is.
  useEffect(() => {
    if (first !== undefined && first !== (givenText(values.grouping) ?? 'population')) onValues({ grouping: first })
  }, [first, values.grouping, onValues])
  const chosen = Array.isArray(values.populations)
    ? (values.populations as string[])
    : splitNames(givenText(values.populations) ?? '')
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{
        assembly: { needs: 'variants' },
        groups: { widget: 'long-text', rows: 4, advanced: groupings.length > 0 && !pasted },
        minSites: advanced,
        sites: advanced,
        minCalled: advanced,
        minorFrequency: advanced,
        length: advanced,
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
      {choicesAnswer.isError ? <Unanswered of={choicesAnswer} line /> : null}
      {choices === undefined ? null : set === undefined ? (
        <p className="nv-field-help">{t('variants.noneLoaded')}</p>
      ) : (
        <SelectField
          label={t('field.variants')}
          problems={problems.variants ?? []}
          aside={<SimulatedTag simulated={set.simulated} beside={set.name} />}
          value={set.id}
          onChoose={(id) => onValues({ variants: id === choices.variantSets[0]?.id ? undefined : id, populations: [] })}
          options={choices.variantSets.map((one) => ({
            value: one.id,
            label: t('option.variants', { name: format.text(one.name), samples: one.samples }),
          }))}
        />
      )}
      {grouping === undefined || pasted ? null : (
        <>
          <SelectField
            label={t('field.grouping')}
            help={t('help.grouping')}
            problems={problems.grouping ?? []}
            value={grouping.name}
            onChoose={(name) => onValues({ grouping: name, populations: [] })}
            options={groupings.map(({ name }) => ({ value: name, label: columnName(name) }))}
          />
          <Field
            label={t('field.populations')}
            help={`${t('help.populations')} ${t('limit.populations', { value: limits.populations })}`}
            problems={problems.populations ?? []}
          >
            {({ id }) => (
              <div id={id} className="sweep-populations">
                {grouping.populations.map(({ name, samples }) => (
                  <Checkbox
                    key={name}
                    checked={chosen.includes(name)}
                    onCheck={(on) =>
                      onValues({ populations: on ? [...chosen, name] : chosen.filter((one) => one !== name) })
                    }
                  >
                    {chosen.includes(name) && chosen.length > 1 ? `${chosen.indexOf(name) + 1}. ` : ''}
                    {name} <small className="nv-quiet">{t('populations.samples', { count: samples })}</small>
                  </Checkbox>
                ))}
              </div>
            )}
          </Field>
        </>
      )}
      {part(['groups', 'windowBp', 'stepBp', 'minSites', 'sites', 'minCalled', 'minorFrequency', 'length'])}
    </>
  )
}
