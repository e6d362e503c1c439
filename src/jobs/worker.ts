import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PortalError } from '../contracts/errors.ts'
import type { Receipt } from '../contracts/tools/receipt.ts'
import type { Sql } from '../database/connect.ts'
import { runTransaction } from '../database/driver/transaction.ts'
import { getDiskSpace, measureFolder, nextToNothing } from '../store/disk-space.ts'
import { isDiskFull } from '../store/store-error.ts'
import { getJobDirectory, getRunDirectory, renderStoredError } from './job-record.ts'
import { listenToJobs, sendJobSignal } from './job-signals.ts'
import { type MessageQueue, openMessageQueue } from './message-queue.ts'
import { getProcessName } from './processes.ts'
import { defaultJobLimits, findKeptResult, lockEqualJobs, sendMissingMessages } from './queue.ts'
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
  attempt: number
  /** Absolute path of the run's own, empty directory; `input.json` is in it. */
  directory: string
  /** Fires on cancel, shutdown and when the job is no longer this worker's; what it started must end then. */
  signal: AbortSignal
  /** 0 to 1, or null when it cannot be told; may be called as often as one likes. */
  progress(fraction: number | null, step?: string): void
  /** The answer is of other data than was asked of: it goes to this job alone, never to an equal one. */
  excludeFromCache(): Promise<void>
}

/** Runs a job's tool. A PortalError is what the person is told; any other exception is logged and told as INTERNAL. */
export type RunJob = (run: JobRun) => Promise<{ result: unknown; receipt: Receipt }>

export interface WorkerLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

export interface WorkerOptions {
  /** With a pool of two connections or more beyond what the tools use. */
  database: { sql: Sql }
  dataDir: string
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
}

const defaults = {
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

interface Claim {
  id: string
  tool: string
  tool_version: number
  input: unknown
  bundles: number[]
  owner: number | null
  attempt: number
  cache_key: string
  /** Unlike that of any other claim, of this job or another. */
  worker: string
}

type StopKind = 'cancel' | 'lost' | 'shutdown'

interface Running {
  claim: Claim
  controller: AbortController
  stopped: StopKind | null
}

/**
 * Takes jobs from the queue and runs them until the signal fires; resolves when nothing of it runs any more. Any number of
 * workers may work on one queue, on any number of machines that share the data directory. What happens to a job is decided
 * by single statements on its row, guarded by the claim's name, so that a worker may be killed at any moment: its jobs are
 * run by another, and if it was only thought dead, what it writes later is not taken.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { dataDir, log, concurrency } = options
  const { sql } = options.database
  const settings = { ...defaults, ...definedOf(options) }
  const messages = await openMessageQueue(sql)
  const running = new Map<string, Running>()
  const runs = new Set<Promise<void>>()
  const stopping = () => options.signal.aborted
  const bell = createBell()

  const signals = await listenToJobs(sql)
  signals.subscribe((event) => {
    if (event.kind === 'queued') bell.ring()
    else if (event.kind === 'reconnected') {
      bell.ring()
      void beat()
    } else if (event.kind === 'cancel') {
      for (const run of running.values()) if (run.claim.id === event.job) stopRun(run, 'cancel')
    }
  })

  const stopRun = (run: Running, kind: StopKind) => {
    if (run.stopped) return
    run.stopped = kind
    run.controller.abort(kind === 'cancel' ? new PortalError('JOB_CANCELLED') : undefined)
  }

  /** Renews the leases. A database that does not answer ends no run: nobody else can take its jobs either. */
  const beat = async () => {
    const names = [...running.keys()]
    if (names.length === 0) return
    try {
      const rows = await sql<{ worker: string; cancel_requested: boolean }[]>`
        update jobs set lease_until = clock_timestamp() + make_interval(secs => ${settings.leaseMs / 1000})
        where worker = any(${names}) and state = 'running' returning worker, cancel_requested`
      const held = new Map(rows.map((row) => [row.worker, row]))
      for (const name of names) {
        const run = running.get(name)
        const row = held.get(name)
        if (run && !row) stopRun(run, 'lost')
        else if (run && row?.cancel_requested) stopRun(run, 'cancel')
      }
    } catch (error) {
      log.warn(`jobs: lease not renewed: ${String(error)}`)
    }
  }

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
      const report = await sweepJobs({ sql, messages, dataDir, directories, ...settings })
      if (report && directories) directoriesSweptMs = performance.now()
      if (report) {
        const { orphans, requeued, failed, resent, expired, directories: strays } = report
        if (orphans + requeued + failed + resent + expired + strays > 0)
          log.info(`jobs: sweep ${JSON.stringify(report)}`)
      }
    } catch (error) {
      log.warn(`jobs: sweep failed: ${String(error)}`)
    }
  }

  await sweep()
  const heartbeat = setInterval(() => void beat(), settings.heartbeatMs)
  const sweeper = setInterval(() => void sweep(), settings.sweepMs)
  const onStop = () => bell.ring()
  options.signal.addEventListener('abort', onStop)

  while (!stopping()) {
    let taken: 'nothing' | 'settled' | Claim = 'nothing'
    if (running.size < concurrency) {
      try {
        taken = await claimJob({ sql, messages, dataDir, ...settings })
      } catch (error) {
        log.warn(`jobs: cannot take a job: ${String(error)}`)
        await bell.wait(1_000)
        continue
      }
    }
    if (taken === 'settled') continue
    if (taken === 'nothing') {
      await bell.wait(settings.pollMs)
      continue
    }
    const run: Running = { claim: taken, controller: new AbortController(), stopped: null }
    running.set(taken.worker, run)
    const ended = work(run, { sql, messages, dataDir, log, runTool: options.runTool, keptDays: settings.keptDays })
      .catch((error: unknown) => log.error(`jobs: ${taken.id}: ${String(error)}`))
      .finally(() => {
        running.delete(taken.worker)
        runs.delete(ended)
        bell.ring()
      })
    runs.add(ended)
  }

  options.signal.removeEventListener('abort', onStop)
  clearInterval(sweeper)
  await Promise.race([Promise.all(runs), pause(settings.graceMs)])
  for (const run of running.values()) stopRun(run, 'shutdown')
  await Promise.all(runs)
  clearInterval(heartbeat)
  // The caller may close the database after this.
  await sweeping
  await signals.close()
}

