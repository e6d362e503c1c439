import type { Gene, GeneSummary, GeneTerm, Transcript } from '../contracts/genes.ts'
import { tableNumber } from './baked-tables.ts'
import type { Sql } from './connect.ts'
import { memoize } from './search/memoize.ts'
import { type SearchedBundles, searchTablesOf } from './search/merged-tables.ts'

/** A bundle to look in, with the assembly it holds and the species' own bundle for the names of terms. */
export interface GeneScope {
  bundle: number
  assembly: string
  speciesBundle: number | null
  longestGeneBp: number
}

/** A transcript as it is stored and read by tools: that of the gene's public record, intervals as lists, which take a third of the room. */
export interface StoredTranscript
  extends Omit<Transcript, 'exons' | 'cds' | 'readingOrder' | 'cdnaLengthBp' | 'cdsLengthBp'> {
  exons: [start: number, end: number][]
  cds: [start: number, end: number, phase: number][]
  /** Coding parts as they are read, each on its strand; only of a trans-spliced transcript. */
  readingOrder?: [start: number, end: number, strand: '+' | '-'][]
}

export interface GeneRow {
  bundle: number
  id: string
  symbol: string | null
  name: string | null
  description: string | null
  biotype: string
  sequence: string
  start1: number
  end1: number
  strand: '+' | '-' | '.'
  position: number
  aliases: string[]
  attributes: Record<string, string[]>
  transcripts: StoredTranscript[]
  protein_length: number | null
}

export type GeneSummaryRow = Pick<
  GeneRow,
  'bundle' | 'id' | 'symbol' | 'description' | 'biotype' | 'sequence' | 'start1' | 'end1' | 'strand'
>

const summaryColumns = 'bundle id symbol description biotype sequence start1 end1 strand'.split(' ')
/** Of a whole row. */
const recordColumns = [...summaryColumns, ...'name position aliases attributes transcripts protein_length'.split(' ')]

/** Columns of the table named `g`. */
const ofGene = (columns: readonly string[]): string[] => columns.map((column) => `g.${column}`)

/** Columns as a part of a statement. */
const listed = (sql: Sql, columns: readonly string[]) => sql.unsafe(columns.join(', '))

/**
 * The public summary of a row, in the assembly whose bundle it comes from. Whoever has more to say of a gene adds it by Object.assign:
 * to an object begun by a spread V8 adds fields with hidden classes made anew each time, and those outlive it until a full collection.
 */
export const geneSummary = (row: GeneSummaryRow, assembly: string): GeneSummary => ({
  assembly,
  id: row.id,
  symbol: row.symbol,
  description: row.description,
  biotype: row.biotype,
  sequence: row.sequence,
  start: row.start1,
  end: row.end1,
  strand: row.strand,
})

/** Kinds of names in search_names, best first; `former` are ids of genes that an annotation before had, and that became this one. */
export const nameKinds = { identifier: 0, symbol: 1, alias: 2, product: 3, former: 8 } as const

export interface NamedGeneRow extends GeneSummaryRow {
  matched: string
  kind: number
}

/** A gene that has a name: which one, and by what kind of name. */
export interface NamedId {
  bundle: number
  matched: string
  kind: number
  id: string
}

/**
 * Which genes of the bundles have one of the names, given in lower case, once for each kind of name; in order of name, bundle, gene and
 * kind. Reads the bundles' own tables one by one: what is planned for the whole partitioned table is planned anew each time.
 */
export const findNamedIds = async (sql: Sql, bundles: SearchedBundles, keys: string[]): Promise<NamedId[]> => {
  if (bundles.length === 0 || keys.length === 0) return []
  const named = await sql.unsafe<NamedId[]>(namesStatement(bundles), [keys], { prepare: true })
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return named.sort(
    (a, b) => compare(a.matched, b.matched) || a.bundle - b.bundle || compare(a.id, b.id) || a.kind - b.kind,
  )
}

const namesStatement = memoize((bundles: SearchedBundles) =>
  searchTablesOf(bundles)
    .map(
      (table) =>
        `select ${table.bundleOf('n')} as bundle, n.name as matched, n.kind, n.id from ${table.nameOf('search_names')} n
         where n.name = any($1::text[]) and n.type = 'gene' and ${table.isSearched('n')}`,
    )
    .join(' union all '),
)

