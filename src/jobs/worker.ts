import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PortalError } from '../contracts/errors.ts'
import type { Receipt } from '../contracts/tools/receipt.ts'
import type { Sql } from '../database/connect.ts'
import { getDiskSpace, measureFolder, nextToNothing } from '../store/disk-space.ts'
import { type PortalFiles, resultName } from '../store/portal-files.ts'
import { findStoreDelay, isDiskFull } from '../store/store-error.ts'
import { createBell } from './bell.ts'
import { type Claim, createJobClaims, type JobClaims, type Outcome } from './claims.ts'
import { getJobDirectory, getRunDirectory } from './job-record.ts'
import { listenToJobs } from './job-signals.ts'
import type { JobTrace, TraceJob } from './job-trace.ts'
import type { Presence } from './presence.ts'
import { getProcessName } from './processes.ts'
import { defaultJobLimits } from './queue.ts'
import { sweepJobs } from './sweep.ts'

/** What the worker knows of a job that it gives out to be run. */
export interface JobRun {
  id: string
  tool: string
  toolVersion: number
  input: unknown
  /** Numbers of the bundles that were in use when the job was asked for. */
  bundles: number[]
  owner: number | null
  /** The load that it is a part of; null for a job that somebody asked for. */
  load: number | null
  attempt: number
  /** Null where traces are not kept. */
  trace: JobTrace | null
  /** Writes lines that name the job and the request that asked for it. */
  log: WorkerLog
  /** Absolute path of the run's own, empty directory; `input.json` is in it. */
  directory: string
  /** Fires on cancel, shutdown and when the job is no longer this worker's; what it started must end then. */
  signal: AbortSignal
  /** 0 to 1, or null when it cannot be told; may be called as often as one likes. */
  progress(fraction: number | null, step?: string): void
  /** The answer is of other data than was asked of: it goes to this job alone, never to an equal one. */
  excludeFromCache(): Promise<void>
}

/**
 * Runs a job's tool. A PortalError is what the person is told; any other exception is logged and told as INTERNAL. A part of a load
 * resolves to null: it has kept what it computed where the load looks for it, and may throw PartRefused.
 */
export type RunJob = (run: JobRun) => Promise<{ result: unknown; receipt: Receipt } | null>

/** This process cannot compute parts of that load as the load's own would, since it has other programs, say: others take them. */
export class PartRefused extends Error {
  override readonly name = 'PartRefused'
}

/** What a line says beside its text: ids and figures, never what people have entered. */
export type LogFields = Record<string, string | number | null>

