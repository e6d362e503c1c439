import { type ReactNode, useMemo } from 'react'
import type { AssemblySummary, SpeciesSummary } from '../../../contracts/species.ts'
import { type Translate, useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useAssemblies, useSpecies } from '../portal-data.ts'

type NamedSpecies = Pick<SpeciesSummary, 'id' | 'name'> & {
  assemblies: readonly Pick<AssemblySummary, 'name' | 'strain' | 'reference'>[]
}

/** What tells a species from others that bear its name. */
export interface SpeciesMark {
  mark: string
  /** Assemblies that the mark stands for: the one it names and those loaded with it; 1 where the mark is the species' own id. */
  assemblies: number
}

const folded = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Ids of those whose names are equal but for case and spaces, group by group; a name that only one bears has none. */
const namesakes = <Named extends { name: string }>(all: readonly Named[]): Named[][] => {
  const groups = new Map<string, Named[]>()
  for (const one of all) groups.set(folded(one.name), [...(groups.get(folded(one.name)) ?? []), one])
  return [...groups.values()].filter((group) => group.length > 1)
}

/**
 * Marks of the species that share a scientific name with others, by id: the strain of the reference assembly (of the first one where
 * none is), else that assembly's name, else the species' id, whichever first differs between all of them. Others have no mark.
 *
 * Example: two of *Saccharomyces cerevisiae*, of S288C alone and of SK1 and Y12, are marked S288C (1) and SK1 (2).
 */
export const speciesMarks = (species: readonly NamedSpecies[]): Map<string, SpeciesMark> => {
  const marks = new Map<string, SpeciesMark>()
  for (const group of namesakes(species)) {
    const mainOf = ({ assemblies }: NamedSpecies) => assemblies.find((one) => one.reference) ?? assemblies[0]
    const ways = [(one: NamedSpecies) => mainOf(one)?.strain, (one: NamedSpecies) => mainOf(one)?.name]
    const way = ways.find((nameOf) => {
      const names = group.map((one) => nameOf(one) ?? '')
      return names.every((name) => name !== '') && new Set(names.map(folded)).size === names.length
    })
    for (const one of group)
      marks.set(one.id, { mark: way?.(one) ?? one.id, assemblies: way === undefined ? 1 : one.assemblies.length })
  }
  return marks
}

/**
 * Names of assemblies by id, with the id behind a name that another assembly has too.
 *
 * Example: `{ id: 'A', name: 'v1' }`, `{ id: 'B', name: 'v1' }` are "v1 (A)", "v1 (B)".
 */
export const assemblyNames = (assemblies: readonly Pick<AssemblySummary, 'id' | 'name'>[]): Map<string, string> => {
  const names = new Map(assemblies.map(({ id, name }) => [id, name]))
  for (const group of namesakes(assemblies)) for (const { id, name } of group) names.set(id, `${name} (${id})`)
  return names
}

const markText = (t: Translate<keyof typeof messages.en>, { mark, assemblies }: SpeciesMark): string =>
  t('species.mark', { mark, assemblies })

/** Names of species by id, to be told apart as plain text; the id itself of one that is not loaded. */
export const useSpeciesNames = (): ((id: string) => string) => {
  const t = useText(messages)
  const species = useSpecies().data?.species ?? []
  const marks = speciesMarks(species)
  return (id) => {
    const name = species.find((one) => one.id === id)?.name ?? id
    const mark = marks.get(id)
    return mark === undefined ? name : `${name} · ${markText(t, mark)}`
  }
}

/** The name of a species in italics, with what tells it from others of the same name. */
export const SpeciesName = ({ id }: { id: string }): ReactNode => {
  const t = useText(messages)
  const species = useSpecies().data?.species ?? []
  const mark = speciesMarks(species).get(id)
  return (
    <span>
      <i>{species.find((one) => one.id === id)?.name ?? id}</i>
      {mark === undefined ? null : ` · ${markText(t, mark)}`}
    </span>
  )
}

/** Names of assemblies by id, to be told apart; the id itself of one that is not loaded. */
export const useAssemblyNames = (): ((id: string) => string) => {
  const assemblies = useAssemblies()
  return useMemo(() => {
    const names = assemblyNames(assemblies)
    return (id) => names.get(id) ?? id
  }, [assemblies])
}

/** Names of assemblies in a row, all of them. */
export const useAssemblyList = (): ((ids: readonly string[]) => string) => {
  const nameOf = useAssemblyNames()
  const { series } = useFormat()
  return (ids) => series(ids.map(nameOf))
}
