import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fieldError, PortalError } from '../contracts/errors.ts'
import type { JobState } from '../contracts/tools/jobs.ts'
import type { Receipt } from '../contracts/tools/receipt.ts'
import type { Sql, TransactionSql } from '../database/connect.ts'
import { requireDiskSpace } from '../store/disk-space.ts'
import { type PortalFiles, resultName } from '../store/portal-files.ts'
import { StoreError } from '../store/store-error.ts'
import { lockEqualJobs } from './claims.ts'
import { nameInput } from './input-name.ts'
import { createJobRecord, getRunDirectory, type JobRecord, type JobRow, restoreError } from './job-record.ts'
import { type JobSignals, listenToJobs, sendJobSignal } from './job-signals.ts'

export interface JobRequest {
  tool: string
  toolVersion: number
  /** Parsed input of the tool. */
  input: unknown
  /** Account, or null for a visitor. */
  owner: number | null
  /** Hash that stands for who asked; '' (the command line) is not counted against the bound of one client. */
  client: string
  /** See `createCacheKey`. */
  cacheKey: string
  /** The same of all but what only marks the result; null where nothing does. */
  baseKey?: string | null
  /** Numbers of the bundles that the input was resolved against. */
  bundles: number[]
  /** The request that asked for it, for the logs of whoever runs it. */
  requestId?: string | undefined
  /** Its trace context (W3C), where traces are kept. */
  traceparent?: string | undefined
}

export interface JobLimits {
  /** Jobs that one client may have waiting and running. */
  perClient: number
  /** Jobs that may wait and run in all. */
  total: number
  /** How long a job and its result are kept after its end. */
  keptDays: number
  /** Space that must be free for a job's files, beside the reserve of the disk. */
  freeBytes: number
  /** What the kept files of one account, or of the visitors at one address, may take together; the oldest go first. */
  keptBytes: number
}

export const defaultJobLimits: JobLimits = {
  perClient: 10,
  total: 1_000,
  keptDays: 30,
  freeBytes: 2 ** 28,
  keptBytes: 10 * 2 ** 30,
}

/** A result is not taken from whoever may still be reading it: one of less than a day stays, and a new job is refused instead. */
const untouchedMs = 24 * 3_600_000

export interface JobFilter {
  owner?: number
  tool?: string
  states?: JobState[]
  limit: number
  offset?: number
}

/** A job that is done, with the files of its run. */
export interface OpenJob {
  job: JobRecord
  input: unknown
  directory: string
  resultFile: string
  receiptFile: string
}

export interface JobQueue {
  /**
   * Accepts a job; when this resolves, the job survives any crash. When an equal job's result is kept, the new job is done at
   * once and shares it. Rejects with TOO_MANY_REQUESTS (`job.clientLimit`, `job.keptLimit`) or BUSY (`job.queueFull`, `job.diskFull`).
   */
  submitJob(request: JobRequest): Promise<JobRecord>
  /** Null for an id that never was or has expired. */
  getJob(id: string): Promise<JobRecord | null>
  /** The input that a job was given; null as above. */
  getJobInput(id: string): Promise<{ input: unknown } | null>
  /** Newest first; `total` counts all that fit the filter. */
  listJobs(filter: JobFilter): Promise<{ jobs: JobRecord[]; total: number }>
  /**
   * A waiting job is cancelled at once, a running one as soon as its worker has killed its programs; an ended one stays as it is.
   * NOT_FOUND otherwise.
   */
  cancelJob(id: string): Promise<JobRecord>
  /** Puts a failed or cancelled job back into the queue; CONFLICT for others, NOT_FOUND. */
  retryJob(id: string): Promise<JobRecord>
  /**
   * The job now and after each change, whichever process made it, until it has ended (the last state is given out) or the
   * signal fires. Throws NOT_FOUND.
   */
  watchJob(id: string, signal?: AbortSignal): AsyncIterable<JobRecord>
  /** Files of a job that is done; NOT_FOUND when it is not done yet, its own error when it failed, JOB_CANCELLED. */
  openJob(id: string): Promise<OpenJob>
  readJobResult(id: string): Promise<{ result: unknown; receipt: Receipt }>
  /** Stops listening; jobs go on. */
  close(): Promise<void>
}

