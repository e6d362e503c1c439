import { listStoredBundles } from '../database/catalogue.ts'
import type { Sql } from '../database/connect.ts'
import type { PortalFiles } from '../store/portal-files.ts'

const sweepMs = 300_000

/** Keeps the cache of an object store within its bound until it is stopped; nothing where files lie in the data directory alone. */
export const startCacheSweep = (sql: Sql, files: PortalFiles, log: (line: string) => void): (() => Promise<void>) => {
  if (files.objects === null) return async () => undefined
  let sweeping: Promise<void> | null = null
  const sweep = async (): Promise<void> => {
    try {
      await files.sweep(new Set((await listStoredBundles(sql)).map(({ uid }) => uid)))
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
