import { open } from 'node:fs/promises'
import type * as H5 from 'h5wasm/node'
import { StoreError } from './store-error.ts'

/** HDF5 file format specification, section II.A: every file begins with this. */
const signature = '\x89HDF\r\n\x1a\n'

/** Where the superblock says how long the file is (specification, II.A), by its version, with addresses of eight bytes. */
const lengthAt = [40, 44, 28, 28]
const addressSizeAt = [13, 13, 9, 9]

/**
 * Whether a file begins as HDF5 does. Asked first since the library writes pages of its own to the console for a file that is none, or
 * is cut off. Rejects with StoreError `truncated` where the file is shorter than it says itself.
 */
const isHdf5 = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const start = Buffer.alloc(52)
    const { bytesRead } = await handle.read(start, 0, start.length, 0)
    if (start.toString('latin1', 0, signature.length) !== signature) return false
    const version = start[signature.length]!
    const { size } = await handle.stat()
    const at = lengthAt[version]
    const length =
      at !== undefined && bytesRead === start.length && start[addressSizeAt[version]!] === 8
        ? start.readBigUInt64LE(at)
        : BigInt(start.length)
    if (size < length) throw new StoreError('truncated', path, `it ends after ${size} of ${length} bytes`)
    return true
  } finally {
    await handle.close()
  }
}

/**
 * Opens an HDF5 file for reading; null when it is none or cannot be opened as one. The caller closes it. Rejects with StoreError
 * `truncated` for a file that is cut off.
 */
export const openHdf5 = async (path: string): Promise<H5.File | null> => {
  if (!(await isHdf5(path))) return null
  // Four megabytes of WebAssembly, for those who load such files only.
  const h5 = await import('h5wasm/node')
  await h5.ready
  try {
    const file = new h5.File(path, 'r')
    if (file.file_id >= 0n) return file
    file.close()
  } catch {
    // The library says only that it could not.
  }
  return null
}
