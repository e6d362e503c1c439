import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { isHostSilent, reachMs } from './silent-host.ts'
import { createSql, type Row, type Rows, type SqlTag, type Statement } from './sql.ts'

export interface PoolOptions {
  /** Connections at most. */
  max: number
  /** Where the server is and as whom; of several hosts the one that takes writes. */
  server: ServerOptions
  /** Connections older than this are renewed when they are free; 0: never. */
  lifetimeMs?: number
  /** Connections that served so many statements or transactions are renewed; none: whatever they served. */
  maxUses?: number
  /** See `ConnectOptions.readsOnly`. */
  readsOnly?: boolean
  /** A statement without an answer for so long has the pool look whether its host is still there. */
  silenceMs?: number
  onnotice?: (notice: { severity: string | undefined; message: string | undefined }) => void
  /** Called when a connection is lost unasked. */
  onclose?: () => void
  /** Called once for each connection, before it is used, with the number of PostgreSQL's process that serves it. */
  onopen?: (pid: number) => void
}

export interface ServerOptions {
  hosts: { host: string; port: number }[]
  user?: string
  password?: string
  database?: string
  /** TLS; `false`, as is the default, for none. */
  ssl?: pg.ClientConfig['ssl']
  /** Without TLS where the server knows none. */
  sslOptional?: boolean
  applicationName?: string
  statementTimeoutMs?: number
  /** Further settings of the session. */
  settings?: Record<string, string>
}

/** What a pool, a transaction and a reserved connection have in common. */
export interface AnySql extends SqlTag {
  /** A connection for what is more than a statement (COPY); nobody else uses it until `done`. */
  borrow(): Promise<{ connection: Connection; done(): void }>
}

export type TransactionSql = AnySql

export interface ReservedSql extends AnySql {
  release(): void
}

export interface Sql extends AnySql {
  readonly options: PoolOptions
  /** Commits what `work` did, or undoes it all and throws what it threw. `mode` as after BEGIN, e.g. `isolation level serializable`. */
  begin<T>(work: (transaction: TransactionSql) => T | PromiseLike<T>, mode?: string): Promise<T>
  /** One connection for as long as its caller likes. */
  reserve(): Promise<ReservedSql>
  /**
   * Listens over a connection of its own, anew for as long as it takes when that is lost; `onlisten` is called each time it begins to, so
   * that its caller can look for what it missed.
   */
  listen(
    channel: string,
    onnotify: (payload: string) => void,
    onlisten?: () => void,
  ): Promise<{ unlisten: () => Promise<void> }>
  /** Closes all connections, after what runs has ended but at most `timeout` seconds later; nothing more is taken. */
  end(options?: { timeout?: number }): Promise<void>
}

const connectTimeoutMs = 15_000
const defaultSilenceMs = 5_000
/** A connection on which nothing has come for so long is asked by the system whether it is still there (ten times, each second). */
const keepAliveMs = 10_000
/**
 * A connection with more plans than this is closed once it is free, and another takes its place: a plan over the tables of an assembly has
 * 0.4 MB, with what PostgreSQL remembers of the tables, and only the end of its process gives that back.
 */
const maxPlans = 250

const connectionError = (code: string, text: string): Error => Object.assign(new Error(`${text} (${code})`), { code })
const connectionClosed = () => connectionError('CONNECTION_CLOSED', 'The connection to the database was lost')
const connectionEnded = () => connectionError('CONNECTION_ENDED', 'The connections to the database have been closed')

/** pg's client, which never connects a second time, with a mark that it is lost. */
export class Connection extends pg.Client {
  lost = false
  /** Names of the statements whose plans PostgreSQL keeps for it. */
  readonly plans = new Set<string>()

  /** Where it goes, which is no directory of a socket; null for one on this machine. */
  readonly remote: { host: string; port: number } | null
  /** Called when nothing comes from its host any more. */
  onsilent: () => void = () => this.abandon()

  readonly #settings: [name: string, value: string][]
  readonly #silenceMs: number

