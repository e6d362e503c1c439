import type { Sql } from '../../database/connect.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { Fragment, Prepared, SearchedBundle } from './search-conditions.ts'
import type { FoundGene, SortKey } from './tool.ts'

interface GeneSearchRow {
  bundle: number
  id: string
  symbol: string | null
  name: string | null
  description: string | null
  biotype: string
  sequence: string
  start: number
  end: number
  strand: FoundGene['strand']
  aliases: string[]
  proteinLength: number | null
  exonCount: number
  transcriptCount: number
}

const columns = (sql: Sql): Fragment =>
  sql`g.bundle, g.id, g.symbol, g.name, g.description, g.biotype, g.sequence, g.start1 as start, g.end1 as end, g.strand,
      g.aliases, g.protein_length as "proteinLength", g.exon_count as "exonCount", g.transcript_count as "transcriptCount",
      g.position`

const sortExpression = (sql: Sql, sort: SortKey): Fragment =>
  ({
    position: sql`g.position`,
    id: sql`g.id`,
    symbol: sql`lower(g.symbol)`,
    biotype: sql`g.biotype`,
    lengthBp: sql`(g.end1 - g.start1)`,
    proteinLength: sql`g.protein_length`,
    exonCount: sql`g.exon_count`,
    transcriptCount: sql`g.transcript_count`,
  })[sort]

export const listSearchedBundles = async (
  assemblies: readonly string[],
  data: PortalData,
): Promise<SearchedBundle[]> => {
  const chosen =
    assemblies.length === 0
      ? await data.listAssemblies()
      : await Promise.all([...new Set(assemblies)].map((assembly) => data.getAssembly(assembly)))
  return Promise.all(
    chosen.map(async ({ id, species }) => ({
      assembly: id,
      bundle: await data.bundleNumber(id),
      speciesBundle: await data.speciesBundleNumber(species),
    })),
  )
}

const unionAll = (sql: Sql, parts: Fragment[]): Fragment =>
  parts.reduce((left, right) => sql`${left} union all ${right}`)

export const countGenes = async (
  sql: Sql,
  bundles: readonly SearchedBundle[],
  prepared: Prepared,
): Promise<Map<number, number>> => {
  if (bundles.length === 0) return new Map()
  const parts = bundles.map(
    (one) =>
      sql`select ${one.bundle}::int as bundle, count(*)::int as count
          from ${sql(`genes_${one.bundle}`)} g where ${prepared.where(one)}`,
  )
  const rows = await sql<{ bundle: number; count: number }[]>`${unionAll(sql, parts)}`
  return new Map(rows.map((row) => [row.bundle, row.count]))
}

/**
 * One page and the counts by bundle. Matches are found once, as narrow rows; only the page's genes are then read whole. Genes
 * without the value that is sorted by come last; equals in order along the assemblies.
 */
export const findPage = async (
  sql: Sql,
  bundles: readonly SearchedBundle[],
  prepared: Prepared,
  order: { sort: SortKey; descending: boolean },
  offset: number,
  limit: number,
): Promise<{ rows: GeneSearchRow[]; counts: Map<number, number> }> => {
  if (bundles.length === 0) return { rows: [], counts: new Map() }
  if (order.sort === 'position' && prepared.count !== null) {
    const counts = await countByItself(sql, bundles, prepared.count)
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (total > manyGenes) {
      return { rows: await listAlongGenome(sql, bundles, prepared, counts, order.descending, offset, limit), counts }
    }
  }
  const direction = order.descending ? sql`desc nulls last` : sql`asc nulls last`
  const key = sortExpression(sql, order.sort)
  const parts = bundles.map(
    (one, index) => sql`
      select ${index}::int as "index", g.position, ${key} as key
      from ${sql(`genes_${one.bundle}`)} g where ${prepared.where(one)}`,
  )
  // Along the genome, an assembly follows after another; by any other measure they are mixed.
  const outer = order.sort === 'position' ? sql`"index", key ${direction}` : sql`key ${direction}, "index", position`
  const found = await sql<{ index: number; position: number | null; count: number | null; rank: number }[]>`
    with matches as materialized (${unionAll(sql, parts)})
    select "index", null::int as position, count(*)::int as count, 0 as rank from matches group by "index"
    union all
    select "index", position, null, (row_number() over (order by ${outer}))::int
    from (select * from matches order by ${outer} offset ${offset} limit ${limit}) page`
  const counts = new Map<number, number>()
  const entries: { bundle: number; position: number; rank: number }[] = []
  for (const { index, position, count, rank } of found) {
    const { bundle } = bundles[index]!
    if (position === null) counts.set(bundle, count ?? 0)
    else entries.push({ bundle, position, rank })
  }
  return { rows: await readGenes(sql, entries), counts }
}

