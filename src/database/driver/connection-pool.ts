import net from 'node:net'
import postgres from 'postgres'
import { arrayTypeNumbers } from './array-types.ts'
import { type DriverHandler, type DriverQuery, getHandler, setRunner, whenEnded } from './driver-query.ts'

/**
 * A pool of connections over the driver, in place of the driver's own. The driver (postgres 3.4.9) uses a connection object again
 * after its connection was lost, with the state that it had: queries that were in its hands are never answered, the first ones
 * after it get errors of the one before, and the pool may stand still for good (seen: of 552 queries around twelve broken
 * connections 348 never settled). Here every connection is a driver of its own for one connection; one query at a time runs on
 * it; and when its connection is gone it is thrown away, whatever it still had is rejected, and nothing reaches it any more,
 * not even from a transaction that has not noticed.
 */

export interface PoolOptions {
  /** Connections at most. */
  max: number
  /** The driver's options, without `max`. */
  driver: postgres.Options<Record<string, postgres.PostgresType>>
  /** The address, when the driver shall read one. */
  address?: string
  /** Connections older than this are renewed when they are free; 0: never. */
  lifetimeMs: number
  /** Several hosts are left to the driver, which tries one after the other. */
  severalHosts?: boolean
  onclose?: () => void
  /** Called once for each connection, before it is used, with the number of PostgreSQL's process that serves it. */
  onopen?: (pid: number) => void
}

type Reject = (error: unknown) => void

/**
 * A few things that come and go with every query. Not a Set: that makes a new table every few deletions and links the old ones to the
 * new; once one of them is old to the garbage collector, all later tables, and the queries and rows they held, are kept until its next
 * full run (seen: a quarter of all that gene look-ups allocated, and pauses of 8 ms to copy it).
 */
class Bag<Item> {
  readonly items: Item[] = []

  add(item: Item): void {
    this.items.push(item)
  }

  delete(item: Item): void {
    const at = this.items.indexOf(item)
    if (at < 0) return
    const last = this.items.pop()!
    if (at < this.items.length) this.items[at] = last
  }
}

/** One connection: made by its first query, never used again after its end. */
class Connection {
  readonly sql: postgres.Sql
  readonly handler: DriverHandler
  readonly bornAt = Date.now()
  lost: Error | null = null
  #socket: net.Socket | undefined
  #onopen: ((pid: number) => void) | undefined
  readonly #pending = new Bag<Reject>()

