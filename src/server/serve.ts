import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { deleteExpiredSessions } from '../database/accounts.ts'
import { claimDataDirectory } from '../database/single-server.ts'
import { buildApp } from './app.ts'
import { startChildren } from './child-processes.ts'
import { type Config, installationDirectory } from './config.ts'
import { openPortal } from './portal.ts'
import { guardProcess } from './process-guards.ts'
import { ensureAdmin } from './sessions.ts'

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Longest that requests and jobs under way may take to end when the portal is told to stop. */
const stopPatienceMs = 15_000
const housekeepingMs = 3600 * 1000

/** Opens the portal and serves it until SIGTERM or SIGINT; a second one stops at once. */
export const serve = async (config: Config): Promise<void> => {
  guardProcess('server')
  say(config.databaseUrl === undefined ? 'Opening the private database …' : 'Connecting to the database …')
  const portal = await openPortal(config, 'server', { max: 24, log: (line) => process.stderr.write(`${line}\n`) })
  const claim = await claimDataDirectory(portal.database, 'server', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  const madeUpPassword = await ensureAdmin(portal.database.sql, config.adminPassword)

  const webDir = join(installationDirectory, 'dist', 'web')
  const app = await buildApp(portal, existsSync(webDir) ? webDir : null)
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    const code = (error as { code?: string }).code
    await claim.release()
    await portal.close()
    if (code === 'EADDRINUSE') {
      process.stderr.write(`Port ${config.port} of ${config.host} is in use: set PORT to another one.\n`)
      process.exit(1)
    }
    throw error
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const children = startChildren(config)

  say('')
  say(`  NovoDB ${portal.version} is ready: ${addressOf(config.host, port)}`)
  if (madeUpPassword !== null) {
    say('')
    say(`  Administrator: admin`)
    say(`  Password:      ${madeUpPassword}`)
    say(`  (shown this once; change it with "npx novodb admin password")`)
  }
  const unavailable = portal.programs.filter((program) => program.path === null)
  if (unavailable.length > 0) {
    say('')
    say(`  Engines not found: ${unavailable.map((program) => program.program).join(', ')}`)
    say(`  To install them:   apt-get install ${[...new Set(unavailable.map((program) => program.package))].join(' ')}`)
  }
  say('')

  const housekeeping = setInterval(() => {
    void deleteExpiredSessions(portal.database.sql).catch(() => undefined)
  }, housekeepingMs)

  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1)
    stopping = true
    say('Stopping …')
    clearInterval(housekeeping)
    const patience = setTimeout(() => process.exit(1), stopPatienceMs * 2)
    await Promise.all([
      Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, stopPatienceMs))]),
      children.stop(stopPatienceMs),
    ])
    await claim.release()
    await portal.close()
    clearTimeout(patience)
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

/** The address as it is typed into a browser; for a listener on all interfaces, the machine's first address. */
const addressOf = (host: string, port: number): string => {
  const every = host === '0.0.0.0' || host === '::'
  const first = Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry !== undefined && entry.family === 'IPv4' && !entry.internal)
  const shown = every ? (first?.address ?? 'localhost') : host === '127.0.0.1' || host === '::1' ? 'localhost' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}/`
}
