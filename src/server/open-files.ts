import { openLocalFiles, type PortalFiles } from '../store/portal-files.ts'
import type { Config } from './config.ts'

/** Of a load or a job: a store that restarts is back within that. Whoever waits for an answer is told sooner. */
export const workPatienceMs = 60_000
export const answerPatienceMs = 8_000

/** The files of the portal as it is configured: in the data directory, or in an object store with that as its cache. */
export const openFiles = async (
  { dataDir, objects, cacheBytes, jobTimeoutMs }: Config,
  log: (line: string) => void,
  /** How long a store that does not answer is waited for. */
  patienceMs: number,
): Promise<PortalFiles> => {
  if (objects === null) return openLocalFiles(dataDir)
  const { openCachedFiles } = await import('../store/objects/cached-files.ts')
  const { openS3Store } = await import('../store/objects/s3-store.ts')
  return openCachedFiles({
    dataDir,
    objects: await openS3Store(objects, { patienceMs }),
    maxBytes: cacheBytes,
    // A job has all its files before it begins, and opens some of them late.
    holdMs: Math.max(3_600_000, jobTimeoutMs),
    log,
  })
}
