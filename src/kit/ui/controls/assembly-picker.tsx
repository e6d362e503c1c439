import { type ReactNode, useState } from 'react'
import type { AssemblySummary } from '../../../contracts/species.ts'
import { SpeciesName, useAssemblyNames, useSpeciesNames } from '../gene/species-names.tsx'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useAssemblies, useSpecies } from '../portal-data.ts'
import { Tag } from './card.tsx'
import { CheckGroup } from './check-group.tsx'
import { Combobox } from './combobox.tsx'
import { Unanswered } from './empty-state.tsx'
import { Checkbox } from './field.tsx'

const words = (assembly: AssemblySummary): string =>
  [assembly.name, assembly.id, assembly.strain, assembly.accession, assembly.speciesName].join(' ').toLowerCase()

/** Marks that belong to an assembly wherever it is named: simulated, partial, outgroup. */
export const AssemblyMarks = ({
  assembly,
}: {
  assembly: Pick<AssemblySummary, 'simulated' | 'partial' | 'outgroup'>
}): ReactNode => {
  const t = useText(messages)
  return (
    <>
      {assembly.simulated ? (
        <Tag tone="amber" title={t('simulated.why')}>
          {t('simulated.tag')}
        </Tag>
      ) : null}
      {assembly.partial === null ? null : <Tag tone="grey">{t('assembly.partial')}</Tag>}
      {assembly.outgroup ? (
        <Tag tone="grey" title={t('assembly.outgroupWhy')}>
          {t('assembly.outgroup')}
        </Tag>
      ) : null}
    </>
  )
}

/** Chooses one assembly, by species; typing filters by name, strain, accession or species. `needs` keeps those with that kind of data. */
export const AssemblyPicker = ({
  id,
  value,
  onChoose,
  needs,
  allowAll = false,
  placeholder,
  describedBy,
  invalid,
}: {
  id?: string
  value: string
  onChoose: (assembly: string) => void
  needs?: string
  /** Offers "all assemblies", chosen as the empty string. */
  allowAll?: boolean
  /** What it means that none is chosen, where that is an answer. */
  placeholder?: string | undefined
  describedBy?: string
  invalid?: true | undefined
}): ReactNode => {
  const t = useText(messages)
  const query = useSpecies()
  const all = useAssemblies()
  const assemblies = all.filter((one) => needs === undefined || (one.dataTypes[needs] ?? 0) > 0)
  const speciesName = useSpeciesNames()
  const assemblyName = useAssemblyNames()
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (value === '' ? '' : assemblyName(value))
  const parts = (typed ?? '').toLowerCase().split(/\s+/)
  const matching = assemblies.filter((one) => parts.every((part) => words(one).includes(part)))
  if (query.data === undefined && query.isError) return <Unanswered of={query} line />
  if (query.isSuccess && assemblies.length === 0)
    return <p className="nv-field-help">{t(all.length === 0 ? 'assembly.none' : 'assembly.noneWithData')}</p>
  return (
    <Combobox
      id={id}
      label={t('assembly.choose')}
      placeholder={placeholder ?? t(allowAll ? 'assembly.all' : 'assembly.choose')}
      text={shown}
      onText={(text) => {
        setTyped(text)
        if (text === '' && allowAll) onChoose('')
      }}
      clearable={allowAll}
      chooser
      busy={query.isPending}
      describedBy={describedBy}
      invalid={invalid}
      choices={[
        ...(allowAll && (typed ?? '') === '' ? [{ value: '', label: t('assembly.all') }] : []),
        ...matching.map((one) => ({
          value: one.id,
          group: speciesName(one.species),
          label: (
            <>
              {assemblyName(one.id)} <AssemblyMarks assembly={one} />
            </>
          ),
          hint: [one.strain === one.name ? null : one.strain, one.reference ? t('assembly.reference') : null]
            .filter((part) => part !== null)
            .join(' · '),
        })),
      ]}
      onChoose={(assembly) => {
        setTyped(null)
        onChoose(assembly)
      }}
      onFree={() => {
        const only = matching[0]
        setTyped(null)
        if (only !== undefined && typed !== null && typed !== '') onChoose(only.id)
      }}
    />
  )
}

/** Chooses several assemblies with boxes, grouped by species. */
export const AssembliesPicker = ({
  label,
  value,
  onChoose,
  needs,
  maximum,
}: {
  label: string
  value: string[]
  onChoose: (assemblies: string[]) => void
  needs?: string
  maximum?: number
}): ReactNode => {
  const query = useSpecies()
  const all = useAssemblies()
  const assemblies = all.filter((one) => needs === undefined || (one.dataTypes[needs] ?? 0) > 0)
  const assemblyName = useAssemblyNames()
  if (query.data === undefined && query.isError) return <Unanswered of={query} line />
  const groups = [...new Set(assemblies.map((one) => one.species))]
  return (
    <CheckGroup label={label}>
      {groups.map((group) => {
        const own = assemblies.filter((one) => one.species === group)
        const count = own.filter((one) => value.includes(one.id)).length
        return (
          <fieldset key={group}>
            <legend>
              <Checkbox
                checked={count === own.length}
                indeterminate={count > 0 && count < own.length}
                onCheck={(checked) => {
                  const others = value.filter((one) => !own.some((mine) => mine.id === one))
                  onChoose(checked ? [...others, ...own.map((one) => one.id)].slice(0, maximum) : others)
                }}
              >
                <SpeciesName id={group} />
              </Checkbox>
            </legend>
            {own.map((one) => (
              <Checkbox
                key={one.id}
                checked={value.includes(one.id)}
                disabled={!value.includes(one.id) && maximum !== undefined && value.length >= maximum}
                onCheck={(checked) => onChoose(checked ? [...value, one.id] : value.filter((id) => id !== one.id))}
              >
                {assemblyName(one.id)} <AssemblyMarks assembly={one} />
              </Checkbox>
            ))}
          </fieldset>
        )
      })}
    </CheckGroup>
  )
}
