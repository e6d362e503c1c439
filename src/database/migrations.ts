import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Sql, TransactionSql } from './connect.ts'
import { DatabaseError, reasonOf } from './driver/database-error.ts'
import { boundLockWait, isHeldOrDeadlocked } from './driver/lock-wait.ts'

/** One step of the schema. A step that a release has brought is never edited again: the next step mends it. */
export interface Migration {
  /** Its file's name without the ending, e.g. `0001-portal`: four digits that give the order, and what it is about. */
  id: string
  /** Any number of statements; they run in one transaction, so nothing that forbids transactions. */
  sql: string
}

/** `novodb` in ASCII, as the number of the advisory lock that migrations queue on; any constant would do. */
const migrationLock = 0x6e6f766f6462

const ownFolder = fileURLToPath(new URL('./migrations/', import.meta.url))

/**
 * The migrations of a folder in their order, one exported as `migration` a file. Throws when a file is misnamed, its id is not
 * its name, or two share a number.
 */
export async function findMigrations(folder: string = ownFolder): Promise<Migration[]> {
  const names = (await readdir(folder))
    .filter((name) => /\.(ts|js)$/.test(name) && !/\.(test|d)\.ts$/.test(name))
    .sort()
  const migrations: Migration[] = []
  for (const name of names) {
    const id = name.replace(/\.(ts|js)$/, '')
    const module = (await import(/* @vite-ignore */ pathToFileURL(path.join(folder, name)).href)) as {
      migration?: Migration
    }
    if (!/^\d{4}-[a-z0-9-]+$/.test(id)) throw new Error(`Migration ${name} is not named like 0001-what-it-does`)
    if (module.migration?.id !== id) throw new Error(`Migration ${name} must export migration with id ${id}`)
    const previous = migrations.at(-1)
    if (previous && previous.id.slice(0, 4) === id.slice(0, 4))
      throw new Error(`Migrations ${previous.id} and ${id} share a number`)
    migrations.push(module.migration)
  }
  return migrations
}

/**
 * Brings the schema up to the last of `migrations` and returns the ids that this call applied. Each runs in a transaction of
 * its own under one lock, so processes that start together apply each once; a failed one leaves those before it.
 * Throws DatabaseError: MIGRATION_EDITED when an applied one has changed, DATABASE_NEWER when the database has one that the
 * code lacks, MIGRATION_ORDER when one would come before an applied one, MIGRATION_FAILED with PostgreSQL's reason.
 */
export async function runMigrations(sql: Sql, migrations: Migration[]): Promise<string[]> {
  const applied: string[] = []
  // Once even when there is nothing to apply: a database from a newer release must be refused then too.
  await sql.begin((transaction) => checkApplied(transaction, migrations))
  for (const migration of migrations) if (await applyWhenFree(sql, migrations, migration)) applied.push(migration.id)
  return applied
}

/** How often a step that others hold a table of is begun anew, a little later; those are servers of the release before as well. */
const stepLock = { pauseMs: 1000, attempts: 100 }

/** Resolves to whether this call applied it. */
const applyWhenFree = async (sql: Sql, migrations: Migration[], migration: Migration): Promise<boolean> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await sql.begin(async (transaction) => {
        const present = await checkApplied(transaction, migrations)
        if (present.has(migration.id)) return false
        // After the lock that migrations queue on: for that they wait as long as it takes.
        await boundLockWait(transaction)
        await applyMigration(transaction, migration)
        return true
      })
    } catch (error) {
      if (attempt === stepLock.attempts || !isHeldOrDeadlocked((error as Error).cause)) throw error
      await setTimeout(stepLock.pauseMs)
    }
}

/** Runs one migration in the caller's transaction and records it; the caller has made sure that it is the next. */
export async function applyMigration(transaction: TransactionSql, migration: Migration): Promise<void> {
  try {
    await transaction.unsafe(migration.sql)
  } catch (error) {
    throw new DatabaseError('MIGRATION_FAILED', `Migration ${migration.id} failed and was undone: ${reasonOf(error)}`, {
      cause: error,
    })
  }
  await transaction`insert into schema_migrations (id, checksum) values (${migration.id}, ${checksumOf(migration)})`
}

/** The ids that a database has had applied, in order; empty for a database without our schema. */
export async function listAppliedMigrations(sql: Sql | TransactionSql): Promise<string[]> {
  const [table] = await sql<{ present: boolean }[]>`select to_regclass('schema_migrations') is not null as present`
  if (!table?.present) return []
  const rows = await sql<{ id: string }[]>`select id from schema_migrations order by id`
  return rows.map((row) => row.id)
}

/**
 * Takes the migration lock until the transaction ends, compares what is applied with what the code has (errors as
 * `runMigrations`), and returns the applied ids. Lifts the statement timeout of the transaction.
 */
export async function checkApplied(transaction: TransactionSql, migrations: Migration[]): Promise<Set<string>> {
  await transaction`select pg_advisory_xact_lock(${migrationLock})`
  // An index on a big table takes longer than any query of the portal may.
  await transaction`set local statement_timeout = 0`
  const [table] = await transaction<
    { present: boolean }[]
  >`select to_regclass('schema_migrations') is not null as present`
  if (!table?.present) {
    await transaction`create table schema_migrations (
      id text primary key collate "C", checksum text not null, applied_at timestamptz not null default clock_timestamp())`
  }
  const rows = await transaction<
    { id: string; checksum: string }[]
  >`select id, checksum from schema_migrations order by id`
  const known = new Map(migrations.map((migration) => [migration.id, migration]))
  for (const row of rows) {
    const migration = known.get(row.id)
    if (!migration) {
      throw new DatabaseError(
        'DATABASE_NEWER',
        `The database has migration ${row.id}, which this release does not know. Run the release that made it, or a newer one.`,
      )
    }
    if (checksumOf(migration) !== row.checksum) {
      throw new DatabaseError(
        'MIGRATION_EDITED',
        `Migration ${row.id} was applied in another form than this release has. Applied migrations must not be edited: add a new one.`,
      )
    }
  }
  const present = new Set(rows.map((row) => row.id))
  const last = rows.at(-1)?.id ?? ''
  const late = migrations.find((migration) => !present.has(migration.id) && migration.id < last)
  if (late)
    throw new DatabaseError(
      'MIGRATION_ORDER',
      `Migration ${late.id} comes before ${last}, which the database already has. Give it the next free number.`,
    )
  return present
}

function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex')
}
