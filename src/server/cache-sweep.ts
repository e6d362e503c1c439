import { listStoredBundles } from '../database/catalogue.ts'
import type { Sql } from '../database/connect.ts'
import { findJobIds } from '../jobs/kept-runs.ts'
import type { PortalFiles } from '../store/portal-files.ts'

const sweepMs = 300_000
/** All keys of the store are listed for it. */
const sweepStoreMs = 24 * 3_600_000

/** Keeps the cache of an object store within its bound and the store without strays, until it is stopped; nothing where files lie in the data directory alone. */
export const startCacheSweep = (sql: Sql, files: PortalFiles, log: (line: string) => void): (() => Promise<void>) => {
  if (files.objects === null) return async () => undefined
  let sweeping: Promise<void> | null = null
  let storeSweptMs = Number.NEGATIVE_INFINITY
  const sweep = async (): Promise<void> => {
    try {
      const known = new Set((await listStoredBundles(sql)).map(({ uid }) => uid))
      await files.sweep(known)
      if (performance.now() - storeSweptMs < sweepStoreMs) return
      storeSweptMs = performance.now()
      await files.sweepStore(known, (ids) => findJobIds(sql, ids))
    } catch (error) {
      log(`cache: not swept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const begin = (): void => {
    sweeping ??= sweep().finally(() => {
      sweeping = null
    })
  }
  const timer = setInterval(begin, sweepMs)
  begin()
  return async () => {
    clearInterval(timer)
    await sweeping
  }
}
