import { PortalError } from '../../contracts/errors.ts'
import type { AssemblySummary, SpeciesSummary } from '../../contracts/species.ts'
import { listFilledBundles } from '../../database/baked-tables.ts'
import {
  type ActiveBundle,
  type ActiveSpecies,
  listActiveSpecies,
  listenToCatalogue,
  speciesSummary,
} from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import type { GeneScope } from '../../database/genes.ts'
import { listMergedTables, type MergedTables } from '../../database/search/merged-tables.ts'

/** Everything that is active at one moment, read once and kept until the catalogue changes. */
export interface Snapshot {
  active: ActiveSpecies[]
  species: SpeciesSummary[]
  assemblies: Map<string, LoadedAssembly>
  /** Of all assemblies, in their order. */
  scopes: GeneScopes
  /** Tables by which many bundles are searched. */
  merged: readonly MergedTables[]
  /** Bundles that have terms, and records. */
  filled: Record<'terms' | 'records', ReadonlySet<number>>
}

/** Where genes are looked up, by the number of the bundle. A snapshot has the same ones for every call, so that calls can go together. */
export type GeneScopes = ReadonlyMap<number, GeneScope>

export interface LoadedAssembly {
  summary: AssemblySummary
  bundle: ActiveBundle
  scope: GeneScope
  scopes: GeneScopes
}

/** What is loaded, as of now. It follows the catalogue: after a load or roll-back in any process, new calls see the new release. */
export interface Catalogue {
  snapshot(): Promise<Snapshot>
  /** Rejects with UNKNOWN_ASSEMBLY. */
  getEntry(assembly: string): Promise<LoadedAssembly>
  /** Assemblies by the numbers of their bundles; null of what belongs to a species as a whole. */
  bundlesOf(scope: { assembly?: string; species?: string }): Promise<Map<number, string | null>>
  /** What is found from a snapshot, looked for once for each. */
  openOnce<T>(find: (active: Snapshot) => Promise<T>): () => Promise<T>
  /** A number that changes whenever what is loaded changes. */
  generation(): number
  /** The next call looks anew. */
  forget(): void
  close(): Promise<void>
}

const takeSnapshot = async (sql: Sql): Promise<Snapshot> => {
  const [active, merged, terms, records] = await Promise.all([
    listActiveSpecies(sql),
    listMergedTables(sql),
    listFilledBundles(sql, 'terms'),
    listFilledBundles(sql, 'records'),
  ])
  const species = active.map(speciesSummary)
  const assemblies: Snapshot['assemblies'] = new Map()
  for (const [number, entry] of active.entries()) {
    const speciesBundle = entry.bundles.find((bundle) => bundle.assembly === null)?.bundle ?? null
    const bundles = new Map(entry.bundles.map((bundle) => [bundle.assembly, bundle]))
    for (const summary of species[number]!.assemblies) {
      const bundle = bundles.get(summary.id)!
      const scope = {
        bundle: bundle.bundle,
        assembly: summary.id,
        speciesBundle,
        longestGeneBp: bundle.summary.longestGeneBp,
      }
      assemblies.set(summary.id, { summary, bundle, scope, scopes: new Map([[scope.bundle, scope]]) })
    }
  }
  const scopes = new Map([...assemblies.values()].map(({ scope }) => [scope.bundle, scope]))
  return { active, species, assemblies, scopes, merged, filled: { terms, records } }
}

/** Opens the catalogue; `onChange` is called whenever what is loaded may have changed. */
export const openCatalogue = async (sql: Sql, onChange: () => void): Promise<Catalogue> => {
  let current: Promise<Snapshot> | null = null
  let generation = 0

  const forget = (): void => {
    current = null
    generation += 1
    onChange()
  }
  const stopListening = await listenToCatalogue(sql, forget)

  const snapshot = (): Promise<Snapshot> => {
    current ??= takeSnapshot(sql).catch((error: unknown) => {
      current = null
      throw error
    })
    return current
  }

  return {
    snapshot,
    generation: () => generation,
    forget,
    close: stopListening,
    getEntry: async (assembly) => {
      const entry = (await snapshot()).assemblies.get(assembly)
      if (entry === undefined) throw new PortalError('UNKNOWN_ASSEMBLY', { params: { assembly } })
      return entry
    },
    bundlesOf: async (scope) => {
      const bundles = new Map<number, string | null>()
      for (const species of (await snapshot()).active) {
        if (scope.species !== undefined && species.id !== scope.species) continue
        for (const bundle of species.bundles) {
          if (scope.assembly !== undefined && bundle.assembly !== scope.assembly) continue
          bundles.set(bundle.bundle, bundle.assembly)
        }
      }
      return bundles
    },
    openOnce: <T>(find: (active: Snapshot) => Promise<T>) => {
      let kept: { from: Promise<Snapshot>; opened: Promise<T> } | null = null
      const openNow = async (): Promise<T> => {
        await snapshot()
        const from = current
        if (from === null) return openNow()
        if (kept?.from !== from) {
          const opened = from.then((active) => find(active))
          kept = { from, opened }
          opened.catch(() => {
            kept = null
          })
        }
        return kept.opened
      }
      return openNow
    },
  }
}
