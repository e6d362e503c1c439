import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { claimDataDirectory } from '../database/private-server/single-server.ts'
import { deleteExpired } from '../database/sessions.ts'
import { createPresence } from '../jobs/presence.ts'
import { ensureAdmin, type MadeAdmin } from './accounts/sessions.ts'
import { buildApp } from './app.ts'
import { startChildren } from './child-processes.ts'
import { type Config, installationDirectory, SettingsError } from './config.ts'
import { createMetrics, serveMetrics } from './metrics.ts'
import { openPortal, type Portal } from './portal.ts'
import { guardProcess } from './process-guards.ts'
import { settleNotebooks } from './routes/notebooks.ts'

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Longest that requests and jobs under way may take to end when the portal is told to stop. */
const stopGraceMs = 15_000
const housekeepingMs = 3600 * 1000
const resumeMs = 60_000
/** How often the server gives a sign of life to whoever looks after several. */
const presenceMs = 10_000
/** A terminal's Ctrl-C reaches every process of the group, and npm and the start script pass it on: it comes several times. */
const sameOrderMs = 1_000

/** Opens the portal and serves it until SIGTERM, SIGINT or SIGHUP; one that comes later than a second after that stops at once. */
export const serve = async (config: Config): Promise<void> => {
  guardProcess('server')
  say(config.databaseUrl === undefined ? 'Opening the private database …' : 'Connecting to the database …')
  const portal = await openPortal(config, { log: (line) => process.stderr.write(`${line}\n`) })
  const claim = await claimDataDirectory(portal.database, 'server', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  const madeAdmin = await ensureAdmin(portal.database.sql, config.adminPassword)

  const watched = config.metrics === null ? null : await openMetrics(portal, config.metrics)
  const webDir = join(installationDirectory, 'dist', 'web')
  const app = await buildApp(portal, existsSync(webDir) ? webDir : null)
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await claim.release()
    await portal.close()
    const reason = listenFailure(error, config)
    if (reason === null) throw error
    process.stderr.write(`${reason}\n`)
    process.exit(1)
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const children = startChildren(config, portal.demo)
  const presence = createPresence(portal.database.sql, {
    role: 'server',
    version: portal.version,
    address: `${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
  })
  void presence.note()

  say('')
  say(`  NovoDB ${portal.version} is ready: ${addressOf(config.host, port)}`)
  for (const line of administratorLines(madeAdmin)) say(line)
  if (config.host !== '127.0.0.1' && config.host !== '::1' && config.host !== 'localhost' && !config.secure) {
    say('')
    say(
      '  It is reached from other machines, by plain HTTP: passwords can be read on the way. Put a reverse proxy with',
    )
    say('  TLS before it, as README.md shows.')
  }
  const unavailable = portal.programs.filter((program) => program.path === null)
  if (unavailable.length > 0) {
    say('')
    say(`  Engines not found: ${unavailable.map((program) => program.program).join(', ')}`)
    say(`  To install them:   apt-get install ${[...new Set(unavailable.map((program) => program.package))].join(' ')}`)
  }
  say('')

  const housekeeping = setInterval(() => {
    void Promise.all([
      deleteExpired(portal.database.sql),
      portal.imports.sweep(Date.now()),
      settleNotebooks(portal),
    ]).catch((error: unknown) => {
      process.stderr.write(`hourly sweep: ${error instanceof Error ? error.message : String(error)}\n`)
    })
  }, housekeepingMs)

  const resume = (): void =>
    void Promise.all([portal.loads.resume(), portal.imports.resume()]).catch((error: unknown) => {
      process.stderr.write(`loads that wait for space: ${error instanceof Error ? error.message : String(error)}\n`)
    })
  const resuming = setInterval(resume, resumeMs)
  const presenting = setInterval(() => void presence.note(), presenceMs)
  resume()

  let stoppingSince: number | null = null
  const stop = async (): Promise<void> => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > sameOrderMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    say('Stopping …')
    clearInterval(housekeeping)
    clearInterval(resuming)
    portal.draining = true
    void presence.drain()
    await new Promise((resolve) => setTimeout(resolve, config.drainMs))
    const timeout = setTimeout(() => process.exit(1), stopGraceMs * 2)
    await Promise.all([
      Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, stopGraceMs))]),
      children.stop(stopGraceMs),
    ])
    await watched?.close()
    clearInterval(presenting)
    await presence.leave()
    await claim.release()
    await portal.close()
    clearTimeout(timeout)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
}

const openMetrics = async (portal: Portal, address: NonNullable<Config['metrics']>) => {
  portal.metrics = createMetrics(portal)
  return serveMetrics(portal.metrics, address).catch((error: unknown) => {
    throw new SettingsError([
      `NOVODB_METRICS: cannot be listened on: ${(error as { code?: string }).code ?? String(error)}`,
    ])
  })
}

/** Who administers the portal, told when the account is made: nobody knows its name otherwise. A password that was given is not repeated. */
export const administratorLines = (made: MadeAdmin | null): string[] => {
  if (made === null) return []
  if (made.madeUpPassword === null) return ['', '  Administrator: admin, with the password of NOVODB_ADMIN_PASSWORD']
  return [
    '',
    '  Administrator: admin',
    `  Password:      ${made.madeUpPassword}`,
    '  (shown this once; change it with "node bin/novodb.mjs admin password")',
  ]
}

/** What an administrator can do about an address that cannot be listened on; null when it is not known. */
const listenFailure = (error: unknown, { port, host }: Pick<Config, 'port' | 'host'>): string | null => {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use: set PORT to another one.`
    case 'EACCES':
      return `Port ${port} is not open to this user: set PORT to one from 1024 up, and put a reverse proxy before it.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}: set HOST to one that it has, or to 127.0.0.1.`
    default:
      return null
  }
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
