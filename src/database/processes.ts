import type { Sql } from './connect.ts'

/** A process of the portal as it makes itself known to whoever looks after them all. */
export interface ProcessNote {
  /** Unlike that of any other process, on any machine. */
  name: string
  role: 'server' | 'worker' | 'task'
  host: string
  pid: number
  version: string
  /** Where a server listens; null of others. */
  address: string | null
  /** Jobs at a time; null of a server. */
  places: number | null
  /** It was told to stop and answers on for a while. */
  draining: boolean
}

export interface KnownProcess extends ProcessNote {
  startedAt: Date
  seenAt: Date
  /** It gave no sign of life for longer than it may: it is dead, stopped, or cut off from the database. */
  silent: boolean
}

/** Three signs of life that did not come. */
const silentSeconds = 35
/** What died is told of for so long. */
const keptMinutes = 60

/** Writes that the process lives, at its first note with the time of its start; what died long ago is removed on the way. */
export const noteProcess = async (sql: Sql, note: ProcessNote): Promise<void> => {
  const { name, role, host, pid, version, address, places, draining } = note
  await sql`
    with forgotten as (
      delete from processes
      where name <> ${name} and seen_at < clock_timestamp() - make_interval(mins => ${keptMinutes}))
    insert into processes (name, role, host, pid, version, address, places, draining)
    values (${name}, ${role}, ${host}, ${pid}, ${version}, ${address}, ${places}, ${draining})
    on conflict (name) do update set seen_at = clock_timestamp(), draining = excluded.draining`
}

/** Of processes that have ended. */
export const removeProcesses = async (sql: Sql, names: string[]): Promise<void> => {
  if (names.length > 0) await sql`delete from processes where name = any(${names})`
}

/** Every process that is known, those that died within the hour included: by host, and the oldest first. */
export const listProcesses = async (sql: Sql): Promise<KnownProcess[]> =>
  sql<KnownProcess[]>`
    select name, role, host, pid, version, address, places, draining, started_at as "startedAt", seen_at as "seenAt",
      seen_at < clock_timestamp() - make_interval(secs => ${silentSeconds}) as silent
    from processes order by host, started_at, name`
