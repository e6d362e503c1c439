import type { Sql } from './connect.ts'
import { likePattern } from './driver/like-pattern.ts'

export interface ContactMessageRow {
  id: number
  name: string
  email: string
  username: string | null
  subject: string
  message: string
  handled: boolean
  createdAt: Date
}

export const createContactMessage = async (
  sql: Sql,
  message: { account: number | null; name: string; email: string; subject: string; message: string },
): Promise<void> => {
  await sql`
    insert into contact_messages (account, name, email, subject, message)
    values (${message.account}, ${message.name}, ${message.email}, ${message.subject}, ${message.message})`
}

/** Newest first; `q` is looked for in every text, `account` gives one account's own. */
export const listContactMessages = async (
  sql: Sql,
  filter: { q?: string; handled?: boolean | undefined; account?: number; limit: number; offset: number },
): Promise<{ messages: ContactMessageRow[]; total: number }> => {
  const pattern = likePattern(filter.q ?? '')
  const where = sql`
    where (${pattern}::text is null or m.name ilike ${pattern} or m.email ilike ${pattern} or m.subject ilike ${pattern}
           or m.message ilike ${pattern})
      and (${filter.handled ?? null}::boolean is null or m.handled = ${filter.handled ?? null})
      and (${filter.account ?? null}::int is null or m.account = ${filter.account ?? null})`
  const [messages, [count]] = await Promise.all([
    sql<ContactMessageRow[]>`
      select m.id, m.name, m.email, a.username, m.subject, m.message, m.handled, m.created_at as "createdAt"
      from contact_messages m left join accounts a on a.id = m.account ${where}
      order by m.id desc limit ${filter.limit} offset ${filter.offset}`,
    sql<{ total: number }[]>`select count(*)::int as total from contact_messages m ${where}`,
  ])
  return { messages, total: count!.total }
}

/** False when there is no such message. */
export const updateContactMessage = async (sql: Sql, id: number, handled: boolean): Promise<boolean> =>
  (await sql`update contact_messages set handled = ${handled} where id = ${id} returning 1`).length > 0

export const deleteContactMessage = async (sql: Sql, id: number): Promise<boolean> =>
  (await sql`delete from contact_messages where id = ${id} returning 1`).length > 0
