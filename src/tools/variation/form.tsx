import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { z } from 'zod'
import { consequences } from '../../bio/variation/consequences.ts'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { textOf } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useAccessionColumn } from '../../kit/ui/gene/biology-names.ts'
import { useConsequenceName } from '../../kit/ui/gene/consequence-mark.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import { listSets } from './endpoints.ts'
import messages from './messages.ts'
import { traitLabel } from './trait-label.ts'

export const useSets = (assembly: string) =>
  useQuery({
    queryKey: ['variation-sets', assembly],
    enabled: assembly !== '',
    queryFn: (context) => call(listSets, { assembly }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })

/** Consequences of an impact and of graver ones, as the form's list has them. */
const namesOfImpact = {
  high: consequences.flatMap(({ name, impact }) => (impact === 'high' ? [name] : [])),
  moderate: consequences.flatMap(({ name, impact }) => (impact === 'high' || impact === 'moderate' ? [name] : [])),
}
/** What is asked of an allele in a population: at least so frequent in it, at most so frequent in each other. */
const populationRules = {
  occurs: { minInPopulation: 0, maxElsewhere: 1 },
  private: { minInPopulation: 0, maxElsewhere: 0 },
  fixed: { minInPopulation: 1, maxElsewhere: 1 },
  difference: { minInPopulation: 1, maxElsewhere: 0 },
} as const
/** Where bounds of one's own begin. */
const ownBounds = { minInPopulation: 0.9, maxElsewhere: 0.1 }
const ruleNames = ['occurs', 'private', 'fixed', 'difference'] as const
const anyPopulation = { population: undefined, minInPopulation: undefined, maxElsewhere: undefined }

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name))

