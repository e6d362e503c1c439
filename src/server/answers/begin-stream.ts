import { Readable } from 'node:stream'

/**
 * A stream of an answer whose first piece is there: what goes wrong before it rejects here, while the answer can still be a failure with
 * its own status and headers. Headers of the file are set after this, never before. The pieces are closed when the stream is.
 */
export const beginStream = async (pieces: AsyncIterable<string | Uint8Array>): Promise<Readable> => {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  let taken = false
  // Not a generator: one that has not begun does not close what it reads when it is ended.
  const begun: AsyncIterableIterator<string | Uint8Array> = {
    [Symbol.asyncIterator]: () => begun,
    next: async () => {
      if (taken) return iterator.next()
      taken = true
      return first
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return Readable.from(begun, { objectMode: false })
}

/** Headers of a file that an answer of failure must not keep: how it is packed, called, cached, checked and how long it is. */
export const headersOfFile = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'ETag',
] as const