  constructor(options: PoolOptions, extra: postgres.Options<Record<string, postgres.PostgresType>> = {}) {
    const driver = {
      ...options.driver,
      ...extra,
      max: 1,
      idle_timeout: undefined,
      // The pool renews connections itself, between queries.
      max_lifetime: null,
      fetch_types: false,
      onclose: () => {
        const expected = this.lost !== null
        this.fail(connectionClosed())
        if (!expected) options.onclose?.()
      },
      ...(options.severalHosts ? {} : { socket: (parsed: ParsedOptions) => this.#connectSocket(parsed) }),
    }
    this.#onopen = options.onopen
    this.sql = options.address ? postgres(options.address, driver) : postgres(driver)
    Object.assign((this.sql.options as unknown as ParsedOptions).shared.typeArrayMap, arrayTypeNumbers)
    this.handler = getHandler(this.sql)
  }

  /** Hands a query to the driver by `handler`; it is rejected if the connection ends before it. */
  run(query: DriverQuery, handler: DriverHandler): void {
    if (this.lost) {
      query.reject(this.lost)
      return
    }
    const reject: Reject = (error) => query.reject(error)
    this.#pending.add(reject)
    whenEnded(query, () => this.#pending.delete(reject))
    handler(query)
  }

  /** The promise, or the loss of the connection when that comes first. */
  guard<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pending.add(reject)
      promise.then(resolve, reject).finally(() => this.#pending.delete(reject))
    })
  }

  /** Whether somebody wants to know who serves it, and has not been told. */
  get isUnknown(): boolean {
    return this.#onopen !== undefined
  }

  async tellProcess(): Promise<void> {
    const onopen = this.#onopen
    this.#onopen = undefined
    const [row] = await this.guard(this.sql<{ pid: number }[]>`select pg_backend_pid() as pid`)
    onopen?.(row!.pid)
  }

  /** Queries of a transaction or a reserved connection: they too are refused once the connection is lost. */
  adopt(sql: postgres.ISql): void {
    const handler = getHandler(sql)
    setRunner(handler, (query) => this.run(query, handler))
  }

  fail(error: Error): void {
    this.lost ??= error
    for (const reject of this.#pending.items.splice(0)) reject(this.lost)
  }

  /** Ends it, giving its query at most `seconds`. */
  async end(seconds: number): Promise<void> {
    this.lost ??= connectionClosed()
    await this.sql.end({ timeout: seconds }).catch(() => {})
    this.fail(this.lost)
  }

  /** Calls back when the connection is lost, at once if it is already. */
  whenLost(callback: () => void): void {
    if (this.lost) callback()
    else this.#pending.add(callback)
  }

  #connectSocket(options: ParsedOptions): net.Socket {
    // A server that hangs up during the greeting makes the driver try again at once, without end and without telling.
    if (this.#socket?.destroyed) {
      this.fail(connectionClosed())
      throw this.lost
    }
    const socket = connectSocket(options)
    // A further socket carries a request to cancel a query.
    this.#socket ??= socket
    return socket
  }
}

interface ParsedOptions {
  path: string | false
  host: string[]
  port: number[]
  shared: { typeArrayMap: Record<number, number> }
}

function connectSocket({ path, host, port }: ParsedOptions): net.Socket {
  if (typeof path === 'string') return net.connect(path)
  const target = { host: host[0] ?? 'localhost', port: port[0] ?? 5432 }
  // Small messages back and forth: waiting to fill a packet only delays them. The driver takes the name for TLS from the socket.
  return Object.assign(net.connect({ ...target, noDelay: true }), target)
}

function connectionClosed(): Error {
  return Object.assign(new Error('The connection to the database was lost (CONNECTION_CLOSED)'), {
    code: 'CONNECTION_CLOSED',
  })
}

function connectionEnded(): Error {
  return Object.assign(new Error('The connections to the database have been closed (CONNECTION_ENDED)'), {
    code: 'CONNECTION_ENDED',
  })
}

/** Errors that leave the connection sound: those that PostgreSQL gave one statement. */
function isStatementError(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === 'ERROR'
}

/** Errors of the connection itself, by the driver, the system or a PostgreSQL that ends the session. */
function isConnectionError(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return (
    severity === 'FATAL' ||
    severity === 'PANIC' ||
    (typeof code === 'string' && /^(CONNECT(ION)?_|E[A-Z]+$)/.test(code))
  )
}

class Pool {
  readonly #options: PoolOptions
  readonly #idle: Connection[] = []
  readonly #used = new Bag<Connection>()
  readonly #waiting: { take: (connection: Connection) => void; refuse: Reject }[] = []
  #ending: Promise<void> | undefined
  #whenUnused: (() => void) | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  async acquire(): Promise<Connection> {
    if (this.#ending) throw connectionEnded()
    const connection =
      this.#takeFree() ??
      (await new Promise<Connection>((take, refuse) => {
        this.#waiting.push({ take, refuse })
      }))
    if (connection.isUnknown)
      try {
        await connection.tellProcess()
      } catch (error) {
        this.release(connection, true)
        throw error
      }
    return connection
  }

  /** Takes a connection back; `broken` ones are thrown away. */
  release(connection: Connection, broken = false): void {
    this.#used.delete(connection)
    const old = this.#options.lifetimeMs > 0 && Date.now() - connection.bornAt > this.#options.lifetimeMs
    if (connection.lost || broken || old) void connection.end(1)
    else this.#idle.push(connection)
    if (this.#waiting.length > 0) {
      const next = this.#takeFree()
      if (next) this.#waiting.shift()?.take(next)
    }
    if (this.#used.items.length === 0) this.#whenUnused?.()
  }

  async run(query: DriverQuery): Promise<void> {
    let connection: Connection
    try {
      connection = await this.acquire()
    } catch (error) {
      query.reject(error)
      return
    }
    if (query.cancelled) {
      this.release(connection)
      return
    }
    whenEnded(query, (error) => {
      // Not within the driver's own turn: it has yet to call the connection free.
      queueMicrotask(() => this.release(connection, error !== undefined && !isStatementError(error)))
    })
    connection.run(query, connection.handler)
  }

  end(seconds: number | null): Promise<void> {
    this.#ending ??= (async () => {
      for (const { refuse } of this.#waiting.splice(0)) refuse(connectionEnded())
      if (this.#used.items.length > 0) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          this.#whenUnused = resolve
          if (seconds !== null) timer = setTimeout(resolve, seconds * 1000)
        })
        clearTimeout(timer)
      }
      await Promise.all([...this.#used.items, ...this.#idle].map((connection) => connection.end(0)))
    })()
    return this.#ending
  }

