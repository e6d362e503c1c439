import type { Query, Row, Sql } from '../../database/connect.ts'
import { createBell } from '../bell.ts'
import { isNextOfEquals } from '../claims.ts'
import type { StoredError } from '../job-record.ts'
import { listenToJobs, notifyState, sendJobSignal } from '../job-signals.ts'
import type { WorkerLog } from '../worker.ts'
import { type ListedTask, type Resources, type Scheduler, taskName } from './scheduler.ts'

/** Of the tasks at one time those that may be parts of loads. */
const shareOfParts = 0.75

/** A job for which a start is asked. */
export interface WaitingJob {
  id: string
  tool: string
  input: unknown
  /** Numbers of the bundles that it was asked of. */
  bundles: number[]
}

export interface DispatcherOptions {
  /** A pool of two connections or more beyond what others use. */
  sql: Sql
  scheduler: Scheduler
  /** Begins the names of this portal's tasks. */
  prefix: string
  /** Ids of the tools whose jobs are handed to the scheduler. */
  tools: string[]
  resourcesOf(job: WaitingJob): Promise<Resources>
  timeLimitMsOf(job: WaitingJob): number
  /** Tasks that wait or run at the scheduler at one time; further jobs wait in the portal's queue. */
  maxTasks: number
  signal: AbortSignal
  log: WorkerLog
  /** How often the scheduler is asked for its list while tasks are open. */
  pollMs?: number
  /** A task that is not listed is taken for lost after this: lists are late, and a start is asked for before it is listed. */
  goneMs?: number
  /** A task that runs for this long without taking its job is stopped: its node does not reach the database, say. */
  idleMs?: number
  /** A task that runs on after its job has ended is stopped after this. */
  overMs?: number
  /** Starts in a row that end without taking the job; after these the job fails. */
  maxUnclaimed?: number
}

const defaults = {
  pollMs: 3_000,
  goneMs: 20_000,
  idleMs: 300_000,
  overMs: 60_000,
  maxUnclaimed: 5,
}

/**
 * Hands jobs to a scheduler until the signal fires. Any number of dispatchers may work on one queue: a start is asked for by whoever
 * writes its number into the job's row of `job_tasks`, and everything else may be done twice.
 *
 * What it rests on: a job is run by whoever claims its row, so a start too many ends at once and harms nothing; therefore every doubt
 * (sbatch that fails, a list that is late, a node that is gone) is settled by another start. A job waits as long as the scheduler cannot
 * be asked; it fails only when starts that the scheduler did make end again and again without taking it.
 */
export async function runDispatcher(options: DispatcherOptions): Promise<void> {
  const settings = {
    ...defaults,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  }
  const { sql, signal, log, pollMs } = settings as DispatcherOptions & typeof defaults
  const dispatching = { ...settings, log: withoutRepeats(log) }
  const bell = createBell()
  const signals = await listenToJobs(sql)
  const unsubscribe = signals.subscribe((event) => {
    if (event.kind !== 'cancel') bell.ring()
  })
  signal.addEventListener('abort', bell.ring)
  try {
    while (!signal.aborted) {
      const startedMs = performance.now()
      try {
        await dispatchOnce(dispatching as DispatcherOptions & typeof defaults)
      } catch (error) {
        log.warn(`scheduler: ${String(error)}`)
      }
      // Jobs come in crowds: one list and one round of starts for all of a moment.
      const leastMs = Math.min(1_000, pollMs)
      await bell.wait(pollMs)
      const restMs = leastMs - (performance.now() - startedMs)
      if (restMs > 0 && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, restMs))
    }
  } finally {
    signal.removeEventListener('abort', bell.ring)
    unsubscribe()
    await signals.close()
  }
}

