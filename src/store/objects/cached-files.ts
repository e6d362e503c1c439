import { createHash } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
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
  runListName,
} from '../portal-files.ts'
import { asStoreError, StoreError } from '../store-error.ts'
import { openArriving } from './arriving-file.ts'
import type { ObjectStore } from './object-store.ts'
import { sweepCache } from './sweep-cache.ts'

// Keys are the paths below the data directory:
//   bundles/<id>/<path>, bundles/<id>/bundle.json last
//   jobs/<aa>/<id>/<run>/<path>, jobs/<aa>/<id>/<run>/files.json last
//   computed/<tool>/<name>/<path>, computed/<tool>/<name>/files.json last
// and <dataDir>/fetching/<hash> is what is being brought from the store.

const runListSchema = z.array(
  z.object({ path: z.string().max(1_000), bytes: z.number().int().nonnegative(), sha256: z.string() }),
)

/** Another process that brings a file writes to it at least this often, or has ended. */
const fetchIdleMs = 30_000
/** Files that are brought or sent at once. */
const transfersAtOnce = 4
export interface CacheOptions {
  dataDir: string
  objects: ObjectStore
  /** What files of the store may take here. */
  maxBytes: number
  /** A file is not removed so long after it was asked for: whoever asked may only now be opening it. */
  holdMs: number
  log(line: string): void
}

/** Paths of a run come from its list: none may lead out of its directory. Names are as the programs gave them. */
const resolveWithin = (folder: string, name: string): string => {
  const file = path.resolve(folder, name)
  if (!file.startsWith(folder + path.sep))
    throw new StoreError('invalid-path', folder, 'a listed file would lie outside of it')
  return file
}

/** What no row names is left this long: it may be of a load that goes on, or of a database that is being restored. */
const strayAgeMs = 24 * 3_600_000
/** Jobs whose rows are looked for together. */
const jobsAtOnce = 500

