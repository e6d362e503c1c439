import type { ReactNode } from 'react'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import { Field, Select } from '../../kit/ui/controls/field.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import type { FormProps } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'

const conditions = ['absent', 'broken', 'intact'] as const
/** What an outgroup is asked to have. */
const families = ['familyAbsent', 'familyPresent'] as const
type Condition = (typeof conditions)[number]

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : splitIdentifiers(givenText(value) ?? '')

/** The assembly, and what each other genome of its species is asked to have of the genes. */
export const PresenceForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const text = useToolText(messages)
  const nameOf = useAssemblyNames()
  const all = useAssemblies()
  const asked = givenText(values.assembly)
  const assembly = all.find(({ id }) => id === asked) ?? all.find((one) => one.reference)
  const siblings = all.filter(({ id, species }) => species === assembly?.species && id !== assembly?.id)
  const genomes = siblings.filter(({ outgroup }) => !outgroup)
  const outgroups = siblings.filter(({ outgroup }) => outgroup)
  const byFamily = { familyAbsent: listOf(values.familyAbsent), familyPresent: listOf(values.familyPresent) }
  const chooseFamily = (id: string, chosen: string): void =>
    onValues(
      Object.fromEntries(
        families.map((one) => [
          one,
          [...byFamily[one].filter((other) => other !== id), ...(one === chosen ? [id] : [])],
        ]),
      ),
    )
  const compared = listOf(values.assemblies)
  const lists = { absent: listOf(values.absent), broken: listOf(values.broken), intact: listOf(values.intact) }
  const conditionOf = (id: string): Condition | 'any' | 'out' =>
    conditions.find((one) => lists[one].includes(id)) ?? (compared.length > 0 && !compared.includes(id) ? 'out' : 'any')
  const choose = (id: string, chosen: string): void => {
    const kept = genomes
      .map((one) => one.id)
      .filter((one) => (one === id ? chosen !== 'out' : conditionOf(one) !== 'out'))
    const change = Object.fromEntries(
      conditions.map((one) => [one, [...lists[one].filter((other) => other !== id), ...(one === chosen ? [id] : [])]]),
    )
    onValues({ ...change, assemblies: kept.length === genomes.length ? [] : kept })
  }
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={{ assembly: { needs: 'genes' }, genes: { widget: 'genes', rows: 3 } }}
      values={values}
      onValues={(change) =>
        // Genomes of another species are no longer asked about.
        onValues(
          'assembly' in change
            ? { ...change, assemblies: [], absent: [], broken: [], intact: [], familyAbsent: [], familyPresent: [] }
            : change,
        )
      }
      problems={problems}
      text={text}
    />
  )
  const told = ['assemblies', ...conditions, ...families].flatMap((name) => problems[name] ?? [])
  return (
    <>
      {part(['assembly', 'genes'])}
      <Field
        label={t('form.genomes')}
        help={format.sentences([t('form.help'), outgroups.length === 0 ? '' : t('form.outgroups')])}
        problems={told}
      >
        {() => (
          <ul className="presence-form">
            {genomes.map(({ id }) => (
              <li key={id}>
                <span>{nameOf(id)}</span>
                <Select
                  aria-label={nameOf(id)}
                  value={conditionOf(id)}
                  onChoose={(chosen) => choose(id, chosen)}
                  options={(['any', ...conditions, 'out'] as const).map((value) => ({
                    value,
                    label: t(`form.${value}`),
                  }))}
                />
              </li>
            ))}
            {outgroups.map(({ id }) => {
              const name = t('form.byFamily', { name: nameOf(id) })
              return (
                <li key={id}>
                  <span>{name}</span>
                  <Select
                    aria-label={name}
                    value={families.find((one) => byFamily[one].includes(id)) ?? 'any'}
                    onChoose={(chosen) => chooseFamily(id, chosen)}
                    options={(['any', ...families] as const).map((value) => ({
                      value,
                      label: t(`form.${value}`),
                    }))}
                  />
                </li>
              )
            })}
          </ul>
        )}
      </Field>
      {part(['others'])}
    </>
  )
}
