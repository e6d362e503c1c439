import type postgres from 'postgres'
import { createArrayTypes } from './driver/array-types.ts'
import { createPool } from './driver/connection-pool.ts'
import { DatabaseError, type DatabaseLog, reasonOf } from './driver/database-error.ts'
import { joinPrivateServer } from './private-server/private-server.ts'

/** The portal's SQL. An int8 (count, length, position) comes as a number, see `numberType`. */
export type Sql = postgres.Sql
/** The same inside `sql.begin`. */
export type TransactionSql = postgres.TransactionSql

/** What a further pool may want different from the first. */
export interface ConnectOptions {
  max: number
  /** Another database of the same server. */
  database?: string
  applicationName?: string
  /** Connections are kept for good, not renewed now and then: for what a session holds, such as locks. */
  lasting?: boolean
  /**
   * Statements are planned once a connection, for whatever values come: for look-ups by an index, which take less time than their plan.
   * Not for what is met in the order of a table, whose plan depends on how common a word is (PostgreSQL manual, plan_cache_mode).
   */
  planOnce?: boolean
  onclose?: () => void
}

export interface Database {
  sql: Sql
  /** `private`: the portal's own server in the data directory; `external`: the one that DATABASE_URL names. */
  kind: 'private' | 'external'
  /** What holds the private server's files; null for one elsewhere. */
  directory: string | null
  /** A further pool for what must not share connections (claims, backups, listeners); its caller ends it. */
  connect(options: ConnectOptions): Sql
  /**
   * Ends the pool, waiting for running queries at most a few seconds. Of a private server the last to close with `waitForStop` returns when
   * PostgreSQL has stopped: what a portal server does before it exits, because in a container everything dies with it.
   */
  close(options?: { waitForStop?: boolean }): Promise<void>
}

export interface DatabaseOptions {
  /** postgres://user:password@host:port/name; empty or absent: the private server. */
  databaseUrl?: string
  dataDir: string
  /** False for a private server of tests, which loses nothing by a power cut: it does not wait for the disk. */
  durable?: boolean
  /** Shown by pg_stat_activity, e.g. `novodb server`. */
  applicationName: string
  /** Connections in the pool: a number, or what is found from how many the server allows in all (its `max_connections`). */
  max: number | ((allowed: number) => number)
  /** A query that takes longer is cancelled by the server; 0 for no limit. */
  statementTimeoutMs: number
  log: DatabaseLog
  /** Of a private server: called with the number of PostgreSQL's process for each connection. */
  onopen?: (pid: number) => void
  /** How long to wait for a server that does not take connections yet. */
  connectTimeoutMs?: number
}

const oldestVersion = 150_000
/** Of connections to a private server that keep plans. */
const plansLifetimeMs = 60 * 60_000
/** Behind balancers connections shall move on now and then. */
const externalLifetimeMs = 30 * 60_000

/**
 * Failures to connect that time mends: nobody there yet, starting up or shutting down (57P03, 57P01), a full disk (53100), all
 * connections taken (53300). PostgreSQL manual, appendix A.
 */
const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'CONNECTION_CLOSED',
  '57P03',
  '57P01',
  '53100',
  '53300',
])

/**
 * PostgreSQL's int8 (counts, lengths, positions) as a number. None of the portal's values comes near 2^53; one that does not
 * fit is an error rather than a rounded number.
 */