const definedOf = (options: WorkerOptions): Partial<typeof defaults> =>
  Object.fromEntries(
    Object.keys(defaults)
      .map((key) => [key, options[key as keyof typeof defaults]])
      .filter(([, value]) => value !== undefined),
  )

interface ClaimContext {
  sql: Sql
  messages: MessageQueue
  dataDir: string
  leaseMs: number
  keptDays: number
}

/**
 * Takes the next message and, in the same transaction, claims its job; `settled` when the message led to no run: the job was
 * cancelled, could be answered by an equal one's result, or has to wait for an equal one that runs.
 */
async function claimJob(context: ClaimContext): Promise<'nothing' | 'settled' | Claim> {
  const { sql, messages, dataDir, leaseMs, keptDays } = context
  return runTransaction(sql, async (transaction) => {
    const id = await messages.takeMessage(transaction)
    if (id === null) return 'nothing'
    const [seen] = await transaction<{ cache_key: string }[]>`select cache_key from jobs where id = ${id}`
    if (!seen) return 'settled'
    await lockEqualJobs(transaction, seen.cache_key)
    const [waiting] = await transaction`
      select 1 from jobs where id = ${id}
        and (state = 'queued' or (state = 'running' and lease_until < clock_timestamp())) for update`
    if (!waiting) return 'settled'

    const kept = await findKeptResult(transaction, { cacheKey: seen.cache_key, dataDir, keptDays })
    if (kept) {
      await answerEqualJobs(transaction, seen.cache_key, kept.id, keptDays)
      return 'settled'
    }
    const [equal] = await transaction`
      select 1 from jobs where cache_key = ${seen.cache_key} and id <> ${id} and state = 'running'
        and lease_until > clock_timestamp() limit 1`
    // Without a message: it is answered, or gets one again, when the equal one ends.
    if (equal) return 'settled'

    const worker = `${getProcessName()}/${randomBytes(6).toString('hex')}`
    const [claim] = await transaction<Claim[]>`
      update jobs set state = 'running', worker = ${worker}, attempt = attempt + 1, progress = null, step = null,
        lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}), started_at = clock_timestamp()
      where id = ${id}
      returning id, tool, tool_version, input, bundles, owner, attempt, cache_key, worker`
    await sendJobSignal(transaction, { kind: 'state', job: id })
    return claim!
  })
}

