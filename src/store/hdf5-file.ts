import { open } from 'node:fs/promises'
import type * as H5 from 'h5wasm/node'

/** HDF5 file format specification, section II.A: every file begins with this. */
const signature = '\x89HDF\r\n\x1a\n'

/** Asked first since the library writes pages of its own to the console for a file that is none. */
const isHdf5 = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const start = Buffer.alloc(signature.length)
    await handle.read(start, 0, signature.length, 0)
    return start.toString('latin1') === signature
  } finally {
    await handle.close()
  }
}

/** Opens an HDF5 file for reading; null when it is none or cannot be opened as one. The caller closes it. */
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
