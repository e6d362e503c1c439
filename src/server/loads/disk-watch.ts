import { stat } from 'node:fs/promises'
import { type DiskSpace, getDiskSpace, reserveOf } from '../../store/disk-space.ts'

export interface DiskState extends DiskSpace {
  folder: string
  /** Kept free for the database: with less than this a disk is full. */
  reserveBytes: number
  full: boolean
}

/** Looks at the space where the portal's data and its database live. */
export interface DiskWatch {
  /** The disk of the data directory and, where it is another, of the database; as they were at most a second ago. */
  read(): Promise<DiskState[]>
  /** Whether a disk is full, that of a database server elsewhere included. */
  isFull(): Promise<boolean>
  /** A database server elsewhere, whose disk cannot be asked, has refused to write within the last minute. */
  databaseFull(): boolean
  /** Tells of such a refusal. */
  noteRefusal(): void
}

const keptMs = 1000
const refusalMs = 60_000

/** `databaseFolder` is null for a database server elsewhere. */
export const createDiskWatch = (dataDir: string, databaseFolder: string | null): DiskWatch => {
  let last: { at: number; states: Promise<DiskState[]> } | null = null
  let refusedAt = Number.NEGATIVE_INFINITY
  const look = async (): Promise<DiskState[]> => {
    const folders = [dataDir]
    const deviceOf = (folder: string): Promise<number | null> =>
      stat(folder).then(
        ({ dev }) => dev,
        () => null,
      )
    if (databaseFolder !== null && (await deviceOf(databaseFolder)) !== (await deviceOf(dataDir)))
      folders.push(databaseFolder)
    return Promise.all(
      folders.map(async (folder) => {
        const space = await getDiskSpace(folder)
        const reserveBytes = reserveOf(space.totalBytes)
        return { folder, ...space, reserveBytes, full: space.freeBytes < reserveBytes }
      }),
    )
  }
  const read = (): Promise<DiskState[]> => {
    const now = performance.now()
    if (last === null || now - last.at > keptMs) last = { at: now, states: look() }
    return last.states
  }
  const databaseFull = (): boolean => performance.now() - refusedAt < refusalMs
  return {
    read,
    databaseFull,
    isFull: async () => databaseFull() || (await read().catch(() => [])).some((state) => state.full),
    noteRefusal: () => {
      if (databaseFolder === null) refusedAt = performance.now()
    },
  }
}
