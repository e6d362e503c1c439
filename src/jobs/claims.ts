import { randomBytes } from 'node:crypto'
import type { Query, Row, Sql, TransactionSql } from '../database/connect.ts'
import { renderStoredError, type StoredError } from './job-record.ts'
import { notifyState, sendJobSignal } from './job-signals.ts'

/** One run of a job, held by whoever runs it. */
export interface Claim {
  id: string
  tool: string
  toolVersion: number
  input: unknown
  /** Numbers of the bundles that were in use when the job was asked for. */
  bundles: number[]
  owner: number | null
  attempt: number
  /** To be run with nothing beside it: it is the last attempt of a job whose runs were lost. */
  alone: boolean
  cacheKey: string
  /** The load that it is a part of; null for a job that somebody asked for. */
  load: number | null
  submittedAt: Date
  /** The request that asked for it, and its trace context; null where there was none. */
  requestId: string | null
  traceparent: string | null
  /** The holder's name and random digits: unlike that of any other claim, of this job or another. */
  worker: string
}

/** How a run ended. `released` was stopped by its holder: the job waits again, and the attempt does not count. */
export type Outcome =
  | { kind: 'done'; bytes: number }
  | { kind: 'failed'; error: unknown; bytes: number }
  | { kind: 'cancelled' }
  | { kind: 'released' }

/** A claim that the table knows of, and whether its lease has run out. */
export interface HeldClaim {
  id: string
  worker: string
  expired: boolean
}

/**
 * What an engine that runs jobs sees of the queue: it claims a job, renews its lease while the run goes on, and settles it.
 * How a program is run, and where, is unknown here; each kind of engine stands behind this contract alone.
 *
 * The table `jobs` is the queue. The job of the lowest number is taken first, by `for update skip locked`, so that engines
 * never wait for each other. A job keeps its number when its run is lost or given back, and so goes before those that came
 * after it. Parts of loads (see load-parts.ts) are taken when no job waits that somebody asked for.
 *
 * Of equal jobs (of one cache key) the one of the lowest number is run, and the others wait for its result. Two never run at a
 * time: numbers are given under the lock of equal jobs, so whoever sees a job sees all equal ones of lower numbers.
 *
 * A job that kills whoever runs it takes those that run beside it along. So that none of them fails for it, the last attempt
 * of a job whose runs were lost is run alone: it is given to a holder that runs nothing, and goes before what comes after it.
 *
 * Every change of a run is one statement guarded by the claim's name: an engine may die at any moment, and what one that was
 * only thought dead writes later is not taken.
 */
export interface JobClaims {
  /**
   * Takes the next job; null when none may be run now. `holder` names the engine, `idle` says that it runs nothing. Parts of loads
   * are taken too unless `parts` is null, but for those of loads that it names.
   */
  claimJob(holder: string, idle: boolean, parts?: { refusedLoads: readonly number[] } | null): Promise<Claim | null>
  /** Takes a part of this load, as its own process does: the last of those for which no scheduler is asked, since workers take the first. */
  claimPart(holder: string, load: number): Promise<Claim | null>
  /** Takes this job, as who was started for it alone; null when it does not wait any more, or waits for an equal one. */
  claimJobById(holder: string, id: string): Promise<Claim | null>
  /** Renews the leases of claims by name. What is not in the answer is lost; true tells that the job is to be cancelled. */
  renewLeases(workers: string[]): Promise<Map<string, boolean>>
  /** Progress from 0 to 1, or null when it cannot be told. */
  noteProgress(claim: Claim, progress: number | null, step: string | null): Promise<void>
  /** The answer will be for this job alone: gives it a key of its own, and the equal ones that wait are run by themselves. */
  excludeFromCache(claim: Claim): Promise<void>
  /** Writes how a run ended; a result is given to all equal jobs. False, and nothing changed, when the claim is lost. */
  settleJob(claim: Claim, outcome: Outcome): Promise<boolean>
  listClaims(): Promise<HeldClaim[]>
  /**
   * Takes a job from a dead holder and puts it back in the queue, or ends it when it was cancelled or has been run
   * as often as it may. The job's new state; null when the claim is over or, found expired, was renewed.
   */
  revokeClaim(claim: HeldClaim): Promise<'queued' | 'failed' | 'cancelled' | null>
}

