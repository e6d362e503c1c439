import { type FileHandle, open } from 'node:fs/promises'
import { asStoreError } from './store-error.ts'

/** Pieces are gathered to so many bytes before they go to the disk. */
const gatheredBytes = 1 << 20

/** A file that is written from its start in order; made by `openSink`. */
export interface FileSink {
  readonly file: string
  /**
   * Waits while the disk is behind, so that memory stays bounded; bytes are not to be changed afterwards. Rejects with a StoreError
   * `disk-full`, or what the file system said.
   */
  write(piece: string | Uint8Array): Promise<void>
  /** Writes what is left and closes the file. */
  end(): Promise<void>
  /** Closes the file as it is, after a failure; does nothing after `end`. */
  discard(): Promise<void>
}

/**
 * Opens a file for writing, emptied. Unlike a stream it has no `error` event that nobody may be listening to at the moment: what goes
 * wrong is told to whoever writes.
 */
export const openSink = async (file: string): Promise<FileSink> => {
  const attempt = <Answer>(work: Promise<Answer>): Promise<Answer> =>
    work.catch((thrown: unknown) => Promise.reject(asStoreError(thrown, file)))
  let handle: FileHandle | null = await attempt(open(file, 'w'))
  let pieces: Uint8Array[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (handle === null) throw new Error(`${file} is closed`)
    const ready = Buffer.concat(pieces)
    pieces = []
    bytes = 0
    // Of a handle it goes on where the last one ended.
    if (ready.length > 0) await attempt(handle.writeFile(ready))
  }
  const close = async (): Promise<void> => {
    const open = handle
    handle = null
    await open?.close()
  }
  return {
    file,
    write: async (piece) => {
      const own = typeof piece === 'string' ? Buffer.from(piece) : piece
      pieces.push(own)
      bytes += own.length
      if (bytes >= gatheredBytes) await flush()
    },
    end: async () => {
      try {
        await flush()
      } finally {
        await close()
      }
    },
    discard: close,
  }
}
