import type { AuditAction, AuditDetail } from '../contracts/accounts/audit-actions.ts'
import type { Sql, TransactionSql } from './connect.ts'
import { likePattern } from './driver/like-pattern.ts'

/** Notes who did what. `detail` never holds a password, code, token, or anything typed in their place. */
export const addAuditEntry = async (
  sql: Sql | TransactionSql,
  entry: { actor: string; action: AuditAction; target?: string; detail?: AuditDetail },
): Promise<void> => {
  await sql`
    insert into audit (actor, action, target, detail)
    values (${entry.actor}, ${entry.action}, ${entry.target ?? ''}, ${sql.json((entry.detail ?? {}) as never)})`
}

export interface AuditRow {
  id: number
  at: Date
  actor: string
  action: string
  target: string
  detail: Record<string, unknown>
}

/** Entries newest first; `q` is looked for in actor and target, `actor` is a whole name. */
export const listAuditEntries = async (
  sql: Sql,
  filter: { q?: string; actor?: string; action?: string | undefined; limit: number; offset: number },
): Promise<{ entries: AuditRow[]; total: number; actions: string[] }> => {
  const pattern = likePattern(filter.q ?? '')
  const where = sql`
    where (${pattern}::text is null or actor ilike ${pattern} or target ilike ${pattern})
      and (${filter.actor ?? null}::text is null or actor = ${filter.actor ?? null})
      and (${filter.action ?? null}::text is null or action = ${filter.action ?? null})`
  const [entries, [count], actions] = await Promise.all([
    sql<AuditRow[]>`
      select id::float8 as id, at, actor, action, target, detail from audit ${where}
      order by at desc, audit.id desc limit ${filter.limit} offset ${filter.offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from audit ${where}`,
    sql<{ action: string }[]>`select distinct action from audit order by action`,
  ])
  return { entries, total: count!.total, actions: actions.map((row) => row.action) }
}
