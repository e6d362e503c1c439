import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Bundle, type BundleDamage, deleteBundle, getBundleFolder, openBundle, verifyBundle } from './bundle.ts'
import { type ByteSource, openByteSource } from './byte-range.ts'
import type { ObjectStore } from './objects/object-store.ts'
import { asStoreError } from './store-error.ts'

/** A file of a bundle, as its manifest and the catalogue have it. */
export interface FileFacts {
  path: string
  bytes: number
  sha256: string
}

/** What decides what in a store is a stray. */
export interface StoreOwner {
  /** The id that a portal has by its database. */
  portal: string
  /** Bundles of its catalogue. */
  known: ReadonlySet<string>
  /** Which of some ids are of its jobs. */
  findJobs(ids: string[]): Promise<ReadonlySet<string>>
}

/**
 * The files of bundles and of finished jobs. Either they lie in the data directory and nowhere else, or in an object store, of which
 * the data directory then is a cache: whoever opens a file asks here first, so that it is there. Bundles and the runs of finished jobs
 * never change, so what is here is what is in the store.
 */
export interface PortalFiles {
  readonly dataDir: string
  /** Null where the data directory holds everything. */
  readonly objects: ObjectStore | null
  /** What files of the store take here, as the last sweep of this process found it, and may take; null as above. */
  readonly cache: (() => { bytes: number | null; maxBytes: number }) | null
  /**
   * Brings files of a bundle here if they are not, and returns the bundle's folder. Rejects with StoreError `still-arriving` where that takes
   * longer than an answer may.
   */
  fetch(uid: string, files: readonly FileFacts[]): Promise<string>
  /** A file for reading at any place, from here or, while it is not here, from the store: then it is brought meanwhile. */
  open(uid: string, file: FileFacts): Promise<ByteSource>
  /** Whether a bundle is kept whole; one that is on this host alone is published first. */
  keepsBundle(uid: string): Promise<boolean>
  /** Keeps a bundle that was sealed here for all hosts. Its manifest goes last: without it there is no bundle. */
  publishBundle(bundle: Bundle, signal?: AbortSignal): Promise<void>
  /** What is damaged of a bundle, where it is kept. */
  verifyBundle(uid: string): Promise<BundleDamage[]>
  deleteBundle(uid: string): Promise<void>
  /** Keeps the files of a run that has ended, for all hosts. */
  publishRun(directory: string, signal?: AbortSignal): Promise<void>
  /** Brings files of a finished run here, all when none are named. Rejects with StoreError `missing` where there is no such run. */
  fetchRun(directory: string, names?: readonly string[]): Promise<void>
  hasRun(directory: string): Promise<boolean>
  /** Removes a job's directory, or those of its runs but one. */
  deleteRuns(jobDirectory: string, except?: string): Promise<void>
  /** Names under which a tool's computations over several assemblies are kept, whole. */
  listComputed(tool: string): Promise<Set<string>>
  hasComputed(tool: string, name: string): Promise<boolean>
  /** Keeps what a folder of the data directory holds, for all hosts; the folder goes. Nothing changes where the name is kept already. */
  publishComputed(tool: string, name: string, folder: string, signal?: AbortSignal): Promise<void>
  /** Brings what is kept under a name here, and returns its folder. */
  fetchComputed(tool: string, name: string): Promise<string>
  deleteComputed(tool: string, name: string): Promise<void>
  /**
   * Puts the data directory in order as a cache: what no catalogue knows any more goes, and what was used longest ago until the rest is
   * within the bound. `known` are the bundles of the catalogue.
   */
  sweep(known: ReadonlySet<string>): Promise<void>
  /**
   * Removes from the store what killed processes left there: bundles that the catalogue does not know and files of jobs that have no row,
   * both a day old at least. The store belongs to the portal that sweeps it first; for another one nothing is done, and the answer is false.
   */
  sweepStore(about: StoreOwner): Promise<boolean>
  close(): Promise<void>
}

/** Lists the files of a run in an object store; written there when all of them are. */
export const runListName = 'files.json'

/** The file with which a run is whole. */
export const resultName = 'result.json'

/** Files in the data directory and nowhere else: as on one machine, or on several with a shared file system. */
export const openLocalFiles = (dataDir: string): PortalFiles => ({
  dataDir,
  objects: null,
  cache: null,
  fetch: async (uid) => getBundleFolder(dataDir, uid),
  open: async (uid, file) => openByteSource(path.join(getBundleFolder(dataDir, uid), file.path)),
  keepsBundle: async (uid) => (await openBundle(getBundleFolder(dataDir, uid)).catch(() => null)) !== null,
  publishBundle: async () => undefined,
  verifyBundle: (uid) => verifyBundle(getBundleFolder(dataDir, uid)),
  deleteBundle: (uid) => deleteBundle(dataDir, uid),
  publishRun: async () => undefined,
  fetchRun: async () => undefined,
  hasRun: (directory) => isThere(path.join(directory, resultName)),
  deleteRuns: (jobDirectory, except) => deleteRunFolders(jobDirectory, except),
  listComputed: async (tool) => new Set(await readdir(getComputedFolder(dataDir, tool)).catch(() => [])),
  hasComputed: (tool, name) => isThere(getComputedFolder(dataDir, tool, name)),
  publishComputed: async (tool, name, folder) => {
    await syncFiles(folder)
    await mkdir(getComputedFolder(dataDir, tool), { recursive: true })
    await rename(folder, getComputedFolder(dataDir, tool, name)).catch(async (thrown: NodeJS.ErrnoException) => {
      // Whoever was thought dead has computed the same.
      if (thrown.code !== 'ENOTEMPTY' && thrown.code !== 'EEXIST') throw asStoreError(thrown, folder)
      await rm(folder, { recursive: true, force: true })
    })
  },
  fetchComputed: async (tool, name) => getComputedFolder(dataDir, tool, name),
  deleteComputed: (tool, name) => rm(getComputedFolder(dataDir, tool, name), { recursive: true, force: true }),
  sweep: async () => undefined,
  sweepStore: async () => true,
  close: async () => undefined,
})

/** The folder of a computation that is kept, or that of all of a tool. */
export const getComputedFolder = (dataDir: string, tool: string, name = ''): string =>
  path.join(dataDir, 'computed', tool, name)

/** A power cut must not leave a name with half of its files. */
const syncFiles = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const handle = await open(path.join(folder, name), 'r')
    await handle.sync().finally(() => handle.close())
  }
}

export const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Removes the folder of a job, or the folders of its runs but one; what cannot be removed is left to the next sweep. */
export const deleteRunFolders = async (jobDirectory: string, except?: string): Promise<void> => {
  if (except === undefined) return rm(jobDirectory, { recursive: true, force: true })
  for (const name of await readdir(jobDirectory).catch(() => []))
    if (name !== except)
      await rm(path.join(jobDirectory, name), { recursive: true, force: true }).catch(() => undefined)
}
