import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { asStoreError, StoreError } from './store-error.ts'

const pieceBytes = 1 << 20

/**
 * The bytes of a file from its start, decompressed when it is gzip or bgzip (told by its first two bytes, whatever its name).
 * `onRead` is told how many bytes of the file itself have been read. Stopping early closes the file.
 * Throws StoreError, naming the file: `missing`, `truncated` when gzip data end too soon, `corrupt` when they are damaged.
 */
export async function* readDecompressed(file: string, onRead?: (bytesRead: number) => void): AsyncGenerator<Buffer> {
  try {
    const handle = await open(file, 'r')
    try {
      const magic = await handle.read(Buffer.alloc(2), 0, 2, 0)
      const input = handle.createReadStream({ start: 0, highWaterMark: pieceBytes, autoClose: false })
      const isGzip = magic.buffer[0] === 0x1f && magic.buffer[1] === 0x8b
      const gunzip = isGzip ? createGunzip({ chunkSize: pieceBytes }) : null
      if (gunzip) {
        input.on('error', (error) => gunzip.destroy(error))
        input.pipe(gunzip)
      }
      try {
        for await (const piece of (gunzip ?? input) as AsyncIterable<Buffer>) {
          onRead?.(input.bytesRead)
          yield piece
        }
      } finally {
        gunzip?.destroy()
        input.destroy()
      }
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    if (code === 'Z_BUF_ERROR') throw new StoreError('truncated', file, 'its gzip data are cut off', { cause: thrown })
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new StoreError('corrupt', file, 'its gzip data are damaged', { cause: thrown })
    throw asStoreError(thrown, file)
  }
}
