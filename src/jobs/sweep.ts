import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Query, Row, Sql } from '../database/connect.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import type { JobClaims } from './claims.ts'
import { getJobDirectory, getRunDirectory } from './job-record.ts'
import { notifyCancel } from './job-signals.ts'
import { findJobIds } from './kept-runs.ts'
import { findProcessState, killOrphanEngines } from './processes.ts'
import { killRecordedGroups } from './program.ts'

export interface SweepOptions {
  sql: Sql
  claims: JobClaims
  files: PortalFiles
  /** Looking through all directories is left out when this is false; once an hour is enough. */
  directories: boolean
  /** A sweep gives its lock up after this, for one whose process is stopped would keep all others from theirs. */
  sweepLockMs: number
}

export interface SweepReport {
  orphans: number
  requeued: number
  failed: number
  expired: number
  directories: number
}

/** A directory without a job is kept this long: it may be that of a job being made, or of a database being restored. */
const strayAgeMs = 24 * 3_600_000
/** A load that lives says so every second or two. */
const silentLoadMs = 60_000
/** Expired jobs are removed in portions, so that a sweep after a long pause does not hold everything up. */
const expiredPortion = 500

/**
 * Puts in order what dead processes left: engines without a runner are killed (on this machine), jobs of dead workers
 * queued again or failed, expired jobs and stray directories removed. One process at a time does it, the others return null
 * (having killed their own machine's orphans).
 */
export async function sweepJobs(options: SweepOptions): Promise<SweepReport | null> {
  const { sql } = options
  const orphans = killOrphanEngines()
  // The lock is held by a transaction that does nothing else; the work goes over other connections.
  return sql.begin(async (transaction) => {
    // In one statement: a process that is stopped between the two would hold the lock for ever.
    const [lock] = await transaction<{ held: boolean }[]>`
      select set_config('idle_in_transaction_session_timeout', ${`${options.sweepLockMs}ms`}, true),
        pg_try_advisory_xact_lock(hashtextextended('novodb.jobs.sweep', 0)) as held`
    if (!lock?.held) return null
    const dead = await revokeDeadClaims(options)
    // Of loads that were killed: those that end by themselves withdraw their own.
    await withdrawParts(
      sql,
      sql`not exists (
        select from loads where loads.id = jobs.load and loads.state in ('waiting', 'running')
          and loads.heartbeat_at > clock_timestamp() - make_interval(secs => ${silentLoadMs / 1000}))`,
    )
    const expired = await deleteExpiredJobs(options)
    const directories = options.directories ? await deleteStrayDirectories(sql, options.files.dataDir) : 0
    return { orphans, ...dead, expired, directories }
  })
}

async function revokeDeadClaims(options: SweepOptions): Promise<{ requeued: number; failed: number }> {
  const { claims, files } = options
  let requeued = 0
  let failed = 0
  for (const claim of await claims.listClaims()) {
    // The lease tells it of any machine, the process table of this one at once.
    if (!claim.expired && findProcessState(claim.worker) !== 'dead') continue
    killRecordedGroups(getRunDirectory(files.dataDir, claim.id, claim.worker))
    const state = await claims.revokeClaim(claim)
    if (state === 'queued') requeued++
    else if (state !== null) failed++
  }
  return { requeued, failed }
}

/**
 * Expired jobs go, but not one whose result another still shows. Rows first: a directory without a row is found by a later sweep, a row
 * without its directory would be a
 * broken promise.
 */
async function deleteExpiredJobs({ sql, files }: SweepOptions): Promise<number> {
  const rows = await sql<{ id: string }[]>`
    delete from jobs where id in (
      select id from jobs root where expires_at < clock_timestamp() and state <> 'running'
        and not exists (select 1 from jobs d where d.result_of = root.id and d.expires_at >= clock_timestamp())
      order by expires_at limit ${expiredPortion} for update skip locked)
    and expires_at < clock_timestamp() returning id`
  for (const { id } of rows) await files.deleteRuns(getJobDirectory(files.dataDir, id))
  return rows.length
}

async function deleteStrayDirectories(sql: Sql, dataDir: string): Promise<number> {
  const root = path.join(dataDir, 'jobs')
  let deleted = 0
  for (const letters of await listNames(root)) {
    if (!/^[0-9a-f]{2}$/.test(letters)) continue
    const ids = (await listNames(path.join(root, letters))).filter((name) => /^[0-9a-f]{32}$/.test(name))
    if (ids.length === 0) continue
    const kept = await findJobIds(sql, ids)
    for (const id of ids) {
      if (kept.has(id)) continue
      const directory = path.join(root, letters, id)
      const modifiedMs = await stat(directory).then(
        ({ mtimeMs }) => mtimeMs,
        () => Date.now(),
      )
      if (Date.now() - modifiedMs < strayAgeMs) continue
      await rm(directory, { recursive: true, force: true })
      deleted++
    }
  }
  return deleted
}

const listNames = (directory: string): Promise<string[]> => readdir(directory).catch(() => [])

/** Takes parts of loads (those rows of `jobs` that `which` selects) out of the queue, and tells those that run to stop. */
export const withdrawParts = async (sql: Sql, which: Query<Row[]>): Promise<void> => {
  await sql`delete from jobs where load is not null and state <> 'running' and ${which}`
  await sql`
    with cancelled as (
      update jobs set cancel_requested = true
      where load is not null and state = 'running' and not cancel_requested and ${which} returning id)
    select 1 from cancelled, ${notifyCancel(sql)}`
}
