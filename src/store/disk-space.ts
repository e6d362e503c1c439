import { opendir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { asStoreError, DiskFullError } from './store-error.ts'

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

/** What is kept free for the database and its log, which stop writing on a full disk: 1 GiB, or a twentieth of a smaller one. */
export const reserveOf = (totalBytes: number): number => Math.min(2 ** 30, totalBytes / 20)

/** Less than this is what failed writes leave: PostgreSQL's smallest unit of growth, a segment of its log, is 16 MiB. */
export const nextToNothing = 16 * 2 ** 20

/** Throws DiskFullError, with both figures in its text, unless `neededBytes` and the reserve are free. */
export async function requireDiskSpace(folder: string, neededBytes: number): Promise<void> {
  const { freeBytes, totalBytes } = await getDiskSpace(folder)
  const reserve = reserveOf(totalBytes)
  if (freeBytes - reserve < neededBytes) {
    const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1)
    throw new DiskFullError(
      folder,
      neededBytes + reserve,
      freeBytes,
      `${gigabytes(neededBytes)} GB are needed, ${gigabytes(freeBytes)} GB are free and ${gigabytes(reserve)} GB of them are kept in reserve`,
    )
  }
}

/**
 * Bytes of all files below `folder`, 0 when there is none; null when it holds more than `maxFiles`, which would take too long to count.
 */
export async function measureFolder(folder: string, maxFiles = 50_000): Promise<number | null> {
  let bytes = 0
  let files = 0
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (!entry.isFile()) continue
      files += 1
      if (files > maxFiles) return null
      // It may have been swept in the meantime.
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw asStoreError(thrown, folder)
  }
  return bytes
}
