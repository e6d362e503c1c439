import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { createAccount } from '../database/accounts.ts'
import { findMigrations } from '../database/migrations.ts'
import { findPackagedPrograms } from '../database/private-server/programs.ts'
import { hashPassword } from '../server/accounts/credentials.ts'
import { signIn } from '../server/accounts/sessions.ts'
import { buildApp } from '../server/app.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openPortal, type Portal } from '../server/portal.ts'
import { openPortalDatabase } from '../server/portal-database.ts'
import { numberBundles } from './database.ts'
import { loadTestSpecies, makeSpeciesFolder } from './species.ts'

export interface TestApp {
  app: FastifyInstance
  portal: Portal
  config: Config
  dataDir: string
  /** A folder of the test's own, removed by `close`. */
  root: string
  /** A further application on the same database and data, as another process of the portal would be; closed with this one. */
  openAnother(): Promise<{ app: FastifyInstance; portal: Portal }>
  /** Makes an account and signs it in; resolves to its token. */
  signUp(username: string, access: 'user' | 'admin'): Promise<string>
  close(): Promise<void>
}

export const testPassword = 'correct horse battery'

/** A test is not to outlive a power cut: its database waits for no disk. The administrator's own settings win over the portal's. */
const fleeting = ['fsync', 'full_page_writes', 'synchronous_commit'].map((setting) => `${setting} = off\n`).join('')

/** A data directory with nothing but a stopped cluster of the portal's schema, made once for this machine's user. */
const findMadeCluster = async (): Promise<string> => {
  const contents = JSON.stringify([findPackagedPrograms().version, await findMigrations(), fleeting])
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  const made = join(tmpdir(), `novodb-test-cluster-${userInfo().uid}-${digest}`)
  if (existsSync(made)) return made
  const staging = mkdtempSync(`${made}-`)
  chmodSync(staging, 0o755)
  const config = readConfig({ NOVODB_DATA: staging, NOVODB_DEMO: 'none' })
  const database = await openPortalDatabase(config, 'test', { max: 1, statementTimeoutMs: 0, log: () => undefined })
  await database.close({ waitForStop: true })
  appendFileSync(join(staging, 'postgresql', 'postgresql.conf'), fleeting)
  try {
    renameSync(staging, made)
  } catch {
    // Another process was first.
    rmSync(staging, { recursive: true, force: true })
  }
  return made
}

/** Gives a data directory a cluster: to copy one takes a small part of what making and migrating it takes. */
const copyCluster = async (dataDir: string): Promise<void> => {
  const made = await findMadeCluster()
  mkdirSync(dataDir)
  execFileSync('cp', ['-a', join(made, 'postgresql'), join(made, 'postgresql-password'), dataDir])
  symlinkSync(join(made, 'postgresql-programs'), join(dataDir, 'postgresql-programs'))
}

/** The application over a portal of its own with a private database; with `species` the one made by hand is loaded. */
export const openTestApp = async (
  options: {
    species?: boolean
    webDir?: string
    logStream?: Writable
    limits?: string
    /** Further settings of the portal. */
    settings?: Record<string, string>
    portal?: Partial<Parameters<typeof openPortal>[1]>
  } = {},
): Promise<TestApp> => {
  const root = mkdtempSync(join(tmpdir(), 'novodb-app-'))
  // Open to pass: else root's PostgreSQL keeps its cluster in a directory of the system, which outlives the test.
  chmodSync(root, 0o755)
  const dataDir = join(root, 'data')
  const config = readConfig({
    NOVODB_DATA: dataDir,
    NOVODB_DEMO: 'none',
    NOVODB_LIMITS: options.limits,
    NOVODB_LOG_LEVEL: options.logStream === undefined ? 'silent' : 'debug',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...options.settings,
  })
  if (config.dataDir === dataDir && config.databaseUrl === undefined) await copyCluster(dataDir)
  const log = (line: string): void => void options.logStream?.write(`${line}\n`)
  const loadEntry = fileURLToPath(new URL('../server/fixtures/load-process.mjs', import.meta.url))
  const importEntry = fileURLToPath(new URL('../server/fixtures/import-process.mjs', import.meta.url))
  const portal = await openPortal(config, { log, loadEntry, importEntry, ...options.portal })
  await numberBundles(portal.database.sql)
  if (options.species) {
    const report = await loadTestSpecies(portal.database, dataDir, makeSpeciesFolder(join(root, 'species')))
    if (!report.ok) throw new Error(JSON.stringify(report))
  }
  const app = await buildApp(portal, options.webDir ?? null, options.logStream)
  const { sql } = portal.database
  const others: { app: FastifyInstance; portal: Portal }[] = []
  return {
    app,
    portal,
    config,
    dataDir,
    root,
    openAnother: async () => {
      const another = await openPortal(config, { log, loadEntry, importEntry, ...options.portal })
      others.push({ app: await buildApp(another, null, options.logStream), portal: another })
      return others.at(-1)!
    },
    signUp: async (username, access) => {
      await createAccount(sql, { username, passwordHash: await hashPassword(testPassword), access })
      return (await signIn(sql, { username, password: testPassword, type: 'account' })).token
    },
    close: async () => {
      for (const other of others) {
        await other.app.close()
        await other.portal.close()
      }
      await app.close()
      await portal.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
