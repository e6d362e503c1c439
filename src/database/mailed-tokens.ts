import type { Sql, TransactionSql } from './connect.ts'

export type MailedPurpose = 'confirm' | 'reset'

/** Keeps the hash of a token that a mailed link carries; those before it for the same purpose no longer hold. */
export const createMailedToken = async (
  sql: Sql | TransactionSql,
  token: { tokenHash: string; account: number; purpose: MailedPurpose; email: string; lifetimeMs: number },
): Promise<void> => {
  await sql`delete from mailed_tokens where account = ${token.account} and purpose = ${token.purpose}`
  await sql`
    insert into mailed_tokens (token_hash, account, purpose, email, expires_at)
    values (${token.tokenHash}, ${token.account}, ${token.purpose}, ${token.email},
      clock_timestamp() + make_interval(secs => ${token.lifetimeMs / 1000}))`
}

/**
 * Whose a token is and for which address, leaving it as it is; null when it is unknown or too old. For what may be done twice without harm:
 * mail programs and people open a link more than once.
 */
export const findMailedToken = async (
  sql: Sql | TransactionSql,
  tokenHash: string,
  purpose: MailedPurpose,
): Promise<{ account: number; email: string } | null> => {
  const [row] = await sql<{ account: number; email: string }[]>`
    select account, email from mailed_tokens
    where token_hash = ${tokenHash} and purpose = ${purpose} and expires_at > clock_timestamp()`
  return row ?? null
}

/** Uses a token up: whose it was and for which address; null when it is unknown, used or too old. */
export const takeMailedToken = async (
  sql: Sql | TransactionSql,
  tokenHash: string,
  purpose: MailedPurpose,
): Promise<{ account: number; email: string } | null> => {
  const [row] = await sql<{ account: number; email: string; holds: boolean }[]>`
    delete from mailed_tokens where token_hash = ${tokenHash} and purpose = ${purpose}
    returning account, email, expires_at > clock_timestamp() as holds`
  return row?.holds ? { account: row.account, email: row.email } : null
}