export interface WorkerLog {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** The log, with fields that each of its lines has. */
const logWith = (log: WorkerLog, own: LogFields): WorkerLog => ({
  info: (message, fields) => log.info(message, { ...own, ...fields }),
  warn: (message, fields) => log.warn(message, { ...own, ...fields }),
  error: (message, fields) => log.error(message, { ...own, ...fields }),
})

export interface WorkerOptions {
  /** With a pool of two connections or more beyond what the tools use. */
  database: { sql: Sql }
  files: PortalFiles
  runTool: RunJob
  /** Jobs at a time in this process. */
  concurrency: number
  /** Its firing stops the worker: no further jobs are taken; what runs has `graceMs` to finish, then is handed back. */
  signal: AbortSignal
  log: WorkerLog
  graceMs?: number
  /** A worker that gives no sign of life for this long is dead. */
  leaseMs?: number
  heartbeatMs?: number
  sweepMs?: number
  /** As long as a sweep may take: deletions of large directories are the longest of it. */
  sweepLockMs?: number
  /** How often to look for jobs when no notification comes. */
  pollMs?: number
  maxAttempts?: number
  keptDays?: number
  /** Ids of tools whose jobs are left to other engines. */
  otherTools?: string[] | undefined
  /** Gives its signs of life with the heartbeat. */
  presence?: Presence | undefined
  /** Where traces are kept. */
  traceJob?: TraceJob | undefined
}

export const workerDefaults = {
  graceMs: 10_000,
  leaseMs: 30_000,
  heartbeatMs: 5_000,
  sweepMs: 15_000,
  sweepLockMs: 300_000,
  pollMs: 2_000,
  maxAttempts: 3,
  keptDays: defaultJobLimits.keptDays,
}

/** Progress is written to the table at most this often. */
const progressIntervalMs = 300
/** A tool that does not heed its signal is left behind after this. */
const abandonMs = 3_000
const directorySweepMs = 3_600_000

/** Why a run is stopped before its end: on cancel, at the worker's own stop, because the claim is lost, or when its time is over. */
type StopKind = 'cancelled' | 'released' | 'lost' | 'timedOut'

interface Running {
  claim: Claim
  controller: AbortController
  stopped: StopKind | null
}

/** What holds claims in this process: their jobs run, their leases are renewed, cancels are heeded. */
export interface Runner {
  claims: JobClaims
  running: ReadonlyMap<string, Running>
  /** Runs a job that was claimed; resolves when it has ended. */
  start(claim: Claim): Promise<void>
  stop(claim: Claim, kind: StopKind): void
  /** Loads whose parts this process has refused. */
  readonly refusedLoads: ReadonlySet<number>
  /** Hands back what still runs after a time, and resolves when nothing does. The caller may close the database after this. */
  close(graceMs: number): Promise<void>
}

/**
 * `onNews` is called when a job may have come: it was told, or the connection was lost meanwhile. `once` tells a process of one job, which
 * cannot leave parts of loads to others by handing them back.
 */
export const openRunner = async (
  options: Omit<WorkerOptions, 'concurrency' | 'signal'>,
  settings: WorkerSettings,
  onNews: () => void,
  once = false,
): Promise<Runner> => {
  const { files, log, runTool, otherTools, presence, traceJob } = options
  const { sql } = options.database
  const claims = createJobClaims({ sql, otherTools, ...settings })
  const running = new Map<string, Running>()
  const refusedLoads = new Set<number>()
  const runs = new Set<Promise<void>>()

  const stopRun = (run: Running, kind: StopKind) => {
    if (run.stopped) return
    run.stopped = kind
    run.controller.abort(kind === 'cancelled' ? new PortalError('JOB_CANCELLED') : undefined)
  }

  /** Renews the leases. A database that does not answer ends no run: nobody else can take its jobs either. */
  const beat = async () => {
    const names = [...running.keys()]
    if (names.length === 0) return
    try {
      const held = await claims.renewLeases(names)
      for (const name of names) {
        const run = running.get(name)
        if (run && !held.has(name)) stopRun(run, 'lost')
        else if (run && held.get(name)) stopRun(run, 'cancelled')
      }
    } catch (error) {
      log.warn(`jobs: lease not renewed: ${String(error)}`)
    }
  }

  const signals = await listenToJobs(sql)
  signals.subscribe((event) => {
    if (event.kind === 'queued') onNews()
    else if (event.kind === 'reconnected') {
      onNews()
      void beat()
    } else if (event.kind === 'cancel') {
      for (const run of running.values()) if (run.claim.id === event.job) stopRun(run, 'cancelled')
    }
  })
  await presence?.note()
  const heartbeat = setInterval(() => {
    void beat()
    void presence?.note()
  }, settings.heartbeatMs)

  return {
    claims,
    running,
    refusedLoads,
    start(claim) {
      const { id, worker } = claim
      const run: Running = { claim, controller: new AbortController(), stopped: null }
      running.set(worker, run)
      const own = logWith(log, { requestId: claim.requestId, job: id, tool: claim.tool })
      const ended = work(run, {
        claims,
        files,
        log: own,
        runTool,
        refuseLoad: once ? null : (load) => refusedLoads.add(load),
        trace: traceJob?.(claim) ?? null,
      })
        .catch((error: unknown) => own.error(`jobs: end not written: ${String(error)}`))
        .finally(() => {
          running.delete(worker)
          runs.delete(ended)
        })
      runs.add(ended)
      return ended
    },
    stop({ worker }, kind) {
      const run = running.get(worker)
      if (run) stopRun(run, kind)
    },
    async close(graceMs) {
      await Promise.race([Promise.all(runs), pause(graceMs)])
      for (const run of running.values()) stopRun(run, 'released')
      await Promise.all(runs)
      clearInterval(heartbeat)
      await signals.close()
    },
  }
}

/**
 * Takes jobs from the queue and runs them until the signal fires; resolves when nothing of it runs any more. Any number of
 * workers may work on one queue (see `JobClaims`), on any number of machines that share the data directory. One may be killed at
 * any moment: its jobs are run by another.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { files, log, concurrency } = options
  const { sql } = options.database
  const settings = { ...workerDefaults, ...definedOf(options) }
  const stopping = () => options.signal.aborted
  const bell = createBell()
  const runner = await openRunner(options, settings, bell.ring)
  const { claims, running, refusedLoads } = runner

  let directoriesSweptMs = Number.NEGATIVE_INFINITY
  let sweeping: Promise<void> | null = null
  const sweep = () => {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = null
    })
    return sweeping
  }
  const sweepOnce = async () => {
    try {
      const directories = performance.now() - directoriesSweptMs > directorySweepMs
      const report = await sweepJobs({ sql, claims, files, directories, ...settings })
      if (report && directories) directoriesSweptMs = performance.now()
      if (report) {
        const { orphans, requeued, failed, expired, directories: strays } = report
        if (orphans + requeued + failed + expired + strays > 0) log.info(`jobs: sweep ${JSON.stringify(report)}`)
      }
    } catch (error) {
      log.warn(`jobs: sweep failed: ${String(error)}`)
    }
  }

  await sweep()
  const sweeper = setInterval(() => void sweep(), settings.sweepMs)
  options.signal.addEventListener('abort', bell.ring)

  while (!stopping()) {
    let claim: Claim | null = null
    const current = [...running.values()]
    const alone = current.some((run) => run.claim.alone)
    // A load's parts are many and long: whoever asks for something meanwhile finds a place that they do not take. Where there is
    // one place in all, a job is run beside the part, which gives way to it by its priority.
    const partsRun = current.filter((run) => run.claim.load !== null).length
    const isBesidePart = concurrency === 1 && running.size === 1 && partsRun === 1
    if ((running.size < concurrency || isBesidePart) && !alone) {
      const parts =
        !isBesidePart && partsRun < Math.max(1, concurrency - 1) ? { refusedLoads: [...refusedLoads] } : null
      try {
        claim = await claims.claimJob(getProcessName(), running.size === 0, parts)
      } catch (error) {
        log.warn(`jobs: cannot take a job: ${String(error)}`)
        await bell.wait(1_000)
        continue
      }
    }
    if (claim) void runner.start(claim).then(bell.ring)
    else await bell.wait(settings.pollMs)
  }

  options.signal.removeEventListener('abort', bell.ring)
  clearInterval(sweeper)
  await runner.close(settings.graceMs)
  await sweeping
}

/**
 * Takes one job and runs it, as a process that a scheduler started for it; resolves to false when there was nothing to run: another
 * start took it, or it was cancelled meanwhile. When the signal fires, the job is handed back at once, for whoever stops a task of a
 * scheduler waits less than a portal's own stop does. The job fails when it takes longer than `limitMs`: handed back, it would be started
 * again and again.
 */
export async function runOneJob(options: WorkerOptions, id: string, limitMs: number): Promise<boolean> {
  const settings = { ...workerDefaults, ...definedOf(options) }
  const runner = await openRunner(options, settings, () => undefined, true)
  try {
    const claim = options.signal.aborted ? null : await runner.claims.claimJobById(getProcessName(), id)
    if (claim === null) return false
    const timer = setTimeout(() => runner.stop(claim, 'timedOut'), Math.min(limitMs, 2 ** 31 - 1))
    await Promise.race([
      runner.start(claim),
      new Promise<void>((resolve) => options.signal.addEventListener('abort', () => resolve(), { once: true })),
    ])
    clearTimeout(timer)
    return true
  } finally {
    await runner.close(0)
  }
}

export type WorkerSettings = typeof workerDefaults

const definedOf = (options: WorkerOptions): Partial<WorkerSettings> =>
  Object.fromEntries(
    Object.keys(workerDefaults)
      .map((key) => [key, options[key as keyof typeof workerDefaults]])
      .filter(([, value]) => value !== undefined),
  )

interface WorkContext {
  claims: JobClaims
  files: PortalFiles
  runTool: RunJob
  log: WorkerLog
  /** Null for a process of one job: what it refuses fails, and the load computes it itself. */
  refuseLoad: ((load: number) => void) | null
  trace: JobTrace | null
}

/** Taken for a folder with too many files to be measured. */
const uncountedBytes = 2 ** 30

async function work(run: Running, context: WorkContext): Promise<void> {
  const { claim, controller } = run
  const { claims, files, runTool, log, trace } = context
  const { dataDir } = files
  const directory = getRunDirectory(dataDir, claim.id, claim.worker)
  const progress = createProgressWriter(claims, claim)
  const measure = async () => (await measureFolder(directory).catch(() => 0)) ?? uncountedBytes
  let outcome: Outcome | { kind: 'lost' }
  let failure: unknown
  const startedMs = performance.now()
  log.info('job started', { attempt: claim.attempt, waitedMs: Date.now() - claim.submittedAt.getTime() })
  try {
    await mkdir(directory, { recursive: true })
    // For whoever looks into the directory; the table is what the job is run from.
    await writeFile(path.join(directory, 'input.json'), JSON.stringify(claim.input))
    const tool = runTool({
      id: claim.id,
      tool: claim.tool,
      toolVersion: claim.toolVersion,
      input: claim.input,
      bundles: claim.bundles,
      owner: claim.owner,
      load: claim.load,
      attempt: claim.attempt,
      trace,
      log,
      directory,
      signal: controller.signal,
      progress: progress.note,
      excludeFromCache: () => claims.excludeFromCache(claim),
    })
    const answer = await orAbandoned(tool, controller.signal).finally(() => trace?.noteEngineEnd())
    // What was finished in spite of a stop is a result all the same; only a cancelled job wants none.
    if (run.stopped === 'cancelled' || run.stopped === 'lost') outcome = { kind: run.stopped }
    else if (answer === null) outcome = { kind: 'done', bytes: 0 }
    else {
      await writeDurably(path.join(directory, 'receipt.json'), JSON.stringify(answer.receipt))
      await writeDurably(path.join(directory, resultName), JSON.stringify(answer.result))
      // Before anybody is told that it is done: the next one to ask may be another host.
      await files.publishRun(directory)
      outcome = { kind: 'done', bytes: await measure() }
    }
  } catch (error) {
    failure = run.stopped === 'timedOut' ? new PortalError('ENGINE_LIMIT', { message: 'job.taskTimeLimit' }) : error
    const refused = claim.load !== null && error instanceof PartRefused && context.refuseLoad !== null
    if (refused) context.refuseLoad!(claim.load!)
    outcome =
      run.stopped && run.stopped !== 'timedOut'
        ? { kind: run.stopped }
        : refused
          ? { kind: 'released' }
          : { kind: 'failed', error: await describeFailure(failure, dataDir), bytes: await measure() }
  } finally {
    progress.stop()
  }
  const accepted = outcome.kind !== 'lost' && (await settle(run, outcome, context))
  const errorCode = outcome.kind !== 'failed' ? null : failure instanceof PortalError ? failure.code : 'INTERNAL'
  trace?.end(accepted ? outcome.kind : 'lost', errorCode)
  const ms = Math.round(performance.now() - startedMs)
  if (accepted && outcome.kind === 'failed') log.warn(`job failed: ${renderCause(failure)}`, { ms })
  else log.info(`job ${accepted ? outcome.kind : 'lost'}`, { ms })
  // Nobody asks for the files of a part: what it computed is kept elsewhere. Nor has any of them been sent to a store.
  if (claim.load !== null) {
    const left = accepted && outcome.kind !== 'released' ? getJobDirectory(dataDir, claim.id) : directory
    await rm(left, { recursive: true, force: true }).catch(() => undefined)
  } else if (accepted && outcome.kind === 'done') await deleteOtherRuns(files, claim)
  // A failed run's files stay for the administrator; those of a run that no longer counts would be in the way.
  else if (!accepted || outcome.kind !== 'failed')
    await rm(directory, { recursive: true, force: true }).catch(() => undefined)
}

/** What a person is told. A program that the disk left no room says so in its own way, if at all: then the disk is asked. */
async function describeFailure(error: unknown, directory: string): Promise<unknown> {
  if (findStoreDelay(error) !== null) return new PortalError('BUSY', { message: 'job.storeAway', cause: error })
  const space = await getDiskSpace(directory).catch(() => null)
  const nothingFree = space !== null && space.freeBytes < Math.min(nextToNothing, space.totalBytes / 20)
  if (isDiskFull(error) || (nothingFree && error instanceof PortalError && error.code === 'ENGINE_FAILED')) {
    return new PortalError('ENGINE_FAILED', { message: 'job.diskFull', cause: error })
  }
  return error
}

/** The whole of a failure, for the log. */
function renderCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own =
    error instanceof PortalError ? `${error.message} ${JSON.stringify(error.params)}` : (error.stack ?? error.message)
  return error.cause === undefined ? own : `${own}; cause: ${renderCause(error.cause)}`
}