  constructor(options: PoolOptions, host: number) {
    const { hosts, applicationName, statementTimeoutMs, settings, user, password, database, ssl } = options.server
    const chosen = hosts[host % hosts.length]!
    super({
      ...chosen,
      user,
      password,
      database,
      ssl,
      application_name: applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      types: columnTypes as pg.CustomTypesConfig,
    })
    this.#settings = Object.entries({
      ...(statementTimeoutMs ? { statement_timeout: String(statementTimeoutMs) } : {}),
      ...settings,
    })
    this.remote = chosen.host.startsWith('/') ? null : chosen
    this.#silenceMs = options.silenceMs ?? defaultSilenceMs
    if (hosts.length > 1) this.#giveUpUnreached()
    // Only a loss that nobody asked for is such an event; it may come twice.
    this.once('error', () => options.onclose?.())
    this.on('error', () => {
      this.lost = true
    })
    this.on('notice', (notice) => options.onnotice?.(notice))
  }

  /** The settings of its session. By a statement: with other words in the start of a session than its own PgBouncer takes nobody. */
  async startSession(): Promise<void> {
    if (this.#settings.length === 0) return
    const values = this.#settings.flat()
    const text = `select ${this.#settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`).join(', ')}`
    await this.run({ text, values })
  }

  /** With others to turn to: a host's system answers within `reachMs`, however busy its PostgreSQL is. */
  #giveUpUnreached(): void {
    const { stream } = this.connection
    const unreached = connectionError('CONNECT_TIMEOUT', 'The database did not answer in time')
    const timer = setTimeout(() => stream.destroy(unreached), reachMs)
    for (const event of ['connect', 'close']) stream.once(event, () => clearTimeout(timer))
  }

  run(statement: Statement): Promise<Rows<Row[]>> {
    if (statement.name !== undefined) this.plans.add(statement.name)
    return new Promise((resolve, reject) => {
      let waits = true
      const lookForHost = async ({ host, port }: { host: string; port: number }): Promise<void> => {
        if ((await isHostSilent(host, port)) && waits) this.onsilent()
      }
      const { remote } = this
      const timer = remote === null ? undefined : setTimeout(() => void lookForHost(remote), this.#silenceMs)
      const onResult = (error: unknown, result: pg.QueryResult | pg.QueryResult[]) => {
        waits = false
        clearTimeout(timer)
        if (error) reject(this.explain(error))
        else resolve(Array.isArray(result) ? (result.map(rowsOf) as unknown as Rows<Row[]>) : rowsOf(result))
      }
      this.query(statement as pg.QueryConfig, onResult as (error: Error, result: pg.QueryResult) => void)
    })
  }

  /** The error of a statement, or the loss of the connection with a code. */
  explain(error: unknown): unknown {
    const { severity, code } = error as { severity?: string; code?: string }
    if (severity === 'FATAL' || severity === 'PANIC') this.lost = true
    return this.lost && code === undefined ? connectionClosed() : error
  }

  /** Takes it for lost: nothing is said to its host, and what it was asked fails. */
  abandon(): void {
    this.lost = true
    this.connection.stream.destroy()
  }

  /** Ends it at once, whatever it does. */
  async destroy(): Promise<void> {
    this.lost = true
    await this.end()
  }
}

const rowsOf = ({ rows, rowCount, command }: pg.QueryResult): Rows<Row[]> =>
  // Beside the elements, which are all that is compared or written as JSON.
  Object.defineProperties(rows, { count: { value: rowCount ?? 0 }, command: { value: command } }) as Rows<Row[]>

class Pool {
  readonly options: PoolOptions
  readonly #pool: pg.Pool
  readonly #used = new Set<Connection>()
  /** All that are open or are being opened. */
  readonly #open = new Set<Connection>()
  readonly #refuse = new Set<(error: unknown) => void>()
  #ending: Promise<void> | undefined
  /** Which of the hosts is connected to, modulo their number. */
  host = 0
  /** No host takes writes, as far as is known: until then any host will do for what only reads. */
  #anyHostUntilMs = 0

  constructor(options: PoolOptions) {
    this.options = options
    const pool = this
    class PoolConnection extends Connection {
      constructor() {
        super(options, pool.host)
        pool.#open.add(this)
        this.once('end', () => pool.#open.delete(this))
        this.onsilent = () => pool.#abandonHost(this.remote)
      }
    }
    this.#pool = new pg.Pool({
      max: options.max,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: (options.lifetimeMs ?? 0) / 1000,
      ...(options.maxUses === undefined ? {} : { maxUses: options.maxUses }),
      Client: PoolConnection,
      onConnect: async (client) => {
        await (client as unknown as Connection).startSession()
        if (options.server.hosts.length > 1 && performance.now() >= this.#anyHostUntilMs) await refuseReadOnly(client)
      },
    })
    // Each connection tells of its loss itself.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => options.onopen?.((client as unknown as { processID: number }).processID))
  }

  /** The free ones too: each would have to be waited for in its turn. */
  #abandonHost(remote: Connection['remote']): void {
    for (const connection of this.#open) if (connection.remote === remote) connection.abandon()
  }

  /** Turns to the next host, unless another has done so meanwhile. */
  leaveHost(host: number): void {
    if (this.host === host) this.host += 1
  }

  async acquire(): Promise<Connection> {
    for (let attempt = 1; ; attempt++) {
      if (this.#ending) throw connectionEnded()
      const { host } = this
      try {
        let connection = await this.#connect()
        // Of those that were given up the pool hears one after the other.
        while (connection.lost) {
          this.release(connection)
          connection = await this.#connect()
        }
        this.#used.add(connection)
        return connection
      } catch (error) {
        const { server } = this.options
        if (server.ssl && server.sslOptional && /does not support SSL/.test((error as Error).message)) {
          server.ssl = false
          attempt -= 1
        } else if (attempt % server.hosts.length !== 0) this.leaveHost(host)
        else if (attempt === server.hosts.length && this.options.readsOnly && server.hosts.length > 1) {
          this.#anyHostUntilMs = performance.now() + anyHostMs
          this.leaveHost(host)
        } else throw error
      }
    }
  }

  /** pg's pool leaves those that wait without an answer when it is ended. */
  #connect(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.#refuse.add(reject)
      this.#pool.connect((error, client, release) => {
        if (!this.#refuse.delete(reject)) release?.(true)
        else if (error) reject(explainConnecting(error))
        else resolve(client as unknown as Connection)
      })
    })
  }

  release(connection: Connection): void {
    this.#used.delete(connection)
    ;(connection as unknown as pg.PoolClient).release(connection.lost || connection.plans.size > maxPlans)
  }

  async run(statement: Statement): Promise<Rows<Row[]>> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.acquire()
      try {
        return await this.#runOn(connection, statement)
      } catch (error) {
        // What only reads may be asked again, of another host; a statement that the server ended is not a lost connection.
        if (!this.options.readsOnly || !connection.lost || attempt > this.options.server.hosts.length) throw error
      } finally {
        this.release(connection)
      }
    }
  }

  async #runOn(connection: Connection, statement: Statement): Promise<Rows<Row[]>> {
    try {
      return await connection.run(statement)
    } catch (error) {
      // A kept plan whose table has changed since: for this statement it is planned anew, and the connection with its plans goes.
      if ((error as { routine?: string }).routine !== 'RevalidateCachedQuery') throw error
      connection.lost = true
      return await connection.run({ ...statement, name: undefined })
    }
  }

  end(timeoutMs: number): Promise<void> {
    this.#ending ??= (async () => {
      const ended = this.#pool.end()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => {
        if (Number.isFinite(timeoutMs)) timer = setTimeout(resolve, timeoutMs)
      })
      await Promise.race([ended, late])
      clearTimeout(timer)
      for (const refuse of this.#refuse) refuse(connectionEnded())
      this.#refuse.clear()
      await Promise.all([...this.#used].map((connection) => connection.destroy()))
    })()
    return this.#ending
  }
}

/** A host that takes writes is looked for anew after this. */
const anyHostMs = 5_000

/** As libpq does for `target_session_attrs=read-write`. */
async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on')
    throw connectionError('CONNECTION_READ_ONLY', 'None of the hosts takes writes')
}

const explainConnecting = (error: Error & { code?: string }): Error => {
  if (error.code !== undefined) return error
  if (error.message === 'timeout expired')
    return connectionError('CONNECT_TIMEOUT', 'The database did not answer in time')
  return error.message.startsWith('Connection terminated') ? connectionClosed() : error
}

/** Statements one after the other on one connection, until `close`: a transaction, or a reserved connection. */
class Session {
  readonly connection: Connection
  /** What the first statement that failed failed with. */
  failure: unknown
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(connection: Connection) {
    this.connection = connection
  }

  readonly run = (statement: Statement): Promise<Rows<Row[]>> => {
    const answer = this.#last.then(() => {
      if (this.#closed || this.connection.lost) throw connectionClosed()
      return this.connection.run(statement)
    })
    this.#last = answer.then(
      () => {},
      (error: unknown) => {
        this.failure ??= error
      },
    )
    return answer
  }

  readonly borrow = async (): Promise<{ connection: Connection; done: () => void }> => {
    let done = () => {}
    const before = this.#last
    this.#last = new Promise<void>((resolve) => {
      done = resolve
    })
    await before
    return { connection: this.connection, done }
  }

  get sql(): AnySql {
    return Object.assign(createSql(this.run), { borrow: this.borrow })
  }

  close(): void {
    this.#closed = true
  }
}

export function createPool(options: PoolOptions): Sql {
  const pool = new Pool(options)
  const listeners = new Set<() => Promise<void>>()

  const begin = async <T>(work: (transaction: TransactionSql) => T | PromiseLike<T>, mode = '') => {
    const connection = await pool.acquire()
    const session = new Session(connection)
    try {
      await session.run({ text: `begin ${mode}`, values: [] })
      const answer = await work(session.sql)
      const { command } = await session.run({ text: 'commit', values: [] })
      // A statement failed, and `work` took no notice of it.
      if (command === 'ROLLBACK') throw session.failure
      return answer
    } catch (error) {
      await session.run({ text: 'rollback', values: [] }).catch(() => {})
      throw error
    } finally {
      session.close()
      pool.release(connection)
    }
  }

  const reserve = async (): Promise<ReservedSql> => {
    const connection = await pool.acquire()
    const session = new Session(connection)
    let held = true
    return Object.assign(session.sql, {
      release: () => {
        if (!held) return
        held = false
        session.close()
        pool.release(connection)
      },
    })
  }

  const borrow = async () => {
    const connection = await pool.acquire()
    return { connection, done: () => pool.release(connection) }
  }

  const listen = async (channel: string, onnotify: (payload: string) => void, onlisten?: () => void) => {
    let stopped = false
    let current: Connection | undefined
    const start = async () => {
      const connection = new Connection(options, pool.host)
      connection.on('notification', ({ payload }) => onnotify(payload ?? ''))
      try {
        await connection.connect()
        await connection.startSession()
        await connection.run({ text: `listen ${pg.escapeIdentifier(channel)}`, values: [] })
      } catch (error) {
        await connection.destroy()
        throw error
      }
      if (stopped) {
        await connection.destroy()
        return
      }
      current = connection
      connection.once('end', () => void restart())
      onlisten?.()
    }
    const restart = async () => {
      for (let attempt = 0; !stopped; attempt++) {
        try {
          await start()
          return
        } catch {
          pool.host += 1
          await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 100 * 2 ** attempt)).unref())
        }
      }
    }
    const unlisten = async () => {
      stopped = true
      listeners.delete(unlisten)
      await current?.destroy()
    }
    // Of several hosts the first may be the one that is gone.
    for (let attempt = 1; ; attempt += 1) {
      try {
        await start()
        break
      } catch (error) {
        if (attempt >= options.server.hosts.length) throw error
        pool.host += 1
      }
    }
    listeners.add(unlisten)
    return { unlisten }
  }

  const end = async ({ timeout = Number.POSITIVE_INFINITY }: { timeout?: number } = {}): Promise<void> => {
    await Promise.all([...[...listeners].map((unlisten) => unlisten()), pool.end(timeout * 1000)])
  }

  return Object.assign(
    createSql((statement) => pool.run(statement)),
    { options, begin, reserve, borrow, listen, end },
  )
}