export interface JobClaimsOptions {
  sql: Sql
  /** A claim that is not renewed for this long may be revoked. */
  leaseMs: number
  /** How often a job is run whose runs are lost. */
  maxAttempts: number
  /** How long an ended job and its result are kept. */
  keptDays: number
  /** Ids of tools whose jobs are left to other engines. */
  otherTools?: string[] | undefined
}

/** A transaction on jobs whose process is stopped or cut off in its midst is ended after this, and its locks with it. */
const idleTransactionMs = 20_000

/** Transactions on equal jobs go one after the other; taken before any lock on a row of `jobs`. */
export const lockEqualJobs = (sql: TransactionSql, cacheKey: string) => sql`
  select set_config('idle_in_transaction_session_timeout', ${`${idleTransactionMs}ms`}, true),
    pg_advisory_xact_lock(hashtextextended(${`novodb.job.${cacheKey}`}, 0))`

/** Condition of a job of `jobs job`: it waits, and for no equal one. */
export const isNextOfEquals = (sql: Sql) => sql`
  job.state = 'queued' and not exists (
    select from jobs earlier where earlier.cache_key = job.cache_key and earlier.state in ('queued', 'running')
      and earlier.queue_number < job.queue_number)`

export function createJobClaims(options: JobClaimsOptions): JobClaims {
  const { sql, leaseMs, maxAttempts, keptDays, otherTools = [] } = options
  const leaseSeconds = leaseMs / 1000

  /** Gives the job that `chosen` selects to the holder. */
  const claim = async (holder: string, chosen: Query<Row[]>): Promise<Claim | null> => {
    const worker = `${holder}/${randomBytes(6).toString('hex')}`
    const [claimed] = await sql<Claim[]>`
      with claimed as (
        update jobs set state = 'running', worker = ${worker}, attempt = attempt + 1, progress = null, step = null,
          lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), started_at = clock_timestamp()
        where id = (${chosen})
        returning *),
      noted as (update job_tasks set claimed = true from claimed where job_tasks.job = claimed.id)
      select id, tool, tool_version as "toolVersion", input, bundles, owner, attempt,
        attempt > 1 and attempt >= ${maxAttempts} as alone, cache_key as "cacheKey",
        submitted_at as "submittedAt", request_id as "requestId", traceparent, load, worker
      from claimed, ${notifyState(sql)}`
    return claimed ?? null
  }

  return {
    claimJob: (holder, idle, parts = { refusedLoads: [] }) =>
      claim(
        holder,
        sql`
          select id from (
            select id, attempt from jobs job
            where ${isNextOfEquals(sql)} and job.tool <> all(${otherTools})
              and ${parts === null ? sql`job.load is null` : sql`(job.load is null or job.load <> all(${[...parts.refusedLoads]}))`}
            order by (load is not null), queue_number limit 1 for update skip locked) first
          where ${idle} or attempt + 1 < ${maxAttempts}`,
      ),

    claimPart: (holder, load) =>
      claim(
        holder,
        sql`
          select id from jobs job where job.load = ${load} and ${isNextOfEquals(sql)}
          order by exists (select from job_tasks t where t.job = job.id), queue_number desc limit 1 for update skip locked`,
      ),

    claimJobById: (holder, id) =>
      claim(holder, sql`select id from jobs job where id = ${id} and ${isNextOfEquals(sql)} for update skip locked`),

    async renewLeases(workers) {
      const rows = await sql<{ worker: string; cancelRequested: boolean }[]>`
        update jobs set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        where worker = any(${workers}) and state = 'running' returning worker, cancel_requested as "cancelRequested"`
      return new Map(rows.map(({ worker, cancelRequested }) => [worker, cancelRequested]))
    },

    async noteProgress({ worker }, progress, step) {
      await sql`
        with noted as (
          update jobs set progress = ${progress}, step = ${step} where worker = ${worker} and state = 'running' returning id)
        select 1 from noted, ${notifyState(sql)}`
    },

    async excludeFromCache(claim) {
      const own = `${claim.cacheKey}/${claim.id}`
      await sql`update jobs set cache_key = ${own}, base_key = null where id = ${claim.id} and worker = ${claim.worker}`
      claim.cacheKey = own
      await sendJobSignal(sql, { kind: 'queued' })
    },

    settleJob: (claim, outcome) =>
      sql.begin(async (transaction) => {
        // With what is submitted at this moment: it finds the result, or is found waiting for it.
        await lockEqualJobs(transaction, claim.cacheKey)
        const ended = transaction`ended_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(days => ${keptDays})`
        const change =
          outcome.kind === 'done'
            ? transaction`state = 'done', progress = 1, error = null, bytes = ${outcome.bytes}, ${ended}`
            : outcome.kind === 'failed'
              ? transaction`state = 'failed', error = ${transaction.json(renderStoredError(outcome.error) as never)},
                  bytes = ${outcome.bytes}, ${ended}`
              : outcome.kind === 'cancelled'
                ? transaction`state = 'cancelled', ${ended}`
                : // A cancel that came meanwhile is kept.
                  transaction`state = case when cancel_requested then 'cancelled' else 'queued' end,
                    ended_at = case when cancel_requested then clock_timestamp() end,
                    attempt = attempt - 1, worker = null, started_at = null, progress = null`
        const settled = await transaction`
          update jobs set ${change}, step = null, lease_until = null
          where id = ${claim.id} and worker = ${claim.worker} and attempt = ${claim.attempt} and state = 'running'
          returning id`
        if (settled.length === 0) return false
        await sendJobSignal(transaction, { kind: 'state', job: claim.id })
        if (outcome.kind === 'done') {
          await transaction`
            with answered as (
              update jobs set state = 'done', result_of = ${claim.id}, progress = 1,
                started_at = coalesce(started_at, clock_timestamp()), ${ended}
              where cache_key = ${claim.cacheKey} and state = 'queued' returning id)
            select 1 from answered, ${notifyState(transaction)}`
        }
        // The job itself waits again, or an equal one has become the first.
        else await sendJobSignal(transaction, { kind: 'queued' })
        return true
      }),

    listClaims: () => sql<HeldClaim[]>`
      select id, worker, lease_until < clock_timestamp() as expired from jobs where state = 'running'`,

    async revokeClaim({ id, worker, expired }) {
      const error: StoredError = {
        code: 'ENGINE_FAILED',
        message: 'job.workerDied',
        params: { attempts: maxAttempts },
        problems: [],
      }
      const [row] = await sql<{ state: 'queued' | 'failed' | 'cancelled' }[]>`
        with revoked as (
          update jobs set
            state = case when cancel_requested then 'cancelled' when attempt >= ${maxAttempts} then 'failed' else 'queued' end,
            error = case when not cancel_requested and attempt >= ${maxAttempts} then ${sql.json(error as never)}::jsonb end,
            ended_at = case when cancel_requested or attempt >= ${maxAttempts} then clock_timestamp() end,
            expires_at = clock_timestamp() + make_interval(days => ${keptDays}), lease_until = null, progress = null, step = null
          where id = ${id} and worker = ${worker} and state = 'running' and (lease_until < clock_timestamp() or not ${expired})
          returning id, state)
        select state from revoked, ${notifyState(sql)}`
      // The job itself waits again, or an equal one has become the first.
      if (row) await sendJobSignal(sql, { kind: 'queued' })
      return row?.state ?? null
    },
  }
}
