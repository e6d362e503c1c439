import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import type { Sql, TransactionSql } from '../database/connect.ts'

/** PostgreSQL's notification channel of the jobs; payload `queued`, `state:ID` or `cancel:ID`. */
const channel = 'novodb_jobs'

export type JobSignal = { kind: 'queued' } | { kind: 'state' | 'cancel'; job: string }

/** Tells all processes of the portal, at the end of the transaction when there is one. */
export async function sendJobSignal(sql: Sql | TransactionSql, signal: JobSignal): Promise<void> {
  const payload = signal.kind === 'queued' ? 'queued' : `${signal.kind}:${signal.job}`
  await sql`select pg_notify(${channel}, ${payload})`
}

/**
 * Notifications are a hint that something changed, never the news itself: they are lost while the connection is down, so
 * whoever listens looks at the table too, at long intervals and whenever `onReconnect` tells.
 */
export interface JobSignals {
  subscribe(listener: (signal: JobSignal | { kind: 'reconnected' }) => void): () => void
  close(): Promise<void>
}

/** How often to see whether notifications still arrive, and how long one may take. */
const checkMs = 10_000
const echoMs = 5_000

/**
 * Listens on a connection of its own. The driver listens again when that breaks, but only once: if PostgreSQL is not back at
 * that moment it stays deaf. So a message to ourselves tells now and then whether we still hear, and if not a new connection
 * is made.
 */
export async function listenToJobs(sql: Sql): Promise<JobSignals> {
  const listeners = new Set<(signal: JobSignal | { kind: 'reconnected' }) => void>()
  const tell = (signal: JobSignal | { kind: 'reconnected' }) => {
    for (const listener of [...listeners]) listener(signal)
  }
  const self = randomBytes(8).toString('hex')
  let heard = true
  let closed = false

  const connect = async (): Promise<postgres.Sql> => {
    // As the driver itself does it; its options once parsed are options again.
    const connection = postgres({ ...(sql.options as object), max: 1, idle_timeout: null, fetch_types: false } as never)
    try {
      await connection.listen(
        channel,
        (payload) => {
          const [kind, job] = payload.split(':')
          if (kind === 'queued') tell({ kind })
          else if ((kind === 'state' || kind === 'cancel') && job) tell({ kind, job })
          else if (kind === 'echo' && job === self) heard = true
        },
        () => tell({ kind: 'reconnected' }),
      )
      return connection
    } catch (error) {
      await connection.end({ timeout: 0 }).catch(() => undefined)
      throw error
    }
  }

  let connection = await connect()
  let timer: NodeJS.Timeout
  const check = async () => {
    try {
      heard = false
      await sql`select pg_notify(${channel}, ${`echo:${self}`})`
      await new Promise((resolve) => setTimeout(resolve, echoMs).unref())
      if (!heard && !closed) {
        const deaf = connection
        connection = await connect()
        await deaf.end({ timeout: 0 })
        if (closed) await connection.end({ timeout: 0 })
      }
    } catch {
      // The database is away; the next check finds it back.
    }
    if (!closed) schedule()
  }
  const schedule = () => {
    timer = setTimeout(() => void check(), checkMs).unref()
  }
  schedule()

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await connection.end({ timeout: 0 }).catch(() => undefined)
    },
  }
}
