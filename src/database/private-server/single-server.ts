import { hostname } from 'node:os'
import type { Database, Sql } from '../connect.ts'
import { DatabaseError } from '../driver/database-error.ts'

/** What a process does with a data directory; only servers exclude each other. */
export type ProcessRole = 'server' | 'worker' | 'command'

export interface Claim {
  release(): Promise<void>
}

/** `serv` in ASCII; the two-number form keeps it apart from one-number locks such as the migrations'. */
const lockClass = 0x73657276
/** The session of a killed server ends when its socket does; the next start may come a moment earlier. */
const graceMs = 2_000

/**
 * Makes this process the one portal server on a private database's data directory until it ends or releases the claim, and
 * refuses with SECOND_SERVER, saying who holds it, when there is one. Workers and the command line are always welcome, and on
 * an external database any number of servers is. `onLost` is called if another took the claim while PostgreSQL was down.
 */
export async function claimDataDirectory(
  database: Database,
  role: ProcessRole,
  onLost?: (error: DatabaseError) => void,
): Promise<Claim> {
  if (role !== 'server' || database.kind !== 'private') return { release: async () => {} }
  let released = false
  let holding = false
  const sql = database.connect({
    max: 1,
    // The lock is the session's: it must not be renewed.
    lasting: true,
    // Seconds, as 63 bytes are all a name has (PostgreSQL, NAMEDATALEN).
    applicationName: `novodb server ${process.pid} ${new Date().toISOString().slice(0, 19)}Z ${hostname()}`.slice(
      0,
      63,
    ),
    onclose() {
      if (released || !holding) return
      holding = false
      void reclaim()
    },
  })
  const reclaim = async () => {
    while (!released && !holding) {
      try {
        await claim(sql)
        holding = true
      } catch (error) {
        if (error instanceof DatabaseError) {
          onLost?.(error)
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 500).unref())
      }
    }
  }
  try {
    await claim(sql)
    holding = true
  } catch (error) {
    released = true
    await sql.end({ timeout: 1 })
    throw error
  }
  return {
    async release() {
      released = true
      await sql.end({ timeout: 1 })
    },
  }
}

async function claim(sql: Sql): Promise<void> {
  const deadline = Date.now() + graceMs
  for (;;) {
    const [answer] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lockClass}::int, 1) as taken`
    if (answer?.taken) return
    if (Date.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const [holder] = await sql<{ name: string }[]>`
    select activity.application_name as name from pg_locks as lock join pg_stat_activity as activity using (pid)
    where lock.locktype = 'advisory' and lock.granted and lock.classid = ${lockClass} and lock.objid = 1 and lock.objsubid = 2
      and lock.database = (select oid from pg_database where datname = current_database())`
  const [, pid, since, host] = /^novodb server (\d+) (\S+) (.*)$/.exec(holder?.name ?? '') ?? []
  throw new DatabaseError(
    'SECOND_SERVER',
    pid
      ? `A portal server already runs on this data directory: process ${pid} on ${host}, since ${since}. Stop it first, or give this one a data directory or DATABASE_URL of its own.`
      : 'A portal server already runs on this data directory.',
  )
}
