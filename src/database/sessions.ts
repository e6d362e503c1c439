import { notebookLimits } from '../contracts/notebooks.ts'
import type { Sql, TransactionSql } from './connect.ts'

/** Sessions of the browser and API tokens of programs: only hashes of the secrets are in the tables. */
export interface SessionHolder {
  account: number
  username: string
  access: 'user' | 'admin'
}

export const createSession = async (
  sql: Sql | TransactionSql,
  session: { tokenHash: string; readHash: string; account: number; remember: boolean; lifetimeMs: number },
): Promise<Date> => {
  const [row] = await sql<{ expiresAt: Date }[]>`
    insert into sessions (token_hash, read_hash, account, remember, expires_at)
    values (${session.tokenHash}, ${session.readHash}, ${session.account}, ${session.remember},
      clock_timestamp() + make_interval(secs => ${session.lifetimeMs / 1000}))
    returning expires_at as "expiresAt"`
  return row!.expiresAt
}

/** How often at most a session or token in use is written to. */
const seenSeconds = 300

/** The account whose session the token is; null when it is unknown, expired, or the account is disabled. */
export const findSession = async (sql: Sql, tokenHash: string): Promise<SessionHolder | null> => {
  const [row] = await sql<(SessionHolder & { stale: boolean })[]>`
    select a.id as account, a.username, a.access,
      s.last_seen_at < clock_timestamp() - make_interval(secs => ${seenSeconds}) as stale
    from sessions s join accounts a on a.id = s.account
    where s.token_hash = ${tokenHash} and s.expires_at > clock_timestamp() and not a.disabled`
  if (row === undefined) return null
  const { stale, ...holder } = row
  if (stale) await sql`update sessions set last_seen_at = clock_timestamp() where token_hash = ${tokenHash}`
  return holder
}

/** As `findSession`, by the cookie that only reads. */
export const findReadSession = async (sql: Sql, readHash: string): Promise<SessionHolder | null> => {
  const [row] = await sql<SessionHolder[]>`
    select a.id as account, a.username, a.access from sessions s join accounts a on a.id = s.account
    where s.read_hash = ${readHash} and s.expires_at > clock_timestamp() and not a.disabled`
  return row ?? null
}

/** The account whose API token it is; null when it is unknown, expired, or the account is disabled. */
export const findApiToken = async (sql: Sql, tokenHash: string): Promise<SessionHolder | null> => {
  const [row] = await sql<(SessionHolder & { stale: boolean })[]>`
    select a.id as account, a.username, a.access,
      coalesce(t.last_used_at < clock_timestamp() - make_interval(secs => ${seenSeconds}), true) as stale
    from api_tokens t join accounts a on a.id = t.account
    where t.token_hash = ${tokenHash} and (t.expires_at is null or t.expires_at > clock_timestamp()) and not a.disabled`
  if (row === undefined) return null
  const { stale, ...holder } = row
  if (stale) await sql`update api_tokens set last_used_at = clock_timestamp() where token_hash = ${tokenHash}`
  return holder
}

export const deleteSession = async (sql: Sql, tokenHash: string): Promise<void> => {
  await sql`delete from sessions where token_hash = ${tokenHash}`
}

/** Ends every session of an account, or all but one; resolves to how many. */
export const deleteSessionsOf = async (
  sql: Sql | TransactionSql,
  account: number,
  exceptTokenHash: string | null = null,
): Promise<number> => {
  const rows = await sql`
    delete from sessions where account = ${account} and token_hash is distinct from ${exceptTokenHash} returning 1`
  return rows.length
}

export interface SessionRow {
  /** The beginning of the hash: tells sessions apart and opens none. */
  id: string
  remember: boolean
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

export const sessionIdOf = (tokenHash: string): string => tokenHash.slice(0, 16)

export const listSessionsOf = async (sql: Sql, account: number): Promise<SessionRow[]> =>
  sql<SessionRow[]>`
    select left(token_hash, 16) as id, remember, created_at as "createdAt", last_seen_at as "lastSeenAt",
      expires_at as "expiresAt"
    from sessions where account = ${account} and expires_at > clock_timestamp() order by created_at desc`

export interface ApiTokenRow {
  id: number
  name: string
  start: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

const tokenColumns = (sql: Sql) => sql`
  id, name, start, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"`

export const listApiTokensOf = async (sql: Sql, account: number): Promise<ApiTokenRow[]> =>
  sql<ApiTokenRow[]>`select ${tokenColumns(sql)} from api_tokens where account = ${account} order by id desc`

/** Null when the account has `most` tokens already. */
export const createApiToken = async (
  sql: Sql,
  token: {
    account: number
    name: string
    tokenHash: string
    start: string
    expiresDays: number | null
    max: number
  },
): Promise<ApiTokenRow | null> => {
  const [row] = await sql<ApiTokenRow[]>`
    insert into api_tokens (account, name, token_hash, start, expires_at)
    select ${token.account}, ${token.name}, ${token.tokenHash}, ${token.start},
      clock_timestamp() + make_interval(days => ${token.expiresDays}::int)
    where (select count(*) from api_tokens where account = ${token.account}) < ${token.max}
    returning ${tokenColumns(sql)}`
  return row ?? null
}

/** False when the account has no such token. */
export const deleteApiToken = async (sql: Sql, account: number, id: number): Promise<boolean> =>
  (await sql`delete from api_tokens where account = ${account} and id = ${id} returning 1`).length > 0

/** Takes away what has had its time: sessions, tokens, codes, counts, failures, messages after their keeping, visitors' notebooks that nobody opens. */
export const deleteExpired = async (sql: Sql): Promise<void> => {
  await sql`delete from sessions where expires_at < clock_timestamp()`
  await sql`delete from api_tokens where expires_at < clock_timestamp() - interval '30 days'`
  await sql`delete from login_failures where failed_at < clock_timestamp() - interval '1 day'`
  await sql`delete from rate_counts where window_start < clock_timestamp() - interval '2 days'`
  await sql`delete from phone_codes where expires_at < clock_timestamp() - interval '1 day'`
  await sql`delete from mailed_tokens where expires_at < clock_timestamp()`
  await sql`delete from outbox where state <> 'waiting' and created_at < clock_timestamp() - interval '90 days'`
  await sql`
    delete from notebooks where account is null
      and greatest(read_at, updated_at) < clock_timestamp() - make_interval(days => ${notebookLimits.visitorDays})`
  // A code or link that was kept for admin to read is of no use to anybody after its time.
  await sql`update outbox set body = '' where state = 'kept' and useful_until < clock_timestamp()`
}
