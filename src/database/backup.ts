import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Database, TransactionSql } from './connect.ts'
import { type CopyIn, readCopyOut, startCopyIn } from './driver/copy.ts'
import { DatabaseError, reasonOf } from './driver/database-error.ts'
import { applyMigration, checkApplied, listAppliedMigrations, type Migration, runMigrations } from './migrations.ts'
import { mergedTablePattern } from './search/merged-tables.ts'
import { readTar, renderTarEnd, renderTarEntry } from './tar-archive.ts'

/**
 * Backup and restore without pg_dump, which the packaged PostgreSQL lacks and an external server's version may refuse.
 *
 * A backup is one tar archive: `backup.json` (what there is), `data/<table>/<part>.copy.gz` (COPY's text format, which every
 * PostgreSQL reads), `manifest.json` last (row counts, checksums, sequences), so that a backup that was cut off is known by its
 * end. The schema is not in it: restoring runs the migrations that the backup names. What migrations do not make, the
 * partitions of what was loaded with their own indexes and constraints, is described and made anew.
 *
 * Left out: merged search tables, which are copies and are merged anew; and tables that neither a migration nor a partition accounts for, as a load that is still running makes them (they are
 * named in the result of restoring). The files of bundles, results and uploads are not in the database and not in its backup.
 */

export interface BackupResult {
  tableCount: number
  rowCount: number
  sizeBytes: number
}

export interface RestoreResult {
  tableCount: number
  rowCount: number
  /** Tables of the backup that the schema has no place for. */
  skippedTables: string[]
}

interface TableDescription {
  /** Quoted and with its schema, ready for SQL. */
  name: string
  columns: string[]
}

interface PartitionDescription {
  name: string
  parent: string
  bound: string
  /** What it is itself partitioned by, if it is. */
  key: string | null
  /** Definitions of what is its own, not its parent's. */
  indexes: string[]
  constraints: string[]
}

interface BackupHead {
  format: typeof formatName
  version: number
  createdAt: string
  postgresVersion: string
  migrations: string[]
  tables: TableDescription[]
  /** Parents before children. */
  partitions: PartitionDescription[]
}

interface TableManifest {
  name: string
  rowCount: number
  /** Of the uncompressed rows. */
  sha256: string
}

interface BackupManifest {
  tables: TableManifest[]
  sequences: { name: string; lastValue: string; isCalled: boolean }[]
}

const formatName = 'novodb-backup'
const formatVersion = 1
/** Rows of so many bytes are compressed at a time; with the compressed copy it bounds the memory of both directions. */
const partBytes = 8 * 2 ** 20
/** A part ends after the piece that fills it, and one row may be as large as PostgreSQL's largest value (1 GB, escaped more). */
const entryLimitBytes = 2 ** 31
const newline = 0x0a

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * Writes the whole database as it is at one moment into `file`, while the portal goes on. The file appears when it is whole.
 * Until then loads can write but not drop a table. Works with private and external databases.
 */
export async function backupDatabase(database: Database, file: string): Promise<BackupResult> {
  const sql = database.connect({ max: 1, lasting: true, applicationName: 'novodb backup' })
  const partial = `${file}.partial-${process.pid}`
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await sql.begin(
          (transaction) => writeBackup(transaction, partial),
          'isolation level repeatable read read only',
        )
        await rename(partial, file)
        return result
      } catch (error) {
        // 42P01, 40001: a table was dropped between the list and the lock on it. The list is made anew.
        if (!['42P01', '40001', 'XX000'].includes((error as { code?: string }).code ?? '') || attempt === 5) throw error
      }
    }
  } finally {
    await rm(partial, { force: true })
    await sql.end({ timeout: 5 })
  }
}

/**
 * Fills an empty database from a backup, all of it or nothing, and brings it to the schema of `migrations`.
 * Throws DatabaseError: NOT_EMPTY, BACKUP_MISMATCH when the backup is of a newer release or no backup at all, BACKUP_DAMAGED when
 * checksums or counts differ or the archive is cut off.
 */
export async function restoreDatabase(
  database: Database,
  file: string,
  migrations: Migration[],
): Promise<RestoreResult> {
  const sql = database.connect({ max: 1, lasting: true, applicationName: 'novodb restore' })
  try {
    const result = await sql.begin((transaction) => readBackup(transaction, file, migrations))
    await runMigrations(sql, migrations)
    await sql`set statement_timeout = 0`
    await sql`analyze`
    return result
  } finally {
    await sql.end({ timeout: 5 })
  }
}

// --- writing -------------------------------------------------------------------------------------------------------------

