import type { Sql, TransactionSql } from './connect.ts'
import { likePattern } from './driver/like-pattern.ts'

export interface AccountRow {
  id: number
  username: string
  passwordHash: string
  access: 'user' | 'admin'
  disabled: boolean
  email: string
  emailConfirmed: boolean
  newEmail: string | null
  phone: string
  phoneConfirmed: boolean
  workplace: string | null
  jobType: string | null
  language: string | null
  /** Nickname, personal profile, country, province, address. */
  profile: Partial<Record<ProfileText, string>>
  createdAt: Date
}

export const profileTexts = ['nickname', 'profile', 'country', 'province', 'address'] as const
export type ProfileText = (typeof profileTexts)[number]

/** The form in which two user names count as the same: case, width and compatibility forms folded. */
export const usernameKey = (username: string): string => username.normalize('NFKC').trim().toLowerCase()
export const emailKey = (email: string): string => email.normalize('NFKC').trim().toLowerCase()

const accountColumns = (sql: Sql | TransactionSql) => sql`
  id, username, password_hash as "passwordHash", access, disabled, email, email_confirmed as "emailConfirmed",
  new_email as "newEmail", phone, phone_confirmed as "phoneConfirmed", workplace, job_type as "jobType", language, profile,
  created_at as "createdAt"`

export const findAccount = async (sql: Sql | TransactionSql, username: string): Promise<AccountRow | null> => {
  const [row] = await sql<AccountRow[]>`
    select ${accountColumns(sql)} from accounts where username_key = ${usernameKey(username)}`
  return row ?? null
}

export const getAccount = async (sql: Sql | TransactionSql, id: number): Promise<AccountRow | null> => {
  const [row] = await sql<AccountRow[]>`select ${accountColumns(sql)} from accounts where id = ${id}`
  return row ?? null
}

/** The account that has confirmed the address as its own. */
export const findAccountByEmail = async (sql: Sql | TransactionSql, email: string): Promise<AccountRow | null> => {
  const [row] = await sql<AccountRow[]>`
    select ${accountColumns(sql)} from accounts where email_confirmed and email_key = ${emailKey(email)}`
  return row ?? null
}

/** The account that has confirmed the number (E.164) as its own. */
export const findAccountByPhone = async (sql: Sql | TransactionSql, phone: string): Promise<AccountRow | null> => {
  const [row] = await sql<AccountRow[]>`
    select ${accountColumns(sql)} from accounts where phone_confirmed and phone = ${phone}`
  return row ?? null
}

export interface NewAccount {
  username: string
  /** The form that look-alike names share; two accounts with the same are not made. */
  lookKey?: string
  passwordHash: string
  access: 'user' | 'admin'
  email?: string
  phone?: string
  phoneConfirmed?: boolean
  workplace?: string
  jobType?: string
  language?: string
}

/** Creates the account unless one of that name, or of one that looks like it, exists; resolves to its number, or null. */
export const createAccount = async (sql: Sql | TransactionSql, account: NewAccount): Promise<number | null> => {
  const { email = '', phone = '' } = account
  const [row] = await sql<{ id: number }[]>`
    insert into accounts (username, username_key, look_key, password_hash, access, email, email_key, phone, phone_confirmed,
      workplace, job_type, language)
    values (${account.username}, ${usernameKey(account.username)}, ${account.lookKey ?? null}, ${account.passwordHash},
      ${account.access}, ${email}, ${emailKey(email)}, ${phone}, ${account.phoneConfirmed ?? false},
      ${account.workplace ?? null}, ${account.jobType ?? null}, ${account.language ?? null})
    on conflict do nothing returning id`
  return row?.id ?? null
}

/** Accounts without a look-alike key, of before there was one; `keyOf` makes it. One that looks like another stays without. */
export const fillLookKeys = async (sql: Sql, keyOf: (username: string) => string): Promise<void> => {
  const rows = await sql<{ id: number; username: string }[]>`select id, username from accounts where look_key is null`
  for (const { id, username } of rows) {
    const key = keyOf(username)
    await sql`
      update accounts set look_key = ${key}
      where id = ${id} and not exists (select 1 from accounts other where other.look_key = ${key})`
  }
}

/**
 * Sets a new password and ends every session and API token of the account, but those that `keeps` names (`session` by the hash of
 * its token); false when there is no such account.
 */
export const updatePassword = async (
  sql: Sql,
  username: string,
  passwordHash: string,
  keeps: { session?: string | null; apiTokens?: boolean } = {},
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const [row] = await transaction<{ id: number }[]>`
      update accounts set password_hash = ${passwordHash} where username_key = ${usernameKey(username)} returning id`
    if (row === undefined) return false
    await transaction`
      delete from sessions where account = ${row.id} and token_hash is distinct from ${keeps.session ?? null}`
    if (keeps.apiTokens !== true) await transaction`delete from api_tokens where account = ${row.id}`
    await transaction`delete from mailed_tokens where account = ${row.id} and purpose = 'reset'`
    return true
  })

export interface AccountChanges {
  texts: Partial<Record<ProfileText, string | null>>
  newEmail?: string | null
  phone?: string
  phoneConfirmed?: boolean
  workplace?: string
  jobType?: string
  language?: string
}

