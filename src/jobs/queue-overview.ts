import type { Sql } from '../database/connect.ts'

/** Jobs of one tool that wait, run, or have ended within the day. */
export interface ToolQueue {
  tool: string
  waiting: number
  running: number
  /** How long the one that waits longest has waited; null when none does. */
  oldestWaitMs: number | null
  doneInHour: number
  doneInDay: number
  failedInHour: number
  failedInDay: number
}

/** Of every tool that has any such job: those with the most to do first. A job that was answered by an equal one's result is done. */
export const listToolQueues = async (sql: Sql): Promise<ToolQueue[]> =>
  sql<ToolQueue[]>`
    select tool, count(*) filter (where state = 'queued')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      1000 * extract(epoch from clock_timestamp() - min(submitted_at) filter (where state = 'queued'))::float8 as "oldestWaitMs",
      count(*) filter (where state = 'done' and recent)::int as "doneInHour",
      count(*) filter (where state = 'done')::int as "doneInDay",
      count(*) filter (where state = 'failed' and recent)::int as "failedInHour",
      count(*) filter (where state = 'failed')::int as "failedInDay"
    from (
      select tool, state, submitted_at, ended_at > clock_timestamp() - interval '1 hour' as recent from jobs
      where state in ('queued', 'running') or ended_at > clock_timestamp() - interval '1 day') recent_jobs
    group by tool having count(*) filter (where state <> 'cancelled') > 0
    order by count(*) filter (where state in ('queued', 'running')) desc, tool`

/** A job that runs, and the process that runs it (`ProcessNote.name`). */
export interface RunningJob {
  id: string
  tool: string
  startedAt: Date
  process: string
}

/** Every job that runs, the longest first. */
export const listRunningJobs = async (sql: Sql): Promise<RunningJob[]> =>
  // A claim is the name of its process and digits of its own (see `JobClaims`).
  sql<RunningJob[]>`
    select id, tool, started_at as "startedAt", regexp_replace(worker, '/[^/]*$', '') as process
    from jobs where state = 'running' order by started_at, id`

/** What the kept results of jobs take: their number, and their bytes as they were counted at their ends. */
export const sumKeptResults = async (sql: Sql): Promise<{ count: number; bytes: number }> => {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from jobs where bytes > 0`
  return row!
}

/** The last start of a job that a scheduler was asked for, as an administrator sees it. */
export interface ClusterTask {
  job: string
  tool: string
  id: string | null
  state: 'asked' | 'waiting' | 'running' | 'ending' | 'gone'
  /** Where it runs or ran: the scheduler's name of the machine, else that which its process gives. */
  node: string
  reason: string
  failure: string | null
  askedAt: Date
  runningAt: Date | null
}

/** Of every job that waits or runs, in the order of the queue. */
export const listClusterTasks = async (sql: Sql): Promise<ClusterTask[]> =>
  sql<ClusterTask[]>`
    select j.id as job, j.tool, t.task_id as id, t.state, coalesce(nullif(t.node, ''), p.host, '') as node, t.reason, t.failure,
      t.asked_at as "askedAt", t.running_at as "runningAt"
    from job_tasks t join jobs j on j.id = t.job
      left join processes p on j.state = 'running' and p.name = regexp_replace(j.worker, '/[^/]*$', '')
    where j.state in ('queued', 'running') order by j.queue_number`
