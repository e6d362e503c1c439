import { tableNumber } from '../baked-tables.ts'
import { notifyCatalogue } from '../catalogue.ts'
import type { AnySql, Sql } from '../connect.ts'
import { boundLockWait, isHeld } from '../driver/lock-wait.ts'
import type { Query, Row } from '../driver/sql.ts'
import { memoize } from './memoize.ts'

/**
 * What is searched over many bundles is read from tables that have the rows of many of them: to ask the tables of each costs every search
 * 20 to 100 microseconds a bundle, and its plan 0.1 MB a bundle in every connection (docs/decisions/0025).
 */
export interface MergedTables {
  id: number
  bundles: ReadonlySet<number>
}

/** Bundles that are searched, the best first, and which tables have the rows of many of them. */
export type SearchedBundles = readonly number[] & { readonly merged?: readonly MergedTables[] }

/** A new list: what is written for a list of bundles is kept for that list. */
export const searchedBundles = (bundles: Iterable<number>, merged: readonly MergedTables[]): SearchedBundles =>
  Object.assign([...bundles], { merged })

/** More bundles than this are searched by merged tables, where there are any; and as many more may wait until they are merged. */
export const maxOwnTables = 32

type SearchTableName = 'search_entries' | 'search_names' | 'search_lexemes' | 'search_vocabulary'

/** One table that is read for a search, of one bundle or of many. */
export interface SearchTable {
  merged: boolean
  /** Those searched in it. */
  bundles: readonly number[]
  nameOf(table: SearchTableName): string
  /** The bundle of a row of the alias, as SQL. */
  bundleOf(alias: string): string
  /** That a row of the alias is of a bundle that is searched, as SQL. */
  isSearched(alias: string): string
}

const ownTable = (bundle: number): SearchTable => ({
  merged: false,
  bundles: [bundle],
  nameOf: (table) => `${table}_${tableNumber(bundle)}`,
  bundleOf: () => tableNumber(bundle),
  isSearched: () => 'true',
})

const mergedTable = ({ id, bundles }: MergedTables, searched: readonly number[]): SearchTable => {
  const list = `'{${searched.map(tableNumber).join(',')}}'::int[]`
  return {
    merged: true,
    bundles: searched,
    nameOf: (table) => `merged_${table}_${tableNumber(id)}`,
    bundleOf: (alias) => `${alias}.bundle`,
    // A list that stands in the statement is looked up by hash, one that is bound is gone through for each row.
    isSearched: (alias) => (searched.length === bundles.size ? 'true' : `${alias}.bundle = any(${list})`),
  }
}

/** The tables that have the rows of these bundles, each of them once: few, however many bundles there are. */
export const searchTablesOf: (bundles: SearchedBundles) => readonly SearchTable[] = memoize(
  (bundles: SearchedBundles) => {
    const tables: SearchTable[] = []
    const own = new Set(bundles)
    if (bundles.length > maxOwnTables)
      for (const merged of bundles.merged ?? []) {
        const searched = [...own].filter((bundle) => merged.bundles.has(bundle))
        if (searched.length < 2) continue
        tables.push(mergedTable(merged, searched))
        for (const bundle of searched) own.delete(bundle)
      }
    return [...tables, ...[...own].map(ownTable)]
  },
)

/**
 * A part `from` of a statement: places of the bundles in their order, as `places (bundle, place)`. In place of array_position, which goes
 * through the list for each row.
 */
export const placesOf = (bundles: readonly number[]): string =>
  `(select * from unnest('{${bundles.map(tableNumber).join(',')}}'::int[]) with ordinality) places (bundle, place)`

const columns: Record<SearchTableName, string> = {
  // Without the texts from which PostgreSQL has made the words.
  search_entries: 'bundle, position, type, id, label, description, sequence, start1, end1, strand, words',
  search_names: 'bundle, name, kind, type, id, position',
  search_lexemes: 'bundle, lexeme, type, entry_count',
  search_vocabulary: 'bundle, word, entry_count',
}