async function writeBackup(sql: TransactionSql, file: string): Promise<BackupResult> {
  await setPortableFormat(sql)
  const tables = await listTables(sql)
  // As pg_dump does: from here on nothing that is listed can be dropped or altered.
  if (tables.length > 0)
    await sql.unsafe(`lock table ${tables.map((table) => `only ${table.name}`).join(', ')} in access share mode`)
  const [server] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  const head: BackupHead = {
    format: formatName,
    version: formatVersion,
    createdAt: new Date().toISOString(),
    postgresVersion: server?.version ?? '',
    migrations: await listAppliedMigrations(sql),
    tables,
    partitions: await listPartitions(sql),
  }
  // Password hashes are inside: for the owner's eyes only.
  const handle = await open(file, 'w', 0o600)
  try {
    const createdAt = new Date(head.createdAt)
    let sizeBytes = 0
    const put = async (bytes: Buffer) => {
      await handle.writeFile(bytes)
      sizeBytes += bytes.length
    }
    const add = (name: string, content: Buffer) => put(renderTarEntry({ name, content }, createdAt))
    await add('backup.json', renderJson(head))
    const manifest: BackupManifest = { tables: [], sequences: [] }
    for (const [index, table] of tables.entries()) {
      manifest.tables.push(await writeTable(sql, table, (part, rows) => add(partName(index, table.name, part), rows)))
    }
    // Sequences stand outside of the snapshot; read last they are never behind the rows.
    manifest.sequences = await listSequences(sql)
    await add('manifest.json', renderJson(manifest))
    await put(renderTarEnd())
    await handle.sync()
    return {
      tableCount: tables.length,
      rowCount: manifest.tables.reduce((sum, table) => sum + table.rowCount, 0),
      sizeBytes,
    }
  } finally {
    await handle.close()
  }
}

async function writeTable(
  sql: TransactionSql,
  table: TableDescription,
  addPart: (part: number, content: Buffer) => Promise<void>,
): Promise<TableManifest> {
  const hash = createHash('sha256')
  let rowCount = 0
  let part = 0
  let pieces: Buffer[] = []
  let bytes = 0
  const flush = async () => {
    const read = Buffer.concat(pieces)
    const rows = read.subarray(0, read.lastIndexOf(newline) + 1)
    const begun = read.subarray(rows.length)
    pieces = [begun]
    bytes = begun.length
    rowCount += countNewlines(rows)
    part += 1
    await addPart(part, await compress(rows, { level: 5 }))
  }
  // A table without columns has no rows that mean anything.
  if (table.columns.length > 0) {
    const columns = table.columns.join(', ')
    for await (const piece of readCopyOut(sql, `copy (select ${columns} from only ${table.name}) to stdout`)) {
      hash.update(piece)
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= partBytes) await flush()
    }
  }
  if (bytes > 0) await flush()
  return { name: table.name, rowCount, sha256: hash.digest('hex') }
}

/** In COPY's text format a newline ends a row and occurs nowhere else. */
function countNewlines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

function partName(index: number, table: string, part: number): string {
  const readable = table.replaceAll(/[^\w.]/g, '').slice(0, 50)
  return `data/${String(index).padStart(5, '0')}-${readable}/${String(part).padStart(6, '0')}.copy.gz`
}

function renderJson(value: BackupHead | BackupManifest): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}

// --- what there is ---------------------------------------------------------------------------------------------------------

/** Text that reads the same at every server: dates, intervals, time zone; and no limit of time. */
async function setPortableFormat(sql: TransactionSql): Promise<void> {
  await sql.unsafe(
    "set local statement_timeout = 0; set local datestyle = 'iso, ymd'; set local intervalstyle = 'postgres'; set local timezone = 'UTC'; set local extra_float_digits = 1",
  )
}

