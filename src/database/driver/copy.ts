import type { Sql, TransactionSql } from '../connect.ts'

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
 * The driver's stream knows neither how many rows the server took nor, by itself, of an error that the server finds after the
 * last byte. The query is told both, after its promise was spent on handing out the stream; so that is listened to.
 */
export async function startCopyIn(sql: Sql | TransactionSql, statement: string): Promise<CopyIn> {
  const query = sql.unsafe(statement)
  const stream = await query.writable()
  let failure: unknown
  let onDrain: (() => void) | undefined
  const settled = new Promise<number>((resolve, reject) => {
    // What the driver calls when the server is done.
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

/** Rows fetched at a time by `readCopyText`: few enough for wide ones, enough that turns cost little. */
const rowsPerFetch = 200

/**
 * The rows of a query in COPY's text format, as `COPY (query) TO STDOUT` would give them, piece by piece; the server sends no more
 * than is taken. `rowCount` is that of the piece.
 *
 * Not by COPY itself: the driver (postgres 3.4) holds its socket back while its stream is full and forgets to release it when the
 * stream has ended or failed meanwhile, after which nothing comes over that connection any more. A cursor has no such end.
 */
export async function* readCopyText(
  sql: Sql | TransactionSql,
  query: string,
): AsyncGenerator<{ bytes: Buffer; rowCount: number }> {
  for await (const rows of sql.unsafe(query).raw().cursor(rowsPerFetch)) {
    if (rows.length > 0)
      yield { bytes: renderCopyText(rows as unknown as (Uint8Array | null)[][]), rowCount: rows.length }
  }
}

/** Second byte of the escapes of COPY's text format (PostgreSQL manual, COPY, "Text Format"), by the byte they stand for; else 0. */
const escapes = new Uint8Array(256)
for (const [character, letter] of ['\bb', '\ff', '\nn', '\rr', '\tt', '\vv', '\\\\']) {
  if (character && letter) escapes[character.charCodeAt(0)] = letter.charCodeAt(0)
}
const backslash = 0x5c
const tab = 0x09
const newline = 0x0a
const letterN = 0x4e

/** Rows of values in PostgreSQL's text output, null for NULL, as COPY's text format. */
function renderCopyText(rows: readonly (readonly (Uint8Array | null)[])[]): Buffer {
  let limit = 0
  for (const row of rows) for (const value of row) limit += value ? 2 * value.length + 1 : 3
  const target = Buffer.allocUnsafe(limit + rows.length)
  let at = 0
  for (const row of rows) {
    for (const [column, value] of row.entries()) {
      if (column > 0) target[at++] = tab
      if (value === null) {
        target[at++] = backslash
        target[at++] = letterN
        continue
      }
      for (let i = 0; i < value.length; i++) {
        const byte = value[i] as number
        const letter = escapes[byte] as number
        if (letter !== 0) target[at++] = backslash
        target[at++] = letter === 0 ? byte : letter
      }
    }
    target[at++] = newline
  }
  return target.subarray(0, at)
}
