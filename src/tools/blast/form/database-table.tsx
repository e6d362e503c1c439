import { type ReactNode, useState } from 'react'
import type { AssemblySummary } from '../../../contracts/species.ts'
import { AssemblyMarks } from '../../../kit/ui/controls/assembly-picker.tsx'
import { CheckGroup } from '../../../kit/ui/controls/check-group.tsx'
import { Checkbox, TextInput } from '../../../kit/ui/controls/field.tsx'
import { useSpeciesNames } from '../../../kit/ui/gene/species-names.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'
import { alphabetOfDatabase, type DatabaseKind, databaseKinds } from '../programs.ts'
import { limits } from '../tool.ts'

/** Databases as a table: a row an assembly, a column a kind. Proteins and nucleotides exclude each other. */
export const DatabaseTable = ({
  assemblies,
  chosen,
  onChoose,
}: {
  assemblies: AssemblySummary[]
  chosen: string[]
  onChoose: (names: string[]) => void
}): ReactNode => {
  const t = useText(messages)
  const speciesName = useSpeciesNames()
  const [words, setWords] = useState('')
  const kinds = databaseKinds.filter((kind) =>
    assemblies.some((assembly) => assembly.dataTypes[`blast-${kind}`] !== undefined),
  )
  const shown = assemblies.filter((assembly) =>
    [assembly.id, assembly.name, assembly.strain, assembly.speciesName]
      .join(' ')
      .toLowerCase()
      .includes(words.trim().toLowerCase()),
  )
  const has = (assembly: AssemblySummary, kind: DatabaseKind): boolean =>
    assembly.dataTypes[`blast-${kind}`] !== undefined
  const change = (names: string[], on: boolean): void => {
    const first = names[0]
    if (first === undefined) return
    const alphabet = alphabetOfDatabase(first)
    const kept = chosen.filter((name) => !names.includes(name) && (!on || alphabetOfDatabase(name) === alphabet))
    onChoose(on ? [...kept, ...names].slice(0, limits.databases) : kept)
  }
  if (kinds.length === 0) return <p className="nv-quiet">{t('form.noDatabases')}</p>
  return (
    <div className="blast-databases">
      {assemblies.length > 6 ? (
        <TextInput
          type="search"
          placeholder={t('form.findAssembly')}
          aria-label={t('form.findAssembly')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      ) : null}
      <CheckGroup label={t('field.databases')} className="blast-databases-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="nv-quiet">{t('form.chosen', { count: chosen.length })}</span>
              </th>
              {kinds.map((kind) => {
                const names = shown.filter((one) => has(one, kind)).map((one) => `${one.id}/${kind}`)
                const on = names.length > 0 && names.every((name) => chosen.includes(name))
                return (
                  <th key={kind} scope="col">
                    <button
                      type="button"
                      title={on ? t('form.chooseNone') : t('form.chooseAll')}
                      onClick={() => change(names, !on)}
                    >
                      {t(`option.kind.${kind}`)}
                    </button>
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((assembly) => (
              <tr key={assembly.id}>
                <th scope="row" title={speciesName(assembly.species)}>
                  {assembly.id} <AssemblyMarks assembly={assembly} />
                </th>
                {kinds.map((kind) => (
                  <td key={kind}>
                    {has(assembly, kind) ? (
                      <Checkbox
                        label={`${assembly.id} ${t(`option.kind.${kind}`)}`}
                        checked={chosen.includes(`${assembly.id}/${kind}`)}
                        onCheck={(on) => change([`${assembly.id}/${kind}`], on)}
                      />
                    ) : (
                      <span className="nv-none">–</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </CheckGroup>
    </div>
  )
}
