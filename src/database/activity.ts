import type { Sql } from './connect.ts'

/** Connections of one purpose: which process of the portal has them (`server`, `worker`, …), and for what (`look-ups`, `queue`, …; '' for all else). */
export interface ConnectionUse {
  role: string
  purpose: string
  count: number
}

/** A server that copies what the primary writes. What this database user may not see is null. */
export interface Standby {
  name: string | null
  address: string | null
  /** In PostgreSQL's words (manual, pg_stat_replication): `streaming`, `catchup`, …; `sync`, `quorum`, `potential` or `async`. */
  state: string | null
  sync: string | null
  lagMs: number | null
}

export interface DatabaseActivity {
  version: string
  /** Address of the server that takes writes; null where it is reached by a socket of this machine. */
  address: string | null
  bytes: number
  limit: number
  /** Of all clients, of other databases and programs too. */
  connectionCount: number
  connections: ConnectionUse[]
  standbys: Standby[]
}

/** The database as its server tells of it at this moment. */
export const readDatabaseActivity = async (sql: Sql): Promise<DatabaseActivity> => {
  const [[server], uses, standbys] = await Promise.all([
    sql<Omit<DatabaseActivity, 'connections' | 'standbys'>[]>`
      select current_setting('server_version') as version, host(inet_server_addr()) || ':' || inet_server_port() as address,
        pg_database_size(current_database())::float8 as bytes, current_setting('max_connections')::int as limit,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionCount"`,
    sql<{ name: string; count: number }[]>`
      select application_name as name, count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'novodb %' group by application_name`,
    sql<Standby[]>`
      select application_name as name, host(client_addr) as address, state, sync_state as sync,
        1000 * extract(epoch from replay_lag)::float8 as "lagMs"
      from pg_stat_replication order by application_name, client_addr`,
  ])
  const connections = new Map<string, ConnectionUse>()
  for (const { name, count } of uses) {
    const [, role = '', purpose = ''] = /^novodb (\S+) ?(.*)$/.exec(name) ?? []
    // The connection by which a server holds its data directory is named after the process (see `claimDataDirectory`).
    const use = { role, purpose: /^\d/.test(purpose) ? 'claim' : purpose, count }
    const key = `${use.role} ${use.purpose}`
    connections.set(key, { ...use, count: count + (connections.get(key)?.count ?? 0) })
  }
  return {
    ...server!,
    connections: [...connections.values()].sort(
      (a, b) => b.count - a.count || a.role.localeCompare(b.role) || a.purpose.localeCompare(b.purpose),
    ),
    standbys,
  }
}
