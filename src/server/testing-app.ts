import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { createAccount } from '../database/accounts.ts'
import { loadTestSpecies, makeSpeciesFolder } from '../loader/testing-species.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { hashPassword } from './credentials.ts'
import { openPortal, type Portal } from './portal.ts'
import { signIn } from './sessions.ts'

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
  const log = (line: string): void => void options.logStream?.write(`${line}\n`)
  const loadEntry = fileURLToPath(new URL('fixtures/load-process.mjs', import.meta.url))
  const portal = await openPortal(config, { log, loadEntry, ...options.portal })
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
      const another = await openPortal(config, { log, loadEntry, ...options.portal })
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
