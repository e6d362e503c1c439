import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import {
  type BundleDamage,
  deleteBundle,
  getBundleFolder,
  isBundleId,
  manifestName,
  openBundle,
  sealedAtMs,
} from '../bundle.ts'
import { openByteSource, resolveInside } from '../byte-range.ts'
import { getFileChecksum } from '../checksum.ts'
import {
  deleteRunFolders,
  type FileFacts,
  getComputedFolder,
  isThere,
  type PortalFiles,
  resultName,
  runListName,
} from '../portal-files.ts'
import { StoreError } from '../store-error.ts'
import { openArriving } from './arriving-file.ts'
import { createFileBringer, isWhole } from './bring-file.ts'
import type { ObjectStore } from './object-store.ts'
import { sweepCache } from './sweep-cache.ts'

// Keys are the paths below the data directory:
//   bundles/<id>/<path>, bundles/<id>/bundle.json last
//   jobs/<aa>/<id>/<run>/<path>, jobs/<aa>/<id>/<run>/files.json last
//   computed/<tool>/<name>/<path>, computed/<tool>/<name>/files.json last
// <dataDir>/fetching/ has what is being brought from the store (bring-file.ts), <dataDir>/stored/<id> says that the store had this bundle.

const runListSchema = z.array(
  z.object({ path: z.string().max(1_000), bytes: z.number().int().nonnegative(), sha256: z.string() }),
)

/** Holds the id of the portal whose store it is. */
const ownerKey = 'portal.txt'
/** Files that are brought or sent at once. */
const transfersAtOnce = 4
/** Files of which somebody reads ranges that are brought meanwhile: those that somebody waits for need the line more. */
const broughtMeanwhile = 2
/** What no row names is left this long: it may be of a load that goes on. */
const strayAgeMs = 24 * 3_600_000
/** Jobs whose rows are looked for together. */
const jobsAtOnce = 500
/** How long an equal job's result is sought in the store. */
const hasRunMs = 2_000
/** The use of a file is noted at most this often. */
const noteMs = 60_000

export interface CacheOptions {
  dataDir: string
  objects: ObjectStore
  /** What files of the store may take here. */
  maxBytes: number
  /** A file is not removed so long after it was asked for: whoever asked may only now be opening it. */
  holdMs: number
  /** How long `fetch` waits for files that are on their way before it says so; they come all the same. */
  arrivalMs?: number | undefined
  log(line: string): void
}

/** Paths of a run come from its list: none may lead out of its directory. Names are as the programs gave them. */
const resolveWithin = (folder: string, name: string): string => {
  const file = path.resolve(folder, name)
  if (!file.startsWith(folder + path.sep))
    throw new StoreError('invalid-path', folder, 'a listed file would lie outside of it')
  return file
}

