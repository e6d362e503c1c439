import { totalmem } from 'node:os'
import type { GeneSummary, ResolvedGenes } from '../../../contracts/genes.ts'
import type { Sql } from '../../../database/connect.ts'
import { findReusedIds } from '../../../database/former-genes.ts'
import {
  findGenesByNames,
  findNamedIds,
  type GeneLocus,
  type GeneParts,
  type GeneRow,
  geneRecord,
  geneSummary,
  getGeneParts,
  getGeneRows,
  getNamedParts,
  listGenesInRegion,
  type NamedGeneRow,
  type NamedId,
  nameKinds,
  readGeneTile,
  streamGeneRows,
} from '../../../database/genes.ts'
import { batchCalls } from '../../../database/search/batch-calls.ts'
import type { NameFilters } from '../../../database/search/bloom-filters.ts'
import { type MergedTables, type SearchedBundles, searchedBundles } from '../../../database/search/merged-tables.ts'
import { findNamed } from '../../../database/search/search.ts'
import type { Catalogue, GeneScopes } from '../catalogue.ts'
import type { CatalogueGene, GenomeSequence, NamedFeature, PortalData } from '../portal-data.ts'
import { createRegionTiles } from './region-tiles.ts'

/** One statement on its way while the answers of another are written; more would only be smaller. */
const gatherLimits = { atOnce: 2, max: 64 } as const

/** Genes of regions that are kept: of a machine of 16 GB a million. */
const tileBytes = Math.max(32 * 2 ** 20, Math.min(totalmem() / 64, 256 * 2 ** 20))
const placeOf = ({ name, lengthBp, circular }: GenomeSequence): GeneLocus => ({
  sequence: name,
  circularBp: circular ? lengthBp : null,
})

const catalogueGene = (row: GeneRow, assembly: string): CatalogueGene =>
  Object.assign(geneSummary(row, assembly), {
    name: row.name,
    aliases: row.aliases,
    attributes: row.attributes,
    transcripts: row.transcripts,
    proteinLength: row.protein_length,
  })

interface Gathered {
  bundles: SearchedBundles
  findNamed(name: string): Promise<NamedId[]>
  getParts(wanted: { bundle: number; key: string }): Promise<GeneParts | null>
  getNamedParts(wanted: { bundle: number; key: string }): Promise<GeneParts | 'several' | null>
}
/** Where names are looked up. */
interface Scopes {
  scopes: GeneScopes
  merged: readonly MergedTables[]
}

/** The best meanings of a name first: kind of name, then case as typed, then the order of the assemblies. */
const rankInterpretations = (name: string, rows: NamedGeneRow[], scopes: GeneScopes): NamedGeneRow[] => {
  const order = new Map([...scopes.keys()].map((bundle, number) => [bundle, number]))
  return [...rows].sort(
    (a, b) =>
      a.kind - b.kind ||
      Number(b.id === name || b.symbol === name) - Number(a.id === name || a.symbol === name) ||
      order.get(a.bundle)! - order.get(b.bundle)! ||
      (a.id < b.id ? -1 : 1),
  )
}

/** Genes of what is loaded. */
export interface GeneData
  extends Pick<
    PortalData,
    'getGene' | 'findFeatures' | 'listFeatures' | 'resolveGenes' | 'getGenes' | 'listGenesInRegion' | 'streamGenes'
  > {
  /** The genes of `listGenesInRegion` as the text of a JSON array; `truncated` when there are more than `limit`. */
  renderGenesInRegion(
    assembly: string,
    sequence: string,
    start1: number,
    end1: number,
    limit: number,
  ): Promise<{ genes: string; truncated: boolean }>
}

