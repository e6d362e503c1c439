import type { AnySql, Sql } from './connect.ts'
import { type CopyIn, startCopyIn } from './driver/copy.ts'
import { boundLockWait, isHeldOrDeadlocked } from './driver/lock-wait.ts'

/** A table partitioned by bundle, as a migration makes it; `bundle` is its first column, and not among those named here. */
export interface BakedTable {
  name: string
  /** Names with blanks between, in the order of the values of a row. */
  columns: string
  /** What `create index on <table>` is followed by, each after `unique ` where it is. */
  indexes: readonly string[]
}

/**
 * Tables of every bundle of an assembly or a species (migrations/0001-portal.ts); those of a tool are declared by its loader. A load fills
 * stand-alone tables named `<table>_<bundle>`, indexes them, and attaches them; dropping a bundle drops its tables.
 */
const tables = {
  sequences: {
    columns: 'position name length_bp gc_count n_count role circular genetic_code gene_count aliases md5 sha512t24u',
    indexes: ['unique (name)', 'unique (position)'],
  },
  genes: {
    columns:
      'id symbol name description biotype sequence start1 end1 strand position aliases attributes transcripts transcript_count exon_count protein_length',
    indexes: ['unique (id)', '(sequence, start1)', 'unique (position)', '(biotype)'],
  },
  former_genes: {
    columns: 'id symbol description sequence start1 end1 strand relation genes evidence share',
    indexes: ['(lower(id))'],
  },
  terms: {
    columns: 'source term name namespace definition obsolete replaced_by synonyms alternative_ids parents ancestors',
    indexes: ['(term)', '(source)', 'using gin (ancestors)', 'using gin (alternative_ids)'],
  },
  gene_terms: {
    columns: 'gene source term evidence qualifier start1 end1',
    indexes: ['(gene)', '(term, gene)', '(source)'],
  },
  protein_features: {
    columns: 'gene protein analysis accession name entry entry_name start1 end1 evalue',
    indexes: ['(gene)'],
  },
  search_entries: {
    columns: 'position type id label description sequence start1 end1 strand names body extra',
    indexes: ['unique (position)', '(type, id)', 'using gin (words)'],
  },
  search_names: {
    columns: 'name kind type id position',
    indexes: ['(name, kind)'],
  },
  search_lexemes: { columns: 'lexeme type entry_count', indexes: ['(lexeme)'] },
  search_vocabulary: { columns: 'word entry_count', indexes: ['(word)', 'using gin (word gin_trgm_ops)'] },
  records: {
    columns: 'kind id position sequence start1 end1 data',
    indexes: ['(kind, id)', '(kind, sequence, start1)'],
  },
} as const satisfies Record<string, Omit<BakedTable, 'name'>>

type ReleaseTable = keyof typeof tables
export const releaseTables: readonly BakedTable[] = Object.entries(tables).map(([name, table]) => ({ name, ...table }))

/** The number of a bundle as a part of a table's name. */
export const tableNumber = (bundle: number): string => {
  if (!Number.isSafeInteger(bundle) || bundle < 0) throw new RangeError(`${bundle} is no bundle`)
  return String(bundle)
}

/** A cell of COPY: arrays become PostgreSQL arrays, other objects JSON. */
export type CopyValue = string | number | boolean | null | undefined | readonly string[] | { json: unknown }

const escapeText = (text: string): string =>
  /[\\\t\n\r\0]/.test(text)
    ? text
        .replaceAll('\0', '')
        .replaceAll('\\', '\\\\')
        .replaceAll('\t', '\\t')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r')
    : text

const copyCell = (value: CopyValue): string => {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if ('json' in value) return escapeText(JSON.stringify(value.json).replaceAll('\\u0000', ''))
  return escapeText(`{${value.map((item) => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`)
}

/** One row in COPY's text format, newline included (PostgreSQL manual, COPY, "Text Format"). */
const copyRow = (values: readonly CopyValue[]): string => `${values.map(copyCell).join('\t')}\n`

const flushLength = 256 * 1024

/** Rows on their way into one table over a connection of their own. */
class TableWriter {
  readonly #sql: Sql
  readonly #target: string
  #copy: CopyIn | null = null
  #buffer: string[] = []
  #bufferedLength = 0
  rowCount = 0

  constructor(sql: Sql, target: string) {
    this.#sql = sql
    this.#target = target
  }

  async add(row: string): Promise<void> {
    this.#buffer.push(row)
    this.#bufferedLength += row.length
    this.rowCount += 1
    if (this.#bufferedLength >= flushLength) await this.#flush()
  }

  async #flush(): Promise<void> {
    this.#copy ??= await startCopyIn(this.#sql, `copy ${this.#target} from stdin`)
    const text = this.#buffer.join('')
    this.#buffer = []
    this.#bufferedLength = 0
    await this.#copy.write(text)
  }