/** Beyond this many matches a page along the genome is met in order sooner than all matches are found and sorted. */
const manyGenes = 5000

const countByItself = async (
  sql: Sql,
  bundles: readonly SearchedBundle[],
  count: (bundle: SearchedBundle) => Fragment,
): Promise<Map<number, number>> => {
  const parts = bundles.map((one) => sql`select ${one.bundle}::int as bundle, (${count(one)}) as count`)
  const rows = await sql<{ bundle: number; count: number }[]>`${unionAll(sql, parts)}`
  return new Map(rows.map((row) => [row.bundle, row.count]))
}

/** Pages along the genome whose counts are known need no sorting, only the assemblies that they lie in. */
const listAlongGenome = async (
  sql: Sql,
  bundles: readonly SearchedBundle[],
  prepared: Pick<Prepared, 'where'>,
  counts: ReadonlyMap<number, number>,
  descending: boolean,
  offset: number,
  limit: number,
): Promise<GeneSearchRow[]> => {
  const entries: { bundle: number; position: number; rank: number }[] = []
  let before = 0
  for (const one of bundles) {
    const count = counts.get(one.bundle) ?? 0
    const from = Math.max(0, offset - before)
    const take = Math.min(limit - entries.length, count - from)
    before += count
    if (take <= 0) continue
    const rows = await sql<{ position: number }[]>`
      select g.position from ${sql(`genes_${one.bundle}`)} g where ${prepared.where(one)}
      order by g.position ${descending ? sql`desc` : sql`asc`} offset ${from} limit ${take}`
    for (const { position } of rows) entries.push({ bundle: one.bundle, position, rank: entries.length })
    if (entries.length >= limit) break
  }
  return readGenes(sql, entries)
}

/** Without criteria. */
export const listAllGenes = async (
  sql: Sql,
  bundles: readonly SearchedBundle[],
  descending: boolean,
  offset: number,
  limit: number,
): Promise<{ rows: GeneSearchRow[]; counts: Map<number, number> }> => {
  const everything = { where: () => sql`true`, count: null, readings: [] }
  const counts = await countGenes(sql, bundles, everything)
  return { rows: await listAlongGenome(sql, bundles, everything, counts, descending, offset, limit), counts }
}

const readGenes = async (
  sql: Sql,
  entries: readonly { bundle: number; position: number; rank: number }[],
): Promise<GeneSearchRow[]> => {
  const ranked: { rank: number; row: GeneSearchRow }[] = []
  for (const bundle of new Set(entries.map((entry) => entry.bundle))) {
    const own = new Map(
      entries.filter((entry) => entry.bundle === bundle).map(({ position, rank }) => [position, rank]),
    )
    const rows = await sql<(GeneSearchRow & { position: number })[]>`
      select ${columns(sql)} from ${sql(`genes_${bundle}`)} g where g.position = any(${[...own.keys()]})`
    for (const row of rows) ranked.push({ rank: own.get(row.position)!, row })
  }
  return ranked.sort((a, b) => a.rank - b.rank).map(({ row }) => row)
}