export interface JobQueueOptions {
  /** A pool of two connections or more. */
  sql: Sql
  files: PortalFiles
  limits?: Partial<JobLimits>
  /** While a job is watched, the table is looked at this often even without notifications: for positions, and for lost ones. */
  watchIntervalMs?: { queued: number; running: number }
}

const defaultWatchIntervalMs = { queued: 2_000, running: 10_000 }

/**
 * Everything of a job but its input, which may be megabytes. The position counts the runs that begin before: equal jobs have one,
 * for one run answers them all. Positions are counted once a statement, and only when one is asked for.
 */
const selectJob = (sql: Sql | TransactionSql) => sql`
  with queue as materialized (
    select cache_key, (count(*) filter (where not running)
      over (order by first rows between unbounded preceding and 1 preceding))::int as position
    from (
      select cache_key, min(queue_number) as first, bool_or(state = 'running') as running
      from jobs where state in ('queued', 'running') and load is null group by cache_key) runs)
  select j.id, j.tool, j.tool_version, j.subject, j.state, j.owner, j.client, j.cache_key, j.bundles, j.result_of, j.progress, j.step,
    j.error, j.attempt, j.cancel_requested, j.submitted_at, j.started_at, j.ended_at, j.expires_at,
    case when j.state = 'queued' then (select position from queue where queue.cache_key = j.cache_key) else 0 end as position,
    case when t.job is not null then
      json_build_object('id', t.task_id, 'state', t.state, 'reason', t.reason, 'failure', t.failure) end as task
  from jobs j left join job_tasks t on t.job = j.id`

/**
 * Id of an equal job whose result is kept and is still there, its life prolonged to that of a job that ends now; null when there is
 * none. The caller holds the lock of equal jobs.
 */
async function findKeptResult(
  sql: TransactionSql,
  options: { cacheKey: string; files: PortalFiles; keptDays: number },
): Promise<string | null> {
  const rows = await sql<{ id: string; worker: string }[]>`
    select id, worker from jobs
    where cache_key = ${options.cacheKey} and state = 'done' and result_of is null and expires_at > clock_timestamp()
      and worker is not null
    order by ended_at desc limit 3`
  for (const row of rows) {
    if (!(await options.files.hasRun(getRunDirectory(options.files.dataDir, row.id, row.worker)))) continue
    // Whoever removes expired jobs does it row by row: this either finds the row or prolongs it in time.
    const [kept] = await sql<{ id: string }[]>`
      update jobs set expires_at = greatest(expires_at, clock_timestamp() + make_interval(days => ${options.keptDays}))
      where id = ${row.id} returning id`
    if (kept) return kept.id
  }
  return null
}

const findJob = async (sql: Sql | TransactionSql, id: string): Promise<JobRecord | null> => {
  if (!/^[0-9a-f]{32}$/.test(id)) return null
  const [row] = await sql<JobRow[]>`${selectJob(sql)} where j.id = ${id} and j.load is null`
  return row ? createJobRecord(row) : null
}

const findKnownJob = async (sql: Sql | TransactionSql, id: string): Promise<JobRecord> => {
  const job = await findJob(sql, id)
  if (!job) throw new PortalError('NOT_FOUND', { message: 'job.unknown' })
  return job
}

const receiptName = 'receipt.json'

/**
 * `JobQueue.openJob` for whoever only reads what jobs have left, where another process has opened the queue. All files of the run are
 * there then, or those that are named.
 */