/** Conditions on pg_class `c` and pg_namespace `n`: the portal's own, no extension's. */
const ownRelations = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`
const qualifiedName = `quote_ident(n.nspname) || '.' || quote_ident(c.relname)`

/** Tables that hold rows themselves, in the order of their names; generated columns are left to the server. */
async function listTables(sql: TransactionSql): Promise<TableDescription[]> {
  return sql.unsafe<TableDescription[]>(`
    select ${qualifiedName} as name,
      coalesce((select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), '{}') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and c.relpersistence <> 't' and ${ownRelations} and c.relname <> 'schema_migrations'
      and c.relname !~ '${mergedTablePattern}'
    order by n.nspname collate "C", c.relname collate "C"`)
}

async function listPartitions(sql: TransactionSql): Promise<PartitionDescription[]> {
  return sql.unsafe<PartitionDescription[]>(`
    with recursive tree as (
      select i.inhrelid as oid, i.inhparent as parent, 1 as depth from pg_inherits i
      join pg_class p on p.oid = i.inhparent where p.relkind = 'p' and not p.relispartition
      union all
      select i.inhrelid, i.inhparent, tree.depth + 1 from tree join pg_inherits i on i.inhparent = tree.oid
    )
    select ${qualifiedName} as name, quote_ident(pn.nspname) || '.' || quote_ident(p.relname) as parent,
      pg_get_expr(c.relpartbound, c.oid) as bound, pg_get_partkeydef(c.oid) as key,
      coalesce((select array_agg(pg_get_indexdef(x.indexrelid) order by x.indexrelid) from pg_index x
        where x.indrelid = c.oid and not exists (select from pg_inherits h where h.inhrelid = x.indexrelid)
          and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.conrelid = c.oid)), '{}') as indexes,
      coalesce((select array_agg('constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid) order by k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.conislocal and k.coninhcount = 0 and k.contype in ('c', 'u', 'p', 'x')), '{}') as constraints
    from tree join pg_class c on c.oid = tree.oid join pg_namespace n on n.oid = c.relnamespace
      join pg_class p on p.oid = tree.parent join pg_namespace pn on pn.oid = p.relnamespace
    where c.relkind in ('r', 'p') and ${ownRelations}
    order by tree.depth, n.nspname collate "C", c.relname collate "C"`)
}

async function listSequences(sql: TransactionSql): Promise<BackupManifest['sequences']> {
  const names = await sql.unsafe<{ name: string }[]>(`
    select ${qualifiedName} as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${ownRelations} order by 1`)
  const sequences: BackupManifest['sequences'] = []
  for (const { name } of names) {
    // As text: a sequence may be past what a JavaScript number holds.
    const [row] = await sql.unsafe<{ lastValue: string; isCalled: boolean }[]>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${name}`,
    )
    if (row) sequences.push({ name, ...row })
  }
  return sequences
}

// --- reading -------------------------------------------------------------------------------------------------------------

async function readBackup(sql: TransactionSql, file: string, migrations: Migration[]): Promise<RestoreResult> {
  await setPortableFormat(sql)
  const [occupied] = await sql.unsafe<{ name: string }[]>(`
    select ${qualifiedName} as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and ${ownRelations} limit 1`)
  if (occupied)
    throw new DatabaseError(
      'NOT_EMPTY',
      `The database is not empty (it has ${occupied.name}). Restore into a new database or data directory.`,
    )

  const entries = readEntries(file)
  const first = await entries.next()
  const head = readHead(first.done ? undefined : first.value, file)
  const wanted = selectMigrations(head, migrations)
  await checkApplied(sql, migrations)
  for (const migration of wanted) await applyMigration(sql, migration)

  const present = new Set((await listTables(sql)).map((table) => table.name))
  // Rows that migrations brought are in the backup, as they have become.
  if (present.size > 0) await sql.unsafe(`truncate ${[...present].join(', ')}`)
  for (const partition of head.partitions) {
    if (present.has(partition.name)) continue
    await sql.unsafe(
      `create table ${partition.name} partition of ${partition.parent} ${partition.bound}${partition.key ? ` partition by ${partition.key}` : ''}`,
    )
    present.add(partition.name)
  }
  const foreignKeys = await dropForeignKeys(sql)
  for (const name of present) await sql.unsafe(`alter table ${name} disable trigger user`)

  const restored = await readTables(sql, head, entries, present)

  for (const partition of head.partitions) {
    for (const definition of partition.indexes) await sql.unsafe(definition)
    for (const definition of partition.constraints) await sql.unsafe(`alter table ${partition.name} add ${definition}`)
  }
  for (const name of present) await sql.unsafe(`alter table ${name} enable trigger user`)
  for (const definition of foreignKeys) await sql.unsafe(definition)
  for (const sequence of restored.manifest.sequences) {
    const [found] = await sql<{ present: boolean }[]>`select to_regclass(${sequence.name}) is not null as present`
    if (found?.present)
      await sql`select setval(${sequence.name}::regclass, ${sequence.lastValue}::bigint, ${sequence.isCalled})::text`
  }
  await refreshViews(sql)
  return restored.result
}

