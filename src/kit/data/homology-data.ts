import { join } from 'node:path'
import { genesOfGroupId } from '../../bio/comparative/orthology.ts'
import type { ActiveBundle } from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import {
  findGroupOfGene,
  getHomologRows,
  getOrthogroupRow,
  getOrthogroupRows,
  listGeneOrthogroups,
  type OrthogroupRow,
  streamOrthogroupRows,
} from '../../database/homologs.ts'
import type { PortalFiles } from '../../store/portal-files.ts'
import type { Catalogue, Snapshot } from './catalogue.ts'
import { findComputed } from './find-computed.ts'
import { bringsHomology } from './homology-inputs.ts'
import type { HomologyState, Orthogroup, PortalData } from './portal-data.ts'

interface OpenHomology {
  state: HomologyState
  files: ActiveBundle['summary']['files']
  /** Names of the assemblies that it covers, by the numbers of their bundles. */
  assemblies: Map<number, string>
}

/** What was computed from exactly what is active, else the newest there is. */
const findHomology = async (sql: Sql, active: Snapshot): Promise<OpenHomology | null> => {
  const coding = [...active.assemblies.values()].filter(({ summary }) => summary.codingGeneCount > 0)
  const species = active.active.flatMap((entry) =>
    entry.bundles.filter((bundle) => bundle.assembly === null && bringsHomology(bundle.summary.dataTypes)),
  )
  const inputs = [...coding.map(({ bundle }) => bundle.bundle), ...species.map((bundle) => bundle.bundle)]
  const found = await findComputed(sql, 'homology', inputs)
  if (found === null) return null
  const { bundle: best, current } = found
  const of = new Set(best.inputs)
  const assemblies = new Map(
    coding.flatMap(({ bundle, summary }) => (of.has(bundle.bundle) ? [[bundle.bundle, summary.id] as const] : [])),
  )
  const summary = best.summary as ActiveBundle['summary']
  return {
    state: {
      bundle: best.bundle,
      uid: best.uid,
      computedAt: best.createdAt.toISOString(),
      current,
      covered: [...assemblies.values()],
      missing: coding.flatMap(({ bundle, summary: one }) => (of.has(bundle.bundle) ? [] : [one.id])),
      orthogroupCount: summary.dataTypes.orthogroups ?? 0,
      about: summary.computed?.about ?? null,
    },
    files: summary.files,
    assemblies,
  }
}

const orthogroupOf = (row: OrthogroupRow, { assemblies }: OpenHomology): Orthogroup => ({
  id: row.id,
  position: row.position,
  source: row.source,
  members: new Map(
    [...assemblies].flatMap(([bundle, assembly]) => {
      const genes = row.members[String(bundle)]
      return genes === undefined ? [] : [[assembly, genes] as const]
    }),
  ),
})

/** Homologs and orthogroups over all assemblies. */
export interface HomologyData
  extends Pick<
    PortalData,
    | 'getHomology'
    | 'getOrthogroup'
    | 'getOrthogroups'
    | 'streamOrthogroups'
    | 'listHomologs'
    | 'listOrthogroups'
    | 'homologyFile'
  > {}

export const createHomologyData = (options: { sql: Sql; files: PortalFiles; catalogue: Catalogue }): HomologyData => {
  const { sql, files } = options
  const { getEntry, openOnce } = options.catalogue
  const openHomology = openOnce((active) => findHomology(sql, active))
  return {
    getHomology: async () => (await openHomology())?.state ?? null,
    getOrthogroup: async (id) => {
      const found = await openHomology()
      if (found === null) return null
      const { bundle } = found.state
      const row = await getOrthogroupRow(sql, bundle, id)
      if (row !== null) return orthogroupOf(row, found)
      // An id of before other genomes were loaded: the gene in it leads to the group that it is in now.
      for (const { gene, assembly } of genesOfGroupId(id)) {
        const among = [...found.assemblies].flatMap(([of, name]) =>
          assembly === null || name === assembly ? [of] : [],
        )
        const now = await findGroupOfGene(sql, bundle, among, gene)
        const led = now === null ? null : await getOrthogroupRow(sql, bundle, now)
        if (led !== null) return orthogroupOf(led, found)
      }
      return null
    },
    getOrthogroups: async (ids) => {
      const found = await openHomology()
      if (found === null) return new Map()
      const rows = await getOrthogroupRows(sql, found.state.bundle, ids)
      return new Map(rows.map((row) => [row.id, orthogroupOf(row, found)]))
    },
    streamOrthogroups: async function* () {
      const found = await openHomology()
      if (found === null) return
      for await (const rows of streamOrthogroupRows(sql, found.state.bundle))
        yield rows.map((row) => orthogroupOf(row, found)).filter((group) => group.members.size > 0)
    },
    listHomologs: async (assembly, genes) => {
      const found = await openHomology()
      const { bundle } = await getEntry(assembly)
      if (found === null || !found.assemblies.has(bundle.bundle)) return []
      const rows = new Map(
        (await getHomologRows(sql, found.state.bundle, bundle.bundle, genes)).map((row) => [row.gene, row]),
      )
      return genes.flatMap((gene) => {
        const row = rows.get(gene)
        if (row === undefined) return []
        const homologs = row.hits.flatMap(({ bundle: of, ...hit }) => {
          const known = found.assemblies.get(of)
          return known === undefined ? [] : [{ ...hit, assembly: known }]
        })
        return [{ gene, orthogroup: row.orthogroup, homologs }]
      })
    },
    listOrthogroups: async (assembly, genes) => {
      const found = await openHomology()
      const { bundle } = await getEntry(assembly)
      if (found === null || !found.assemblies.has(bundle.bundle)) return new Map()
      const rows = await listGeneOrthogroups(sql, found.state.bundle, bundle.bundle, genes)
      return new Map([...rows].flatMap(([gene, group]) => (group === null ? [] : [[gene, group] as const])))
    },
    homologyFile: async (kind) => {
      const found = await openHomology()
      const file = found?.files.find((entry) => entry.kind === kind)
      return file === undefined ? null : join(await files.fetch(found!.state.uid, [file]), file.path)
    },
  }
}
