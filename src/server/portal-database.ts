import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase } from '../database/connect.ts'
import { DatabaseError, reasonOf } from '../database/driver/database-error.ts'
import { findMigrations, runMigrations } from '../database/migrations.ts'
import { putBehind } from '../jobs/process-priority.ts'
import { type Config, installationDirectory } from './config.ts'

export const portalVersion = (
  JSON.parse(readFileSync(join(installationDirectory, 'package.json'), 'utf8')) as { version: string }
).version

/** Roles whose work waits for that of the server where there are not processors enough. */
const rolesBehind = ['answers', 'worker', 'load', 'demo']

/** Opens the database of the configuration with its schema up to date. */
export const openPortalDatabase = async (
  config: Config,
  role: string,
  options: {
    max: number | ((allowed: number) => number)
    statementTimeoutMs: number
    migrate?: boolean
    log(line: string): void
  },
): Promise<Database> => {
  await mkdir(config.dataDir, { recursive: true, mode: 0o755 }).catch((error: unknown) => {
    throw new DatabaseError(
      'DATA_DIRECTORY',
      `The data directory ${config.dataDir} cannot be made (${reasonOf(error)}): set NOVODB_DATA to a place that this user may write to.`,
    )
  })
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    applicationName: `novodb ${role}`,
    max: options.max,
    statementTimeoutMs: options.statementTimeoutMs,
    ...(rolesBehind.includes(role) ? { onopen: (pid: number) => void putBehind(pid) } : {}),
    log: { info: () => undefined, warn: options.log, error: options.log },
  })
  if (options.migrate === false) return database
  try {
    await runMigrations(database.sql, await findMigrations())
  } catch (error) {
    await database.close()
    // insufficient_privilege (PostgreSQL manual, appendix A).
    if ((error as { code?: string }).code !== '42501') throw error
    throw new DatabaseError(
      'CANNOT_CONNECT',
      `The user of DATABASE_URL may not make tables and extensions there (${reasonOf(error)}): make it the owner of the database, as with "alter database NAME owner to USER".`,
    )
  }
  return database
}
