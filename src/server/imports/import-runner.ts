import { rm } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DefectLog } from '../../bio/text/defects.ts'
import type { ImportAction } from '../../contracts/accounts/imports.ts'
import { renderCanonicalJson } from '../../contracts/canonical-json.ts'
import { PortalError } from '../../contracts/errors.ts'
import {
  anyLoadRuns,
  endLoad,
  findServingManifest,
  getLoad,
  listServingLoads,
  noteCancelled,
} from '../../database/catalogue.ts'
import { forkPortalProcess, type PortalProcess } from '../../jobs/fork-process.ts'
import { findLoaders, readManifest } from '../../loader/manifest.ts'
import { ManifestLeftError, manifestLeft, takeBackOrTell } from '../loads/load-change.ts'
import { type LoadRunner, settingsOf } from '../loads/load-runner.ts'
import type { PortalCore } from '../portal.ts'
import { type ImportFolder, type ImportOrder, type ImportWork, isWorking, listImportFolders } from './import-folder.ts'
import type { Uploads } from './uploads.ts'

/** Work on imports: each a process of its own, as loads are, so that a large one slows no answer and ends with the server. */
export interface ImportRunner {
  /** Rejects with CONFLICT while something works on it. What is written is loaded, one species after the other. */
  start(folder: ImportFolder, action: ImportAction, order: ImportOrder): Promise<void>
  /** Stops an addition whose load this is, with what else works on it; false when it is of another server, or has ended. */
  cancelLoad(load: number): Promise<boolean>
  /** Stops what works on it here, and takes back what waits to be loaded; false when another server works on it. */
  stop(folder: ImportFolder): Promise<boolean>
  /** Takes up again what waits to be loaded and was left by a server that ended. */
  resume(): Promise<void>
  /** Deletes what was begun and not loaded, once nothing was done about it for the time that the settings give. */
  sweep(now: number): Promise<void>
  close(): Promise<void>
}