/**
 * Rows of a search table that are of the bundles, as a part of a statement that stands where a table does. By the bundles' own tables, where
 * they are few: of the partitioned table a plan for whatever values come has, and locks, all partitions.
 */
export const searchRows = (sql: AnySql, table: SearchTableName, bundles: SearchedBundles): Query<Row[]> => {
  const rowsOf = (one: SearchTable): string => {
    if (one.merged && table === 'search_vocabulary')
      return `select b.bundle, v.word, b.entry_count from ${one.nameOf(table)} v, unnest(v.bundles, v.entry_counts) b (bundle, entry_count)
        where ${one.isSearched('b')}`
    return `select ${columns[table]} from ${one.nameOf(table)} r where ${one.isSearched('r')}`
  }
  const rows = searchTablesOf(bundles).map(rowsOf)
  return sql.unsafe(
    `(${rows.length === 0 ? `select ${columns[table]} from ${table} where false` : rows.join(' union all ')})`,
  )
}

/** What the names of merged tables match. */
export const mergedTablePattern = '^merged_search_[a-z]+_[0-9]+(_words)?$'

const mergedNames = Object.keys(columns) as SearchTableName[]

/** Merged tables that are whole, of most bundles first. */
export const listMergedTables = async (sql: AnySql): Promise<MergedTables[]> => {
  const rows = await sql<{ id: number; bundles: number[] }[]>`
    select id, bundles from search_merges
    where to_regclass('merged_search_vocabulary_' || id) is not null order by cardinality(bundles) desc, id`
  return rows.map(({ id, bundles }) => ({ id, bundles: new Set(bundles) }))
}

/**
 * Which bundles are to be merged, and which merged tables they take the place of; null where nothing is to be done. Tables are merged with
 * those of at most twice as many bundles, as log-structured merge trees do (O'Neil et al. 1996, doi:10.1007/s002360050048): a row is copied
 * a few times, and few tables remain. Those more than half of whose bundles are out of service are made anew.
 */
export const planMerge = (
  merged: readonly MergedTables[],
  active: readonly number[],
): { bundles: number[]; replaced: number[] } | null => {
  const waiting = new Set(active)
  const served = merged.map(({ id, bundles }) => {
    const live = active.filter((bundle) => bundles.has(bundle) && waiting.delete(bundle))
    return { id, live, stale: live.length * 2 < bundles.size }
  })
  const replaced = served.filter(({ stale }) => stale)
  if (waiting.size <= maxOwnTables && replaced.length === 0) return null
  const bundles = [...waiting, ...replaced.flatMap(({ live }) => live)]
  for (const one of served.filter(({ stale }) => !stale).sort((a, b) => a.live.length - b.live.length)) {
    if (one.live.length > 2 * bundles.length) break
    bundles.push(...one.live)
    replaced.push(one)
  }
  return {
    bundles: bundles.length > maxOwnTables ? bundles.sort((a, b) => a - b) : [],
    replaced: replaced.map(({ id }) => id),
  }
}

/** Bundles whose rows are copied by one transaction, which locks all of their tables. */
const bundlesPerCopy = 50

