import type { ReactNode } from 'react'
import { Unanswered } from '../../kit/ui/controls/empty-state.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import type { Values } from '../../kit/ui/controls/schema-fields.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { FieldHint, FormProps } from '../../kit/ui/tool/define-screen.ts'
import { useScans } from './figures/parts.tsx'
import messages from './messages.ts'
import { minSamples, variantKind } from './tool.ts'

const isPasted = (values: Values): boolean => values.source !== 'loaded'
const mixed = (values: Values): boolean => (values.model ?? 'lmm') === 'lmm'

export const hints: Record<string, FieldHint> = {
  assembly: { needs: variantKind, allowAll: false },
  // The name of the trait says that it is a loaded one.
  source: { untold: true },
  values: { widget: 'long-text', rows: 8, when: isPasted, required: true },
  phenotype: { when: (values) => !isPasted(values) },
  transform: { when: (values) => values.model !== 'logistic' },
  test: { advanced: true, when: mixed },
  covariates: { widget: 'long-text', rows: 4, advanced: true },
  components: { advanced: true },
  minorFrequency: { advanced: true },
  missing: { advanced: true },
  significance: { advanced: true },
}

/** The form as the schema draws it, with the sets of variants and the traits that are loaded in the place of their ids. */
export const RunForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const text = useToolText(messages)
  const list = useScans(typeof values.assembly === 'string' ? values.assembly : undefined)
  const own = ['variants', 'phenotype']
  const before = ['assembly', 'source']
  const form = (shown: (name: string) => boolean): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => !own.includes(name) && shown(name))}
      hints={hints}
      values={values}
      onValues={onValues}
      problems={problems}
      text={text}
    />
  )
  const sets = list.data?.variants ?? []
  const usual = sets.find(({ samples }) => samples >= minSamples) ?? sets[0]
  const chosen = sets.find(({ id }) => id === values.variants) ?? usual
  return (
    <>
      {form((name) => name === 'assembly')}
      {list.isError ? <Unanswered of={list} line /> : null}
      <SelectField
        label={t('field.variants')}
        problems={problems.variants}
        help={
          chosen === undefined
            ? list.isSuccess
              ? t('run.noVariants')
              : undefined
            : t('help.variants', { samples: chosen.samples, names: chosen.names.join(', ') })
        }
        value={typeof values.variants === 'string' ? values.variants : (usual?.id ?? '')}
        onChoose={(variants) => onValues({ variants })}
        options={sets.map((set) => ({
          value: set.id,
          label: `${format.text(set.name)} (${format.count(set.sites)} × ${format.number(set.samples)})`,
        }))}
      />
      {form((name) => name === 'source')}
      {isPasted(values) ? null : (
        <SelectField
          label={t('field.phenotype')}
          problems={problems.phenotype}
          help={list.isSuccess && list.data.phenotypes.length === 0 ? t('run.noPhenotypes') : undefined}
          value={typeof values.phenotype === 'string' ? values.phenotype : ''}
          onChoose={(phenotype) => onValues({ phenotype: phenotype === '' ? undefined : phenotype })}
          options={[
            { value: '', label: t('phenotype.choose') },
            ...(list.data?.phenotypes ?? []).flatMap((set) =>
              set.traits.map((trait) => ({
                value: `${set.id}|${trait.id}`,
                label: format.text(trait.name),
                group: format.text(set.name),
              })),
            ),
          ]}
        />
      )}
      {form((name) => !before.includes(name))}
    </>
  )
}