/** The phenotypes of a set, or none, to choose from. */
export const TraitField = ({
  traits,
  ...field
}: {
  traits: z.infer<typeof listSets.output>['traits']
  value: string
  onChoose: (trait: string) => void
  problems?: string[]
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  return (
    <SelectField
      label={t('field.trait')}
      options={[
        { value: '', label: t('trait.none') },
        ...traits.map((trait) => ({ value: trait.value, label: traitLabel(format, trait) })),
      ]}
      {...field}
    />
  )
}

export const VariationForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const text = useToolText(messages)
  const columnName = useAccessionColumn()
  const nameOfEffect = useConsequenceName()
  const setsAnswer = useSets(textOf(values.assembly))
  const known = setsAnswer.data
  const asked = textOf(values.set)
  const set = known?.sets.find(({ id }) => id === asked) ?? known?.sets[0]
  const strange = known !== undefined && asked !== '' && set?.id !== asked
  useEffect(() => {
    if (strange) onValues({ set: undefined, trait: undefined, grouping: undefined, ...anyPopulation })
  }, [strange, onValues])
  const task = textOf(values.task) || 'variants'
  const isTask = (...names: string[]): boolean => names.includes(task)
  const chosen = Array.isArray(values.consequences) ? values.consequences.map(String) : []
  /** Effects that the set has: each can be asked for alone. */
  const effects = consequences.flatMap(({ name }) => ((set?.consequences?.counts[name] ?? 0) > 0 ? [name] : []))
  const single = effects.find((name) => sameNames(chosen, [name]))
  const impact =
    chosen.length === 0
      ? 'any'
      : sameNames(chosen, namesOfImpact.high)
        ? 'high'
        : sameNames(chosen, namesOfImpact.moderate)
          ? 'moderate'
          : (single ?? 'own')
  const grouping = textOf(values.grouping) || (known?.groupings[0] ?? '')
  const populations = set === undefined ? [] : (known?.populations[set.id]?.[grouping] ?? [])
  const population = textOf(values.population)
  const bounds = {
    minInPopulation: Number(textOf(values.minInPopulation) || 0),
    maxElsewhere: Number(textOf(values.maxElsewhere) || 1),
  }
  const rule =
    ruleNames.find(
      (name) =>
        populationRules[name].minInPopulation === bounds.minInPopulation &&
        populationRules[name].maxElsewhere === bounds.maxElsewhere,
    ) ?? 'own'
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{
        assembly: { needs: 'variants' },
        genes: { widget: 'genes', rows: 2, when: () => !isTask('markers', 'accessions') },
        variants: { rows: 4, required: true, when: () => isTask('accessions') },
        match: { when: () => isTask('accessions') },
        flankBp: { when: () => !isTask('markers', 'accessions') },
        region: { when: () => !isTask('markers', 'accessions') },
        id: { when: () => isTask('variants', 'markers'), required: isTask('markers') },
        sites: { when: () => isTask('haplotypes') },
        blocks: { when: () => isTask('haplotypes'), advanced: true },
        test: { when: () => isTask('haplotypes') },
        minCount: { when: () => isTask('haplotypes') },
        ldSites: { when: () => isTask('ld') },
        types: { when: () => isTask('variants'), advanced: true },
        consequences: { when: () => isTask('variants', 'haplotypes'), advanced: true },
        minFrequency: { when: () => !isTask('markers', 'accessions'), advanced: true },
        maxFrequency: { when: () => isTask('variants'), advanced: true },
        maxMissing: { when: () => !isTask('markers', 'accessions'), advanced: true },
        carriers: { when: () => isTask('variants'), advanced: true, rows: 2 },
        without: { when: () => isTask('variants'), advanced: true, rows: 2 },
        minInPopulation: { when: () => isTask('variants') && population !== '' && rule === 'own' },
        maxElsewhere: { when: () => isTask('variants') && population !== '' && rule === 'own' },
      }}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {part(['task', 'assembly'])}
      {setsAnswer.isError ? <Unanswered of={setsAnswer} line /> : null}
      {set === undefined || (known?.sets.length ?? 0) < 2 ? null : (
        <SelectField
          label={t('field.set')}
          problems={problems.set ?? []}
          aside={<SimulatedTag simulated={set.simulated} beside={set.name} />}
          help={format.text(set.description)}
          value={set.id}
          onChoose={(id) => onValues({ set: id === known?.sets[0]?.id ? undefined : id })}
          options={(known?.sets ?? []).map((one) => ({ value: one.id, label: format.text(one.name) }))}
        />
      )}
      {part(['variants', 'match', 'genes', 'flankBp', 'region', 'id', 'sites'])}
      {!isTask('haplotypes', 'accessions') || known === undefined || known.traits.length === 0 ? null : (
        <TraitField
          traits={known.traits}
          problems={problems.trait ?? []}
          value={textOf(values.trait)}
          onChoose={(trait) => onValues({ trait: trait === '' ? undefined : trait })}
        />
      )}
      {part(['test', 'minCount', 'ldSites'])}
      {known === undefined || known.groupings.length < 2 || isTask('markers', 'accessions') ? null : (
        <SelectField
          label={t('field.grouping')}
          problems={problems.grouping ?? []}
          value={grouping}
          onChoose={(column) =>
            onValues({ grouping: column === known.groupings[0] ? undefined : column, ...anyPopulation })
          }
          options={known.groupings.map((one) => ({ value: one, label: columnName(one) }))}
        />
      )}
      {!isTask('variants') || (populations.length < 2 && population === '') ? null : (
        <>
          <SelectField
            label={t('field.population')}
            problems={problems.population ?? []}
            value={population}
            onChoose={(name) => onValues(name === '' ? anyPopulation : { population: name })}
            options={[
              { value: '', label: t('option.population.any') },
              ...populations.map(({ name, samples }) => ({ value: name, label: `${name} (n = ${samples})` })),
              ...(population === '' || populations.some(({ name }) => name === population)
                ? []
                : [{ value: population, label: population }]),
            ]}
          />
          {population === '' ? null : (
            <SelectField
              label={t('field.populationRule', { population })}
              value={rule}
              onChoose={(next) => onValues(populationRules[ruleNames.find((one) => one === next)!] ?? ownBounds)}
              options={([...ruleNames, 'own'] as const).map((one) => ({
                value: one,
                label: t(`option.populationRule.${one}`),
              }))}
            />
          )}
          {part(['minInPopulation', 'maxElsewhere'])}
        </>
      )}
      {set?.consequences === null || !isTask('variants') ? null : (
        <SelectField
          label={t('field.impact')}
          value={impact}
          onChoose={(value) =>
            onValues({
              consequences:
                value === 'high' || value === 'moderate'
                  ? namesOfImpact[value]
                  : effects.filter((name) => name === value),
            })
          }
          options={[
            ...(['any', 'high', 'moderate'] as const).map((one) => ({ value: one, label: t(`option.impact.${one}`) })),
            ...effects.map((name) => ({ value: name, label: nameOfEffect(name) })),
            ...(impact === 'own' ? [{ value: 'own', label: t('option.impact.own') }] : []),
          ]}
        />
      )}
      {part(['blocks', 'consequences', 'types', 'minFrequency', 'maxFrequency', 'maxMissing', 'carriers', 'without'])}
    </>
  )
}