/** Gives an ended job's result to all that wait for the same. The caller holds their lock. */
async function answerEqualJobs(
  transaction: Parameters<typeof lockEqualJobs>[0],
  cacheKey: string,
  resultOf: string,
  keptDays: number,
): Promise<void> {
  const answered = await transaction<{ id: string }[]>`
    update jobs set state = 'done', result_of = ${resultOf}, progress = 1, step = null, lease_until = null,
      started_at = coalesce(started_at, clock_timestamp()), ended_at = clock_timestamp(),
      expires_at = clock_timestamp() + make_interval(days => ${keptDays})
    where cache_key = ${cacheKey} and state = 'queued' and id <> ${resultOf} returning id`
  for (const { id } of answered) await sendJobSignal(transaction, { kind: 'state', job: id })
}

interface WorkContext {
  sql: Sql
  messages: MessageQueue
  dataDir: string
  runTool: RunJob
  log: WorkerLog
  keptDays: number
}

type Outcome = { kind: 'done' } | { kind: 'failed'; error: unknown } | { kind: StopKind }

/** Taken for a folder with too many files to be measured. */
const uncountedBytes = 2 ** 30

async function work(run: Running, context: WorkContext): Promise<void> {
  const { claim, controller } = run
  const { dataDir, runTool, log } = context
  const directory = getRunDirectory(dataDir, claim.id, claim.worker)
  const progress = createProgressWriter(context.sql, claim)
  let outcome: Outcome
  let failure: unknown
  try {
    await mkdir(directory, { recursive: true })
    // For whoever looks into the directory; the table is what the job is run from.
    await writeFile(path.join(directory, 'input.json'), JSON.stringify(claim.input))
    const tool = runTool({
      id: claim.id,
      tool: claim.tool,
      toolVersion: claim.tool_version,
      input: claim.input,
      bundles: claim.bundles,
      owner: claim.owner,
      attempt: claim.attempt,
      directory,
      signal: controller.signal,
      progress: progress.note,
      excludeFromCache: () => excludeFromCache(claim, context),
    })
    const answer = await orAbandoned(tool, controller.signal)
    // What was finished in spite of a stop is a result all the same; only a cancelled job wants none.
    if (run.stopped === 'cancel' || run.stopped === 'lost') outcome = { kind: run.stopped }
    else {
      await writeDurably(path.join(directory, 'receipt.json'), JSON.stringify(answer.receipt))
      await writeDurably(path.join(directory, 'result.json'), JSON.stringify(answer.result))
      outcome = { kind: 'done' }
    }
  } catch (error) {
    outcome = run.stopped ? { kind: run.stopped } : { kind: 'failed', error: await describeFailure(error, dataDir) }
    failure = error
  } finally {
    progress.stop()
  }
  // A run that is not kept leaves nothing to count.
  const kept = outcome.kind === 'done' || outcome.kind === 'failed'
  const bytes = kept ? await measureFolder(directory).catch(() => 0) : 0
  const accepted = await settle(run, outcome, context, bytes ?? uncountedBytes)
  if (accepted && outcome.kind === 'failed') {
    log.warn(`jobs: ${claim.tool} ${claim.id} failed: ${renderCause(failure)}`)
  }
  if (accepted && outcome.kind === 'done') await deleteOtherRuns(dataDir, claim)
  // A failed run's files stay for the administrator; those of a run that no longer counts would be in the way.
  else if (!accepted || outcome.kind !== 'failed')
    await rm(directory, { recursive: true, force: true }).catch(() => undefined)
}

