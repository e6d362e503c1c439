import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { DefectLog } from '../bio/text/defects.ts'
import { holdLoad } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { getDiskSpace, nextToNothing } from '../store/disk-space.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import { DiskFullError, isDiskFull, saysDiskFull } from '../store/store-error.ts'

/** Where a load lacks space, how much must be free there at least, and how much is; nulls on a database server elsewhere. */
export interface LoadSpace {
  folder: string | null
  neededBytes: number | null
  freeBytes: number | null
}

/** A load that can go on once there is space; what it had begun has been cleared away. */
export class SpaceLacking extends Error {
  readonly space: LoadSpace
  constructor(space: LoadSpace, cause: unknown) {
    super('The disk is full.', { cause })
    this.name = 'SpaceLacking'
    this.space = space
  }
}

type Places = { database: Pick<Database, 'directory'>; files: Pick<PortalFiles, 'dataDir'> }

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * The folder whose disk a failure has found full; undefined when the failure has nothing to do with space. To be asked before what was
 * begun is cleared away: a program or a server that a full disk has ended says so only by the disk.
 */
export const findFullFolder = async (
  error: unknown,
  { database, files: { dataDir } }: Places,
  log?: Pick<DefectLog, 'defects'>,
): Promise<string | null | undefined> => {
  if (error instanceof DiskFullError) return error.file
  if (codeOf(error) === '53100') return database.directory
  const spaces = await Promise.all(
    [dataDir, database.directory ?? dataDir, tmpdir()].map(async (folder) => ({
      folder,
      ...(await getDiskSpace(folder).catch(() => ({ freeBytes: Number.POSITIVE_INFINITY, totalBytes: 0 }))),
    })),
  )
  const tightest = spaces.reduce((min, one) => (one.freeBytes < min.freeBytes ? one : min))
  const isFull =
    isDiskFull(error) ||
    (log?.defects.some((defect) => Object.values(defect.params).some((value) => saysDiskFull(String(value)))) ?? false)
  const nothing = Math.min(nextToNothing, tightest.totalBytes / 20)
  return isFull || tightest.freeBytes < nothing ? tightest.folder : undefined
}

/** The least by which there must be more space than what was not enough. */
const minMore = 64 * 2 ** 20

/**
 * How much must be free for another attempt: what was asked for, or, where that was free and did not suffice, half of it more than there
 * is now that the attempt has been cleared away.
 */
export const measureLacking = async (
  error: unknown,
  folder: string | null,
  estimateBytes: number,
): Promise<LoadSpace> => {
  if (folder === null) return { folder, neededBytes: null, freeBytes: null }
  const { freeBytes } = await getDiskSpace(folder)
  const neededBytes =
    error instanceof DiskFullError ? error.neededBytes : freeBytes + Math.max(minMore, estimateBytes / 2)
  return { folder, neededBytes: Math.ceil(neededBytes), freeBytes }
}

/** Clears away what an attempt has begun, and throws its failure again, as SpaceLacking where that was for want of space. */
export const clearAway = async (
  error: unknown,
  options: Places & { log: Pick<DefectLog, 'defects'>; signal: AbortSignal; estimateBytes: number },
  clear: () => Promise<void>,
): Promise<never> => {
  const full = options.signal.aborted ? undefined : await findFullFolder(error, options, options.log)
  await clear()
  if (full === undefined) throw error
  throw new SpaceLacking(await measureLacking(error, full, options.estimateBytes), error)
}

const askAgainMs = 1000
/** A database server elsewhere cannot be asked for its space: it is tried, which costs a load up to there. */
const tryAgainMs = 120_000

/**
 * Waits until there is the space that a load lacks and its row can be written again; says about every second, in the row where that can
 * be written, what it waits for. Rejects when the signal is given.
 */
export const waitForSpace = async (
  space: LoadSpace,
  options: {
    database: Database
    /** Null: there was no room for a row. */
    load: number | null
    signal: AbortSignal
    onSpace?: ((space: LoadSpace) => void) | undefined
  },
): Promise<void> => {
  const { database, load, signal, onSpace } = options
  const { folder, neededBytes } = space
  const startedAt = Date.now()
  let telling: Promise<void> | null = null
  try {
    for (;;) {
      const freeBytes = folder === null ? null : (await getDiskSpace(folder)).freeBytes
      const now = { ...space, freeBytes }
      onSpace?.(now)
      const hold = async (): Promise<void> => (load === null ? undefined : holdLoad(database.sql, load, now))
      const enough =
        freeBytes === null || neededBytes === null ? Date.now() - startedAt >= tryAgainMs : freeBytes >= neededBytes
      // A server that the full disk had ended may still be coming back.
      if (enough && (await hold().then(wrote, didNot))) return
      telling ??= hold()
        .catch(() => undefined)
        .finally(() => {
          telling = null
        })
      await pause(askAgainMs, undefined, { signal })
    }
  } finally {
    // What follows writes the row's next state, over which one that was still on its way would say that the load waits.
    await telling
  }
}

const wrote = (): boolean => true
const didNot = (): boolean => false
