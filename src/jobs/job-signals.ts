import type { Sql, TransactionSql } from '../database/connect.ts'

/** PostgreSQL's notification channel of the jobs; payload `queued`, `state:ID` or `cancel:ID`. */
const channel = 'novodb_jobs'

export type JobSignal = { kind: 'queued' } | { kind: 'state' | 'cancel'; job: string }

/** Tells all processes of the portal, at the end of the transaction when there is one. */
export async function sendJobSignal(sql: Sql | TransactionSql, signal: JobSignal): Promise<void> {
  const payload = signal.kind === 'queued' ? 'queued' : `${signal.kind}:${signal.job}`
  await sql`select pg_notify(${channel}, ${payload})`
}

/** For the `from` of a statement whose rows have a job's `id`: tells that each has changed. */
export const notifyState = (sql: Sql | TransactionSql) => sql`pg_notify(${channel}, 'state:' || id)`

/** As `notifyState`: tells whoever runs these jobs that they are to be cancelled. */
export const notifyCancel = (sql: Sql | TransactionSql) => sql`pg_notify(${channel}, 'cancel:' || id)`

/**
 * Notifications are a hint that something changed, never the news itself: they are lost while the connection is down, so
 * whoever listens looks at the table too, at long intervals and whenever `onReconnect` tells.
 */
export interface JobSignals {
  subscribe(listener: (signal: JobSignal | { kind: 'reconnected' }) => void): () => void
  close(): Promise<void>
}

/**
 * Listens by the pool's own `listen`, which takes a connection of its own and listens again when that is lost; `reconnected` is
 * told each time it begins to. A connection that dies without a word is found by the keep-alive of its socket.
 */
export async function listenToJobs(sql: Sql): Promise<JobSignals> {
  const listeners = new Set<(signal: JobSignal | { kind: 'reconnected' }) => void>()
  const notify = (signal: JobSignal | { kind: 'reconnected' }) => {
    for (const listener of [...listeners]) listener(signal)
  }
  const subscription = await sql.listen(
    channel,
    (payload) => {
      const [kind, job] = payload.split(':')
      if (kind === 'queued') notify({ kind })
      else if ((kind === 'state' || kind === 'cancel') && job) notify({ kind, job })
    },
    () => notify({ kind: 'reconnected' }),
  )
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => subscription.unlisten(),
  }
}
