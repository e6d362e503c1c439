import { join } from 'node:path'
import type { z } from 'zod'
import type { Sql } from '../../database/connect.ts'
import { getRecord, listRecords } from '../../database/records.ts'
import { createNameFilters, type NameFilters } from '../../database/search/bloom-filters.ts'
import { getBundleFolder } from '../../store/bundle.ts'
import type { PortalFiles } from '../../store/portal-files.ts'
import { createAlignmentData } from './alignment-data.ts'
import { alignmentsAboutSchema } from './alignment-files.ts'
import { openCatalogue, type Snapshot } from './catalogue.ts'
import { type ComputedBundle, findComputed, openComputed, withIndexes } from './find-computed.ts'
import { createGeneData, type GeneData } from './genes/gene-data.ts'
import { resolveByOrthologs } from './genes/ortholog-names.ts'
import { createHomologyData } from './homology-data.ts'
import type { PortalData } from './portal-data.ts'
import { createPresenceData, presenceAboutSchema } from './presence-data.ts'
import { createSequenceData } from './sequence-data.ts'

export interface OpenPortalData extends PortalData, Pick<GeneData, 'renderGenesInRegion'> {
  /** Bundles and species as of now, for the server's own endpoints. */
  snapshot(): Promise<Snapshot>
  /** All bundles that an answer may be made of: those of the active species, and what was computed over all of them. */
  listBundlesInUse(): Promise<{ bundle: number; uid: string }[]>
  /** Whether just these bundles are in use, by their numbers; looks anew where it seems not. */
  usesBundles(bundles: readonly number[]): Promise<boolean>
  /** Forgets what was in use: the next call looks anew. For who has found a bundle gone before the word of it came. */
  invalidate(): void
  /** Connections for look-ups: their statements are planned once. */
  lookupSql: Sql
  /** The same for ranked searches, which look-ups need not wait for. */
  searchSql: Sql
  /** Which assembly a name is to be looked up in. */
  nameFilters: NameFilters
  /** A number that changes whenever what is loaded changes. */
  generation(): number
  close(): Promise<void>
}

interface OpenComputed<About> {
  computed: ComputedBundle
  about: About
  /** Names of all loaded assemblies by the numbers of their bundles. */
  assemblies: Map<number, string>
}

/** What was computed of exactly what is active, else the newest there is; null where its description is not of this version. */
const findOpen = async <About>(
  what: 'alignments' | 'presence',
  schema: z.ZodType<About>,
  { sql, files, active }: { sql: Sql; files: PortalFiles; active: Snapshot },
): Promise<OpenComputed<About> | null> => {
  const assemblies = new Map([...active.assemblies.values()].map(({ bundle, summary }) => [bundle.bundle, summary.id]))
  const found = await findComputed(sql, what, [...assemblies.keys()])
  if (found === null) return null
  const computed = openComputed(found.bundle, files)
  const about = schema.safeParse(computed.about)
  return about.success ? { computed, about: about.data, assemblies } : null
}

/**
 * Opens the reading face over the database and the files of the bundles. It follows the catalogue: after a load or roll-back in any
 * process, new calls see the new release, and calls under way end on the old one (its files stay until the sweep).
 */
