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
  handle: () => Promise<void>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  cursorFn?: (value: unknown) => unknown
  cursor: (rows?: unknown, take?: unknown) => unknown
  /** Whom to tell once when it has ended, either way. */
  [onEnd]?: ((error: unknown) => void)[]
  /** What it failed with. */
  [failure]?: { error: unknown }
}
/** Sends a query over the connection that it belongs to. */
export type DriverHandler = (query: DriverQuery) => void

const onEnd = Symbol('novodb.onEnd')
const failure = Symbol('novodb.failure')
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
    takeOver(this)
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

function takeOver(query: DriverQuery): void {
  let stream: Readable | Writable | undefined
  const end = (error: unknown) => {
    const callbacks = query[onEnd] ?? []
    query[onEnd] = []
    for (const callback of callbacks) callback(error)
  }
  // A cursor puts new functions in their place at each batch, so the places are taken over, not the functions.
  intercept(query, 'resolve', (inner, value) => {
    if (value instanceof Writable || value instanceof Readable) {
      // COPY has begun; it resolves once more at its end.
      stream = value
      inner(value)
      return
    }
    inner(dropHoles(value))
    end(undefined)
  })
  intercept(query, 'reject', (inner, error) => {
    query[failure] ??= { error }
    inner(error)
    if (stream && !stream.destroyed) stream.destroy(error as Error)
    end(error ?? new Error('The query failed'))
  })
  intercept(query, 'cursorFn', (inner, value) => inner(dropHoles(value)))
}

function intercept<Name extends 'resolve' | 'reject' | 'cursorFn'>(
  query: DriverQuery,
  name: Name,
  call: (inner: (value: unknown) => unknown, value: unknown) => unknown,
): void {
  let inner = query[name] as ((value: unknown) => unknown) | undefined
  Object.defineProperty(query, name, {
    configurable: true,
    get: () => {
      const current = inner
      return current && ((value: unknown) => call(current, value))
    },
    set: (value) => {
      inner = value
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
