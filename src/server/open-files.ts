import { openLocalFiles, type PortalFiles } from '../store/portal-files.ts'
import type { Config } from './config.ts'

/** The longest that an engine's program may run is six hours; a job opens some of its files late. */
const heldMs = 8 * 3_600_000

/**
 * How long a store that does not answer is waited for, and files that are on their way. A job waits as long as for a database, since
 * nobody stands beside it; a load or a command as long as a restart of the store takes; both for their files until they are there. Who
 * waits for an answer is told before the answer's own time is over.
 */
const patience = {
  jobs: { patienceMs: 10 * 60_000, arrivalMs: undefined },
  loads: { patienceMs: 60_000, arrivalMs: undefined },
  answers: { patienceMs: 8_000, arrivalMs: 40_000 },
}

/** The files of the portal as it is configured: in the data directory, or in an object store with that as its cache. */
export const openFiles = async (
  { dataDir, objects, cacheBytes, jobTimeoutMs }: Config,
  log: (line: string) => void,
  use: keyof typeof patience,
): Promise<PortalFiles> => {
  if (objects === null) return openLocalFiles(dataDir)
  const { openCachedFiles } = await import('../store/objects/cached-files.ts')
  const { openS3Store } = await import('../store/objects/s3-store.ts')
  const { patienceMs, arrivalMs } = patience[use]
  return openCachedFiles({
    dataDir,
    objects: await openS3Store(objects, { patienceMs }),
    maxBytes: cacheBytes,
    holdMs: Math.max(heldMs, (jobTimeoutMs * 4) / 3),
    arrivalMs,
    log,
  })
}
