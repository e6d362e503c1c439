import { type ByteSource, openByteSource } from '../byte-range.ts'
import type { ObjectStore } from './object-store.ts'

/** Reads of less are made of a piece of this size, which is kept: indexed files are read block after block. */
const pieceBytes = 256 * 1024
/** Pieces that are kept of a file until it is here. */
const keptPieces = 16

/**
 * An object for reading at any place while its file is being brought: from the store until the file `local` is there, whole, from that
 * after.
 */
export const openArriving = async (
  objects: ObjectStore,
  key: string,
  local: string,
  bytes: number,
): Promise<ByteSource> => {
  const pieces = new Map<number, Promise<Buffer>>()
  let opening: Promise<ByteSource | null> | null = null

  // Asked for at each read, which costs little beside a store's answer: whoever knows that the file has come reads it from then on.
  const findLocal = async (): Promise<ByteSource | null> => {
    opening ??= openByteSource(local).then(
      async (file) => {
        if (file.bytes === bytes) return file
        await file.close()
        return null
      },
      () => null,
    )
    const own = opening
    const found = await own
    if (found !== null) pieces.clear()
    // Others wait for the same, of whom one may have tried again already.
    else if (opening === own) opening = null
    return found
  }

  const readStore = async (start0: number, end0: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for await (const part of objects.read(key, start0, end0)) parts.push(part)
    return Buffer.concat(parts)
  }
  const pieceAt = (number: number): Promise<Buffer> => {
    let piece = pieces.get(number)
    if (piece === undefined) {
      piece = readStore(number * pieceBytes, Math.min(bytes, (number + 1) * pieceBytes))
      piece.catch(() => pieces.delete(number))
      pieces.set(number, piece)
      const [oldest] = pieces.keys()
      if (pieces.size > keptPieces && oldest !== undefined) pieces.delete(oldest)
    }
    return piece
  }

  return {
    name: `${objects.name}: ${key}`,
    bytes,
    read: async (start0, wanted0) => {
      const end0 = Math.min(wanted0, bytes)
      if (end0 <= start0) return Buffer.alloc(0)
      const here = await findLocal()
      if (here !== null) return here.read(start0, end0)
      if (end0 - start0 > pieceBytes) return readStore(start0, end0)
      const [first, last] = [Math.floor(start0 / pieceBytes), Math.floor((end0 - 1) / pieceBytes)]
      const found = await Promise.all(first === last ? [pieceAt(first)] : [pieceAt(first), pieceAt(last)])
      return Buffer.concat(found).subarray(start0 - first * pieceBytes, end0 - first * pieceBytes)
    },
    close: async () => {
      await (await opening)?.close()
    },
  }
}