export const createGeneData = (options: {
  sql: Sql
  lookupSql: Sql
  searchSql: Sql
  catalogue: Catalogue
  nameFilters: NameFilters
  getSequence: PortalData['getSequence']
}): GeneData => {
  const { sql, lookupSql, searchSql, nameFilters, getSequence } = options
  const { snapshot, getEntry } = options.catalogue

  /** Look-ups in the same bundles, which go together to the database. */
  const gathered = new WeakMap<GeneScopes, Gathered>()

  const batchedFor = (scopes: GeneScopes, merged: readonly MergedTables[]): Gathered => {
    let found = gathered.get(scopes)
    if (found === undefined) {
      const bundles = searchedBundles(scopes.keys(), merged)
      const findNamed = async (names: string[]): Promise<NamedId[][]> => {
        const byName = new Map<string, NamedId[]>(names.map((name) => [name.toLowerCase(), []]))
        for (const named of await findNamedIds(lookupSql, bundles, [...byName.keys()]))
          byName.get(named.matched)!.push(named)
        return names.map((name) => byName.get(name.toLowerCase())!)
      }
      found = {
        bundles,
        findNamed: batchCalls(findNamed, gatherLimits),
        getParts: batchCalls(
          (wanted: { bundle: number; key: string }[]) => getGeneParts(lookupSql, scopes, wanted),
          gatherLimits,
        ),
        getNamedParts: batchCalls(
          (wanted: { bundle: number; key: string }[]) => getNamedParts(lookupSql, scopes, wanted),
          gatherLimits,
        ),
      }
      gathered.set(scopes, found)
    }
    return found
  }

  const tiles = createRegionTiles(
    (region, start1, end1) => readGeneTile(lookupSql, region, region.sequence, start1, end1),
    tileBytes,
  )

  const scopesFor = async (assembly: string | undefined): Promise<Scopes> => {
    if (assembly !== undefined) return { scopes: (await getEntry(assembly)).scopes, merged: [] }
    const { scopes, merged } = await snapshot()
    return { scopes, merged }
  }

  /** The gene that a name means first, and all that it means, best first, where these are several. */
  const findGene = async (
    name: string,
    { scopes, merged }: Scopes,
  ): Promise<{ parts: GeneParts; interpretations: NamedGeneRow[] } | null> => {
    const together = batchedFor(scopes, merged)
    const { bundles } = together
    const key = name.toLowerCase()
    // Nearly every name is one gene's alone, of a bundle that is known beforehand: one statement.
    const few = bundles.length === 1 ? bundles : nameFilters.findBundles(bundles, key)
    if (few !== null) {
      const parts = await Promise.all(few.map((bundle) => together.getNamedParts({ bundle, key })))
      const found = parts.filter((one) => one !== null)
      if (found.length === 0) return null
      if (found.length === 1 && found[0] !== 'several') return { parts: found[0]!, interpretations: [] }
    }
    const named = await together.findNamed(name)
    const first = named[0]
    if (first === undefined) return null
    // Of several the genes themselves tell which is meant first.
    const single = named.every((other) => other.bundle === first.bundle && other.id === first.id)
    const interpretations = single
      ? []
      : rankInterpretations(name, await findGenesByNames(lookupSql, bundles, [name]), scopes)
    const best = single ? first : interpretations[0]
    if (best === undefined) return null
    const parts = await together.getParts({ bundle: best.bundle, key: best.id })
    return parts === null ? null : { parts, interpretations }
  }

  return {
    getGene: async (name, assembly) => {
      const searched = await scopesFor(assembly)
      const { scopes } = searched
      const found = await findGene(name, searched)
      if (found === null) return null
      const { parts, interpretations } = found
      const scope = scopes.get(parts.row.bundle)!
      const { species, speciesName } = (await getEntry(scope.assembly)).summary
      const { row, terms } = parts
      const side = (gene: GeneParts['next']): GeneSummary | null =>
        gene === null ? null : { assembly: scope.assembly, ...gene }
      const neighbours = { previous: side(parts.previous), next: side(parts.next) }
      return {
        gene: geneRecord(row, scope, { species, speciesName }, terms, neighbours),
        alternatives: interpretations
          .slice(1)
          .filter((row) => row.kind === interpretations[0]!.kind)
          .slice(0, 50)
          .map((row) => geneSummary(row, scopes.get(row.bundle)!.assembly)),
      }
    },

    findFeatures: async (assembly, name) => {
      const bundles = [(await getEntry(assembly)).scope.bundle]
      const rows = await findNamed(searchSql, { bundles, type: 'feature' }, [name.trim().toLowerCase()])
      const meant = rows.filter(({ id }) => id === name.trim())
      return (meant.length > 0 ? meant : rows).flatMap(({ id, label, sequence, start1, end1, strand }) =>
        sequence === null || start1 === null || end1 === null
          ? []
          : [{ id, label, sequence, start: start1, end: end1, strand }],
      )
    },

    listFeatures: async (assembly, minBp, limit) => {
      const { bundle } = (await getEntry(assembly)).scope
      return await searchSql<NamedFeature[]>`
        select id, label, sequence, start1 as start, end1 as end, strand from search_entries
        where bundle = ${bundle} and type = 'feature' and end1 - start1 + 1 >= ${minBp}
        order by end1 - start1 desc, position limit ${limit}`
    },

    resolveGenes: async (names, assembly) => {
      const { scopes, merged } = await scopesFor(assembly)
      const rows = await findGenesByNames(lookupSql, batchedFor(scopes, merged).bundles, names)
      const byName = new Map<string, NamedGeneRow[]>()
      for (const row of rows) {
        const interpretations = byName.get(row.matched)
        if (interpretations === undefined) byName.set(row.matched, [row])
        else interpretations.push(row)
      }
      const named: { found: ResolvedGenes['found'][number]; bundle: number }[] = []
      const answer: ResolvedGenes = { found: [], ambiguous: [], unknown: [] }
      for (const query of names) {
        const interpretations = rankInterpretations(query, byName.get(query.toLowerCase()) ?? [], scopes)
        const best = interpretations[0]
        if (best === undefined) {
          answer.unknown.push(query)
          continue
        }
        // A name of a better kind wins outright; equals of the same kind are ambiguous unless only one is written the same.
        let equals = interpretations.filter((row) => row.kind === best.kind)
        const exact = equals.filter((row) => row.id === query || row.symbol === query)
        if (exact.length === 1) equals = exact
        const genes = equals.map((row) => geneSummary(row, scopes.get(row.bundle)!.assembly))
        if (genes.length === 1) {
          const found = {
            query,
            gene: genes[0]!,
            ...(best.kind === nameKinds.former ? { former: true as const } : {}),
          }
          answer.found.push(found)
          if (best.kind === nameKinds.identifier) named.push({ found, bundle: equals[0]!.bundle })
        } else answer.ambiguous.push({ query, genes: genes.slice(0, 50) })
      }
      const bundles = [...new Set(named.map(({ bundle }) => bundle))]
      const ids = named.map(({ found }) => found.gene.id)
      const reused = new Set((await findReusedIds(lookupSql, bundles, ids)).map(({ bundle, id }) => `${bundle} ${id}`))
      for (const { found, bundle } of named) if (reused.has(`${bundle} ${found.gene.id}`)) found.elsewhere = true
      return answer
    },

    getGenes: async (assembly, ids) => {
      const { scope } = await getEntry(assembly)
      const rows = new Map((await getGeneRows(sql, scope.bundle, ids)).map((row) => [row.id, row]))
      return ids.flatMap((id) => {
        const row = rows.get(id)
        return row ? [catalogueGene(row, assembly)] : []
      })
    },

    listGenesInRegion: async (assembly, sequence, start1, end1, limit) => {
      const { scope } = await getEntry(assembly)
      return listGenesInRegion(sql, scope, placeOf(await getSequence(assembly, sequence)), start1, end1, limit)
    },
    renderGenesInRegion: async (assembly, sequence, start1, end1, limit) => {
      const { scope } = await getEntry(assembly)
      const locus = placeOf(await getSequence(assembly, sequence))
      if (locus.circularBp === null) {
        const found = await tiles.find({ ...scope, sequence: locus.sequence, start1, end1 }, limit + 1)
        if (found !== null) return { genes: `[${found.slice(0, limit).join()}]`, truncated: found.length > limit }
      }
      const found = await listGenesInRegion(lookupSql, scope, locus, start1, end1, limit + 1)
      return { genes: JSON.stringify(found.slice(0, limit)), truncated: found.length > limit }
    },
    streamGenes: async function* (assembly) {
      const { scope } = await getEntry(assembly)
      for await (const rows of streamGeneRows(sql, scope.bundle)) yield rows.map((row) => catalogueGene(row, assembly))
    },
  }
}
