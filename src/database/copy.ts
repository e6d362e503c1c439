import type { Readable } from 'node:stream'
import type { Sql, TransactionSql } from './connect.ts'

/** A running COPY … FROM STDIN. Its connection takes no other query until `end` or `cancel` has settled. */
export interface CopyIn {
  /** Bytes of COPY's text format, cut anywhere; waits while the server is behind. Throws PostgreSQL's error once there is one. */
  write(bytes: string | Uint8Array): Promise<void>
  /** Ends the copy and returns how many rows the server took. Throws PostgreSQL's error, also one about the very last row. */
  end(): Promise<number>
  /** Gives the copy up: the statement fails at the server and leaves no row. */
  cancel(): Promise<void>
}

/**
 * Starts `COPY … FROM STDIN`. Use it on a reserved connection or in a transaction.
 *
 * The driver (postgres 3.4) tells its stream of errors only while rows are being written: one that the server finds after the
 * last byte reaches nobody, and the stream never finishes. The query itself is told in every case, so that is listened to.
 */
export async function startCopyIn(sql: Sql | TransactionSql, statement: string): Promise<CopyIn> {
  const query = sql.unsafe(statement)
  const stream = await query.writable()
  let failure: unknown
  let onDrain: (() => void) | undefined
  const settled = new Promise<number>((resolve, reject) => {
    // The promise of the query was spent on handing out the stream; what the driver calls at the end are these two.
    Object.assign(query, {
      resolve: (result: { count: number }) => resolve(result.count),
      reject: (error: unknown) => {
        failure ??= error
        onDrain?.()
        reject(error)
      },
    })
    stream.on('error', (error) => {
      failure ??= error
      onDrain?.()
    })
  })
  settled.catch(() => {})
  return {
    async write(bytes) {
      if (failure) throw failure
      if (!stream.write(bytes)) {
        await new Promise<void>((resolve) => {
          onDrain = resolve
          stream.once('drain', resolve)
        })
        onDrain = undefined
      }
      if (failure) throw failure
    },
    async end() {
      if (failure) throw failure
      stream.end()
      return settled
    },
    async cancel() {
      stream.destroy(new Error('given up'))
      await settled.catch(() => {})
    },
  }
}

/** Rows of `COPY … TO STDOUT` as bytes of the text format, in pieces of some hundred kilobytes. */
export async function* copyOut(sql: Sql | TransactionSql, statement: string): AsyncGenerator<Buffer> {
  const stream = (await sql.unsafe(statement).readable()) as Readable
  let parts: Buffer[] = []
  let bytes = 0
  // The driver pushes row by row; joined they cost the consumer far fewer turns.
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes < 262_144) continue
    yield Buffer.concat(parts)
    parts = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(parts)
}
