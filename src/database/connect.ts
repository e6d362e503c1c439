import { createPool, type ServerOptions, type Sql } from './driver/connection-pool.ts'
import { DatabaseError, type DatabaseLog, isServerGone, reasonOf } from './driver/database-error.ts'
import { joinPrivateServer } from './private-server/private-server.ts'

export type { AnySql, Sql, TransactionSql } from './driver/connection-pool.ts'
export type { Query, Row } from './driver/sql.ts'

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
  /** Nothing is written: while none of several hosts takes writes, a standby answers, and what a lost connection was asked is asked again. */
  readsOnly?: boolean
  onclose?: () => void
}

export interface Database {
  sql: Sql
  /** `private`: the portal's own server in the data directory; `external`: the one that DATABASE_URL names. */
  kind: 'private' | 'external'
  /** What holds the private server's files; null for one elsewhere. */
  directory: string | null
  /** The address names several hosts, of which one takes writes at a time. */
  severalHosts: boolean
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

const defaultPort = 5432
const oldestVersion = 150_000
/** Of connections to a private server that keep plans. */
const plansLifetimeMs = 60 * 60_000
/**
 * Of connections that keep no plans: what PostgreSQL remembers of tables only the end of its process gives back, and a load of a thousand
 * assemblies, or look-ups in all of them, meet tens of thousands.
 */
const maxUses = 5_000
/**
 * PostgreSQL ends the session of a host that went away without a word after a minute, and its locks with it; unset, after two hours
 * (PostgreSQL manual, section 20.3.2).
 */
const endOfSilent = {
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '60000',
}
/** Behind balancers connections shall move on now and then. */
const externalLifetimeMs = 30 * 60_000

/**
 * Failures to connect that time mends, beside a server that stops or starts: nobody there yet, a full disk (53100), all connections
 * taken (53300). PostgreSQL manual, appendix A.
 */
const passingCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', '53100', '53300'])

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
      ...poolOptions(options, further),
      ...(options.onopen ? { onopen: options.onopen } : {}),
      // Plans of bundles that are gone stay for as long as their connection does.
      lifetimeMs: further.planOnce ? plansLifetimeMs : 0,
      server: {
        ...sessionOptions(options, further),
        hosts: [{ host: server.socketDirectory, port: server.port }],
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
    severalHosts: false,
    connect,
    async close({ waitForStop = false } = {}) {
      await sql.end({ timeout: 5 })
      await server.leave({ waitForStop })
    },
  }
}

async function openExternal(options: DatabaseOptions, databaseUrl: string): Promise<Database> {
  const { server, target } = parseAddress(databaseUrl)
  const connect = (further: ConnectOptions): Sql => {
    const session = sessionOptions(options, further)
    return createPool({
      ...poolOptions(options, further),
      lifetimeMs: further.lasting ? 0 : externalLifetimeMs,
      server: {
        ...server,
        ...session,
        settings: { ...endOfSilent, ...server.settings, ...session.settings },
        ...(further.database ? { database: further.database } : {}),
      },
    })
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
  const severalHosts = server.hosts.length > 1
  return { sql, kind: 'external', directory: null, severalHosts, connect, close: () => sql.end({ timeout: 5 }) }
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
      const passing = passingCodes.has(code) || isServerGone(error)
      if (!passing || Date.now() > deadline) {
        throw new DatabaseError('CANNOT_CONNECT', `Cannot connect to ${target}: ${reasonOf(error)}.`)
      }
      if (attempt === 1) options.log.warn(`waiting for ${target}: ${reasonOf(error)}`)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

function poolOptions(options: DatabaseOptions, further: ConnectOptions) {
  return {
    max: further.max,
    ...(further.lasting || further.planOnce ? {} : { maxUses }),
    ...(further.readsOnly ? { readsOnly: true } : {}),
    ...(further.onclose ? { onclose: further.onclose } : {}),
    onnotice({ severity, message }: { severity: string | undefined; message: string | undefined }) {
      // "already exists, skipping" and the like are what `if not exists` asked for.
      if (severity === 'WARNING') options.log.warn(`PostgreSQL: ${message}`)
    },
  }
}

function sessionOptions(options: DatabaseOptions, further: ConnectOptions): Omit<ServerOptions, 'hosts'> {
  return {
    applicationName: further.applicationName ?? options.applicationName,
    statementTimeoutMs: options.statementTimeoutMs,
    settings: further.planOnce ? { plan_cache_mode: 'force_generic_plan' } : {},
  }
}

const badAddress = 'DATABASE_URL is not a valid address of the form postgres://user:password@host:port/name.'

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new DatabaseError('CANNOT_CONNECT', badAddress)
  }
}

/** Parameters of an address that are none of the session. */
const addressParameters = ['host', 'ssl', 'sslmode', 'application_name', 'target_session_attrs']

/** Whether an address names several hosts. */
export const namesSeveralHosts = (databaseUrl: string | undefined): boolean =>
  databaseUrl !== undefined && parseAddress(databaseUrl).server.hosts.length > 1

/**
 * An address, and how to call it in messages: host, port and database, never user or password. As libpq takes it: several hosts parted
 * by commas, and a directory of a unix socket as `?host=/directory` or percent-encoded in place of the host. Further parameters are
 * settings of the session.
 */
function parseAddress(databaseUrl: string): { server: ServerOptions; target: string } {
  // Several hosts are no URL by the standard: the first stands for them.
  const [, start, several = '', rest = ''] =
    /^(\w+:\/\/(?:[^@/]*@)?)([^/?@]*,[^/?@]*)([/?].*)?$/s.exec(databaseUrl) ?? []
  let url: URL
  try {
    url = new URL(several ? `${start}${several.split(',')[0]}${rest}` : databaseUrl)
  } catch {
    // Its own error holds the address.
    throw new DatabaseError('CANNOT_CONNECT', badAddress)
  }
  if (!/^postgres(ql)?:$/.test(url.protocol)) throw new DatabaseError('CANNOT_CONNECT', badAddress)
  const host = url.searchParams.get('host') ?? decode(url.hostname).replace(/^\[|\]$/g, '')
  const database = decode(url.pathname.slice(1))
  const hosts = several
    ? several.split(',').map((each) => {
        const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(each) ?? []
        return { host: name, port: Number(port ?? defaultPort) }
      })
    : [{ host: host || 'localhost', port: Number(url.port || defaultPort) }]
  const sslmode = url.searchParams.get('sslmode') ?? url.searchParams.get('ssl') ?? 'disable'
  return {
    server: {
      hosts,
      ...(url.username ? { user: decode(url.username) } : {}),
      ...(url.password ? { password: decode(url.password) } : {}),
      ...(database ? { database } : {}),
      // Of libpq's modes these ask for no proof.
      ssl: !/^(disable|false)$/.test(sslmode) && { rejectUnauthorized: !/^(require|allow|prefer)$/.test(sslmode) },
      sslOptional: sslmode === 'prefer',
      settings: Object.fromEntries([...url.searchParams].filter(([name]) => !addressParameters.includes(name))),
    },
    target: `the database ${database || 'of the default name'} on ${several || host || 'localhost'}${url.port && !several ? `:${url.port}` : ''}`,
  }
}
