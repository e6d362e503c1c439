import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { loadPartTool } from '../contracts/load-steps.ts'
import type { Sql } from '../database/connect.ts'
import { createBell } from './bell.ts'
import { getJobDirectory, getRunDirectory } from './job-record.ts'
import { sendJobSignal } from './job-signals.ts'
import { getProcessName } from './processes.ts'
import { sweepJobs, withdrawParts } from './sweep.ts'
import { openRunner, type RunJob, type WorkerOptions, workerDefaults } from './worker.ts'

export interface LoadPart {
  /** Parts of one name give the same. */
  name: string
  input: unknown
}

export interface PartsProgress {
  done: number
  total: number
  /** Processes beside the load's own that compute parts at this moment. */
  workers: number
}

export interface LoadPartsOptions
  extends Pick<WorkerOptions, 'database' | 'files' | 'log' | 'leaseMs' | 'heartbeatMs'> {
  /** Number of the load. */
  load: number
  parts: readonly LoadPart[]
  /** Computes a part in this process. What it throws ends the load's computation. */
  compute: RunJob
  signal: AbortSignal
  onProgress(progress: PartsProgress): void
}

/** Parts in the table at one time: a thousand genomes have half a million pairs, and the queue is looked through for each job. */
const partsAtOnce = 500
/** How often it is looked at what others have computed. */
const lookMs = 500
const keptDays = 1

/**
 * Has parts of a load computed by this process and by every worker that has nothing else to do; resolves when all are. A part is a job of
 * the table, so a worker that dies in it loses nothing: its lease runs out and another takes it. One that a worker could not compute is
 * computed here. When the signal fires or a part fails here, those that wait are withdrawn, and those that run elsewhere are told to stop.
 *
 * One load at a time may have parts, which the turn of loads sees to: whatever is there of others belongs to loads that are dead.
 */
export const computeParts = async (options: LoadPartsOptions): Promise<void> => {
  const { files, load, parts, compute, signal, log, onProgress } = options
  const { sql } = options.database
  if (parts.length === 0) return
  await withdrawParts(sql, sql`load <> ${load}`)
  const bell = createBell()
  let failure: { error: unknown } | null = null
  const settings = {
    ...workerDefaults,
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
  }
  const runTool: RunJob = async (run) => {
    try {
      return await compute(run)
    } catch (error) {
      if (!run.signal.aborted) failure ??= { error }
      throw error
    }
  }
  const runner = await openRunner({ database: options.database, files, log, runTool }, settings, bell.ring)
  signal.addEventListener('abort', bell.ring)
  const own = `${getProcessName()}/`
  const waiting = parts.values()
  const failed: unknown[] = []
  let done = 0
  let given = 0
  let sweptMs = performance.now()
  try {
    for (;;) {
      signal.throwIfAborted()
      if (failure !== null) throw (failure as { error: unknown }).error
      const ended = await sql<{ id: string; state: string; input: unknown }[]>`
        delete from jobs where load = ${load} and state not in ('queued', 'running') returning id, state, input`
      for (const { state, input } of ended) {
        if (state === 'done') done += 1
        else failed.push(input)
      }
      const room = partsAtOnce - (given - done - failed.length)
      if (room >= partsAtOnce / 2 && given < parts.length) given += await addParts(sql, load, waiting, room)
      const [others] = await sql<{ workers: number }[]>`
        select count(distinct substring(worker from '^.*/'))::int as workers from jobs
        where load = ${load} and state = 'running' and substring(worker from '^.*/') <> ${own}`
      onProgress({ done, total: parts.length, workers: others!.workers })
      if (done + failed.length === parts.length) break
      if (runner.running.size === 0) {
        const claim = await runner.claims.claimPart(getProcessName(), load)
        if (claim !== null) {
          void runner.start(claim).then(bell.ring)
          continue
        }
      }
      if (performance.now() - sweptMs > settings.sweepMs) {
        sweptMs = performance.now()
        // No worker may be left to find that the last of them has died.
        await sweepJobs({ sql, claims: runner.claims, files, directories: false, sweepLockMs: settings.sweepLockMs })
      }
      await bell.wait(lookMs)
    }
    // Whoever took them could not: too little memory there, say.
    for (const input of failed) {
      await computeHere(input, options)
      done += 1
      onProgress({ done, total: parts.length, workers: 0 })
    }
  } finally {
    signal.removeEventListener('abort', bell.ring)
    await runner.close(0)
    await withdrawParts(sql, sql`load = ${load}`).catch((error: unknown) =>
      log.warn(`load ${load}: parts not withdrawn: ${String(error)}`),
    )
  }
}

const newId = (): string => randomBytes(16).toString('hex')

/** Puts as many of the parts that are left into the queue; resolves to how many those were. */
const addParts = async (sql: Sql, load: number, waiting: Iterator<LoadPart>, room: number): Promise<number> => {
  const parts: LoadPart[] = []
  while (parts.length < room) {
    const next = waiting.next()
    if (next.done === true) break
    parts.push(next.value)
  }
  const inputs = JSON.stringify(parts.map(({ input }) => input))
  await sql`
      insert into jobs (id, tool, tool_version, input, state, cache_key, load, expires_at)
      select part.id, ${loadPartTool}, 1, part.input, 'queued', part.key, ${load},
        clock_timestamp() + make_interval(days => ${keptDays})
      from rows from (
        unnest(${parts.map(newId)}::text[]), unnest(${parts.map(({ name }) => `${loadPartTool}/${name}`)}::text[]),
        jsonb_array_elements(${inputs}::text::jsonb)) with ordinality part (id, key, input, number)
      order by part.number`
  await sendJobSignal(sql, { kind: 'queued' })
  return parts.length
}

/** Outside of the queue, where another would take it again. */
const computeHere = async (input: unknown, { files, load, log, compute, signal }: LoadPartsOptions): Promise<void> => {
  signal.throwIfAborted()
  const id = newId()
  const directory = getRunDirectory(files.dataDir, id, '/own')
  await mkdir(directory, { recursive: true })
  try {
    await compute({
      id,
      tool: loadPartTool,
      toolVersion: 1,
      input,
      bundles: [],
      owner: null,
      load,
      attempt: 1,
      trace: null,
      log,
      directory,
      signal,
      progress: () => undefined,
      excludeFromCache: async () => undefined,
    })
  } finally {
    await rm(getJobDirectory(files.dataDir, id), { recursive: true, force: true })
  }
}
