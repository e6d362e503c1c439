import PgBoss from 'pg-boss'
import type { Sql, TransactionSql } from '../database/connect.ts'
import { isConnectionLoss } from '../database/driver/transaction.ts'

/** pg-boss's own schema and the one queue in it. */
export const messageSchema = 'pgboss'
export const queueName = 'jobs'

/**
 * Messages that say "this job waits for a worker", kept by pg-boss over the portal's own connections. A message holds the
 * job's id and nothing else: the table `jobs` is the truth, and a message for a job that no longer waits is dropped by
 * whoever takes it. A message is taken and removed in the transaction that claims its job, so a worker that dies in between
 * leaves both as they were.
 *
 * To keep transactions free of deadlocks: messages are locked before jobs, and nobody who holds a job's lock sends a message
 * that may exist already.
 */
export interface MessageQueue {
  /** Sends a job's message unless it has one already. Higher priority is taken first, then older ones. */
  sendMessage(sql: Sql | TransactionSql, job: string, priority: number): Promise<void>
  /** Takes the next message and removes it; null when none waits. */
  takeMessage(sql: TransactionSql): Promise<string | null>
}

/** A job's 128 bits as the UUID that names its message. */
export const messageId = (job: string): string => job.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Creates pg-boss's schema and queue if they are not there; safe to be called by several processes at once. */
export async function openMessageQueue(sql: Sql): Promise<MessageQueue> {
  const boss = new PgBoss({
    db: { executeSql: (text: string, values?: unknown[]) => executeAlone(sql, text, values) },
    schema: messageSchema,
    // Its timers would archive and expire messages; ours are removed when they are taken, so there are none such.
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await boss.createQueue(queueName)
  return {
    async sendMessage(on, job, priority) {
      await boss.send(queueName, { job }, { id: messageId(job), priority, db: executorOn(on) })
    },
    async takeMessage(on) {
      // pg-boss takes an error of its query for an empty queue; here it is one.
      let failure: unknown = null
      const db: PgBoss.Db = {
        executeSql: (text, values) =>
          executorOn(on)
            .executeSql(text, values)
            .catch((error: unknown) => {
              failure = error
              throw error
            }),
      }
      const [message] = await boss.fetch<{ job: string }>(queueName, { batchSize: 1, db })
      if (failure) throw failure
      if (!message) return null
      await boss.deleteJob(queueName, message.id, { db: executorOn(on) })
      return message.data.job
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: postgres.js's own type for values of a query given as text
type Values = any[]

const prepareValues = (values: unknown[]): Values => values.map((value) => value ?? null)

const executorOn = (sql: Sql | TransactionSql): PgBoss.Db => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: await sql.unsafe(text, prepareValues(values), { prepare: true }),
  }),
})

/** Scripts of several statements hold their own BEGIN and COMMIT, and so need a connection to themselves. */
async function executeAlone(sql: Sql, text: string, values?: unknown[]): Promise<{ rows: Values }> {
  if (values) return executorOn(sql).executeSql(text, values)
  const connection = await sql.reserve()
  try {
    const rows = await connection.unsafe(text).simple()
    connection.release()
    return { rows }
  } catch (error) {
    // A lost connection must not be touched again, not even to give it back (see `runTransaction`).
    if (!isConnectionLoss(error)) {
      await connection`rollback`
      connection.release()
    }
    throw error
  }
}
