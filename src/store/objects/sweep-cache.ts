import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { getBundleFolder, isBundleId, manifestName } from '../bundle.ts'
import { isThere, runListName } from '../portal-files.ts'

/** A sweep makes so much room below the bound that the next file does not ask for another one. */
const sweptShare = 0.9
/** A bundle's folder that no catalogue knows is kept this long: it may be of a load that is not at its end. */
const strayAgeMs = 7 * 24 * 3_600_000

/** What can be removed from the cache at once: a file of a bundle, a run, or a computation. */
interface CacheEntry {
  place: string
  bytes: number
  usedMs: number
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** All files below a folder with their sizes, and the last use of any of them. */
const measure = async (folder: string): Promise<CacheEntry[]> => {
  const found: CacheEntry[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const place = path.join(entry.parentPath, entry.name)
    const facts = await stat(place).catch(() => null)
    if (facts !== null) found.push({ place, bytes: facts.size, usedMs: Math.max(facts.atimeMs, facts.ctimeMs) })
  }
  return found
}

/**
 * Removes stray folders, then what was used longest ago until the rest is within the bound. Only what the store has is removed. Resolves
 * to the bytes that are left.
 */
export const sweepCache = async (options: {
  dataDir: string
  fetching: string
  stored: string
  maxBytes: number
  holdMs: number
  hasBundle(uid: string): Promise<boolean>
  hasRun(directory: string): Promise<boolean>
  known: ReadonlySet<string>
  log(line: string): void
}): Promise<number> => {
  const { dataDir, fetching, stored, maxBytes, holdMs, hasBundle, hasRun, known, log } = options
  const now = Date.now()
  const entries: CacheEntry[] = []
  for (const uid of await listNames(path.join(dataDir, 'bundles'))) {
    if (!isBundleId(uid)) continue
    const folder = getBundleFolder(dataDir, uid)
    const files = await measure(folder)
    if (!known.has(uid)) {
      // One that the store never had may be the last copy, of a portal whose database is elsewhere.
      const old = files.every(({ usedMs }) => now - usedMs > strayAgeMs)
      if (old && (await isThere(path.join(stored, uid)))) {
        await rm(folder, { recursive: true, force: true })
        await rm(path.join(stored, uid), { force: true })
      }
      continue
    }
    if (await hasBundle(uid)) entries.push(...files.filter(({ place }) => path.basename(place) !== manifestName))
    // One that was loaded before there was a store counts, and stays.
    else entries.push(...files.map((file) => ({ ...file, usedMs: Number.POSITIVE_INFINITY })))
  }
  const addWhole = async (place: string): Promise<void> => {
    // One that runs, or has failed, is here alone.
    if (!(await isThere(path.join(place, runListName)))) return
    const files = await measure(place)
    entries.push({
      place,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      usedMs: Math.max(0, ...files.map(({ usedMs }) => usedMs)),
    })
  }
  const jobs = path.join(dataDir, 'jobs')
  for (const letters of await listNames(jobs))
    for (const id of await listNames(path.join(jobs, letters)))
      for (const run of await listNames(path.join(jobs, letters, id))) {
        const place = path.join(jobs, letters, id, run)
        if ((await isThere(path.join(place, runListName))) && (await hasRun(place))) await addWhole(place)
      }
  // The store need not be asked for each: what it has no more can be computed anew.
  const computed = path.join(dataDir, 'computed')
  for (const tool of await listNames(computed))
    for (const name of await listNames(path.join(computed, tool))) await addWhole(path.join(computed, tool, name))
  // What processes that were killed were bringing.
  for (const { place, usedMs } of await measure(fetching))
    if (now - usedMs > 3_600_000) await rm(place, { force: true })

  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= maxBytes) return total
  entries.sort((a, b) => a.usedMs - b.usedMs)
  for (const { place, bytes, usedMs } of entries) {
    if (total <= maxBytes * sweptShare || now - usedMs < holdMs) break
    await rm(place, { recursive: true, force: true })
    total -= bytes
  }
  if (total > maxBytes)
    log(`The cache holds ${total} bytes of files in use, more than its bound of ${maxBytes} (NOVODB_CACHE_SIZE).`)
  return total
}
