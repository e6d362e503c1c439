import { statfs } from 'node:fs/promises'
import { asStoreError, StoreError } from './store-error.ts'

export interface DiskSpace {
  /** Bytes that this user may still write. */
  freeBytes: number
  totalBytes: number
}

/** Space on the file system that holds `folder`, which must exist. */
export async function getDiskSpace(folder: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch (thrown) {
    throw asStoreError(thrown, folder)
  }
}

/**
 * Throws StoreError `disk-full`, with both figures in its text, unless `neededBytes` and a reserve are free. The reserve
 * (1 GiB, or a twentieth of a smaller disk) is for the database and its log, which stop writing on a full disk.
 */
export async function requireDiskSpace(folder: string, neededBytes: number): Promise<void> {
  const { freeBytes, totalBytes } = await getDiskSpace(folder)
  const reserve = Math.min(2 ** 30, totalBytes / 20)
  if (freeBytes - reserve < neededBytes) {
    const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1)
    throw new StoreError(
      'disk-full',
      folder,
      `${gigabytes(neededBytes)} GB are needed, ${gigabytes(freeBytes)} GB are free and ${gigabytes(reserve)} GB of them are kept in reserve`,
    )
  }
}
