import type { Sql } from '../database/connect.ts'
import { isThere } from '../store/portal-files.ts'
import { getRunDirectory } from './job-record.ts'

/** Which of these are ids of jobs, expired ones too. */
export const findJobIds = async (sql: Sql, ids: string[]): Promise<ReadonlySet<string>> =>
  new Set((await sql<{ id: string }[]>`select id from jobs where id = any(${ids})`).map(({ id }) => id))

/** Directories of the runs that answer done jobs, as far as they are on this machine. */
export const listDoneRuns = async (sql: Sql, dataDir: string): Promise<string[]> => {
  const rows = await sql<{ id: string; worker: string }[]>`
    select id, worker from jobs where state = 'done' and result_of is null and worker is not null order by id`
  const found: string[] = []
  for (const { id, worker } of rows) {
    const directory = getRunDirectory(dataDir, id, worker)
    if (await isThere(directory)) found.push(directory)
  }
  return found
}