/**
 * All genes of one assembly in order, in batches. Their places are found at once and not through a cursor: that would hold a connection for
 * as long as whoever saves the file takes to.
 */
export async function* streamGenes(
  sql: Sql,
  searched: SearchedBundle,
  prepared: Prepared,
): AsyncGenerator<GeneSearchRow[]> {
  const { bundle } = searched
  const entries = await sql<{ position: number }[]>`
    select g.position from ${sql(`genes_${bundle}`)} g where ${prepared.where(searched)} order by g.position`
  for (let from = 0; from < entries.length; from += genesPerBatch)
    yield readGenes(
      sql,
      entries.slice(from, from + genesPerBatch).map(({ position }, rank) => ({ bundle, position, rank })),
    )
}

const genesPerBatch = 2000

export const listGeneIds = async (
  sql: Sql,
  bundle: SearchedBundle,
  prepared: Prepared,
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select g.id from ${sql(`genes_${bundle.bundle}`)} g where ${prepared.where(bundle)} order by g.position limit ${limit}`
  return rows.map((row) => row.id)
}

/** Terms of genes with their names, by gene and vocabulary; of all vocabularies where none are named. */
export const listTerms = async (
  sql: Sql,
  { bundle, speciesBundle }: Pick<SearchedBundle, 'bundle' | 'speciesBundle'>,
  genes: readonly string[],
  vocabularies: readonly string[] | null,
): Promise<{ gene: string; source: string; term: string; name: string | null }[]> => {
  const named = speciesBundle === null ? [bundle] : [bundle, speciesBundle]
  return sql<{ gene: string; source: string; term: string; name: string | null }[]>`
    with used as (
      select distinct gene, source, term from ${sql(`gene_terms_${bundle}`)}
      where gene = any(${[...genes]}) ${vocabularies === null ? sql`` : sql`and source = any(${[...vocabularies]})`}
    )
    select u.gene, u.source, u.term, named.name
    from used u
    left join lateral (
      select t.name from terms t where t.bundle = any(${named}) and t.term = u.term and t.source = u.source
      order by (t.name is null) limit 1
    ) named on true
    order by u.gene, u.source, u.term`
}

/** The rows as the answer has them, with the terms of the vocabularies asked for. */
export const describeGenes = async (
  sql: Sql,
  bundles: readonly SearchedBundle[],
  rows: readonly GeneSearchRow[],
  annotations: readonly string[],
): Promise<FoundGene[]> => {
  const byBundle = new Map(bundles.map((one) => [one.bundle, one]))
  const terms = new Map<string, FoundGene['terms']>()
  const keyOf = (bundle: number, gene: string): string => `${bundle} ${gene}`
  if (annotations.length > 0) {
    for (const { bundle, speciesBundle } of bundles) {
      const ids = rows.filter((row) => row.bundle === bundle).map((row) => row.id)
      if (ids.length === 0) continue
      const found = await listTerms(sql, { bundle, speciesBundle }, ids, annotations)
      for (const { gene, source, term, name } of found) {
        const key = keyOf(bundle, gene)
        const own = terms.get(key) ?? {}
        own[source] = [...(own[source] ?? []), { term, name }]
        terms.set(key, own)
      }
    }
  }
  return rows.map(({ bundle, ...row }) => ({
    assembly: byBundle.get(bundle)!.assembly,
    id: row.id,
    symbol: row.symbol,
    name: row.name,
    description: row.description,
    biotype: row.biotype,
    sequence: row.sequence,
    start: row.start,
    end: row.end,
    strand: row.strand,
    aliases: row.aliases,
    lengthBp: row.end - row.start + 1,
    proteinLength: row.proteinLength,
    exonCount: row.exonCount,
    transcriptCount: row.transcriptCount,
    terms: terms.get(keyOf(bundle, row.id)) ?? {},
    comparisons: {},
  }))
}
