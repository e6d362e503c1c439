import { readDecompressed } from './decompressed.ts'
import { StoreError } from './store-error.ts'

/**
 * A text, plain or gzip, that may not have been written: null when there is no such file; rejects as `readDecompressed` does for any
 * other reason.
 */
export const readTextIfPresent = async (file: string): Promise<string | null> => {
  const pieces: Buffer[] = []
  try {
    for await (const piece of readDecompressed(file)) pieces.push(piece)
  } catch (error) {
    if (error instanceof StoreError && error.code === 'missing') return null
    throw error
  }
  return Buffer.concat(pieces).toString('utf8')
}
