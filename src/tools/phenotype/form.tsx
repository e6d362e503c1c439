import { type ReactNode, useEffect } from 'react'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { Checkbox, SelectField } from '../../kit/ui/controls/field.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useAccessionColumn } from '../../kit/ui/gene/biology-names.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import { usePhenotypes, useTraitName } from './use-phenotypes.ts'

export const PhenotypeForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const columnName = useAccessionColumn()
  const format = useFormat()
  const text = useToolText(messages)
  const traitName = useTraitName()
  const phenotypesAnswer = usePhenotypes(givenText(values.species))
  const known = phenotypesAnswer.data
  const correlation = values.task === 'correlation'
  const asked = givenText(values.dataset)
  const set = known?.datasets.find(({ id }) => id === asked) ?? known?.datasets[0]
  const trait = set?.traits.find(({ id }) => id === values.trait) ?? set?.traits[0]
  // A link may name what another species or set has: the form then stands at the first of this one.
  const strange = set !== undefined && asked !== undefined && set.id !== asked
  useEffect(() => {
    if (strange) onValues({ dataset: undefined, trait: undefined, traits: [] })
  }, [strange, onValues])
  const ticked = Array.isArray(values.traits)
    ? values.traits.map(String)
    : (givenText(values.traits)?.split(/[,\n]+/) ?? [])
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  return (
    <>
      {part(['task'])}
      {phenotypesAnswer.isError ? <Unanswered of={phenotypesAnswer} line /> : null}
      {phenotypesAnswer.isPending ? <div className="phe-waiting" aria-hidden /> : null}
      {known === undefined || known.choices.length < 2 ? null : (
        <SelectField
          label={t('field.species')}
          problems={problems.species ?? []}
          value={known.species ?? ''}
          onChoose={(species) =>
            onValues({ species, dataset: undefined, trait: undefined, group: undefined, traits: [] })
          }
          options={known.choices.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {set === undefined ? null : (
        <SelectField
          label={t('field.dataset')}
          problems={problems.dataset ?? []}
          aside={<SimulatedTag simulated={set.simulated} />}
          value={set.id}
          onChoose={(id) =>
            onValues({
              dataset: id === known?.datasets[0]?.id ? undefined : id,
              trait: undefined,
              traits: [],
            })
          }
          options={(known?.datasets ?? []).map((one) => ({ value: one.id, label: format.text(one.name) }))}
        />
      )}
      {set === undefined || trait === undefined || correlation ? null : (
        <SelectField
          label={t('field.trait')}
          problems={problems.trait ?? []}
          value={trait.id}
          onChoose={(id) => onValues({ trait: id })}
          options={set.traits.map((one) => ({ value: one.id, label: traitName(one) }))}
        />
      )}
      {set === undefined || !correlation ? null : (
        <fieldset className="nv-field phe-traits">
          <legend>{t('field.traits')}</legend>
          {(problems.traits ?? []).map((problem) => (
            <p key={problem} className="nv-field-problem" role="alert">
              {problem}
            </p>
          ))}
          <div className="phe-ticks">
            {set.traits
              .filter(({ type }) => type !== 'categorical')
              .map((one) => (
                <Checkbox
                  key={one.id}
                  checked={ticked.includes(one.id)}
                  onCheck={(on) =>
                    onValues({ traits: on ? [...ticked, one.id] : ticked.filter((id) => id !== one.id) })
                  }
                >
                  {traitName(one)}
                </Checkbox>
              ))}
          </div>
          <p className="nv-field-help">{t('help.traits')}</p>
        </fieldset>
      )}
      {correlation ? part(['method']) : null}
      {known === undefined || known.groupings.length === 0 ? null : (
        <SelectField
          label={t('field.group')}
          help={t('help.group')}
          problems={problems.group ?? []}
          value={givenText(values.group) ?? known.groupings[0]!}
          onChoose={(group) => onValues({ group: group === known.groupings[0] ? undefined : group })}
          options={known.groupings.map((one) => ({ value: one, label: columnName(one) }))}
        />
      )}
    </>
  )
}