const stopGraceMs = 15_000
const askAgainMs = 1000
export const createImportRunner = (
  portal: PortalCore,
  loads: LoadRunner,
  uploads: Uploads,
  log: (line: string) => void,
  entry = join(dirname(fileURLToPath(import.meta.url)), 'import-main.js'),
): ImportRunner => {
  const { sql } = portal.database
  const running = new Map<string, { folder: ImportFolder; child: PortalProcess; ended: Promise<void> }>()
  const loading = new Map<string, Promise<void>>()
  let closed = false

  /** A species that cannot be loaded: nothing waits any more, and the import says why. */
  const noteFailure = async (
    folder: ImportFolder,
    order: { loads: number[]; before: number },
    error: unknown,
  ): Promise<void> => {
    const failure = error instanceof Error ? error.message : String(error)
    await folder.write('loads.json', { ...order, waiting: [] })
    await folder.write('work.json', { action: 'write', step: '', fraction: 0, at: Date.now(), ended: true, failure })
  }

  /** Loads what waits, one after the other: each waits its turn behind loads of others too. */
  const loadWaiting = async (folder: ImportFolder, startedBy: string): Promise<void> => {
    while (!closed) {
      const order = (await folder.read('loads.json')) ?? { loads: [], waiting: [], before: 0 }
      const [next, ...waiting] = order.waiting
      if (next === undefined) return
      const last = order.loads.at(-1)
      const before = last === undefined ? null : await getLoad(sql, last)
      if (before === null || before.endedAt !== null) {
        try {
          const place = isAbsolute(next) ? next : join(folder.folder, next)
          const load = await loads.startImported(place, startedBy)
          await folder.write('loads.json', { ...order, loads: [...order.loads, load.id], waiting })
          continue
        } catch (error) {
          if (!(error instanceof PortalError) || error.code !== 'CONFLICT') {
            if (!closed) await noteFailure(folder, order, error)
            throw error
          }
        }
      }
      await new Promise((resolve) => setTimeout(resolve, askAgainMs))
    }
  }

  const beginLoads = async (folder: ImportFolder, startedBy: string): Promise<void> => {
    const manifests = (await folder.read('survey.json'))?.manifests ?? []
    const loads = (await folder.read('loads.json'))?.loads ?? []
    const waiting = manifests.map((manifest) => manifest.folder)
    await folder.write('loads.json', { loads, waiting, before: loads.length })
    await loading.get(folder.id)
    startLoading(folder, startedBy)
  }

  const startLoading = (folder: ImportFolder, startedBy: string): void => {
    const work = loadWaiting(folder, startedBy)
      .catch((error: unknown) => log(`import ${folder.id}: ${String(error)}`))
      .finally(() => loading.delete(folder.id))
    loading.set(folder.id, work)
  }

  /** Puts a manifest of a species in service back whose load was cut off with its process. */
  const settleAddition = async (folder: ImportFolder): Promise<void> => {
    const addition = await folder.read('addition.json')
    if (addition === null || addition.settled || isWorking(await folder.read('work.json'))) return
    const load = addition.load === null ? null : await getLoad(sql, addition.load)
    if (load !== null && load.endedAt === null)
      await endLoad(sql, load.id, 'failed', { interrupted: true }, ['waiting', 'running'])
    const own = await readManifest(addition.change.folder, await findLoaders(), new DefectLog(0))
    const serving = await findServingManifest(sql, addition.change.folder)
    const isServed = load?.state === 'done' || renderCanonicalJson(own) === renderCanonicalJson(serving)
    if (!isServed && (await takeBackOrTell(addition.change)))
      log(`import ${folder.id}: ${addition.change.file} is as it was before`)
    await folder.write('addition.json', { ...addition, settled: true })
  }

  const start: ImportRunner['start'] = async (folder, action, order) => {
    // One that has said that it is done has yet to end.
    const isOver = (await folder.read('work.json'))?.ended === true
    if (isOver) await running.get(folder.id)?.ended
    // A manifest that could not be put back before: what comes next would be added to it.
    await settleAddition(folder).catch((error: unknown) => {
      if (!(error instanceof ManifestLeftError)) throw error
      throw manifestLeft(error)
    })
    // Of two starts at once, here or on two servers, one is first: the other finds what it noted.
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(hashtextextended(${`novodb.import.${folder.id}`}, 0))`
      const { loads: own, waiting } = (await folder.read('loads.json')) ?? { loads: [], waiting: [] }
      const isLoading = waiting.length > 0 || (await anyLoadRuns(transaction, own))
      if (isLoading || running.has(folder.id) || isWorking(await folder.read('work.json')))
        throw new PortalError('CONFLICT', { message: 'import.working' })
      const begun: ImportWork = { action, step: '', fraction: 0, at: Date.now(), ended: false, failure: null }
      await folder.write('order.json', order)
      await folder.write('work.json', begun)
    })
    const child = forkPortalProcess(entry, [folder.id, action], { settings: settingsOf(portal) })
    const ended = new Promise<void>((resolve) => {
      const onEnd = async (code: number | null, reason: string): Promise<void> => {
        try {
          // One that ended by itself has said so; this is for one that was killed.
          const work = await folder.read('work.json')
          if (work !== null && !work.ended) await folder.write('work.json', { ...work, ended: true, failure: reason })
        } finally {
          running.delete(folder.id)
        }
        await settleAddition(folder)
        // An addition has loaded itself, while nobody else could add anything.
        const isOwn = (await folder.read('survey.json'))?.addition === null
        if (action === 'write' && code === 0 && isOwn) await beginLoads(folder, order.startedBy)
      }
      const settle = (code: number | null, reason: string): void =>
        void onEnd(code, reason)
          .catch((error: unknown) => log(`import ${folder.id}: ${String(error)}`))
          .finally(resolve)
      child.once('error', (error) => settle(null, error.message))
      child.once('exit', (code, signal) => settle(code, signal ?? `status ${code}`))
    })
    running.set(folder.id, { folder, child, ended })
  }

  const stop: ImportRunner['stop'] = async (folder) => {
    const order = await folder.read('loads.json')
    if (order !== null && order.waiting.length > 0) await folder.write('loads.json', { ...order, waiting: [] })
    const own = running.get(folder.id)
    if (own === undefined) return !isWorking(await folder.read('work.json'))
    own.child.kill('SIGTERM')
    const killer = setTimeout(() => own.child.kill('SIGKILL'), stopGraceMs)
    const load = (await folder.read('loads.json'))?.loads.at(-1)
    const runs = load !== undefined && (await anyLoadRuns(sql, [load]))
    await own.ended
    clearTimeout(killer)
    if (runs) await noteCancelled(sql, load)
    return true
  }

  return {
    start,
    stop,
    cancelLoad: async (load) => {
      for (const { folder } of running.values())
        if ((await folder.read('loads.json'))?.loads.at(-1) === load) return stop(folder)
      return false
    },
    resume: async () => {
      for (const { folder, origin } of await listImportFolders(portal.config.foldersDir)) {
        await settleAddition(folder).catch((error: unknown) => log(`import ${folder.id}: ${String(error)}`))
        const waits = ((await folder.read('loads.json'))?.waiting.length ?? 0) > 0
        if (waits && !loading.has(folder.id) && !closed) startLoading(folder, origin.createdBy)
      }
    },
    sweep: async (now) => {
      const { foldersDir, uploadKeptMs } = portal.config
      const serving = await listServingLoads(sql)
      for (const { folder } of await listImportFolders(foldersDir)) {
        const { loads: own, waiting } = (await folder.read('loads.json')) ?? { loads: [], waiting: [] }
        const isBusy = waiting.length > 0 || isWorking(await folder.read('work.json')) || (await anyLoadRuns(sql, own))
        const pending = await uploads.listPending(folder.id)
        const last = Math.max(await folder.changedAt(), ...pending.map(({ changedAt }) => changedAt))
        if (isBusy || now - last < uploadKeptMs || (await folder.isServed(serving))) continue
        await uploads.removePending(folder.id)
        await rm(folder.folder, { recursive: true, force: true })
        log(`import ${folder.id}: deleted, nothing of it was loaded`)
      }
      await uploads.sweep()
    },
    close: async () => {
      closed = true
      const children = [...running.values()]
      for (const { child } of children) child.kill('SIGTERM')
      const killer = setTimeout(() => {
        for (const { child } of children) child.kill('SIGKILL')
      }, stopGraceMs)
      await Promise.all([...children.map(({ ended }) => ended), ...loading.values()])
      clearTimeout(killer)
    },
  }
}