/** The same line again is logged once a minute: a scheduler that is away says so every few seconds. */
const withoutRepeats = (log: WorkerLog): WorkerLog => {
  const lastLoggedAt = new Map<string, number>()
  return {
    ...log,
    warn(line, fields) {
      const kind = line.replaceAll(/[0-9a-f]{32}/g, '')
      if (performance.now() - (lastLoggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < 60_000) return
      if (lastLoggedAt.size > 100) lastLoggedAt.clear()
      lastLoggedAt.set(kind, performance.now())
      log.warn(line, fields)
    },
  }
}

type Settings = DispatcherOptions & typeof defaults

/** One round: what the scheduler lists is noted, what nobody wants is stopped, what waits without a start is given one. */
export async function dispatchOnce(settings: Settings): Promise<void> {
  const { sql, scheduler, log } = settings
  const [open] = await sql<{ tasks: number }[]>`select count(*)::int as tasks from job_tasks`
  if (open!.tasks > 0) {
    const listed = await scheduler.listTasks().catch((error: unknown) => {
      log.warn(`scheduler: tasks cannot be listed: ${String(error)}`)
      return null
    })
    if (listed !== null) {
      await noteListed(sql, listed)
      await stopUnwanted(settings, listed)
    }
  }
  await failUnclaimed(settings)
  await askForStarts(settings)
}

/** Writes down what the scheduler lists. A task that it does not list is gone, from when that was first seen. */
const noteListed = async (sql: Sql, listed: ListedTask[]): Promise<void> => {
  await sql`
    with listed as (
      select * from unnest(${listed.map(({ name }) => name)}::text[], ${listed.map(({ id }) => id)}::text[],
        ${listed.map(({ state }) => state)}::text[], ${listed.map(({ reason }) => reason)}::text[],
        ${listed.map(({ node }) => node)}::text[]) l (name, id, state, reason, node)),
    changed as (
      update job_tasks t set task_id = coalesce(l.id, t.task_id), state = coalesce(l.state, 'gone'), reason = coalesce(l.reason, ''),
        -- Where it ran stays known of one that is gone.
        node = coalesce(nullif(l.node, ''), t.node),
        failure = case when l.name is null then t.failure end,
        running_at = case when l.state = 'running' then coalesce(t.running_at, clock_timestamp()) end,
        gone_at = case when l.name is null then coalesce(t.gone_at, clock_timestamp()) end
      from job_tasks own left join listed l on l.name = own.name
      where t.job = own.job and t.name = own.name
        and (t.state, t.reason, t.node) is distinct from
          (coalesce(l.state, 'gone'), coalesce(l.reason, ''), coalesce(nullif(l.node, ''), t.node))
      returning t.job as id)
    select 1 from changed, ${notifyState(sql)}`
}

/** Tasks of jobs that have ended, starts that another took the place of, and tasks that do nothing. */
const stopUnwanted = async (
  { sql, scheduler, prefix, idleMs, overMs }: Settings,
  listed: ListedTask[],
): Promise<void> => {
  const named = listed.flatMap((task) => {
    const job = jobOfTask(prefix, task.name)
    return job === null || task.state === 'ending' ? [] : [{ ...task, job }]
  })
  const rows = await sql<
    { id: string; state: string; name: string | null; claimed: boolean; idle: boolean; over: boolean }[]
  >`
    select j.id, j.state, t.name, coalesce(t.claimed, false) as claimed,
      coalesce(t.running_at < clock_timestamp() - make_interval(secs => ${idleMs / 1000}), false) as idle,
      coalesce(j.ended_at < clock_timestamp() - make_interval(secs => ${overMs / 1000}), false) as over
    from jobs j left join job_tasks t on t.job = j.id
    where j.id = any(${[...new Set(named.map(({ job }) => job))]})`
  const jobs = new Map(rows.map((row) => [row.id, row]))
  const unwanted = named.filter((task) => {
    const job = jobs.get(task.job)
    // Of a job that is no more, or one of another database by the same name: it finds nothing to run.
    if (job === undefined) return true
    const ended = job.state !== 'queued' && job.state !== 'running'
    // Whoever runs it hears of a cancel by itself, and clears up; it is stopped from outside only when it does not end.
    if (task.state === 'running') return ended ? job.over : job.name === task.name && !job.claimed && job.idle
    // The start that a job runs by may have been listed as waiting a moment ago.
    return ended || job.name !== task.name
  })
  await scheduler.stopTasks(unwanted.map(({ id }) => id))
  await sql`
    delete from job_tasks t using jobs j
    where j.id = t.job and j.state not in ('queued', 'running') and t.name <> all(${listed.map(({ name }) => name)})`
}

/** The job that a task is a start of; null when the name is none of this portal's. */
const jobOfTask = (prefix: string, name: string): string | null =>
  name.startsWith(`${prefix}-`) ? (/^([0-9a-f]{32})-\d+$/.exec(name.slice(prefix.length + 1))?.[1] ?? null) : null

/** A start that is over, or cannot be hoped for any more, while its job waits. */
const isLost = (sql: Sql, goneMs: number): Query<Row[]> => sql`
  (t.claimed or coalesce(t.gone_at < clock_timestamp() - make_interval(secs => ${goneMs / 1000}::float8 * (1 + t.unclaimed)), false))`

/** Starts that the scheduler made and that ended without a word: a node without the portal or without a way to the database. */
const failUnclaimed = async ({ sql, goneMs, maxUnclaimed }: Settings): Promise<void> => {
  const error: StoredError = {
    code: 'ENGINE_FAILED',
    message: 'job.notStarted',
    params: { count: maxUnclaimed },
    problems: [],
  }
  await sql`
    with failed as (
      update jobs j set state = 'failed', error = ${sql.json(error as never)}, ended_at = clock_timestamp(), step = null
      from job_tasks t
      where t.job = j.id and j.state = 'queued' and not t.claimed and t.task_id is not null and t.unclaimed + 1 >= ${maxUnclaimed}
        and t.gone_at < clock_timestamp() - make_interval(secs => ${goneMs / 1000}::float8)
      returning j.id),
    over as (delete from job_tasks where job in (select id from failed))
    select 1 from failed, ${notifyState(sql)}`
}

const askForStarts = async (settings: Settings): Promise<void> => {
  const { sql, scheduler, prefix, tools, resourcesOf, timeLimitMsOf, maxTasks, goneMs, signal, log } = settings
  const [open] = await sql<{ tasks: number; parts: number }[]>`
    select count(*)::int as tasks, count(*) filter (where j.load is not null)::int as parts
    from job_tasks t join jobs j on j.id = t.job
    where j.state in ('queued', 'running') and not (j.state = 'queued' and ${isLost(sql, goneMs)})`
  const room = maxTasks - open!.tasks
  if (room <= 0) return
  // A load's parts are many and long: whoever asks for something meanwhile finds a place that they do not take.
  const roomOfParts = Math.min(room, Math.max(1, Math.floor(maxTasks * shareOfParts)) - open!.parts)
  const waiting = await sql<(WaitingJob & { requestId: string | null; number: number | null })[]>`
    select id, tool, input, bundles, "requestId", number from (
      select job.id, job.tool, job.input, job.bundles, job.request_id as "requestId", t.number, job.load is not null as part, job.queue_number,
        row_number() over (partition by job.load is not null order by job.queue_number) as place
      from jobs job left join job_tasks t on t.job = job.id
      where ${isNextOfEquals(sql)} and job.tool = any(${tools}) and (t.job is null or ${isLost(sql, goneMs)})) open
    where not part or place <= ${roomOfParts}
    order by part, queue_number limit ${room}`
  for (const { number, requestId, ...job } of waiting) {
    if (signal.aborted) return
    const next = (number ?? 0) + 1
    const name = taskName(prefix, job.id, next)
    // Written before it is asked for: a start that nobody remembers would never be stopped.
    const [own] =
      number === null
        ? await sql`insert into job_tasks (job, number, name) values (${job.id}, ${next}, ${name})
            on conflict (job) do nothing returning job`
        : await sql`update job_tasks set number = ${next}, name = ${name}, task_id = null, state = 'asked', reason = '', node = '',
              failure = null, claimed = false, asked_at = clock_timestamp(), running_at = null, gone_at = null,
              unclaimed = case when claimed or task_id is null then 0 else unclaimed + 1 end
            where job = ${job.id} and number = ${number} returning job`
    if (!own) continue
    let refused = false
    try {
      const resources = await resourcesOf(job)
      const id = await scheduler.submitTask({
        name,
        job: job.id,
        tool: job.tool,
        resources,
        timeLimitMs: timeLimitMsOf(job),
      })
      await sql`update job_tasks set task_id = ${id}, state = 'waiting' where name = ${name} and state = 'asked'`
    } catch (error) {
      // It may have been started all the same: then it is listed soon, and counts.
      refused = true
      const failure = String(error instanceof Error ? error.message : error).slice(0, 500)
      log.warn(`scheduler: ${job.id} not handed over: ${failure}`, { requestId, job: job.id, tool: job.tool })
      await sql`update job_tasks set failure = ${failure}, gone_at = clock_timestamp() where name = ${name} and state = 'asked'`
    }
    await sendJobSignal(sql, { kind: 'state', job: job.id })
    // A scheduler that is away takes its whole timeout to say so: the others are not asked for one after the other.
    if (refused) return
  }
}
