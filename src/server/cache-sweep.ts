import { randomUUID } from 'node:crypto'
import { listStoredBundles } from '../database/catalogue.ts'
import type { Sql } from '../database/connect.ts'
import { findJobIds } from '../jobs/kept-runs.ts'
import type { PortalFiles } from '../store/portal-files.ts'

const sweepMs = 300_000

/** True once a day for one of all processes of the portal: all keys of the store are listed then. */
const isStoreDue = async (sql: Sql): Promise<boolean> => {
  const rows = await sql<{ key: string }[]>`
    insert into portal_settings (key, value) values ('store_swept', to_jsonb(now()))
    on conflict (key) do update set value = excluded.value
      where (portal_settings.value #>> '{}')::timestamptz < now() - interval '1 day'
    returning key`
  return rows.length > 0
}

/** What the portal of this database calls itself in a store. */
const findPortalId = async (sql: Sql): Promise<string> => {
  const [row] = await sql<{ value: string }[]>`
    insert into portal_settings (key, value) values ('store_id', to_jsonb(${randomUUID()}::text))
    on conflict (key) do update set key = excluded.key returning value`
  return String(row?.value)
}

/** Keeps the cache of an object store within its bound and the store without strays, until it is stopped; nothing where files lie in the
 * data directory alone. */
export const startCacheSweep = (sql: Sql, files: PortalFiles, log: (line: string) => void): (() => Promise<void>) => {
  if (files.objects === null) return async () => undefined
  let sweeping: Promise<void> | null = null
  let stopped = false
  const sweep = async (): Promise<void> => {
    try {
      const known = new Set((await listStoredBundles(sql)).map(({ uid }) => uid))
      await files.sweep(known)
      // A portal that knows nothing is new, or its database is still to be restored: nothing in the store is its to remove.
      if (known.size === 0 || !(await isStoreDue(sql))) return
      const portal = await findPortalId(sql)
      if (!(await files.sweepStore({ portal, known, findJobs: (ids) => findJobIds(sql, ids) })))
        log('The object store is of a portal with another database: what has no row here is left there.')
    } catch (error) {
      if (!stopped) log(`cache: not swept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const begin = (): void => {
    sweeping ??= sweep().finally(() => {
      sweeping = null
    })
  }
  const timer = setInterval(begin, sweepMs)
  begin()
  return async () => {
    stopped = true
    clearInterval(timer)
    await sweeping
  }
}