/** Gives a job a key of its own; what waited for its answer is run by itself. */
async function excludeFromCache(claim: Claim, { sql, messages }: WorkContext): Promise<void> {
  const shared = claim.cache_key
  await sql`update jobs set cache_key = ${`${shared}/${claim.id}`} where id = ${claim.id} and worker = ${claim.worker}`
  claim.cache_key = `${shared}/${claim.id}`
  await sendMissingMessages(sql, messages, shared)
}

/** A program that the disk left no room says so in its own way, if at all: then the disk is asked. */
async function describeFailure(error: unknown, directory: string): Promise<unknown> {
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
async function settle(run: Running, outcome: Outcome, context: WorkContext, bytes: number): Promise<boolean> {
  const deadline = performance.now() + settleGraceMs
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      return await settleOnce(run.claim, outcome, context, bytes)
    } catch (error) {
      if (performance.now() > deadline || run.stopped === 'shutdown') throw error
      context.log.warn(`jobs: end of ${run.claim.id} not written yet: ${String(error)}`)
      await pause(waitMs)
    }
  }
}

async function settleOnce(claim: Claim, outcome: Outcome, context: WorkContext, bytes: number): Promise<boolean> {
  const { sql, messages, keptDays } = context
  if (outcome.kind === 'lost') return false
  const mine = sql`id = ${claim.id} and worker = ${claim.worker} and attempt = ${claim.attempt} and state = 'running'`
  const kept = sql`expires_at = clock_timestamp() + make_interval(days => ${keptDays})`
  const settled = await runTransaction(sql, async (transaction) => {
    await lockEqualJobs(transaction, claim.cache_key)
    const rows =
      outcome.kind === 'done'
        ? await transaction`
            update jobs set state = 'done', progress = 1, step = null, lease_until = null, error = null,
              bytes = ${bytes}, ended_at = clock_timestamp(), ${kept}
            where ${mine} returning id`
        : outcome.kind === 'failed'
          ? await transaction`
              update jobs set state = 'failed', error = ${transaction.json(renderStoredError(outcome.error) as never)},
                step = null, lease_until = null, bytes = ${bytes}, ended_at = clock_timestamp(), ${kept}
              where ${mine} returning id`
          : outcome.kind === 'cancel'
            ? await transaction`
                update jobs set state = 'cancelled', step = null, lease_until = null, ended_at = clock_timestamp(), ${kept}
                where ${mine} returning id`
            : // Handed back: the run was stopped by us and does not count. A cancel that came meanwhile is kept.
              await transaction`
                update jobs set state = case when cancel_requested then 'cancelled' else 'queued' end,
                  ended_at = case when cancel_requested then clock_timestamp() end,
                  attempt = attempt - 1, worker = null, lease_until = null, started_at = null, progress = null, step = null
                where ${mine} returning id`
    if (rows.length === 0) return false
    if (outcome.kind === 'done') await answerEqualJobs(transaction, claim.cache_key, claim.id, keptDays)
    await sendJobSignal(transaction, { kind: 'state', job: claim.id })
    return true
  })
  // After the transaction, for messages are not sent under the lock of equal jobs; what a death here leaves, the sweep sends.
  if (settled && outcome.kind !== 'done') await sendMissingMessages(sql, messages, claim.cache_key)
  return settled
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
function createProgressWriter(sql: Sql, claim: Claim) {
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
      await sql`update jobs set progress = ${fraction}, step = ${step} where worker = ${claim.worker} and state = 'running'`
      await sendJobSignal(sql, { kind: 'state', job: claim.id })
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

async function deleteOtherRuns(dataDir: string, claim: Claim): Promise<void> {
  const own = path.basename(getRunDirectory(dataDir, claim.id, claim.worker))
  const parent = getJobDirectory(dataDir, claim.id)
  for (const name of await readdir(parent).catch(() => [])) {
    if (name !== own) await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })

/** Something to wait for that may ring before one waits. */
function createBell() {
  let rung = false
  let wake: (() => void) | null = null
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(ms: number) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
      wake = null
    },
  }
}
