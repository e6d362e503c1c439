import { finished } from 'node:stream/promises'
import { from, to } from 'pg-copy-streams'
import type { AnySql } from './connection-pool.ts'

/** A running COPY … FROM STDIN. Its connection takes nothing else until `end` or `cancel` has settled. */
export interface CopyIn {
  /** Bytes of COPY's text format, cut anywhere; waits while the server is behind. Throws PostgreSQL's error once there is one. */
  write(bytes: string | Uint8Array): Promise<void>
  /** Ends the copy and returns how many rows the server took. Throws PostgreSQL's error, also one about the very last row. */
  end(): Promise<number>
  /** Gives the copy up: the statement fails at the server and leaves no row. */
  cancel(): Promise<void>
}

/** Starts `COPY … FROM STDIN`. */
export async function startCopyIn(sql: AnySql, statement: string): Promise<CopyIn> {
  const { connection, done } = await sql.borrow()
  const stream = connection.query(from(statement))
  const ended = finished(stream)
    .catch((error: unknown) => {
      throw connection.explain(error)
    })
    .finally(done)
  ended.catch(() => {})
  // The stream of a copy that has failed takes nothing more, and does not say so.
  let failed = false
  stream.once('error', () => {
    failed = true
  })
  return {
    async write(bytes) {
      if (failed) await ended
      else if (!stream.write(bytes))
        await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), ended])
    },
    async end() {
      if (!failed) stream.end()
      await ended
      return stream.rowCount
    },
    async cancel() {
      if (!failed) stream.destroy(new Error('given up'))
      await ended.catch(() => {})
    },
  }
}

/**
 * `COPY … TO STDOUT`, in pieces that end anywhere; the server sends no more than is taken. A reader that stops before the end costs the
 * connection, and with it the transaction.
 */
export async function* readCopyOut(sql: AnySql, statement: string): AsyncGenerator<Buffer> {
  const { connection, done } = await sql.borrow()
  let complete = false
  try {
    for await (const bytes of connection.query(to(statement))) yield bytes as Buffer
    complete = true
  } catch (error) {
    complete = true
    throw connection.explain(error)
  } finally {
    if (!complete) await connection.destroy()
    done()
  }
}