/** Adds the rows of these bundles to a table of the same columns. */
const copyRows = async (
  sql: Sql,
  table: SearchTableName,
  into: string,
  bundles: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> => {
  for (let from = 0; from < bundles.length; from += bundlesPerCopy) {
    signal?.throwIfAborted()
    const list = `'{${bundles
      .slice(from, from + bundlesPerCopy)
      .map(tableNumber)
      .join(',')}}'::int[]`
    await sql.unsafe(`insert into ${into} select ${columns[table]} from ${table} where bundle = any(${list})`)
  }
}

const createMergedTables = async (
  sql: Sql,
  id: number,
  bundles: readonly number[],
  signal?: AbortSignal,
): Promise<void> => {
  const nameOf = (table: SearchTableName): string => `merged_${table}_${tableNumber(id)}`
  for (const table of mergedNames.filter((name) => name !== 'search_vocabulary'))
    await sql.unsafe(`create table ${nameOf(table)} as select ${columns[table]} from ${table} with no data`)
  for (const table of mergedNames.filter((name) => name !== 'search_vocabulary'))
    await copyRows(sql, table, nameOf(table), bundles, signal)
  // A word that all strains have is one row: it is compared with what was typed once.
  await copyVocabulary(sql, nameOf('search_vocabulary'), bundles, signal)
  signal?.throwIfAborted()
  for (const index of [
    `unique index on ${nameOf('search_entries')} (position, bundle)`,
    `index on ${nameOf('search_entries')} using gin (words)`,
    `index on ${nameOf('search_names')} (name, kind)`,
    `index on ${nameOf('search_lexemes')} (lexeme)`,
    `index on ${nameOf('search_vocabulary')} (word)`,
    `index on ${nameOf('search_vocabulary')} using gin (word gin_trgm_ops)`,
  ]) {
    signal?.throwIfAborted()
    await sql.unsafe(`create ${index}`)
  }
  await sql.unsafe(`analyze ${mergedNames.map(nameOf).join(', ')}`)
}

const copyVocabulary = async (
  sql: Sql,
  name: string,
  bundles: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> => {
  await sql.unsafe(
    `create table ${name}_words as select ${columns.search_vocabulary} from search_vocabulary with no data`,
  )
  await copyRows(sql, 'search_vocabulary', `${name}_words`, bundles, signal)
  await sql.unsafe(`
    create table ${name} as
    select word, array_agg(bundle order by bundle) as bundles, array_agg(entry_count order by bundle) as entry_counts
    from ${name}_words group by word`)
  await sql.unsafe(`drop table ${name}_words`)
}

/** Drops merged tables that no row tells of: replaced ones, and those of a merge that was stopped. What is held stays for the next time. */
const dropReplacedTables = async (sql: Sql): Promise<void> => {
  const rows = await sql<{ name: string }[]>`
    select tablename as name from pg_tables
    where schemaname = current_schema() and tablename ~ ${mergedTablePattern}
      and substring(tablename from '_([0-9]+)(_words)?$')::int not in (select id from search_merges)`
  for (const { name } of rows) {
    await sql
      .begin(async (transaction) => {
        await boundLockWait(transaction)
        await transaction.unsafe(`drop table if exists ${name}`)
      })
      .catch((error: unknown) => {
        if (!isHeld(error)) throw error
      })
  }
}

/**
 * Copies the search rows of bundles in service into merged tables, where too many are searched each by its own; one transaction puts the
 * new tables in the place of those that they replace. Only one process may do so at a time, as who loads does. Resolves to whether
 * anything was merged.
 */
export const mergeSearchTables = async (
  sql: Sql,
  active: readonly number[],
  { signal, onStart }: { signal?: AbortSignal; onStart?: () => void } = {},
): Promise<boolean> => {
  await dropReplacedTables(sql)
  const plan = planMerge(await listMergedTables(sql), active)
  if (plan === null) return false
  onStart?.()
  const [row] = await sql<{ id: number }[]>`select nextval(pg_get_serial_sequence('search_merges', 'id'))::int as id`
  try {
    if (plan.bundles.length > 0) await createMergedTables(sql, row!.id, plan.bundles, signal)
  } catch (error) {
    // A full disk shall not stay full of them; what cannot be dropped now is when the next load begins.
    await dropReplacedTables(sql).catch(() => undefined)
    throw error
  }
  await sql.begin(async (transaction) => {
    await transaction`delete from search_merges where id = any(${plan.replaced})`
    if (plan.bundles.length > 0)
      await transaction`
        insert into search_merges (id, bundles) overriding system value values (${row!.id}, ${plan.bundles})`
    await notifyCatalogue(transaction, '')
  })
  return true
}