  async end(): Promise<void> {
    if (this.#bufferedLength > 0) await this.#flush()
    const copy = this.#copy
    if (copy === null) return
    this.#copy = null
    const taken = await copy.end()
    if (taken !== this.rowCount) throw new Error(`${this.#target}: ${taken} of ${this.rowCount} rows were taken`)
  }

  async cancel(): Promise<void> {
    await this.#copy?.cancel()
    this.#copy = null
  }
}

/** Fills the tables of one new bundle. Nothing is visible to readers before `attach`. */
export interface BakedWriter {
  bundle: number
  /** Values in the order of the table's columns, the bundle's number left out; one of `releaseTables` is named. */
  add(table: ReleaseTable | BakedTable, values: readonly CopyValue[]): Promise<void>
  rowCount(table: ReleaseTable): number
  /** Ends the streams, counts lexemes and builds indexes. */
  finish(onTable?: (done: number, of: number) => void): Promise<void>
  /** Makes the rows part of the partitioned tables; within the caller's transaction. */
  attach(transaction: Sql): Promise<void>
  /** Ends the streams and drops the tables. */
  discard(): Promise<void>
}

/** Makes the tables of a new bundle: `releaseTables` of one that belongs to a release, and those of tools. */
export const createBakedWriter = async (sql: Sql, own: readonly BakedTable[] = releaseTables): Promise<BakedWriter> => {
  const [row] = await sql<{ bundle: number }[]>`select nextval(pg_get_serial_sequence('bundles', 'id'))::int as bundle`
  const bundle = row!.bundle
  const writers = new Map<string, TableWriter>()
  for (const { name, columns } of own) {
    await sql.unsafe(`create table ${name}_${bundle} (like ${name} including defaults including generated)`)
    writers.set(name, new TableWriter(sql, `${name}_${bundle} (bundle, ${columns.split(' ').join(', ')})`))
  }
  return {
    bundle,
    add: (table, values) =>
      writers.get(typeof table === 'string' ? table : table.name)!.add(copyRow([bundle, ...values])),
    rowCount: (table) => writers.get(table)!.rowCount,
    finish: async (onTable) => {
      for (const writer of writers.values()) await writer.end()
      const types = writers.has('search_entries')
        ? await sql<{ type: string }[]>`select distinct type from ${sql(`search_entries_${bundle}`)}`
        : []
      for (const { type } of types) {
        // The inner query is a text argument of ts_stat: the type is quoted by format().
        await sql`
          insert into ${sql(`search_lexemes_${bundle}`)} (bundle, lexeme, type, entry_count)
          select ${bundle}, word, ${type}, ndoc
          from ts_stat(format('select words from %I where type = %L', ${`search_entries_${bundle}`}::text, ${type}::text))`
      }
      for (const [number, { name, indexes }] of own.entries()) {
        for (const index of indexes) {
          const unique = index.startsWith('unique ') ? 'unique ' : ''
          await sql.unsafe(`create ${unique}index on ${name}_${bundle} ${index.replace(/^unique /, '')}`)
        }
        await sql.unsafe(`alter table ${name}_${bundle} add constraint bundle_number check (bundle = ${bundle})`)
        await sql.unsafe(`analyze ${name}_${bundle}`)
        onTable?.(number + 1, own.length)
      }
    },
    attach: async (transaction) => {
      for (const { name } of own) {
        await transaction.unsafe(`alter table ${name} attach partition ${name}_${bundle} for values in (${bundle})`)
      }
    },
    discard: async () => {
      for (const writer of writers.values()) await writer.cancel()
      await dropBakedTables(sql, bundle)
    },
  }
}

/** Names of all tables that are partitioned by bundle: also those of a tool that is not installed any more. */
const listPartitionedTables = async (sql: AnySql): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'p' and n.nspname = current_schema() order by c.oid`
  return rows.map(({ name }) => name)
}

/**
 * Bundles that have rows of a table: of many strains few have terms or records of their own, and a question over all of them shall meet those
 * alone. As PostgreSQL counted them when the tables were filled, after which they do not change; those it has not counted are among them.
 */
export const listFilledBundles = async (sql: AnySql, table: ReleaseTable): Promise<ReadonlySet<number>> => {
  const rows = await sql<{ bundle: number }[]>`
    select substring(relname from ${table.length + 2}::int)::int as bundle from pg_class
    where relname >= ${`${table}_`} and relname < ${`${table}\``} and relname ~ ${`^${table}_[0-9]+$`}
      and relkind = 'r' and reltuples <> 0 and relnamespace = current_schema()::regnamespace`
  return new Set(rows.map(({ bundle }) => bundle))
}

/**
 * Drops the tables of a bundle; rows disappear for readers at once. Resolves to false, with nothing dropped, when a backup or a long
 * query holds one of them: a later sweep drops what was left.
 */
export const dropBakedTables = async (sql: Sql, bundle: number): Promise<boolean> => {
  try {
    await sql.begin(async (transaction) => {
      await boundLockWait(transaction)
      for (const table of await listPartitionedTables(transaction))
        await transaction.unsafe(`drop table if exists ${table}_${Number(bundle)}`)
    })
    return true
  } catch (error) {
    if (isHeldOrDeadlocked(error)) return false
    throw error
  }
}

/** Tables left by a load that was killed: numbers that no bundle has. */
export const findAbandonedBundles = async (sql: Sql): Promise<number[]> => {
  const rows = await sql<{ bundle: number }[]>`
    select distinct own.bundle from (
      select substring(t.tablename from length(p.name) + 2)::int as bundle
      from unnest(${await listPartitionedTables(sql)}::text[]) p (name)
      join pg_tables t on t.schemaname = current_schema() and t.tablename ~ ('^' || p.name || '_[0-9]+$')) own
    where own.bundle not in (select id from bundles)`
  return rows.map((row) => row.bundle)
}
