import type { ReactNode } from 'react'
import type { AssemblySummary } from '../../../contracts/species.ts'
import { CheckGroup } from '../../../kit/ui/controls/check-group.tsx'
import { Field } from '../../../kit/ui/controls/field.tsx'
import { textOf } from '../../../kit/ui/controls/form-values.ts'
import { SpeciesName, useAssemblyNames, useSpeciesNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'
import type { DatabaseKind, Program } from '../programs.ts'
import { havingDatabase, planScope, usualKind } from '../search-scope.ts'
import type { Form } from './form-fields.tsx'

/** Which genomes are searched and how many, in words, with a button for all and one for each species. */
export const ScopeField = ({
  form,
  assemblies,
  program,
  chosen,
  open,
}: {
  form: Form
  assemblies: AssemblySummary[]
  program: Program
  /** Databases chosen one by one. */
  chosen: string[]
  /** None is: all that are loaded, or all of a species. */
  open: boolean
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const speciesName = useSpeciesNames()
  const assemblyName = useAssemblyNames()
  const chosenKinds = new Set(chosen.map((name) => name.slice(name.lastIndexOf('/') + 1) as DatabaseKind))
  const kind = open ? usualKind(program) : chosenKinds.size === 1 ? [...chosenKinds][0]! : 'genome'
  const having = havingDatabase(assemblies, kind)
  if (having.length === 0) return null
  const species = textOf(form.values.species)
  const groups = [...new Set(having.map((one) => one.species))]
  const scope = planScope(assemblies, program, {
    species: species || undefined,
    assembly: textOf(form.values.assembly) || undefined,
  })
  const status = !open
    ? t('form.scopeChosen', {
        searched: new Set(chosen.map((name) => name.slice(0, name.lastIndexOf('/')))).size,
        count: having.length,
        kind: chosenKinds.size === 1 ? kind : 'mixed',
      })
    : scope.leftOut.length > 0
      ? t('form.scopeCut', {
          searched: scope.names.length,
          count: scope.available,
          kind,
          names: format.list(scope.leftOut.map(assemblyName)),
        })
      : t('form.scopeWhole', {
          count: scope.available,
          kind,
          of: species === '' ? 'all' : 'species',
          species: speciesName(species),
          speciesCount: groups.length,
        })
  const choose = (group: string): void =>
    form.onValues({ databases: undefined, species: group === '' ? undefined : group })
  const button = (group: string, label: ReactNode): ReactNode => (
    <button
      key={group}
      type="button"
      className="blast-scope-choice"
      aria-pressed={open && species === group}
      onClick={() => choose(group)}
    >
      {label}
    </button>
  )
  return (
    <Field label={t('form.scope')} problems={form.problems.species}>
      {() => (
        <div className="blast-scope">
          <p role="status">{status}</p>
          {/* Nothing to choose where there is one species and all of it is searched. */}
          {having.length < 2 || (groups.length < 2 && open) ? null : (
            <CheckGroup label={t('form.scope')} className="blast-scope-choices">
              {button('', t('form.scopeAll', { count: having.length }))}
              {groups.length < 2
                ? null
                : groups.map((group) =>
                    button(
                      group,
                      <>
                        <SpeciesName id={group} />{' '}
                        {t('form.scopeSpecies', { count: having.filter((one) => one.species === group).length })}
                      </>,
                    ),
                  )}
            </CheckGroup>
          )}
        </div>
      )}
    </Field>
  )
}