export const openDoneJob = async (
  sql: Sql,
  files: PortalFiles,
  id: string,
  names?: readonly string[],
): Promise<OpenJob> => {
  const job = await findKnownJob(sql, id)
  if (job.state === 'failed') {
    // That a job failed by a defect is no defect of the answer that says so.
    if (job.error!.code === 'INTERNAL') throw new PortalError('NOT_FOUND', { message: 'job.failed' })
    throw restoreError(job.error!)
  }
  if (job.state === 'cancelled') throw new PortalError('JOB_CANCELLED')
  if (job.state !== 'done') throw new PortalError('NOT_FOUND', { message: 'job.notDone' })
  const root = job.resultOf ?? job.id
  const [[own], [run]] = await Promise.all([
    sql<{ input: unknown }[]>`select input from jobs where id = ${id}`,
    sql<{ worker: string | null }[]>`select worker from jobs where id = ${root}`,
  ])
  if (!own || !run?.worker) throw new PortalError('NOT_FOUND', { message: 'job.unknown' })
  const directory = getRunDirectory(files.dataDir, root, run.worker)
  await files.fetchRun(directory, names)
  return {
    job,
    input: own.input,
    directory,
    resultFile: path.join(directory, resultName),
    receiptFile: path.join(directory, receiptName),
  }
}

/**
 * The newest kept run that computed what this job computes, for the job to go on from, its life prolonged to that of a job that ends now;
 * null where there is none.
 */
export const findEarlierRun = async (
  sql: Sql,
  files: PortalFiles,
  id: string,
  keptDays: number = defaultJobLimits.keptDays,
): Promise<{ directory: string; receipt: Receipt } | null> => {
  const rows = await sql<{ id: string }[]>`
    select earlier.id from jobs own join jobs earlier on earlier.base_key = own.base_key
    where own.id = ${id} and earlier.state = 'done' and earlier.result_of is null and earlier.worker is not null
      and earlier.expires_at > clock_timestamp()
    order by earlier.ended_at desc limit 3`
  for (const row of rows) {
    const [kept] = await sql`
      update jobs set expires_at = greatest(expires_at, clock_timestamp() + make_interval(days => ${keptDays}))
      where id = ${row.id} returning id`
    if (kept === undefined) continue
    try {
      const { directory, receiptFile } = await openDoneJob(sql, files, row.id)
      return { directory, receipt: JSON.parse(await readFile(receiptFile, 'utf8')) as Receipt }
    } catch {
      // Its files are gone or on another machine: what they tell is computed anew.
    }
  }
  return null
}

