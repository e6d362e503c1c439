import { Readable, Writable } from 'node:stream'
import type postgres from 'postgres'

/**
 * How the portal takes part in the driver's queries (postgres 3.4.9). Every query, whoever makes it, passes `handle` once before
 * it runs and `resolve` or `reject` in the end; both are taken over here, for three purposes:
 *
 * A query of a pool runs where the pool says (connection-pool.ts), through the runner registered for its handler.
 *
 * Results are mended. When a query fails after some of its rows have come (a time limit, a division by zero in row 100), the
 * driver goes on counting rows from there in the next query of that connection, which may be anybody's: its result begins with
 * as many holes, and `result[0]` is undefined. The rows themselves are whole and in order, so dropping the holes mends it. And
 * an error that comes after the last byte of a COPY … FROM STDIN was sent reaches nobody, the stream never ends: here it
 * destroys the stream.
 *
 * A cursor that loses its connection while its reader is busy with a batch ends as if that had been the last one: the driver rejects a
 * promise that was kept already. Here the next batch asked for is the error.
 */
export interface DriverQuery {
  executed: boolean
  /** Set when somebody has cancelled it. */
  cancelled: unknown
  handler: DriverHandler
  args: unknown[]
  parameters: unknown[]
  /** Types and text together, by which a connection knows its prepared statements. */
  signature: string
  handle: () => Promise<void>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  cursorFn?: (value: unknown) => unknown
  cursor: (rows?: unknown, take?: unknown) => unknown
  /** Whom to tell once when it has ended, either way. */
  [onEnd]?: ((error: unknown) => void)[] | undefined
  /** The stream of its COPY, once that has begun. */
  [copying]?: Readable | Writable
  /** What it failed with. */
  [failure]?: { error: unknown }
}
/** Sends a query over the connection that it belongs to. */
export type DriverHandler = (query: DriverQuery) => void

const onEnd = Symbol('novodb.onEnd')
const failure = Symbol('novodb.failure')
const copying = Symbol('novodb.copying')
const mended = Symbol.for('novodb.driver-query')
const runners = new WeakMap<DriverHandler, DriverHandler>()

/** The driver's own way to run the queries of `sql`: a pool's, a reserved connection's or a transaction's. */
export function getHandler(sql: postgres.ISql): DriverHandler {
  // A query that nobody awaits is never run.
  const query = sql`select 1` as unknown as DriverQuery
  mendQueries(Object.getPrototypeOf(query) as DriverQuery)
  return query.handler
}

/** From now on queries with this handler are given to `runner`, which calls the handler of its choice. */
export function setRunner(handler: DriverHandler, runner: DriverHandler): void {
  runners.set(handler, runner)
}

/** Calls back when the query has ended; `error` is what it failed with, else undefined. */
export function whenEnded(query: DriverQuery, callback: (error: unknown) => void): void {
  query[onEnd] ??= []
  query[onEnd].push(callback)
}

function mendQueries(prototype: DriverQuery & { [mended]?: boolean }): void {
  if (prototype[mended]) return
  if (typeof prototype.handle !== 'function')
    throw new Error('The postgres driver has changed inside: see driver-query.ts')
  prototype.handle = async function (this: DriverQuery) {
    if (this.executed) return
    this.executed = true
    // As the driver does it: modifiers such as `.simple()` may follow in the same breath.
    await undefined
    const run = runners.get(this.handler) ?? this.handler
    run(this)
  }
  const openCursor = prototype.cursor
  prototype.cursor = function (this: DriverQuery, rows, take) {
    const made = openCursor.call(this, rows, take)
    return made === this ? made : failingCursor(this, made as AsyncIterable<unknown>)
  }
  takeOverPlaces(prototype)
  prototype[mended] = true
}

function failingCursor(query: DriverQuery, cursor: AsyncIterable<unknown>): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const batches = cursor[Symbol.asyncIterator]()
      return {
        next: async () => {
          const batch = await batches.next()
          if (batch.done && query[failure] !== undefined) throw query[failure].error
          return batch
        },
        return: async () => (await batches.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}

const isStream = (value: unknown): value is Writable | Readable =>
  value instanceof Writable || value instanceof Readable

/**
 * What the driver puts into `resolve`, `reject` and `cursorFn` of a query is kept aside and called by way of the mending. A cursor puts
 * new functions in their place at each batch, so the places are taken over, not the functions. They are taken over once for all queries:
 * accessors of each query's own would give each a hidden class of its own, which lives in V8's old generation, and all that the query and
 * its request held would stay until the next full collection (seen: 17 kB a gene looked up, and so a full collection every five seconds,
 * each of which held everybody up for some 50 to 100 ms).
 */
function takeOverPlaces(prototype: DriverQuery): void {
  takeOver(prototype, 'resolve', (query, inner, value) => {
    inner(dropHoles(value))
    // COPY has begun; it resolves once more at its end.
    if (isStream(value)) query[copying] = value
    else end(query, undefined)
  })
  takeOver(prototype, 'reject', (query, inner, error) => {
    query[failure] ??= { error }
    inner(error)
    if (query[copying]?.destroyed === false) query[copying].destroy(error as Error)
    end(query, error ?? new Error('The query failed'))
  })
  takeOver(prototype, 'cursorFn', (_, inner, value) => inner(dropHoles(value)))
}

function end(query: DriverQuery, error: unknown): void {
  // A query outlives its end by far (see read-rows.ts): it does not take its parameters and its signature of kilobytes along.
  query.args = query.parameters = []
  query.signature = ''
  const callbacks = query[onEnd]
  if (callbacks === undefined) return
  query[onEnd] = undefined
  for (const callback of callbacks) callback(error)
}

type Settler = (value: unknown) => unknown

function takeOver(
  prototype: DriverQuery,
  name: 'resolve' | 'reject' | 'cursorFn',
  call: (query: DriverQuery, inner: Settler, value: unknown) => unknown,
): void {
  const place = Symbol(`novodb.${name}`)
  type Holder = DriverQuery & { [place]?: Settler }
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: Holder) {
      const inner = this[place]
      return inner && ((value: unknown) => call(this, inner, value))
    },
    set(this: Holder, inner: Settler) {
      this[place] = inner
    },
  })
}

/** The result without the holes at its beginning; of several statements' results the first, which alone can have them. */
function dropHoles(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value
  if (!(0 in value)) {
    const first = value.findIndex((_, index) => index in value)
    value.splice(0, first < 0 ? value.length : first)
  } else if (Array.isArray(value[0]) && 'command' in value[0]) {
    dropHoles(value[0])
  }
  return value
}
