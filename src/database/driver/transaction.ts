import type { Sql, TransactionSql } from '../connect.ts'

/** Codes of the driver and the system for a connection that is gone, and of a PostgreSQL that ends it (appendix A, class 57P). */
const lossCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
])

/** Whether an error says that the connection, not the query, failed: the same may work a moment later. */
export const isConnectionLoss = (error: unknown): boolean =>
  lossCodes.has((error as { code?: string } | null)?.code ?? '')

/** The close follows the error at once; should it not come, the transaction is given up all the same. */
const closeGraceMs = 5_000

/**
 * `sql.begin`, safe against a connection that is lost on the way: rejects then, and nothing more is sent.
 *
 * postgres.js 3.4 goes on to use the lost connection: it sends `rollback`, or whatever the function asks for next, into a
 * socket that is gone (an exception that ends the process, a query that never settles) or that is just being opened anew for
 * somebody else (statements outside any transaction, a broken handshake). So here a function that failed with its connection
 * never comes back to the driver, and one that goes on without noticing finds its handle closed.
 */
export async function runTransaction<T>(sql: Sql, work: (transaction: TransactionSql) => Promise<T>): Promise<T> {
  let lost: unknown = null
  const never = new Promise<never>(() => undefined)
  let giveUp: (error: unknown) => void = () => undefined
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  const transaction = sql.begin(async (driver) => {
    const guarded = new Proxy(driver, {
      apply(target, self, values) {
        if (lost) throw lost
        return Reflect.apply(target, self, values)
      },
      get(target, name) {
        if (lost) throw lost
        return Reflect.get(target, name)
      },
    })
    try {
      const answer = await work(guarded)
      if (lost) return never
      return answer
    } catch (error) {
      if (!lost && !isConnectionLoss(error)) throw error
      setTimeout(() => giveUp(error), closeGraceMs).unref()
      return never
    }
  }) as Promise<T>
  try {
    return await Promise.race([transaction, givenUp])
  } catch (error) {
    if (isConnectionLoss(error)) lost = error
    throw error
  }
}
