import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { type Database, openDatabase } from '../database/connect.ts'
import type { DatabaseLog } from '../database/driver/database-error.ts'
import { findMigrations, runMigrations } from '../database/migrations.ts'

const silent: DatabaseLog = { info() {}, warn() {}, error() {} }
const keptMs = 6 * 3_600_000

/**
 * For tests: a database of the test's own on a private server that all tests of this machine's user share, dropped by `close`.
 * The first start makes the server's cluster (about a second); further databases cost some tens of milliseconds.
 * With `migrate: false` it is empty, else it has the portal's schema: a copy of one that was migrated once.
 */
export async function openTestDatabase({ migrate = true, max = 4 } = {}): Promise<Database> {
  const dataDir = path.join(tmpdir(), `novodb-test-${userInfo().uid}`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const server = await openDatabase({
    dataDir,
    durable: false,
    applicationName: 'novodb test',
    max: 1,
    statementTimeoutMs: 0,
    log: silent,
  })
  await dropForgotten(server)
  const name = `test_${Date.now()}_${randomBytes(4).toString('hex')}`
  const template = migrate ? await findOrMakeTemplate(server) : 'template1'
  // Files are copied: written page by page through the log, as is the default, it takes thrice as long.
  await server.sql.unsafe(`create database ${name} template ${template} strategy file_copy`)
  const connect: Database['connect'] = (options) => server.connect({ database: name, ...options })
  const sql = connect({ max })
  if (migrate) await numberBundles(sql)
  const close = async () => {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, name)
    await server.close()
  }
  return { sql, kind: server.kind, directory: server.directory, severalHosts: false, connect, close }
}

let numbered = 0

/**
 * Numbers the bundles of a database from where those of no other of this process are. What is kept of an answer is kept by the number of
 * its bundle, which a process of the portal, of one database, has once; a process of tests opens many.
 */
export async function numberBundles(sql: Database['sql']): Promise<void> {
  numbered += 1
  await sql.unsafe(`alter table bundles alter column id restart with ${1000 * numbered}`)
}

/** ASCII `tmpl`: the lock under which one process makes the template while others wait. */
const templateLock = 0x746d706c

/** Name of a database with the schema of this checkout's migrations, made where there is none yet; nobody connects to it. */
async function findOrMakeTemplate(server: Database): Promise<string> {
  const migrations = await findMigrations()
  const digest = createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 16)
  const template = `schema_${digest}`
  const isThere = async () => (await server.sql`select 1 from pg_database where datname = ${template}`).length > 0
  if (await isThere()) return template
  await server.sql`select pg_advisory_lock(${templateLock})`
  try {
    if (await isThere()) return template
    // Under a name that is forgotten like a test's, until it is whole.
    const staging = `test_${Date.now()}_${digest}`
    await server.sql.unsafe(`create database ${staging}`)
    const sql = server.connect({ database: staging, max: 1 })
    await runMigrations(sql, migrations).finally(() => sql.end({ timeout: 5 }))
    await server.sql.unsafe(`alter database ${staging} allow_connections false`)
    await server.sql.unsafe(`alter database ${staging} rename to ${template}`)
    return template
  } finally {
    await server.sql`select pg_advisory_unlock(${templateLock})`
  }
}

/** Databases of tests that were killed, told by the time in their names. */
async function dropForgotten(server: Database): Promise<void> {
  const rows = await server.sql<
    { name: string }[]
  >`select datname as name from pg_database where datname like 'test\\_%'`
  for (const { name } of rows) {
    if (Date.now() - Number(name.split('_')[1]) > keptMs) await dropDatabase(server, name)
  }
}

/** Not by `with (force)`: that may not end the server's own vacuuming, which a plain drop just asks to stop. */
async function dropDatabase(server: Database, name: string): Promise<void> {
  await server.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and usename = current_user`
  await server.sql.unsafe(`drop database if exists ${name}`)
}
