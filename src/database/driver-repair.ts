import type postgres from 'postgres'

/**
 * Mends a defect of the driver (postgres 3.4.9) that would show people wrong results. When a query fails after some of its rows
 * have come (a time limit, a division by zero in row 100, a lost connection), the driver goes on counting rows from there in the
 * next query of that connection, which may be anybody's: its result begins with as many holes, and `result[0]` is undefined.
 * The rows themselves are whole and in order, so dropping the holes gives the right result.
 *
 * Every query passes `handle` once before it runs; its result is mended on the way out. Where the driver has been mended there
 * are no holes and nothing happens.
 */

interface DriverQuery {
  executed: boolean
  resolve: (value: unknown) => void
  cursorFn?: (value: unknown) => unknown
  handle: () => Promise<void>
}

const mended = Symbol.for('novodb.driver-repair')

/** Applies the repair to the driver behind `sql`, once a process. Throws when the driver's inside is not the one known here. */
export function repairDriver(sql: postgres.Sql): void {
  // A query that nobody awaits is never run.
  const prototype = Object.getPrototypeOf(sql`select 1`) as DriverQuery & { [mended]?: boolean }
  if (prototype[mended]) return
  const handle = prototype.handle
  if (typeof handle !== 'function') throw new Error('The postgres driver has changed inside: see driver-repair.ts')
  prototype.handle = function (this: DriverQuery) {
    if (!this.executed) {
      const { resolve, cursorFn } = this
      this.resolve = (value) => resolve(dropHoles(value))
      if (cursorFn) this.cursorFn = (value) => cursorFn(dropHoles(value))
    }
    return handle.call(this)
  }
  prototype[mended] = true
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