/** Long enough for a database that restarts or fails over; the lease runs out meanwhile, but nobody can take the job either. */
const settleGraceMs = 10 * 60_000

/** Writes how a run ended, unless the job is no longer this claim's (false); tried again while the database is away. */
async function settle(run: Running, outcome: Outcome, { claims, log }: WorkContext): Promise<boolean> {
  const deadline = performance.now() + settleGraceMs
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      return await claims.settleJob(run.claim, outcome)
    } catch (error) {
      if (performance.now() > deadline || run.stopped === 'released') throw error
      log.warn(`jobs: end not written yet: ${String(error)}`)
      await pause(waitMs)
    }
  }
}

/** The tool's answer; when it goes on long after it was told to stop, it is left to itself. */
async function orAbandoned<T>(tool: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  let timer: NodeJS.Timeout | undefined
  const abandoned = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new Error('The tool did not stop when it was told to')), abandonMs)
    }
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([tool, abandoned])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Keeps the last progress told and writes it now and then; a write that fails is only a picture that stands still. */
function createProgressWriter(claims: JobClaims, claim: Claim) {
  let fraction: number | null = null
  let step: string | null = null
  let dirty = false
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  const write = async () => {
    if (!dirty || stopped) {
      timer = null
      return
    }
    dirty = false
    timer = setTimeout(() => void write(), progressIntervalMs)
    try {
      await claims.noteProgress(claim, fraction, step)
    } catch {
      // Told by the heartbeat, if it lasts.
    }
  }
  return {
    note(nextFraction: number | null, nextStep?: string) {
      fraction = nextFraction === null ? null : Math.min(1, Math.max(0, nextFraction))
      if (nextStep !== undefined) step = nextStep
      dirty = true
      if (!timer && !stopped) void write()
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** A file that is whole or not there, also after a power cut: written beside, forced to disk, renamed, and the name forced too. */
async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.tmp`, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.tmp`, file)
  const folder = await open(path.dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const deleteOtherRuns = (files: PortalFiles, claim: Claim): Promise<void> =>
  files
    .deleteRuns(
      getJobDirectory(files.dataDir, claim.id),
      path.basename(getRunDirectory(files.dataDir, claim.id, claim.worker)),
    )
    // They are in nobody's way, and go with the job.
    .catch(() => undefined)

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