export const openPortalData = async (options: {
  sql: Sql
  /** Where look-ups run that many ask for at once; `sql` when there is none. */
  lookupSql?: Sql
  /** Where ranked searches run; `sql` when there is none. */
  searchSql?: Sql
  files: PortalFiles
  /** How long the genome of a bundle that is not active any more stays open for those who still read it. */
  retireMs?: number
}): Promise<OpenPortalData> => {
  const { sql, lookupSql = sql, searchSql = sql, files, retireMs } = options

  /** Lets go of what is kept of bundles that are not active any more. */
  const retire = async (): Promise<void> => {
    const active = (await catalogue.snapshot()).active.flatMap((entry) => entry.bundles)
    sequences.keepOnly(active)
    nameFilters.keepOnly(new Set(active.map((bundle) => bundle.bundle)))
  }
  const nameFilters = createNameFilters(sql)
  const sequences = createSequenceData({
    sql,
    getEntry: (assembly) => catalogue.getEntry(assembly),
    files,
    retireMs,
  })
  const catalogue = await openCatalogue(sql, () => {
    // A database that is away says so to the next reader; the next change retires then.
    if (sequences.size + nameFilters.size > 0) retire().catch(() => undefined)
  })
  const { snapshot, getEntry, bundlesOf, forget } = catalogue
  const withRecords = async (bundles: ReadonlyMap<number, string | null>): Promise<number[]> => {
    const { filled } = await snapshot()
    return [...bundles.keys()].filter((bundle) => filled.records.has(bundle))
  }
  const genes = createGeneData({
    sql,
    lookupSql,
    searchSql,
    catalogue,
    nameFilters,
    getSequence: sequences.getSequence,
  })
  const homology = createHomologyData({ sql, files, catalogue })
  const openAligned = catalogue.openOnce((active) =>
    findOpen('alignments', alignmentsAboutSchema, { sql, files, active }),
  )
  const openPresence = catalogue.openOnce((active) => findOpen('presence', presenceAboutSchema, { sql, files, active }))
  const describeOpen = async <About>(opening: Promise<OpenComputed<About> | null>) => {
    const found = await opening
    if (found === null) return null
    const { computed, about, assemblies } = found
    return { about, assemblies, findFile: computed.findFile, computedAt: computed.computedAt }
  }
  const listSiblings = async (assembly: string): Promise<string[]> => {
    const { summary } = await getEntry(assembly)
    const all = (await snapshot()).species.find(({ id }) => id === summary.species)?.assemblies ?? []
    return all.map(({ id }) => id)
  }

  const data: OpenPortalData = {
    sql,
    lookupSql,
    searchSql,
    nameFilters,
    snapshot,
    generation: catalogue.generation,
    close: async () => {
      await catalogue.close()
      nameFilters.close()
      await sequences.close()
    },

    listSpecies: async () => (await snapshot()).species,
    listAssemblies: async () => (await snapshot()).species.flatMap((species) => species.assemblies),
    getAssembly: async (assembly) => (await getEntry(assembly)).summary,
    defaultAssembly: async () => {
      const all = (await snapshot()).species.flatMap((species) => species.assemblies)
      return all.find((assembly) => assembly.reference) ?? all[0] ?? null
    },

    listSequences: sequences.listSequences,
    listAliasedSequences: sequences.listAliasedSequences,
    getSequence: sequences.getSequence,
    fetchSequence: sequences.fetchSequence,
    streamSequence: sequences.streamSequence,
    ...genes,
    resolveGenes: (names, assembly) => {
      const { listAssemblies, getAssembly } = data
      const { resolveGenes, getGenes } = genes
      return resolveByOrthologs({ ...homology, listAssemblies, getAssembly, resolveGenes, getGenes }, names, assembly)
    },

    listRecords: async <T>(kind: string, scope: { assembly?: string; species?: string }) => {
      const bundles = await bundlesOf(scope)
      const rows = await listRecords<T>(sql, await withRecords(bundles), kind)
      return rows.map((row) => ({ id: row.id, assembly: bundles.get(row.bundle)!, data: row.data }))
    },
    getRecord: async <T>(kind: string, id: string, scope: { assembly?: string; species?: string }) =>
      getRecord<T>(sql, await withRecords(await bundlesOf(scope)), kind, id),
    bundleFile: async (assembly, kindOrPath) => {
      const { bundle } = await getEntry(assembly)
      const file = bundle.summary.files.find((entry) => entry.kind === kindOrPath || entry.path === kindOrPath)
      return file ? join(await files.fetch(bundle.uid, withIndexes(bundle.summary.files, file.path)), file.path) : null
    },
    bundleFiles: async (assembly, prefix) => {
      const { bundle } = await getEntry(assembly)
      const wanted = bundle.summary.files.filter(({ path }) => path.startsWith(prefix))
      return files.fetch(bundle.uid, wanted)
    },
    openBundleFile: async (assembly, path) => {
      const { bundle } = await getEntry(assembly)
      const file = bundle.summary.files.find((entry) => entry.path === path)
      return file ? files.open(bundle.uid, file) : null
    },
    bundleDirectory: async (assembly) => getBundleFolder(files.dataDir, (await getEntry(assembly)).bundle.uid),
    ...homology,
    alignments: createAlignmentData({
      open: () => describeOpen(openAligned()),
      getSequence: sequences.getSequence,
      listSiblings,
    }),
    presence: createPresenceData({ open: () => describeOpen(openPresence()), listSiblings }),
    listBundlesInUse: async () => {
      const computed = [
        await homology.getHomology(),
        (await openAligned())?.computed ?? null,
        (await openPresence())?.computed ?? null,
      ]
      const active = (await snapshot()).active.flatMap((entry) => entry.bundles)
      return [...active, ...computed.filter((one) => one !== null)].map(({ bundle, uid }) => ({ bundle, uid }))
    },
    invalidate: forget,
    usesBundles: async (bundles) => {
      const isSame = async (): Promise<boolean> => {
        const used = await data.listBundlesInUse()
        return used.length === bundles.length && used.every(({ bundle }) => bundles.includes(bundle))
      }
      if (await isSame()) return true
      // The word of a change may still be on its way here.
      forget()
      return isSame()
    },
    bundleNumber: async (assembly) => (await getEntry(assembly)).scope.bundle,
    speciesBundleNumber: async (species) =>
      (await snapshot()).active
        .find((entry) => entry.id === species)
        ?.bundles.find((bundle) => bundle.assembly === null)?.bundle ?? null,
  }

  return data
}
