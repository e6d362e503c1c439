import type { Sql } from './connect.ts'

export type CodePurpose = 'login' | 'confirm'

/**
 * Keeps a code for a number in place of the one before, unless that was sent less than `resendMs` ago: then resolves to the
 * milliseconds left to wait, else to 0. One statement, so two processes never both send.
 */
export const createPhoneCode = async (
  sql: Sql,
  code: { phone: string; purpose: CodePurpose; codeHash: string; lifetimeMs: number; resendMs: number },
): Promise<number> => {
  const [row] = await sql`
    insert into phone_codes (phone, purpose, code_hash, sent_at, expires_at)
    values (${code.phone}, ${code.purpose}, ${code.codeHash}, clock_timestamp(),
      clock_timestamp() + make_interval(secs => ${code.lifetimeMs / 1000}))
    on conflict (phone, purpose) do update set code_hash = excluded.code_hash, tries = 0, used = false,
      sent_at = excluded.sent_at, expires_at = excluded.expires_at
    where phone_codes.sent_at <= clock_timestamp() - make_interval(secs => ${code.resendMs / 1000})
    returning 1`
  if (row !== undefined) return 0
  const [last] = await sql<{ since: number }[]>`
    select (extract(epoch from clock_timestamp() - sent_at) * 1000)::float8 as since
    from phone_codes where phone = ${code.phone} and purpose = ${code.purpose}`
  return Math.max(1, code.resendMs - (last?.since ?? 0))
}

/** Counts one try and gives the hash to compare with; null when there is no code, or it is used, too old, or tried too often. */
export const tryPhoneCode = async (
  sql: Sql,
  phone: string,
  purpose: CodePurpose,
  maxTries: number,
): Promise<string | null> => {
  const [row] = await sql<{ codeHash: string }[]>`
    update phone_codes set tries = tries + 1
    where phone = ${phone} and purpose = ${purpose} and not used and expires_at > clock_timestamp() and tries < ${maxTries}
    returning code_hash as "codeHash"`
  return row?.codeHash ?? null
}

/** Uses a code up; true for one caller only, whatever happens at the same time. */
export const spendPhoneCode = async (
  sql: Sql,
  phone: string,
  purpose: CodePurpose,
  codeHash: string,
): Promise<boolean> =>
  (
    await sql`
      update phone_codes set used = true
      where phone = ${phone} and purpose = ${purpose} and code_hash = ${codeHash} and not used
        and expires_at > clock_timestamp()
      returning 1`
  ).length > 0