/** Fills the tables from the archive's parts and compares each with the manifest. */
async function readTables(
  sql: TransactionSql,
  head: BackupHead,
  entries: AsyncGenerator<ArchiveEntry>,
  present: Set<string>,
) {
  const read = new Map<string, TableManifest>()
  const skipped = new Set<string>()
  let manifest: BackupManifest | undefined
  let current: { table: TableDescription; copy: CopyIn | null; hash: Hash; rowCount: number } | undefined
  const finish = async () => {
    if (!current) return
    const taken = current.copy ? await current.copy.end() : current.rowCount
    if (taken !== current.rowCount) throw damaged(`${current.table.name} took ${taken} rows of ${current.rowCount}`)
    read.set(current.table.name, {
      name: current.table.name,
      rowCount: current.rowCount,
      sha256: current.hash.digest('hex'),
    })
    current = undefined
  }
  try {
    for await (const entry of entries) {
      if (entry.name === 'manifest.json') {
        await finish()
        manifest = parseJson(entry.content) as BackupManifest
        continue
      }
      const table = head.tables[Number(/^data\/(\d+)-/.exec(entry.name)?.[1] ?? -1)]
      if (!table) throw damaged(`${entry.name} belongs to no table`)
      if (current?.table !== table) {
        await finish()
        if (!present.has(table.name)) skipped.add(table.name)
        const copy = present.has(table.name)
          ? await startCopyIn(sql, `copy ${table.name} (${table.columns.join(', ')}) from stdin`)
          : null
        current = { table, copy, hash: createHash('sha256'), rowCount: 0 }
      }
      const rows = await decompress(entry.content).catch((error: unknown) => {
        throw damaged(`${entry.name}: ${reasonOf(error)}`)
      })
      current.hash.update(rows)
      current.rowCount += countNewlines(rows)
      await current.copy?.write(rows)
    }
  } catch (error) {
    await current?.copy?.cancel()
    throw error
  }
  if (!manifest) throw damaged('it is cut off: the manifest at its end is missing')

  const emptyHash = createHash('sha256').digest('hex')
  let rowCount = 0
  for (const expected of manifest.tables) {
    const found = read.get(expected.name) ?? { name: expected.name, rowCount: 0, sha256: emptyHash }
    if (found.rowCount !== expected.rowCount || found.sha256 !== expected.sha256) {
      throw damaged(
        `${expected.name} has ${found.rowCount} rows where the manifest has ${expected.rowCount}, or its checksum differs`,
      )
    }
    if (skipped.has(expected.name)) continue
    rowCount += expected.rowCount
  }
  const result: RestoreResult = {
    tableCount: manifest.tables.length - skipped.size,
    rowCount,
    skippedTables: [...skipped],
  }
  return { manifest, result }
}

interface ArchiveEntry {
  name: string
  content: Buffer
}

async function* readEntries(file: string): AsyncGenerator<ArchiveEntry> {
  try {
    yield* readTar(createReadStream(file, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>, entryLimitBytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new DatabaseError('BACKUP_MISMATCH', `There is no file ${file}.`)
    throw damaged(reasonOf(error))
  }
}

function readHead(entry: ArchiveEntry | undefined, file: string): BackupHead {
  const head = entry?.name === 'backup.json' ? (parseJson(entry.content) as Partial<BackupHead>) : {}
  if (head.format !== formatName)
    throw new DatabaseError('BACKUP_MISMATCH', `${file} is not a backup of a NovoDB database.`)
  if (head.version !== formatVersion) {
    throw new DatabaseError(
      'BACKUP_MISMATCH',
      `${file} has backup format ${head.version}, this release reads ${formatVersion}. Restore it with the release that made it.`,
    )
  }
  return head as BackupHead
}

/** The migrations that the backup's database had, which must be the first ones of the code's. */
function selectMigrations(head: BackupHead, migrations: Migration[]): Migration[] {
  const wanted = migrations.slice(0, head.migrations.length)
  const odd = head.migrations.find((id, index) => wanted[index]?.id !== id)
  if (odd !== undefined) {
    throw new DatabaseError(
      'BACKUP_MISMATCH',
      `The backup has migration ${odd}, which this release does not have there. Restore it with the release that made it, or a newer one.`,
    )
  }
  return wanted
}

/** Takes foreign keys away, so that tables can be filled in any order, and returns the statements that bring them back. */
async function dropForeignKeys(sql: TransactionSql): Promise<string[]> {
  const keys = await sql.unsafe<{ table: string; name: string; definition: string }[]>(`
    select ${qualifiedName} as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and k.conparentid = 0 and ${ownRelations}`)
  for (const key of keys) await sql.unsafe(`alter table ${key.table} drop constraint ${key.name}`)
  return keys.map((key) => `alter table ${key.table} add constraint ${key.name} ${key.definition}`)
}

async function refreshViews(sql: TransactionSql): Promise<void> {
  const views = await sql.unsafe<{ name: string }[]>(`
    select ${qualifiedName} as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'm' and ${ownRelations} order by c.oid`)
  for (const view of views) await sql.unsafe(`refresh materialized view ${view.name}`)
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch (error) {
    throw damaged(reasonOf(error))
  }
}

function damaged(reason: string): DatabaseError {
  return new DatabaseError('BACKUP_DAMAGED', `The backup is damaged: ${reason}.`)
}
