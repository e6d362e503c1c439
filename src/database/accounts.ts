import type { Sql } from 'postgres'
import { runTransaction } from './transaction.ts'

export interface AccountRow {
  id: number
  username: string
  passwordHash: string
  access: 'user' | 'admin'
  disabled: boolean
}

/** The form in which two user names count as the same: case, width and compatibility forms folded. */
export const usernameKey = (username: string): string => username.normalize('NFKC').trim().toLowerCase()

export const findAccount = async (sql: Sql, username: string): Promise<AccountRow | null> => {
  const [row] = await sql<AccountRow[]>`
    select id, username, password_hash as "passwordHash", access, disabled
    from accounts where username_key = ${usernameKey(username)}`
  return row ?? null
}

/** Creates the account unless one of that name exists; says whether it did. */
export const createAccount = async (
  sql: Sql,
  account: { username: string; passwordHash: string; access: 'user' | 'admin' },
): Promise<boolean> => {
  const rows = await sql`
    insert into accounts (username, username_key, password_hash, access)
    values (${account.username}, ${usernameKey(account.username)}, ${account.passwordHash}, ${account.access})
    on conflict (username_key) do nothing returning id`
  return rows.length > 0
}

/** Sets a new password and ends every session of the account; false when there is no such account. */
export const updatePassword = async (sql: Sql, username: string, passwordHash: string): Promise<boolean> =>
  runTransaction(sql, async (transaction) => {
    const [row] = await transaction<{ id: number }[]>`
      update accounts set password_hash = ${passwordHash} where username_key = ${usernameKey(username)} returning id`
    if (row === undefined) return false
    await transaction`delete from sessions where account = ${row.id}`
    return true
  })

export const createSession = async (
  sql: Sql,
  tokenHash: string,
  account: number,
  lifetimeMs: number,
): Promise<void> => {
  await sql`
    insert into sessions (token_hash, account, expires_at)
    values (${tokenHash}, ${account}, clock_timestamp() + make_interval(secs => ${lifetimeMs / 1000}))`
}

/** The account whose session the token is; null when it is unknown, expired, or the account is disabled. */
export const findSession = async (
  sql: Sql,
  tokenHash: string,
): Promise<{ account: number; username: string; access: 'user' | 'admin' } | null> => {
  const [row] = await sql<{ account: number; username: string; access: 'user' | 'admin' }[]>`
    select a.id as account, a.username, a.access from sessions s join accounts a on a.id = s.account
    where s.token_hash = ${tokenHash} and s.expires_at > clock_timestamp() and not a.disabled`
  return row ?? null
}

export const deleteSession = async (sql: Sql, tokenHash: string): Promise<void> => {
  await sql`delete from sessions where token_hash = ${tokenHash}`
}

export const deleteExpiredSessions = async (sql: Sql): Promise<void> => {
  await sql`delete from sessions where expires_at < clock_timestamp()`
  await sql`delete from login_failures where failed_at < clock_timestamp() - interval '1 day'`
}

export const addLoginFailure = async (sql: Sql, username: string): Promise<void> => {
  await sql`insert into login_failures (username_key) values (${usernameKey(username)})`
}

export const clearLoginFailures = async (sql: Sql, username: string): Promise<void> => {
  await sql`delete from login_failures where username_key = ${usernameKey(username)}`
}

/** Failures of the last `windowMs` and the milliseconds since the last one. */
export const countLoginFailures = async (
  sql: Sql,
  username: string,
  windowMs: number,
): Promise<{ count: number; sinceLastMs: number }> => {
  const [row] = await sql<{ count: number; since: number | null }[]>`
    select count(*)::int as count,
           (extract(epoch from clock_timestamp() - max(failed_at)) * 1000)::float8 as since
    from login_failures
    where username_key = ${usernameKey(username)}
      and failed_at > clock_timestamp() - make_interval(secs => ${windowMs / 1000})`
  return { count: row?.count ?? 0, sinceLastMs: row?.since ?? Number.POSITIVE_INFINITY }
}

export const addAuditEntry = async (
  sql: Sql,
  entry: { actor: string; action: string; target?: string; detail?: Record<string, unknown> },
): Promise<void> => {
  await sql`
    insert into audit (actor, action, target, detail)
    values (${entry.actor}, ${entry.action}, ${entry.target ?? ''}, ${sql.json((entry.detail ?? {}) as never)})`
}

/** Names of accounts by their numbers. */
export const listUsernames = async (sql: Sql, accounts: number[]): Promise<Map<number, string>> => {
  const rows = await sql<{ id: number; username: string }[]>`
    select id, username from accounts where id = any(${accounts})`
  return new Map(rows.map((row) => [row.id, row.username]))
}
