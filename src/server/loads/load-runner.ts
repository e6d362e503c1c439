import { lstat, readdir, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PortalError } from '../../contracts/errors.ts'
import {
  createWaitingLoad,
  endLoad,
  failSilentLoads,
  getLoad,
  type LoadRow,
  listLoadFolders,
  listStrandedLoads,
} from '../../database/catalogue.ts'
import { forkPortalProcess } from '../../jobs/fork-process.ts'
import { importFolderOf } from '../imports/import-folder.ts'
import type { PortalCore } from '../portal.ts'
import { settingsToHandOver } from '../secret-files.ts'

export interface LoadFolder {
  folder: string
  /** It has a manifest to load. */
  present: boolean
  /** It was loaded before. */
  loaded: boolean
}

/** Loads started from the page: each a process of its own, so that a heavy one slows no answer and ends with the server. */
export interface LoadRunner {
  /** What can be loaded: folders with a manifest in the directory for them, and those that were loaded before. */
  listFolders(): Promise<LoadFolder[]>
  /** Starts loading one of these folders. Rejects with NOT_FOUND for any other, with CONFLICT while a load runs. */
  start(folder: string, startedBy: string): Promise<LoadRow>
  /** The same for the folder of an import, which nobody has named. */
  startImported(folder: string, startedBy: string): Promise<LoadRow>
  /** Stops a load that was started here; false when it is of another server, or has ended. */
  cancel(load: number): boolean
  /** Starts again what was stopped, as with the server, while it waited for space; one that cannot be started is left for the next time. */
  resume(): Promise<void>
  close(): Promise<void>
}

const stopGraceMs = 15_000
/** A load that lives says so every second or two. */
const silentMs = 60_000

/** `entry` is the file that the process runs; the compiled one beside this file unless a test gives another. */
export const createLoadRunner = (
  portal: PortalCore,
  log: (line: string) => void,
  entry = join(dirname(fileURLToPath(import.meta.url)), 'load-main.js'),
): LoadRunner => {
  const { config } = portal
  const { sql } = portal.database
  const running = new Map<ReturnType<typeof forkPortalProcess>, { load: number; ended: Promise<void> }>()

  const hasManifest = (folder: string): Promise<boolean> =>
    lstat(join(folder, 'species.yaml')).then(
      (found) => found.isFile(),
      () => false,
    )

  const listFolders = async (): Promise<LoadFolder[]> => {
    const loaded = new Set(await listLoadFolders(sql))
    const entries = await readdir(config.foldersDir, { withFileTypes: true }).catch(() => [])
    // Not links: whoever can put one there may not be allowed to read where it leads.
    const inPlace = entries.filter((item) => item.isDirectory()).map((item) => join(config.foldersDir, item.name))
    // Of an import with several species each has a folder within.
    for (const folder of [...inPlace]) {
      if ((await importFolderOf(folder)) !== folder) continue
      for (const item of await readdir(folder, { withFileTypes: true }))
        if (item.isDirectory() && (await hasManifest(join(folder, item.name)))) inPlace.push(join(folder, item.name))
    }
    const folders: LoadFolder[] = []
    for (const folder of [...new Set([...inPlace, ...loaded])].sort()) {
      const present = await hasManifest(folder)
      if (present || loaded.has(folder)) folders.push({ folder, present, loaded: loaded.has(folder) })
    }
    return folders
  }

  const start = async (folder: string, startedBy: string): Promise<LoadRow> => {
    const known = (await listFolders()).find((item) => item.folder === folder && item.present)
    if (known === undefined) throw new PortalError('NOT_FOUND', { message: 'load.folderUnknown' })
    return startImported(folder, startedBy)
  }

  const startImported = async (folder: string, startedBy: string): Promise<LoadRow> => {
    const id = await createWaitingLoad(sql, { folder: await realpath(folder), host: hostname(), startedBy })
    if (id === null) throw new PortalError('CONFLICT', { message: 'load.running' })
    const child = forkPortalProcess(entry, [String(id)], { settings: settingsOf(portal) })
    const ended = new Promise<void>((resolve) => {
      const onEnd = (reason: string): void => {
        running.delete(child)
        // A load that ended by itself has written so; this is for one that was killed.
        void endLoad(sql, id, 'failed', { failure: reason }, ['waiting', 'running'])
          .catch((error: unknown) => log(`load ${id}: ${String(error)}`))
          .finally(resolve)
      }
      child.once('error', (error) => onEnd(error.message))
      child.once('exit', (code, signal) => onEnd(signal ?? `status ${code}`))
    })
    running.set(child, { load: id, ended })
    const load = await getLoad(sql, id)
    if (load === null) throw new PortalError('INTERNAL')
    return load
  }

  const resume = async (): Promise<void> => {
    await failSilentLoads(sql, silentMs)
    for (const { folder, startedBy } of await listStrandedLoads(sql)) {
      await start(folder, startedBy).catch((error: unknown) => {
        if (!(error instanceof PortalError)) throw error
      })
    }
  }

  return {
    listFolders,
    start,
    startImported,
    cancel: (load) => {
      const [child] = [...running].find(([, one]) => one.load === load) ?? []
      return child?.kill('SIGTERM') ?? false
    },
    resume,
    close: async () => {
      const ends = [...running.values()].map(({ ended }) => ended)
      for (const child of running.keys()) child.kill('SIGTERM')
      const killer = setTimeout(() => {
        for (const child of running.keys()) child.kill('SIGKILL')
      }, stopGraceMs)
      await Promise.all(ends)
      clearTimeout(killer)
    },
  }
}

/** What the process must have of the settings that this one was opened with: tests open portals beside their environment. */
export const settingsOf = ({ config }: PortalCore): Record<string, string> =>
  settingsToHandOver({
    NOVODB_DATA: config.dataDir,
    NOVODB_FOLDERS: config.foldersDir,
    NOVODB_IMPORT_FOLDERS: config.importFolders.join(':'),
    ...(config.databaseUrl === undefined ? {} : { DATABASE_URL: config.databaseUrl }),
    ...objectSettings(config),
    PATH: config.searchPath,
  })

const objectSettings = ({ objects, cacheBytes }: PortalCore['config']): Record<string, string> =>
  objects === null
    ? {}
    : {
        NOVODB_S3_BUCKET: objects.bucket,
        NOVODB_S3_PREFIX: objects.prefix,
        NOVODB_S3_ENDPOINT: objects.endpoint ?? '',
        NOVODB_S3_REGION: objects.region,
        NOVODB_S3_PATH_STYLE: String(objects.pathStyle),
        NOVODB_S3_ACCESS_KEY_ID: objects.credentials?.accessKeyId ?? '',
        NOVODB_S3_SECRET_ACCESS_KEY: objects.credentials?.secretAccessKey ?? '',
        NOVODB_CACHE_SIZE: String(cacheBytes / 1024 ** 3),
      }