/** Ids of the genes of a bundle whose position along the genome, from 0, is in `[from0, to0)`, in that order. */
export const listGeneIds = async (sql: Sql, bundle: number, from0: number, to0: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from genes where bundle = ${bundle} and position >= ${from0} and position < ${to0} order by position`
  return rows.map(({ id }) => id)
}

/** Genes of one name that are read: an answer shows 50 at most, and of strains each may have one. */
const maxMeanings = 51

/** Of each name its best genes: by the kind of name, then by the order of the bundles. */
const bestMeanings = (named: readonly NamedId[], bundles: readonly number[]): NamedId[] => {
  if (named.length <= maxMeanings) return [...named]
  const order = new Map(bundles.map((bundle, place) => [bundle, place]))
  const ranked = named
    .map((one, at) => ({ one, at }))
    .sort((a, b) => a.one.kind - b.one.kind || order.get(a.one.bundle)! - order.get(b.one.bundle)! || a.at - b.at)
  const taken = new Map<string, Set<string>>()
  const kept = ranked.filter(({ one: { matched, bundle, id } }) => {
    const genes = taken.get(matched) ?? new Set()
    taken.set(matched, genes)
    return genes.size < maxMeanings ? genes.add(`${bundle} ${id}`) : genes.has(`${bundle} ${id}`)
  })
  return kept.sort((a, b) => a.at - b.at).map(({ one }) => one)
}

/**
 * Genes that any of the names means, in the bundles given: names are compared without case. Each row says which name it matched
 * and by what kind of name (0 identifier, 1 symbol, 2 alias, 3 transcript or protein). Of a name that very many genes have the best: those
 * of the best kind of name, then of the bundles that come first.
 */
export const findGenesByNames = async (
  sql: Sql,
  bundles: SearchedBundles,
  names: string[],
): Promise<NamedGeneRow[]> => {
  if (bundles.length === 0 || names.length === 0) return []
  const keys = [...new Set(names.map((name) => name.toLowerCase()))]
  if (bundles.length === 1) {
    // One bundle's own tables: spares the planner the other partitions.
    const bundle = bundles[0]!
    return sql<NamedGeneRow[]>`
      select distinct on (n.name, g.id) n.name as matched, n.kind, ${listed(sql, ofGene(summaryColumns))}
      from ${sql(`search_names_${bundle}`)} n
      join ${sql(`genes_${bundle}`)} g on g.id = n.id
      where n.name = any(${keys}) and n.type = 'gene'
      order by n.name, g.id, n.kind`
  }
  // Names first, then the genes in the tables of the few bundles that have them: to plan a join of all partitions with all takes
  // several times longer than both look-ups.
  const named = bestMeanings(await findNamedIds(sql, bundles, keys), bundles)
  const ids = new Map<number, Set<string>>()
  for (const { bundle, id } of named) {
    const ofBundle = ids.get(bundle)
    if (ofBundle === undefined) ids.set(bundle, new Set([id]))
    else ofBundle.add(id)
  }
  const genes = new Map<string, GeneSummaryRow>()
  await Promise.all(
    [...ids].map(async ([bundle, wanted]) => {
      const rows = await sql<GeneSummaryRow[]>`
        select ${listed(sql, ofGene(summaryColumns))} from ${sql(`genes_${bundle}`)} g where g.id = any(${[...wanted]})`
      for (const row of rows) genes.set(`${bundle} ${row.id}`, row)
    }),
  )
  const found: NamedGeneRow[] = []
  let last = ''
  for (const { bundle, matched, kind, id } of named) {
    const gene = genes.get(`${bundle} ${id}`)
    // A name of several kinds counts as its best, which comes first.
    const key = `${matched}\0${bundle}\0${id}`
    if (gene === undefined || key === last) continue
    last = key
    found.push({ matched, kind, ...gene })
  }
  return found
}

/** Whole rows by exact id; unknown ids are left out, order is the table's. */
export const getGeneRows = async (sql: Sql, bundle: number, ids: string[]): Promise<GeneRow[]> =>
  sql<GeneRow[]>`
    select ${listed(sql, recordColumns)} from ${sql(`genes_${bundle}`)} where id = any(${ids})`

/** All rows in order of position, `size` at a time. */
export async function* streamGeneRows(sql: Sql, bundle: number, size = 2000): AsyncGenerator<GeneRow[]> {
  let position = -1
  while (true) {
    const rows = await sql<GeneRow[]>`
      select ${listed(sql, recordColumns)} from ${sql(`genes_${bundle}`)} where position > ${position} order by position limit ${size}`
    if (rows.length === 0) return
    yield rows
    position = rows.at(-1)!.position
  }
}

/** Where genes are looked up; `circularBp` is the length of a circular sequence, null of a linear one. */
export interface GeneLocus {
  sequence: string
  circularBp: number | null
}

/**
 * Genes that overlap start1..end1, in order of start; the look-back is bounded by the bundle's longest gene. On a circular sequence a
 * gene that crosses the origin (its end lies beyond the length) is found at both its parts, and the region may cross it the same way;
 * genes then come in the order in which they lie in the region, with the coordinates they have.
 */
export const listGenesInRegion = async (
  sql: Sql,
  scope: GeneScope,
  { sequence, circularBp }: GeneLocus,
  start1: number,
  end1: number,
  limit: number,
): Promise<GeneSummary[]> => {
  const genes = sql(`genes_${scope.bundle}`)
  if (circularBp === null) {
    const rows = await sql<GeneSummaryRow[]>`
      select ${listed(sql, ofGene(summaryColumns))} from ${genes} g
      where g.sequence = ${sequence} and g.start1 between ${Math.max(0, start1 - scope.longestGeneBp)} and ${end1}
        and g.end1 >= ${start1}
      order by g.start1, g.end1 limit ${limit}`
    return rows.map((row) => geneSummary(row, scope.assembly))
  }
  // A gene as it stands, one turn back (its part behind the origin) and one turn on (the region's part behind it).
  const rows = await sql<(GeneSummaryRow & { placed1: number })[]>`
    select * from (
      select distinct on (g.id) ${listed(sql, ofGene(summaryColumns))}, g.start1 + turn.bp as placed1
      from (values (0), (${-circularBp}::int), (${circularBp}::int)) turn (bp)
      join ${genes} g on g.sequence = ${sequence}
        and g.start1 between ${start1 - scope.longestGeneBp} - turn.bp and ${end1} - turn.bp
        and g.end1 >= ${start1} - turn.bp
      order by g.id, g.start1 + turn.bp
    ) found
    order by placed1, end1 - start1 limit ${limit}`
  return rows.map((row) => geneSummary(row, scope.assembly))
}

/** Genes of a sequence that start within start1..end1, in order of start and end, with their summaries as JSON texts. */
export const readGeneTile = async (
  sql: Sql,
  scope: Pick<GeneScope, 'bundle' | 'assembly'>,
  sequence: string,
  start1: number,
  end1: number,
): Promise<{ starts1: number[]; ends1: number[]; texts: string[] }> => {
  const rows = await sql.unsafe<{ start: number; end: number; text: string }[]>(
    `select found.start, found."end", row_to_json(found)::text as text from (
       select $1::text as assembly, ${summaryFields('g')} from genes_${tableNumber(scope.bundle)} g
       where g.sequence = $2 and g.start1 between $3 and $4 order by g.start1, g.end1) found`,
    [scope.assembly, sequence, start1, end1],
    { prepare: true },
  )
  return {
    starts1: rows.map((row) => row.start),
    ends1: rows.map((row) => row.end),
    texts: rows.map((row) => row.text),
  }
}

/**
 * A gene's row with all that its record needs besides. Its neighbours are the nearest genes that start and end before it, and after it,
 * whatever their strand: genes of an operon overlap by some bases. One within the other is neither. On a circular sequence the first gene has the last before it, and the
 * last the first after it.
 */
export interface GeneParts {
  row: GeneRow
  terms: GeneTerm[]
  previous: Omit<GeneSummary, 'assembly'> | null
  next: Omit<GeneSummary, 'assembly'> | null
}

const summaryFields = (gene: string): string =>
  `${gene}.id, ${gene}.symbol, ${gene}.description, ${gene}.biotype, ${gene}.sequence, ${gene}.start1 as start, ${gene}.end1 as "end", ${gene}.strand`

/** What genes are asked for by: exact ids, or names in lower case of whatever kind. */
type AskedBy = 'id' | 'name'

/** Of a name that several genes have two are found: enough to know it. */
const askedGenes = (bundle: number, by: AskedBy, number: number): string => {
  const own = tableNumber(bundle)
  return by === 'id'
    ? `(select g.id as asked, g.* from genes_${own} g where g.id = any($${number}::text[])) g`
    : `(select wanted.name as asked, g.* from unnest($${number}::text[]) wanted (name)
        cross join lateral (
          select distinct n.id from search_names_${own} n where n.name = wanted.name and n.type = 'gene' limit 2) named
        join genes_${own} g on g.id = named.id) g`
}

/**
 * The neighbours of a gene `g` as two columns of JSON. A circular sequence is laid out behind itself once more: what lies before the gene is
 * sought where it stands and a turn back, what lies after it a turn on, by the index each time and not through all genes; where the sequence
 * is linear `around.bp` is null and the turn finds nothing.
 */
const neighbourColumns = (own: string): string => {
  /** Whether neither lies within the other, wherever the circle is cut; so no gene is a neighbour of itself. */
  const isApart = (gene: string): string =>
    ['0', 'around.bp', '-around.bp']
      .map((turn) => {
        const [start1, end1] = [`${gene}.start1 + ${turn}`, `${gene}.end1 + ${turn}`]
        const isNested = `(${start1} >= g.start1 and ${end1} <= g.end1) or (${start1} <= g.start1 and ${end1} >= g.end1)`
        return `(${isNested}) is not true`
      })
      .join(' and ')
  const previous = (turn: string): string => `(
        select p.*, p.start1 - ${turn} as placed1 from genes_${own} p
        where p.sequence = g.sequence and p.start1 < g.start1 + ${turn} and p.end1 < g.end1 + ${turn} and ${isApart('p')}
        order by p.start1 desc, p.end1 desc limit 1)`
  const next = (turn: string): string => `(
        select n.*, n.start1 + ${turn} as placed1 from genes_${own} n
        where n.sequence = g.sequence and n.start1 > g.start1 - ${turn} and n.end1 > g.end1 - ${turn} and ${isApart('n')}
        order by n.start1, n.end1 limit 1)`
  return `
      (select row_to_json(side) from (
        select ${summaryFields('p')} from (${previous('0')} union all ${previous('around.bp')}) p
        order by p.placed1 desc, p.end1 desc limit 1) side) as previous,
      (select row_to_json(side) from (
        select ${summaryFields('n')} from (${next('0')} union all ${next('around.bp')}) n
        order by n.placed1, n.end1 limit 1) side) as next`
}

/** The statement of one bundle for the genes of parameter `number`. */
const partsStatement = ({ bundle, speciesBundle }: GeneScope, by: AskedBy, number: number): string => {
  const own = tableNumber(bundle)
  const termsOf = (owner: number): string =>
    `select name, namespace, source, ${tableNumber(owner)} as bundle from terms_${tableNumber(owner)} where term = gt.term`
  const known = [bundle, ...(speciesBundle === null ? [] : [speciesBundle])].map(termsOf).join(' union all ')
  return `
    select g.asked, ${ofGene(recordColumns).join(', ')},
      (select json_agg(assigned) from (
        select gt.source, gt.term, t.name, t.namespace, gt.evidence, gt.qualifier, gt.start1 as start, gt.end1 as "end"
        from gene_terms_${own} gt
        left join lateral (
          select name, namespace from (${known}) known
          where known.source = gt.source or gt.source = '' order by (name is null), bundle desc limit 1
        ) t on true
        where gt.gene = g.id order by gt.source, t.namespace, gt.term, gt.start1 limit 2000) assigned) as terms,${neighbourColumns(own)}
    from ${askedGenes(bundle, by, number)}
    left join lateral (select length_bp as bp from sequences_${own} where name = g.sequence and circular) around on true`
}

/**
 * One statement for more than so many bundles is not worth its start; nor, with more loaded, its memory in every connection (0.3 MB a
 * bundle).
 */
const bundlesPerStatement = 16

interface PartsStatement {
  scopes: GeneScope[]
  text: string
}

const writeStatement = (scopes: GeneScope[], by: AskedBy): PartsStatement => ({
  scopes,
  text: scopes.map((scope, number) => partsStatement(scope, by, number + 1)).join(' union all '),
})

const writeAlone = (by: AskedBy) => (scope: GeneScope) => writeStatement([scope], by)
/** The statement of each bundle, and of all. */
const statementsAlone = { id: memoize(writeAlone('id')), name: memoize(writeAlone('name')) }
const statementOfAll = memoize((scopes: ReadonlyMap<number, GeneScope>) => writeStatement([...scopes.values()], 'name'))

/** Gives `take` the parts of every gene found, with its bundle and what it was asked for by; in as few statements as is cheapest. */
const readParts = async (
  sql: Sql,
  scopes: ReadonlyMap<number, GeneScope>,
  by: AskedBy,
  wanted: readonly { bundle: number; key: string }[],
  take: (key: string, parts: GeneParts) => void,
): Promise<void> => {
  const keys = new Map<number, string[]>()
  for (const { bundle, key } of wanted) {
    const ofBundle = keys.get(bundle)
    if (ofBundle === undefined) keys.set(bundle, [key])
    else if (!ofBundle.includes(key)) ofBundle.push(key)
  }
  // To begin the parts of a statement that find nothing costs less than a statement more, when they are few.
  const together = by === 'name' && scopes.size <= bundlesPerStatement && keys.size * 4 > scopes.size
  const statements = together
    ? [statementOfAll(scopes)]
    : [...keys.keys()].map((bundle) => statementsAlone[by](scopes.get(bundle)!))
  await Promise.all(
    statements.map(async (statement) => {
      const rows = await sql.unsafe<
        (GeneRow & Omit<GeneParts, 'row' | 'terms'> & { asked: string; terms: GeneTerm[] | null })[]
      >(
        statement.text,
        statement.scopes.map((scope) => keys.get(scope.bundle) ?? []),
        { prepare: true },
      )
      for (const { asked, terms, previous, next, ...row } of rows)
        take(asked, { row, terms: terms ?? [], previous, next })
    }),
  )
}

/**
 * Genes of several bundles with terms and neighbours; null for an id that its bundle has not. `scopes` are all bundles that may be asked
 * for in the long run: a statement is written and planned for them once.
 */
export const getGeneParts = async (
  sql: Sql,
  scopes: ReadonlyMap<number, GeneScope>,
  wanted: readonly { bundle: number; key: string }[],
): Promise<(GeneParts | null)[]> => {
  const found = new Map<string, GeneParts>()
  await readParts(sql, scopes, 'id', wanted, (key, parts) => found.set(`${parts.row.bundle} ${key}`, parts))
  return wanted.map(({ bundle, key }) => found.get(`${bundle} ${key}`) ?? null)
}

/** The same by names in lower case: null where no gene of the bundle has the name, 'several' where more than one has. */
export const getNamedParts = async (
  sql: Sql,
  scopes: ReadonlyMap<number, GeneScope>,
  wanted: readonly { bundle: number; key: string }[],
): Promise<(GeneParts | 'several' | null)[]> => {
  const found = new Map<string, GeneParts | 'several'>()
  await readParts(sql, scopes, 'name', wanted, (name, parts) => {
    const key = `${parts.row.bundle} ${name}`
    found.set(key, found.has(key) ? 'several' : parts)
  })
  return wanted.map(({ bundle, key }) => found.get(`${bundle} ${key}`) ?? null)
}

const spliced = (intervals: [number, number, ...number[]][]): number =>
  intervals.reduce((sum, [start, end]) => sum + end - start + 1, 0)

/** The public record from a row. */
export const geneRecord = (
  row: GeneRow,
  scope: GeneScope,
  about: { species: string; speciesName: string },
  terms: GeneTerm[],
  neighbours: { previous: GeneSummary | null; next: GeneSummary | null },
): Gene =>
  Object.assign(geneSummary(row, scope.assembly), {
    species: about.species,
    speciesName: about.speciesName,
    name: row.name,
    aliases: row.aliases,
    attributes: row.attributes,
    transcripts: row.transcripts.map((transcript) => ({
      id: transcript.id,
      biotype: transcript.biotype,
      start: transcript.start,
      end: transcript.end,
      exons: transcript.exons.map(([start, end]) => ({ start, end })),
      cds: transcript.cds.map(([start, end, phase]) => ({ start, end, phase })),
      proteinId: transcript.proteinId,
      proteinLength: transcript.proteinLength,
      cdnaLengthBp: spliced(transcript.exons),
      cdsLengthBp: spliced(transcript.cds),
      ...(transcript.readingOrder === undefined
        ? {}
        : { readingOrder: transcript.readingOrder.map(([start, end, strand]) => ({ start, end, strand })) }),
    })),
    terms,
    previous: neighbours.previous,
    next: neighbours.next,
  })
