import type { AssemblySummary } from '../../contracts/species.ts'
import { type DatabaseKind, type Program, programFacts } from './programs.ts'
import { limits } from './tool.ts'

type Assembly = Pick<AssemblySummary, 'id' | 'species' | 'reference' | 'dataTypes'>

export interface SearchScope {
  /** Databases that are searched, as "assembly/kind". */
  names: string[]
  /** Assemblies that have such a database and are beyond what one search takes. */
  leftOut: string[]
  /** Assemblies that would have been searched without a limit. */
  available: number
}

/** What a program searches where no database is named: genomes, or proteins for programs that compare with proteins. */
export const usualKind = (program: Program): DatabaseKind =>
  programFacts[program].database === 'protein' ? 'protein' : 'genome'

/** Assemblies that have a database of that kind. */
export const havingDatabase = <One extends Pick<Assembly, 'dataTypes'>>(
  assemblies: readonly One[],
  kind: DatabaseKind,
): One[] => assemblies.filter((one) => (one.dataTypes[`blast-${kind}`] ?? 0) > 0)

/**
 * What is searched where nobody chose: every assembly, or every one of a species, for a search of the reference alone calls the
 * reference the owner of whatever it is asked about. The species of `assembly` stands first. Where there are more than one search
 * takes, each species is taken by turns, its reference first, so that none is missing that could be in.
 */
export const planScope = (
  assemblies: readonly Assembly[],
  program: Program,
  { species, assembly }: { species?: string | undefined; assembly?: string | undefined } = {},
  max: number = limits.databases,
): SearchScope => {
  const kind = usualKind(program)
  const home = assemblies.find((one) => one.id === assembly)?.species
  const all = havingDatabase(assemblies, kind)
    .filter((one) => species === undefined || one.species === species)
    .sort((a, b) => Number(b.species === home) - Number(a.species === home))
  const turns = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const one of [...all].sort(
    (a, b) => Number(b.id === assembly) - Number(a.id === assembly) || Number(b.reference) - Number(a.reference),
  )) {
    turns.set(one.id, seen.get(one.species) ?? 0)
    seen.set(one.species, (seen.get(one.species) ?? 0) + 1)
  }
  // `all` begins with the species that one comes with, and a sort leaves equal ones as they stand.
  const taken = new Set(
    [...all]
      .sort((a, b) => Number(b.species === home) - Number(a.species === home) || turns.get(a.id)! - turns.get(b.id)!)
      .slice(0, max)
      .map((one) => one.id),
  )
  return {
    names: all.filter((one) => taken.has(one.id)).map((one) => `${one.id}/${kind}`),
    leftOut: all.filter((one) => !taken.has(one.id)).map((one) => one.id),
    available: all.length,
  }
}