/** Changes what is given and leaves the rest; null when another account has the confirmed number. */
export const updateAccount = async (sql: Sql, id: number, changes: AccountChanges): Promise<AccountRow | null> => {
  const set = Object.fromEntries(Object.entries(changes.texts).filter(([, text]) => typeof text === 'string'))
  const emptied = Object.keys(changes.texts).filter((name) => changes.texts[name as ProfileText] === null)
  try {
    const [row] = await sql<AccountRow[]>`
      update accounts set
        profile = (profile || ${sql.json(set)}::jsonb) - ${emptied}::text[],
        new_email = case when ${changes.newEmail !== undefined} then ${changes.newEmail ?? null} else new_email end,
        phone = coalesce(${changes.phone ?? null}, phone),
        phone_confirmed = coalesce(${changes.phoneConfirmed ?? null}, phone_confirmed),
        workplace = coalesce(${changes.workplace ?? null}, workplace),
        job_type = coalesce(${changes.jobType ?? null}, job_type),
        language = coalesce(${changes.language ?? null}, language)
      where id = ${id} returning ${accountColumns(sql)}`
    return row ?? null
  } catch (error) {
    // Unique violation (PostgreSQL, appendix A).
    if ((error as { code?: string }).code === '23505') return null
    throw error
  }
}

/** Makes an address the account's confirmed one; false when another has confirmed it in the meantime. */
export const confirmAccountEmail = async (
  sql: Sql | TransactionSql,
  account: number,
  email: string,
): Promise<boolean> => {
  const rows = await sql`
    update accounts set email = ${email}, email_key = ${emailKey(email)}, email_confirmed = true,
      new_email = case when lower(new_email) = lower(${email}) then null else new_email end
    where id = ${account} and not exists (
      select 1 from accounts other
      where other.email_confirmed and other.email_key = ${emailKey(email)} and other.id <> ${account})
    returning id`
  return rows.length > 0
}

/** Deletes the account and what hangs on it; its jobs lose their owner and expire at the next sweep. */
export const deleteAccount = async (sql: Sql, id: number): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`update jobs set owner = null, expires_at = clock_timestamp() where owner = ${id}`
    await transaction`delete from accounts where id = ${id}`
  })

/** Gives or takes the role, disables or enables; disabling ends sessions and API tokens. Null when there is no such account. */
export const updateAccountRights = async (
  sql: Sql,
  username: string,
  changes: { access?: 'user' | 'admin' | undefined; disabled?: boolean | undefined },
): Promise<AccountRow | null> =>
  sql.begin(async (transaction) => {
    const [row] = await transaction<AccountRow[]>`
      update accounts set access = coalesce(${changes.access ?? null}, access),
        disabled = coalesce(${changes.disabled ?? null}, disabled)
      where username_key = ${usernameKey(username)} returning ${accountColumns(transaction)}`
    if (row === undefined) return null
    if (row.disabled) {
      await transaction`delete from sessions where account = ${row.id}`
      await transaction`delete from api_tokens where account = ${row.id}`
    }
    return row
  })

export interface AccountOverview extends AccountRow {
  lastSeenAt: Date | null
  sessionCount: number
  apiTokenCount: number
  jobCount: number
}

/** Accounts by name; `q` is looked for in name, nickname, address and number; `username` is a whole name. */
export const listAccounts = async (
  sql: Sql,
  filter: {
    q?: string
    username?: string
    access?: 'user' | 'admin' | undefined
    disabled?: boolean | undefined
    limit: number
    offset: number
  },
): Promise<{ accounts: AccountOverview[]; total: number }> => {
  const pattern = likePattern(filter.q ?? '')
  const key = filter.username === undefined ? null : usernameKey(filter.username)
  const where = sql`
    where (${pattern}::text is null or username ilike ${pattern} or email ilike ${pattern} or phone ilike ${pattern}
           or profile ->> 'nickname' ilike ${pattern})
      and (${key}::text is null or username_key = ${key})
      and (${filter.access ?? null}::text is null or access = ${filter.access ?? null})
      and (${filter.disabled ?? null}::boolean is null or disabled = ${filter.disabled ?? null})`
  const [accounts, [count]] = await Promise.all([
    sql<AccountOverview[]>`
      select ${accountColumns(sql)},
        (select max(last_seen_at) from sessions s where s.account = accounts.id) as "lastSeenAt",
        (select count(*)::int from sessions s where s.account = accounts.id and s.expires_at > now()) as "sessionCount",
        (select count(*)::int from api_tokens t where t.account = accounts.id) as "apiTokenCount",
        (select count(*)::int from jobs j where j.owner = accounts.id) as "jobCount"
      from accounts ${where} order by username_key limit ${filter.limit} offset ${filter.offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from accounts ${where}`,
  ])
  return { accounts, total: count!.total }
}

/** Names of accounts by their numbers. */
export const listUsernames = async (sql: Sql, accounts: number[]): Promise<Map<number, string>> => {
  const rows = await sql<{ id: number; username: string }[]>`
    select id, username from accounts where id = any(${accounts})`
  return new Map(rows.map((row) => [row.id, row.username]))
}
