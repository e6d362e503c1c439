import type { Sql } from './connect.ts'

/** Counters of the database, so that they hold for all processes of a portal together. */

/**
 * Counts one more event of `key` in the present window of `windowMs` (windows begin at whole multiples of it). Resolves to the
 * count and the milliseconds until the window ends.
 */
export const countEvent = async (
  sql: Sql,
  key: string,
  windowMs: number,
): Promise<{ count: number; remainingMs: number }> => {
  const seconds = windowMs / 1000
  const [row] = await sql<{ count: number; remaining: number }[]>`
    insert into rate_counts (key, window_start, count)
    values (${key}, date_bin(make_interval(secs => ${seconds}), clock_timestamp(), timestamptz 'epoch'), 1)
    on conflict (key, window_start) do update set count = rate_counts.count + 1
    returning count,
      (extract(epoch from window_start + make_interval(secs => ${seconds}) - clock_timestamp()) * 1000)::float8 as remaining`
  return { count: row!.count, remainingMs: Math.max(0, row!.remaining) }
}

export interface Attempts {
  /** Number of this attempt's row. */
  id: string
  /** Failures before this attempt, and milliseconds since the last of them: from this address, and from anywhere. */
  here: { count: number; sinceMs: number }
  anywhere: { count: number; sinceMs: number }
}

/**
 * Notes an attempt to sign in as a failure before it is tried, and tells those before it: attempts at the same time, in any
 * process, then see each other. The row is taken away again by `clearLoginFailures` or `forgetAttempt`.
 */
export const beginLoginAttempt = async (sql: Sql, key: string, client: string, windowMs: number): Promise<Attempts> => {
  const [own] = await sql<{ id: string }[]>`
    insert into login_failures (username_key, client, failed_at) values (${key}, ${client}, clock_timestamp())
    returning id::text as id`
  const id = own!.id
  const [row] = await sql<{ here: number; anywhere: number; sinceHere: number | null; sinceAnywhere: number | null }[]>`
    select count(*) filter (where client = ${client})::int as here, count(*)::int as anywhere,
      (extract(epoch from clock_timestamp() - max(failed_at) filter (where client = ${client})) * 1000)::float8
        as "sinceHere",
      (extract(epoch from clock_timestamp() - max(failed_at)) * 1000)::float8 as "sinceAnywhere"
    from login_failures
    where username_key = ${key} and id <> ${id}::bigint
      and failed_at > clock_timestamp() - make_interval(secs => ${windowMs / 1000})`
  const long = Number.POSITIVE_INFINITY
  return {
    id,
    here: { count: row?.here ?? 0, sinceMs: row?.sinceHere ?? long },
    anywhere: { count: row?.anywhere ?? 0, sinceMs: row?.sinceAnywhere ?? long },
  }
}

/** An attempt that was refused unseen counts for nothing: waiting is not made longer by knocking. */
export const forgetAttempt = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from login_failures where id = ${id}::bigint`
}

/** After a success from an address its failures are forgiven; without an address, everybody's. */
export const clearLoginFailures = async (sql: Sql, key: string, client?: string): Promise<void> => {
  await sql`
    delete from login_failures
    where username_key = ${key} and (${client ?? null}::text is null or client = ${client ?? null})`
}