/** Opens the portal's job queue; several processes may, on the same database and data directory. */
export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { sql, files } = options
  const limits = { ...defaultJobLimits, ...options.limits }
  const watchIntervalMs = options.watchIntervalMs ?? defaultWatchIntervalMs
  let signals: Promise<JobSignals> | null = null

  const getJob = (id: string, on: Sql | TransactionSql = sql): Promise<JobRecord | null> => findJob(on, id)
  const requireJob = (id: string, on: Sql | TransactionSql = sql): Promise<JobRecord> => findKnownJob(on, id)

  const checkLimits = async (transaction: TransactionSql, client: string) => {
    if (client !== '') {
      // One client's submissions are counted one after the other; the bound in all may be passed by those of one moment.
      await transaction`select pg_advisory_xact_lock(hashtextextended(${`novodb.client.${client}`}, 0))`
    }
    const [count] = await transaction<{ total: number; own: number }[]>`
      select count(*)::int as total, count(*) filter (where client = ${client})::int as own
      from jobs where state in ('queued', 'running') and load is null`
    if (client !== '' && count!.own >= limits.perClient) {
      throw new PortalError('TOO_MANY_REQUESTS', { message: 'job.clientLimit', params: { limit: limits.perClient } })
    }
    if (count!.total >= limits.total) {
      throw new PortalError('BUSY', { message: 'job.queueFull', params: { limit: limits.total } })
    }
    // Results are kept for weeks: what fills the disk with them must stop before the database beside them does.
    await requireDiskSpace(files.dataDir, limits.freeBytes).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.code !== 'disk-full') throw error
      throw new PortalError('BUSY', { message: 'job.diskFull', cause: error })
    })
  }

  /** Ends the keeping of the oldest files of whoever asks until the rest is within their bound; the next sweep removes them. */
  const makeRoom = async (transaction: TransactionSql, { owner, client }: JobRequest): Promise<void> => {
    if (owner === null && client === '') return
    const theirs = owner === null ? transaction`owner is null and client = ${client}` : transaction`owner = ${owner}`
    const kept = await transaction<{ id: string; bytes: number; young: boolean }[]>`
      select id, bytes::float8 as bytes, ended_at > clock_timestamp() - make_interval(secs => ${untouchedMs / 1000}) as young
      from jobs where ${theirs} and bytes > 0 and state in ('done', 'failed') and expires_at > clock_timestamp()
      order by ended_at`
    let bytes = kept.reduce((sum, job) => sum + job.bytes, 0)
    const leaving: string[] = []
    for (const job of kept) {
      if (bytes < limits.keptBytes || job.young) break
      leaving.push(job.id)
      bytes -= job.bytes
    }
    if (bytes >= limits.keptBytes) {
      throw new PortalError('TOO_MANY_REQUESTS', {
        message: 'job.keptLimit',
        params: { gigabytes: limits.keptBytes / 2 ** 30, hours: untouchedMs / 3_600_000 },
      })
    }
    if (leaving.length > 0) await transaction`update jobs set expires_at = clock_timestamp() where id = any(${leaving})`
  }

  const submitJob = async (request: JobRequest): Promise<JobRecord> => {
    const id = randomBytes(16).toString('hex')
    try {
      return await sql.begin(async (transaction) => {
        await lockEqualJobs(transaction, request.cacheKey)
        const kept = await findKeptResult(transaction, { ...limits, files, cacheKey: request.cacheKey })
        if (!kept) {
          await checkLimits(transaction, request.client)
          await makeRoom(transaction, request)
        }
        await transaction`
          insert into jobs (id, tool, tool_version, subject, input, state, owner, client, cache_key, base_key, bundles, result_of, progress,
            submitted_at, started_at, ended_at, expires_at, request_id, traceparent)
          select ${id}, ${request.tool}, ${request.toolVersion}, ${nameInput(request.input)}, ${transaction.json(request.input as never)},
            ${kept ? 'done' : 'queued'}, ${request.owner}, ${request.client}, ${request.cacheKey}, ${request.baseKey ?? null}, ${request.bundles},
            ${kept}, ${kept ? 1 : null}, moment, ${kept ? transaction`moment` : null}, ${kept ? transaction`moment` : null},
            moment + make_interval(days => ${limits.keptDays}), ${request.requestId ?? null}, ${request.traceparent ?? null}
          from clock_timestamp() as moment`
        if (!kept) await sendJobSignal(transaction, { kind: 'queued' })
        return requireJob(id, transaction)
      })
    } catch (error) {
      // 22P05 and 22P02: JSON's \u0000 and halves of surrogate pairs, which jsonb cannot hold (PostgreSQL, appendix A).
      if (['22P05', '22P02'].includes((error as { code?: string }).code ?? '')) {
        throw fieldError([], 'job.unstorableCharacter')
      }
      throw error
    }
  }

  const cancelJob = async (id: string): Promise<JobRecord> => {
    const [cancelled] = await sql`
      update jobs set state = 'cancelled', cancel_requested = true, ended_at = clock_timestamp(), step = null
      where id = ${id} and state = 'queued' returning id`
    if (cancelled) {
      await sendJobSignal(sql, { kind: 'state', job: id })
    } else {
      const [running] = await sql`
        update jobs set cancel_requested = true where id = ${id} and state = 'running' returning id`
      if (running) await sendJobSignal(sql, { kind: 'cancel', job: id })
    }
    const job = await requireJob(id)
    // It was taken or handed back between the two statements.
    return job.state === 'queued' ? cancelJob(id) : job
  }

  const retryJob = (id: string): Promise<JobRecord> =>
    sql.begin(async (transaction) => {
      const { cacheKey } = await requireJob(id, transaction)
      await lockEqualJobs(transaction, cacheKey)
      const kept = await findKeptResult(transaction, { ...limits, files, cacheKey })
      const moment = kept ? transaction`clock_timestamp()` : null
      const [row] = await transaction`
        update jobs set state = ${kept ? 'done' : 'queued'}, result_of = ${kept}, queue_number = default, attempt = 0,
          cancel_requested = false, error = null, progress = ${kept ? 1 : null}, step = null, worker = null,
          started_at = ${moment}, ended_at = ${moment},
          expires_at = clock_timestamp() + make_interval(days => ${limits.keptDays})
        where id = ${id} and state in ('failed', 'cancelled') returning id`
      if (!row) throw new PortalError('CONFLICT', { message: 'job.notEnded' })
      if (!kept) await sendJobSignal(transaction, { kind: 'queued' })
      await sendJobSignal(transaction, { kind: 'state', job: id })
      return requireJob(id, transaction)
    })

  async function* watchJob(id: string, signal?: AbortSignal): AsyncIterable<JobRecord> {
    let last = ''
    let changed = true
    let wake: (() => void) | null = null
    const ring = () => {
      changed = true
      wake?.()
    }
    signals ??= listenToJobs(sql)
    signals.catch(() => {
      signals = null
    })
    const unsubscribe = (await signals).subscribe((event) => {
      if (event.kind === 'reconnected' || (event.kind === 'state' && event.job === id)) ring()
    })
    signal?.addEventListener('abort', ring)
    try {
      while (!signal?.aborted) {
        changed = false
        const job = await requireJob(id)
        const text = JSON.stringify(job)
        if (text !== last) {
          last = text
          yield job
        }
        if (job.state !== 'queued' && job.state !== 'running') return
        // A change while the reader was busy with the last state is not slept over.
        if (!changed && !signal?.aborted) await sleep(watchIntervalMs[job.state], (done) => (wake = done))
        wake = null
      }
    } finally {
      unsubscribe()
      signal?.removeEventListener('abort', ring)
    }
  }

  const openJob = (id: string): Promise<OpenJob> => openDoneJob(sql, files, id)

  return {
    submitJob,
    getJob: (id) => getJob(id),
    async getJobInput(id) {
      const [row] = await sql<{ input: unknown }[]>`select input from jobs where id = ${id} and load is null`
      return row ?? null
    },
    async listJobs({ owner, tool, states, limit, offset = 0 }) {
      const where = sql`
        where j.load is null and (${owner ?? null}::int is null or j.owner = ${owner ?? null}::int)
          and (${tool ?? null}::text is null or j.tool = ${tool ?? null}::text)
          and (${states ?? null}::text[] is null or j.state = any(${states ?? null}::text[]))`
      const [rows, [count]] = await Promise.all([
        sql<JobRow[]>`${selectJob(sql)} ${where} order by j.submitted_at desc, j.id limit ${limit} offset ${offset}`,
        sql<{ total: number }[]>`select count(*)::int as total from jobs j ${where}`,
      ])
      return { jobs: rows.map(createJobRecord), total: count!.total }
    },
    cancelJob,
    retryJob,
    watchJob,
    openJob,
    async readJobResult(id) {
      const { resultFile, receiptFile } = await openDoneJob(sql, files, id, [resultName, receiptName])
      const [result, receipt] = await Promise.all([readFile(resultFile, 'utf8'), readFile(receiptFile, 'utf8')])
      return { result: JSON.parse(result) as unknown, receipt: JSON.parse(receipt) as Receipt }
    },
    async close() {
      await (await signals?.catch(() => null))?.close()
      signals = null
    },
  }
}

/** Waits for a time, or until the function that it gives to `expose` is called. */
function sleep(ms: number, expose: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    expose(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
