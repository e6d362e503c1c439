import type { ReactNode } from 'react'
import { splitIdentifiers } from '../../contracts/tools/tool.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Field, Select } from '../../kit/ui/controls/field.tsx'
import { givenText } from '../../kit/ui/controls/form-values.ts'
import { SchemaForm, useToolText } from '../../kit/ui/controls/schema-form.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import type { FieldHint, FormProps } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import { type Group, groups } from './tool.ts'

const advanced = { advanced: true }
export const diagnosticFields: Readonly<Record<string, FieldHint>> = {
  target: { widget: 'assemblies' },
  sized: { widget: 'assemblies' },
  spare: {
    widget: 'assemblies',
    // Both alleles of a SNP are amplified: none is said not to be.
    label: ({ method }: Record<string, unknown>) => (method === 'snp' ? 'group.hex' : undefined),
  },
  assembly: { needs: 'genome' },
  productMin: advanced,
  productMax: advanced,
  tmMin: advanced,
  tmOpt: advanced,
  tmMax: advanced,
  pairs: advanced,
  multiplex: advanced,
  control: advanced,
  amplifiedBp: advanced,
  minDifference: { when: (values: Record<string, unknown>) => values.method !== 'snp' },
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : splitIdentifiers(givenText(value) ?? '')

/** The method, each genome of the species with its group, and what primers are to be. */
export const DiagnosticForm = ({ values, onValues, problems, fields }: FormProps): ReactNode => {
  const t = useText(messages)
  const text = useToolText(messages)
  const nameOf = useAssemblyNames()
  const all = useAssemblies()
  const lists = { target: listOf(values.target), spare: listOf(values.spare), sized: listOf(values.sized) }
  const asked = givenText(values.assembly) ?? lists.target[0]
  const shown = all.find(({ id }) => id === asked) ?? all.find((one) => one.reference) ?? all[0]
  const genomes = all.filter(({ species }) => species === shown?.species)
  const groupOf = (id: string): Group | 'none' => groups.find((one) => lists[one].includes(id)) ?? 'none'
  const bySnp = values.method === 'snp'
  const place = (id: string, group: string): void =>
    onValues(
      Object.fromEntries(
        groups.map((one) => [one, [...lists[one].filter((other) => other !== id), ...(one === group ? [id] : [])]]),
      ),
    )
  const free = genomes.filter(({ id }) => groupOf(id) === 'none').map(({ id }) => id)
  const part = (names: string[]): ReactNode => (
    <SchemaForm
      fields={fields.filter(({ name }) => names.includes(name))}
      hints={diagnosticFields}
      values={values}
      onValues={(change) =>
        // Genomes of another species are no longer asked about.
        onValues(
          'assembly' in change &&
            all.find(({ id }) => id === change.assembly)?.species !== shown?.species &&
            change.assembly !== undefined
            ? { ...change, target: [], spare: [], sized: [] }
            : change,
        )
      }
      problems={problems}
      text={text}
    />
  )
  const told = groups.flatMap((name) => problems[name] ?? [])
  return (
    <>
      {part(['method', 'assembly'])}
      <Field label={t('form.genomes')} help={t('form.help')} problems={told}>
        {() => (
          <>
            <ul className="diagnostic-form">
              {genomes.map(({ id }) => (
                <li key={id}>
                  <span>{nameOf(id)}</span>
                  <Select
                    aria-label={nameOf(id)}
                    aria-invalid={told.length > 0 && groupOf(id) === 'none' ? true : undefined}
                    value={groupOf(id)}
                    onChoose={(chosen) => place(id, chosen)}
                    options={[
                      { value: 'none', label: t('form.none') },
                      ...groups
                        .filter((one) => !bySnp || one !== 'sized' || groupOf(id) === 'sized')
                        .map((value) => ({
                          value,
                          label: bySnp && value === 'spare' ? t('group.hex') : t(`group.${value}`),
                        })),
                    ]}
                  />
                </li>
              ))}
            </ul>
            <div className="diagnostic-actions">
              <Button
                size="small"
                look="quiet"
                disabled={lists.target.length === 0 || free.length === 0}
                onClick={() => onValues({ spare: [...lists.spare, ...free] })}
              >
                {t(bySnp ? 'form.restOther' : 'form.rest')}
              </Button>
              <Button
                size="small"
                look="quiet"
                disabled={free.length === genomes.length}
                onClick={() => onValues({ target: [], spare: [], sized: [] })}
              >
                {t('form.clear')}
              </Button>
            </div>
          </>
        )}
      </Field>
      {part(fields.map(({ name }) => name).filter((name) => ![...groups, 'method', 'assembly'].includes(name)))}
    </>
  )
}