  #takeFree(): Connection | null {
    let connection = this.#idle.pop()
    // Lost while nobody used it.
    while (connection?.lost) connection = this.#idle.pop()
    if (!connection && this.#used.items.length + this.#idle.length < this.#options.max)
      connection = new Connection(this.#options)
    if (connection) this.#used.add(connection)
    return connection ?? null
  }
}

/**
 * The pool as the driver's `sql`, with all that it can do: queries, fragments, cursors, COPY, `begin`, `reserve`, `listen`,
 * `end`. `listen` takes a connection of its own and listens again for as long as it takes when that is lost; its third argument is
 * called each time it begins to, so that its caller can look for what it missed. Throws what the driver throws about an address.
 */
export function createPool(options: PoolOptions): postgres.Sql {
  const pool = new Pool(options)
  const listeners = new Set<() => Promise<void>>()
  // Makes queries and never connects.
  const { sql, handler } = new Connection(options)
  setRunner(handler, (query) => void pool.run(query))

  const begin = async (...parameters: unknown[]): Promise<unknown> => {
    const work = parameters.pop() as (transaction: postgres.TransactionSql) => unknown
    const connection = await pool.acquire()
    let broken = false
    try {
      const beginDriver = connection.sql.begin as (...values: unknown[]) => Promise<unknown>
      return await connection.guard(
        beginDriver(...parameters, (transaction: postgres.TransactionSql) => {
          adoptTransaction(connection, transaction)
          return work(transaction)
        }),
      )
    } catch (error) {
      broken = isConnectionError(error)
      throw error
    } finally {
      pool.release(connection, broken)
    }
  }

  const reserve = async (): Promise<postgres.ReservedSql> => {
    const connection = await pool.acquire()
    try {
      // The driver's own `reserve` waits for ever on a connection that it has yet to make.
      await connection.guard(connection.sql`select 1`)
      const reserved = await connection.guard(connection.sql.reserve())
      connection.adopt(reserved)
      const release = reserved.release
      let held = true
      reserved.release = () => {
        if (!held) return
        held = false
        if (!connection.lost) release()
        pool.release(connection)
      }
      return reserved
    } catch (error) {
      pool.release(connection, true)
      throw error
    }
  }

  const listen = async (channel: string, onnotify: (payload: string) => void, onlisten?: () => void) => {
    let stopped = false
    let current: Connection | undefined
    const start = async () => {
      const connection = new Connection(options, {
        onnotify: (_: string, payload: string) => onnotify(payload),
      } as object)
      try {
        await connection.guard(connection.sql.unsafe(`listen "${channel.replaceAll('"', '""')}"`))
      } catch (error) {
        await connection.end(0)
        throw error
      }
      if (stopped) {
        await connection.end(0)
        return
      }
      current = connection
      onlisten?.()
      connection.whenLost(() => void restart())
    }
    const restart = async () => {
      for (let attempt = 0; !stopped; attempt++) {
        try {
          await start()
          return
        } catch {
          await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 100 * 2 ** attempt)).unref())
        }
      }
    }
    const unlisten = async () => {
      stopped = true
      listeners.delete(unlisten)
      await current?.end(0)
    }
    await start()
    listeners.add(unlisten)
    return { unlisten }
  }

  const end = async ({ timeout = null }: { timeout?: number | null } = {}): Promise<void> => {
    await Promise.all([...[...listeners].map((unlisten) => unlisten()), pool.end(timeout)])
  }

  // Whoever makes a driver of their own of these options shall have sockets of their own.
  if (!options.severalHosts) Object.assign(sql.options, { socket: connectSocket })
  return Object.assign(sql, { begin, reserve, listen, end, close: end }) as unknown as postgres.Sql
}

function adoptTransaction(connection: Connection, transaction: postgres.TransactionSql): void {
  connection.adopt(transaction)
  const savepoint = transaction.savepoint as (...values: unknown[]) => Promise<unknown>
  const adopted = (...parameters: unknown[]) => {
    if (connection.lost) return Promise.reject(connection.lost)
    const work = parameters.pop() as (inner: postgres.TransactionSql) => unknown
    return savepoint(...parameters, (inner: postgres.TransactionSql) => {
      adoptTransaction(connection, inner)
      return work(inner)
    })
  }
  Object.assign(transaction, { savepoint: adopted })
}