/** How long an equal job's result is sought in the store. */
const hasRunMs = 2_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Files in an object store, with the data directory as a cache. Any number of processes may share the directory. */
export const openCachedFiles = ({ dataDir, objects, maxBytes, holdMs, log }: CacheOptions): PortalFiles => {
  const fetching = path.join(dataDir, 'fetching')
  const closed = new AbortController()
  const keyOf = (file: string): string => path.relative(dataDir, file).split(path.sep).join('/')
  /** When each file was last seen here and its use noted. */
  const seenMs = new Map<string, number>()
  const arriving = new Map<string, Promise<void>>()

  /** Whether a file is here; notes that it is used, in the file's own time of access, which all processes see. */
  const isHere = async (file: string, bytes: number): Promise<boolean> => {
    const now = Date.now()
    if (now - (seenMs.get(file) ?? 0) < holdMs / 4) return true
    const found = await stat(file).catch(() => null)
    if (found?.size !== bytes) return false
    await utimes(file, new Date(now), found.mtime).catch(() => undefined)
    seenMs.set(file, now)
    return true
  }

  /** Writes what an object holds to a file of which this process has the lock, and checks it. */
  const bring = async (key: string, part: string, { bytes, sha256 }: FileFacts, signal: AbortSignal): Promise<void> => {
    const handle = await open(part, 'w')
    try {
      const hash = createHash('sha256')
      let written = 0
      for await (const piece of objects.read(key, 0, bytes, signal)) {
        hash.update(piece)
        written += piece.length
        await handle.write(piece)
      }
      if (written !== bytes || hash.digest('hex') !== sha256)
        throw new StoreError('corrupt', `${objects.name}: ${key}`, 'does not have the checksum that it was kept with')
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** Brings one file; of several processes that want it one does, the others wait for it. */
  const fetchFile = async (file: string, facts: FileFacts): Promise<void> => {
    const key = keyOf(file)
    const part = path.join(fetching, createHash('sha256').update(key).digest('hex'))
    await mkdir(fetching, { recursive: true })
    for (;;) {
      if (await isHere(file, facts.bytes)) return
      closed.signal.throwIfAborted()
      const lock = await open(part, 'wx').catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code === 'EEXIST') return null
        throw asStoreError(thrown, part)
      })
      if (lock === null) {
        const idleMs =
          Date.now() -
          (await stat(part).then(
            (found) => found.mtimeMs,
            () => Date.now(),
          ))
        // Its process has ended, or hangs: then what it writes goes to a file without a name.
        if (idleMs > fetchIdleMs) await rm(part, { force: true })
        else await pause(100)
        continue
      }
      await lock.close()
      // A store that is away for a moment holds up the bytes; the lock says that somebody waits for them.
      const breathing = setInterval(
        () => void utimes(part, new Date(), new Date()).catch(() => undefined),
        fetchIdleMs / 3,
      )
      try {
        await bring(key, part, facts, closed.signal)
        await chmod(part, 0o444)
        await mkdir(path.dirname(file), { recursive: true })
        await rename(part, file)
        seenMs.set(file, Date.now())
      } catch (thrown) {
        await rm(part, { force: true })
        throw asStoreError(thrown, file)
      } finally {
        clearInterval(breathing)
      }
      return
    }
  }

  const arrive = async (file: string, facts: FileFacts): Promise<void> => {
    if (await isHere(file, facts.bytes)) return
    let coming = arriving.get(file)
    if (coming === undefined) {
      coming = fetchFile(file, facts).finally(() => arriving.delete(file))
      arriving.set(file, coming)
    }
    return coming
  }

  const arriveAll = async (folder: string, files: readonly FileFacts[]): Promise<void> => {
    const waiting = files.values()
    const take = async (): Promise<void> => {
      for (const file of waiting) await arrive(resolveWithin(folder, file.path), file)
    }
    await Promise.all(Array.from({ length: Math.min(transfersAtOnce, files.length) }, take))
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
    const part = path.join(fetching, `${process.pid}-${createHash('sha256').update(file).digest('hex')}`)
    await writeFile(part, text, { mode: 0o444 })
    await rename(part, file)
    return text
  }

  const putAll = async (folder: string, names: readonly string[], signal?: AbortSignal): Promise<void> => {
    const waiting = names.values()
    const put = async (): Promise<void> => {
      for (const name of waiting) {
        const file = path.join(folder, name)
        await objects.putFile(keyOf(file), file, signal)
      }
    }
    await Promise.all(Array.from({ length: Math.min(transfersAtOnce, names.length) }, put))
  }

  const deletePrefix = async (prefix: string, kept: (key: string) => boolean = () => false): Promise<void> => {
    const keys: string[] = []
    for await (const { key } of objects.list(prefix)) if (!kept(key)) keys.push(key)
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
    if (found) publishedBundles.add(uid)
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
      const coming = arrive(place, file).catch(() => undefined)
      return openArriving(objects, keyOf(place), place, file.bytes, coming)
    },
    fetchBundle: async (uid) => {
      const folder = getBundleFolder(dataDir, uid)
      await bringText(path.join(folder, manifestName))
      const { manifest } = await openBundle(folder)
      await arriveAll(folder, manifest.files)
      return folder
    },
    hasBundle,
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
      await deletePrefix(`bundles/${uid}/`)
      await deleteBundle(dataDir, uid).catch((thrown: unknown) => {
        // It was never here.
        if (!(thrown instanceof StoreError && thrown.code === 'missing')) throw thrown
      })
    },
    publishRun: async (directory, signal) => {
      const listed: FileFacts[] = []
      for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
        // Links lead to bundles and are made anew by who needs them.
        if (!entry.isFile()) continue
        const file = path.join(entry.parentPath, entry.name)
        const { bytes, sha256 } = await getFileChecksum(file)
        listed.push({ path: path.relative(directory, file).split(path.sep).join('/'), bytes, sha256 })
      }
      const list = path.join(directory, runListName)
      const written = `${list}.tmp`
      await writeFile(written, JSON.stringify(listed))
      await putAll(
        directory,
        listed.map((file) => file.path),
        signal,
      )
      await objects.putFile(keyOf(list), written, signal)
      await rename(written, list)
    },
    fetchRun: async (directory, names) => {
      const listed = await listRun(directory)
      await arriveAll(directory, names === undefined ? listed : listed.filter((file) => names.includes(file.path)))
    },
    hasRun: async (directory) => {
      const list = path.join(directory, runListName)
      if (await isThere(list)) return true
      // Asked while a job waits to be accepted: without an answer it is run again instead.
      const found = objects.findBytes(keyOf(list)).catch(() => null)
      return (await Promise.race([found, pause(hasRunMs).then(() => null)])) !== null
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
      cachedBytes = await sweepCache({ dataDir, fetching, maxBytes, holdMs, hasBundle, known, log })
      seenMs.clear()
    },
    sweepStore: async (known, findJobs) => {
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
        const id = /^jobs\/[0-9a-f]{2}\/([0-9a-f]{32})\//.exec(key)?.[1]
        if (id === undefined) continue
        if (jobs.size >= jobsAtOnce && !jobs.has(id)) {
          await strays(jobs)
          jobs = new Map()
        }
        jobs.set(id, Math.max(jobs.get(id) ?? 0, modified.getTime()))
      }
      if (jobs.size > 0) await strays(jobs)
    },
    close: async () => {
      closed.abort()
      await Promise.allSettled(arriving.values())
      objects.close()
    },
  }
  return files
}
