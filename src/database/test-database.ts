import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { type Database, openDatabase } from './connect.ts'
import type { DatabaseLog } from './database-error.ts'
import { findMigrations, runMigrations } from './migrations.ts'

const silent: DatabaseLog = { info() {}, warn() {}, error() {} }
const keptMs = 6 * 3_600_000

/**
 * For tests: a database of the test's own on a private server that all tests of this machine's user share, dropped by `close`.
 * The first start makes the server's cluster (about a second); further databases cost some tens of milliseconds.
 * With `migrate: false` it is empty, else it has the portal's schema.
 */
export async function openTestDatabase({ migrate = true, max = 4 } = {}): Promise<Database> {
  const dataDir = path.join(tmpdir(), `novodb-test-${userInfo().uid}`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const server = await openDatabase({
    dataDir,
    applicationName: 'novodb test',
    max: 1,
    statementTimeoutMs: 0,
    log: silent,
  })
  await dropForgotten(server)
  const name = `test_${Date.now()}_${randomBytes(4).toString('hex')}`
  await server.sql.unsafe(`create database ${name}`)
  const connect: Database['connect'] = (options) => server.connect({ database: name, ...options })
  const sql = connect({ max })
  const close = async () => {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, name)
    await server.close()
  }
  try {
    if (migrate) await runMigrations(sql, await findMigrations())
  } catch (error) {
    await close()
    throw error
  }
  return { sql, kind: server.kind, directory: server.directory, connect, close }
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