const numberType = {
  to: 20,
  from: [20],
  serialize: (value: number | bigint) => String(value),
  parse(text: string) {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} does not fit a JavaScript number`)
    return value
  },
}

/**
 * Connects to the portal's database: the one of `databaseUrl`, else the private server of the data directory, started if it
 * does not run. Returns when queries work. Throws DatabaseError with the reason; no error holds the address or its password.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl ? openExternal(options, options.databaseUrl) : openPrivate(options)
}

async function openPrivate(options: DatabaseOptions): Promise<Database> {
  const server = await joinPrivateServer({ dataDir: options.dataDir, log: options.log, durable: options.durable })
  const connect = (further: ConnectOptions): Sql =>
    createPool({
      ...poolOptions(further),
      ...(options.onopen ? { onopen: options.onopen } : {}),
      // Plans of bundles that are gone stay for as long as their connection does.
      lifetimeMs: further.planOnce ? plansLifetimeMs : 0,
      driver: {
        ...driverOptions(options, further),
        path: `${server.socketDirectory}/.s.PGSQL.${server.port}`,
        // Unused beside the path, but error texts show them.
        host: server.socketDirectory,
        port: server.port,
        user: server.role,
        database: further.database ?? server.database,
        password: server.password,
      },
    })
  const sql = await openPool(options, connect, (first) =>
    waitForServer(first, 'the private PostgreSQL', options),
  ).catch(async (error: unknown) => {
    await server.leave()
    throw error
  })
  return {
    sql,
    kind: 'private',
    directory: server.directory,
    connect,
    async close({ waitForStop = false } = {}) {
      await sql.end({ timeout: 5 })
      await server.leave({ waitForStop })
    },
  }
}

async function openExternal(options: DatabaseOptions, databaseUrl: string): Promise<Database> {
  const { address, socketDirectory, severalHosts, target } = parseAddress(databaseUrl)
  const connect = (further: ConnectOptions): Sql => {
    try {
      return createPool({
        ...poolOptions(further),
        lifetimeMs: further.lasting ? 0 : externalLifetimeMs,
        address,
        severalHosts,
        driver: {
          ...driverOptions(options, further),
          ...(socketDirectory ? { host: socketDirectory } : {}),
          ...(further.database ? { database: further.database } : {}),
        },
      })
    } catch {
      // The driver's own error would quote the address, password and all.
      throw new DatabaseError('CANNOT_CONNECT', badAddress)
    }
  }
  const checkServer = async (first: Sql): Promise<void> => {
    await waitForServer(first, target, options)
    const [server] = await first<ServerDescription[]>`
      select current_setting('server_version_num')::int as version, pg_encoding_to_char(encoding) as encoding, pg_is_in_recovery() as standby
      from pg_database where datname = current_database()`
    const unfit = server && findUnfitness(server, target)
    if (unfit) throw unfit
  }
  const sql = await openPool(options, connect, (first) =>
    checkServer(first).catch((error: unknown) => {
      if (error instanceof DatabaseError) throw error
      throw new DatabaseError('CANNOT_CONNECT', `Cannot use ${target}: ${reasonOf(error)}`)
    }),
  )
  return { sql, kind: 'external', directory: null, connect, close: () => sql.end({ timeout: 5 }) }
}

/** The pool, once `check` is content with the server; of a size that depends on the server after one connection has asked for it. */
async function openPool(
  { max }: DatabaseOptions,
  connect: (further: ConnectOptions) => Sql,
  check: (first: Sql) => Promise<void>,
): Promise<Sql> {
  const first = connect({ max: typeof max === 'number' ? max : 1 })
  try {
    await check(first)
    if (typeof max === 'number') return first
    const [row] = await first<{ allowed: number }[]>`select current_setting('max_connections')::int as allowed`
    const sized = max(row!.allowed)
    await first.end({ timeout: 5 })
    return connect({ max: sized })
  } catch (error) {
    await first.end({ timeout: 1 })
    throw error
  }
}

interface ServerDescription {
  /** As server_version_num: 150004 is 15.4. */
  version: number
  encoding: string
  /** A replica that takes no writes. */
  standby: boolean
}

/** Why a server cannot hold the portal, or null when it can. */
export function findUnfitness(server: ServerDescription, target: string): DatabaseError | null {
  if (server.version < oldestVersion) {
    return new DatabaseError(
      'TOO_OLD',
      `${target} is PostgreSQL ${Math.floor(server.version / 10_000)}; NovoDB needs ${oldestVersion / 10_000} or newer.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    return new DatabaseError(
      'WRONG_ENCODING',
      `${target} is encoded in ${server.encoding}; NovoDB needs a database in UTF8 (create database … encoding 'UTF8' template template0).`,
    )
  }
  if (server.standby)
    return new DatabaseError('READ_ONLY', `${target} is a standby that takes no writes; name the primary.`)
  return null
}

/** Waits while the server is starting or not there yet, as when everything of a machine starts together. */
async function waitForServer(sql: Sql, target: string, options: DatabaseOptions): Promise<void> {
  const deadline = Date.now() + (options.connectTimeoutMs ?? 30_000)
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`select 1`
      return
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      const passing = passingCodes.has(code)
      if (!passing || Date.now() > deadline) {
        const hint = /unsupported startup parameter/.test(reasonOf(error))
          ? ' Behind PgBouncer set ignore_startup_parameters = statement_timeout,application_name,plan_cache_mode and session pooling.'
          : ''
        throw new DatabaseError('CANNOT_CONNECT', `Cannot connect to ${target}: ${reasonOf(error)}.${hint}`)
      }
      if (attempt === 1) options.log.warn(`waiting for ${target}: ${reasonOf(error)}`)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

function poolOptions(further: ConnectOptions) {
  return { max: further.max, ...(further.onclose ? { onclose: further.onclose } : {}) }
}

function driverOptions(options: DatabaseOptions, further: ConnectOptions) {
  return {
    types: { int8: numberType, ...createArrayTypes({ 20: numberType.parse }) },
    connection: {
      application_name: further.applicationName ?? options.applicationName,
      ...(options.statementTimeoutMs > 0 ? { statement_timeout: options.statementTimeoutMs } : {}),
      ...(further.planOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
    },
    connect_timeout: 15,
    onnotice(notice: postgres.Notice) {
      // "already exists, skipping" and the like are what `if not exists` asked for.
      if (notice.severity === 'WARNING') options.log.warn(`PostgreSQL: ${notice.message}`)
    },
  }
}

const badAddress = 'DATABASE_URL is not a valid address of the form postgres://user:password@host:port/name.'

/**
 * An address as the driver takes it, and how to call it in messages: host, port and database, never user or password. A directory of
 * a unix socket may be given as libpq takes it, as `?host=/directory` or percent-encoded in place of the host; the driver
 * knows neither.
 */
function parseAddress(databaseUrl: string): {
  address: string
  socketDirectory: string | null
  severalHosts: boolean
  target: string
} {
  // Several hosts, which the driver knows, are no URL by the standard.
  const several = /^\w+:\/\/(?:[^@/]*@)?([^/?@]*,[^/?@]*)(?:\/([^?]*))?(?:\?|$)/.exec(databaseUrl)
  if (several)
    return {
      address: databaseUrl,
      socketDirectory: null,
      severalHosts: true,
      target: `the database ${several[2] || 'of the default name'} on ${several[1]}`,
    }
  let url: URL
  try {
    url = new URL(databaseUrl)
  } catch {
    // Its own error holds the address.
    throw new DatabaseError('CANNOT_CONNECT', badAddress)
  }
  if (!/^postgres(ql)?:$/.test(url.protocol)) throw new DatabaseError('CANNOT_CONNECT', badAddress)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  url.searchParams.delete('host')
  const socketDirectory = host.startsWith('/') ? host : null
  const name = decodeURIComponent(url.pathname.slice(1)) || 'of the default name'
  const target = `the database ${name} on ${host || 'localhost'}${url.port ? `:${url.port}` : ''}`
  return { address: url.href, socketDirectory, severalHosts: false, target }
}