/** Files in an object store, with the data directory as a cache. Any number of processes may share the directory. */
export const openCachedFiles = (options: CacheOptions): PortalFiles => {
  const { dataDir, objects, maxBytes, holdMs, arrivalMs, log } = options
  const fetching = path.join(dataDir, 'fetching')
  const stored = path.join(dataDir, 'stored')
  const closed = new AbortController()
  const keyOf = (file: string): string => path.relative(dataDir, file).split(path.sep).join('/')
  const bring = createFileBringer({ dataDir, fetching, objects, signal: closed.signal })
  const arriving = new Map<string, Promise<void>>()
  /** When the use of each file was last noted. */
  const notedMs = new Map<string, number>()

  /** Whether a file is here; notes that it is used, in the file's own time of access, which all processes see. */
  const isHere = async (file: string, bytes: number): Promise<boolean> => {
    const now = Date.now()
    if (now - (notedMs.get(file) ?? 0) < Math.min(noteMs, holdMs / 4)) return true
    const found = await stat(file).catch(() => null)
    if (found?.size !== bytes) return false
    await utimes(file, new Date(now), found.mtime).catch(() => undefined)
    notedMs.set(file, now)
    return true
  }

  const [now, meanwhile] = [pLimit(transfersAtOnce), pLimit(broughtMeanwhile)]
  const arrive = async (file: string, facts: FileFacts): Promise<void> => {
    if (await isHere(file, facts.bytes)) return
    let coming = arriving.get(file)
    if (coming === undefined) {
      coming = now(() => bring(file, keyOf(file), facts)).finally(() => arriving.delete(file))
      arriving.set(file, coming)
    }
    await coming
    await isHere(file, facts.bytes)
  }

  const arriveAll = async (folder: string, files: readonly FileFacts[]): Promise<void> => {
    const coming = Promise.all(files.map((file) => arrive(resolveWithin(folder, file.path), file)))
    if (arrivalMs === undefined) return void (await coming)
    // Whoever waits for an answer is told after a while; what is on its way goes on.
    coming.catch(() => undefined)
    const late = new AbortController()
    try {
      await Promise.race([
        coming,
        pause(arrivalMs, undefined, { signal: late.signal }).then(() => {
          throw new StoreError('still-arriving', folder, 'its files are on their way from the object store')
        }),
      ])
    } finally {
      late.abort()
    }
  }

  const readText = async (key: string): Promise<string> => {
    const bytes = await objects.findBytes(key)
    if (bytes === null) throw new StoreError('missing', `${objects.name}: ${key}`, 'no such object')
    const pieces: Buffer[] = []
    for await (const piece of objects.read(key, 0, bytes, closed.signal)) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  }

  /** A small text that another host wrote, kept here too. */
  const bringText = async (file: string): Promise<string> => {
    const here = await readFile(file, 'utf8').catch(() => null)
    if (here !== null) return here
    const text = await readText(keyOf(file))
    await mkdir(path.dirname(file), { recursive: true })
    await mkdir(fetching, { recursive: true })
    const part = path.join(fetching, randomUUID())
    await writeFile(part, text)
    await rename(part, file)
    return text
  }

  const putAll = async (folder: string, names: readonly string[], signal?: AbortSignal): Promise<void> => {
    const limit = pLimit(transfersAtOnce)
    const put = (name: string): Promise<void> => {
      const file = path.join(folder, name)
      return objects.putFile(keyOf(file), file, signal)
    }
    await Promise.all(names.map((name) => limit(() => put(name))))
  }

  const deletePrefix = async (prefix: string, kept: (key: string) => boolean = () => false): Promise<void> => {
    const keys: string[] = []
    for await (const { key } of objects.list(prefix)) {
      closed.signal.throwIfAborted()
      if (!kept(key)) keys.push(key)
    }
    // The list that says it is whole goes first, as it came last.
    const heads = keys.filter((key) => key.endsWith(`/${manifestName}`) || key.endsWith(`/${runListName}`))
    await objects.delete(heads)
    await objects.delete(keys.filter((key) => !heads.includes(key)))
  }

  const listRun = async (directory: string): Promise<FileFacts[]> =>
    runListSchema.parse(JSON.parse(await bringText(path.join(directory, runListName))))

  let cachedBytes: number | null = null
  const publishedBundles = new Set<string>()
  const hasBundle = async (uid: string): Promise<boolean> => {
    if (publishedBundles.has(uid)) return true
    const found = (await objects.findBytes(keyOf(path.join(getBundleFolder(dataDir, uid), manifestName)))) !== null
    if (found) {
      publishedBundles.add(uid)
      await mkdir(stored, { recursive: true })
      await writeFile(path.join(stored, uid), '')
    }
    return found
  }

  const publishedRuns = new Set<string>()
  /** The list on this host does not say it: it may be of another store. */
  const hasRun = async (directory: string): Promise<boolean> => {
    if (publishedRuns.has(directory)) return true
    const found = (await objects.findBytes(keyOf(path.join(directory, runListName)))) !== null
    if (found) publishedRuns.add(directory)
    return found
  }

  const files: PortalFiles = {
    dataDir,
    objects,
    cache: () => ({ bytes: cachedBytes, maxBytes }),
    fetch: async (uid, wanted) => {
      const folder = getBundleFolder(dataDir, uid)
      await arriveAll(folder, wanted)
      return folder
    },
    open: async (uid, file) => {
      const place = resolveInside(getBundleFolder(dataDir, uid), file.path)
      if (await isHere(place, file.bytes)) return openByteSource(place)
      // Whoever reads now has the bytes from the store; a failure of this is met again by who needs the file itself.
      void meanwhile(() => arrive(place, file)).catch(() => undefined)
      return openArriving(objects, keyOf(place), place, file.bytes)
    },
    keepsBundle: async (uid) => {
      if (await hasBundle(uid)) return true
      // Of before there was a store: it is whole on this host, or it is not.
      const here = await openBundle(getBundleFolder(dataDir, uid)).catch(() => null)
      if (here === null) return false
      for (const file of here.manifest.files) if (!(await isWhole(here.pathOf(file.path), file.bytes))) return false
      await files.publishBundle(here)
      return true
    },
    publishBundle: async ({ folder, manifest }, signal) => {
      if (await hasBundle(manifest.id)) return
      await putAll(
        folder,
        manifest.files.map((file) => file.path),
        signal,
      )
      const file = path.join(folder, manifestName)
      await objects.putFile(keyOf(file), file, signal)
    },
    verifyBundle: async (uid) => {
      const folder = getBundleFolder(dataDir, uid)
      await bringText(path.join(folder, manifestName))
      const { manifest } = await openBundle(folder)
      const damages: BundleDamage[] = []
      for (const file of manifest.files) {
        const key = `bundles/${uid}/${file.path}`
        const bytes = await objects.findBytes(key)
        if (bytes === null) damages.push({ path: file.path, problem: 'missing' })
        else if (bytes !== file.bytes) damages.push({ path: file.path, problem: 'wrong-size' })
        else {
          const hash = createHash('sha256')
          for await (const piece of objects.read(key, 0, bytes, closed.signal)) hash.update(piece)
          if (hash.digest('hex') !== file.sha256) damages.push({ path: file.path, problem: 'wrong-checksum' })
        }
      }
      return damages
    },
    deleteBundle: async (uid) => {
      publishedBundles.delete(uid)
      await deleteBundle(dataDir, uid).catch((thrown: unknown) => {
        // It was never here.
        if (!(thrown instanceof StoreError && thrown.code === 'missing')) throw thrown
      })
      await deletePrefix(`bundles/${uid}/`)
    },
    publishRun: async (directory, signal) => {
      const listed: FileFacts[] = []
      for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name)
        // Links lead to bundles and are made anew by who needs them. The list is of the others.
        if (!entry.isFile() || file === path.join(directory, runListName)) continue
        const { bytes, sha256 } = await getFileChecksum(file)
        listed.push({ path: path.relative(directory, file).split(path.sep).join('/'), bytes, sha256 })
      }
      const names = listed.map((file) => file.path)
      await putAll(directory, names, signal)
      await mkdir(fetching, { recursive: true })
      const written = path.join(fetching, randomUUID())
      await writeFile(written, JSON.stringify(listed))
      await objects.putFile(keyOf(path.join(directory, runListName)), written, signal)
      await rename(written, path.join(directory, runListName))
      publishedRuns.add(directory)
    },
    fetchRun: async (directory, names) => {
      const listed = await listRun(directory).catch(async (thrown: unknown) => {
        const missing = thrown instanceof StoreError && thrown.code === 'missing'
        // Of before there was a store, and of this host.
        if (missing && (await isThere(path.join(directory, resultName)))) return null
        throw thrown
      })
      if (listed === null) return
      await arriveAll(directory, names === undefined ? listed : listed.filter((file) => names.includes(file.path)))
    },
    hasRun: async (directory) => {
      // Asked while a job waits to be accepted: without an answer it is run again instead.
      const late = pause(hasRunMs).then(() => false)
      return Promise.race([hasRun(directory).catch(() => false), late])
    },
    deleteRuns: async (jobDirectory, except) => {
      await deleteRunFolders(jobDirectory, except)
      const prefix = `${keyOf(jobDirectory)}/`
      await deletePrefix(prefix, (key) => except !== undefined && key.startsWith(`${prefix}${except}/`))
    },
    listComputed: async (tool) => {
      const names = new Set<string>()
      const prefix = `computed/${tool}/`
      for await (const { key } of objects.list(prefix))
        if (key.endsWith(`/${runListName}`)) names.add(key.slice(prefix.length, -runListName.length - 1))
      return names
    },
    hasComputed: async (tool, name) => (await objects.findBytes(`computed/${tool}/${name}/${runListName}`)) !== null,
    publishComputed: async (tool, name, folder, signal) => {
      if (!(await files.hasComputed(tool, name))) {
        const place = getComputedFolder(dataDir, tool, name)
        await mkdir(path.dirname(place), { recursive: true })
        // Of a process that was killed while it sent them.
        await rm(place, { recursive: true, force: true })
        await rename(folder, place)
        await files.publishRun(place, signal)
      }
      await rm(folder, { recursive: true, force: true })
    },
    fetchComputed: async (tool, name) => {
      const place = getComputedFolder(dataDir, tool, name)
      await files.fetchRun(place)
      return place
    },
    deleteComputed: async (tool, name) => {
      const place = getComputedFolder(dataDir, tool, name)
      await deletePrefix(`${keyOf(place)}/`)
      await rm(place, { recursive: true, force: true })
    },
    sweep: async (known) => {
      cachedBytes = await sweepCache({ dataDir, fetching, stored, maxBytes, holdMs, hasBundle, hasRun, known, log })
      notedMs.clear()
    },
    sweepStore: async ({ portal, known, findJobs }) => {
      const owner = await readText(ownerKey).catch((thrown: unknown) => {
        if (thrown instanceof StoreError && thrown.code === 'missing') return null
        throw thrown
      })
      if (owner !== null && owner !== portal) return false
      if (owner === null) {
        await mkdir(fetching, { recursive: true })
        const written = path.join(fetching, randomUUID())
        await writeFile(written, portal)
        await objects.putFile(ownerKey, written)
        await rm(written)
      }
      const oldMs = Date.now() - strayAgeMs
      for await (const uid of objects.listFolders('bundles/'))
        if (isBundleId(uid) && !known.has(uid) && sealedAtMs(uid) < oldMs) await deletePrefix(`bundles/${uid}/`)
      const strays = async (jobs: ReadonlyMap<string, number>): Promise<void> => {
        const kept = await findJobs([...jobs.keys()])
        for (const [id, changedMs] of jobs)
          if (!kept.has(id) && changedMs < oldMs) await deletePrefix(`jobs/${id.slice(0, 2)}/${id}/`)
      }
      let jobs = new Map<string, number>()
      for await (const { key, modified } of objects.list('jobs/')) {
        closed.signal.throwIfAborted()
        const id = /^jobs\/[0-9a-f]{2}\/([0-9a-f]{32})\//.exec(key)?.[1]
        if (id === undefined) continue
        if (jobs.size >= jobsAtOnce && !jobs.has(id)) {
          await strays(jobs)
          jobs = new Map()
        }
        jobs.set(id, Math.max(jobs.get(id) ?? 0, modified.getTime()))
      }
      if (jobs.size > 0) await strays(jobs)
      return true
    },
    close: async () => {
      closed.abort()
      await Promise.allSettled(arriving.values())
      objects.close()
    },
  }
  return files
}
