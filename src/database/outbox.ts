import type { Sql, TransactionSql } from './connect.ts'

export interface NewMessage {
  channel: 'mail' | 'sms'
  recipient: string
  subject: string
  body: string
  parameters: Record<string, string>
  /** `kept` where there is no service that could send it. */
  state: 'kept' | 'waiting'
  /** After so long it is not sent any more, and a kept one is emptied; null when it stays useful. */
  usefulMs: number | null
}

export const createMessage = async (sql: Sql | TransactionSql, message: NewMessage): Promise<void> => {
  await sql`
    insert into outbox (channel, recipient, subject, body, parameters, state, useful_until)
    values (${message.channel}, ${message.recipient}, ${message.subject}, ${message.body}, ${sql.json(message.parameters)},
      ${message.state}, clock_timestamp() + make_interval(secs => ${message.usefulMs === null ? null : message.usefulMs / 1000}::float8))`
}

export interface WaitingMessage {
  id: number
  channel: 'mail' | 'sms'
  recipient: string
  subject: string
  body: string
  parameters: Record<string, string>
  attempts: number
}

/**
 * Takes the next message that waits for its turn, for this process alone: should the process die with it, its turn comes again after
 * `leaseMs`. Those past their use are given up on the way.
 */
export const takeWaitingMessage = async (
  sql: Sql,
  channels: string[],
  leaseMs: number,
): Promise<WaitingMessage | null> => {
  await sql`
    update outbox set state = 'failed', error = 'expired', body = '', parameters = '{}'
    where state = 'waiting' and useful_until < clock_timestamp()`
  const [row] = await sql<WaitingMessage[]>`
    update outbox set attempts = attempts + 1, next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    where id = (
      select id from outbox where state = 'waiting' and next_attempt_at <= clock_timestamp() and channel = any(${channels})
      order by next_attempt_at limit 1 for update skip locked)
    returning id, channel, recipient, subject, body, parameters, attempts`
  return row ?? null
}

/** The message is out; its text, which may hold a code or link, goes. */
export const endMessage = async (sql: Sql, id: number): Promise<void> => {
  await sql`
    update outbox set state = 'sent', sent_at = clock_timestamp(), body = '', parameters = '{}', error = null where id = ${id}`
}

/** Sending failed: tried again after `retryMs`, or given up when that is null. */
export const failMessage = async (sql: Sql, id: number, reason: string, retryMs: number | null): Promise<void> => {
  if (retryMs === null) {
    await sql`
      update outbox set state = 'failed', error = ${reason}, body = '', parameters = '{}' where id = ${id}`
  } else {
    await sql`
      update outbox set error = ${reason}, next_attempt_at = clock_timestamp() + make_interval(secs => ${retryMs / 1000})
      where id = ${id}`
  }
}

export interface OutboxRow {
  id: number
  channel: 'mail' | 'sms'
  recipient: string
  subject: string
  body: string
  state: 'kept' | 'waiting' | 'sent' | 'failed'
  attempts: number
  error: string | null
  createdAt: Date
  sentAt: Date | null
}

/** Newest first. The text of what still waits is left out: only what nobody else will get is there to be read. */
export const listMessages = async (
  sql: Sql,
  filter: { channel?: string | undefined; state?: string | undefined; limit: number; offset: number },
): Promise<{ messages: OutboxRow[]; total: number }> => {
  const where = sql`
    where (${filter.channel ?? null}::text is null or channel = ${filter.channel ?? null})
      and (${filter.state ?? null}::text is null or state = ${filter.state ?? null})`
  const [messages, [count]] = await Promise.all([
    sql<OutboxRow[]>`
      select id, channel, recipient, subject, case when state = 'kept' then body else '' end as body, state, attempts, error,
        created_at as "createdAt", sent_at as "sentAt"
      from outbox ${where} order by outbox.id desc limit ${filter.limit} offset ${filter.offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from outbox ${where}`,
  ])
  return { messages, total: count!.total }
}
