import type { FastifyInstance } from 'fastify'
import {
  type ContactDetails,
  contactDetailsSchema,
  getContact,
  sendContactMessage,
} from '../../contracts/accounts/contact.ts'
import type { Sql } from '../../database/connect.ts'
import { createContactMessage } from '../../database/contact-messages.ts'
import { limitEvents } from '../accounts/sessions.ts'
import { implement } from '../answers/implement.ts'
import type { Portal } from '../portal.ts'

/** Messages from one address in an hour: more than a person writes, less than a program would. */
const perAddress = { max: 10, windowMs: 3_600_000 } as const

/** What admin wrote of the administrator; empty where nothing is written yet. */
export const readContact = async (sql: Sql): Promise<ContactDetails> => {
  const [row] = await sql<{ value: unknown }[]>`select value from portal_settings where key = 'contact'`
  const parsed = contactDetailsSchema.safeParse(row?.value)
  return parsed.success ? parsed.data : { en: '', zh: '', email: '' }
}

export const writeContact = async (sql: Sql, details: ContactDetails): Promise<void> => {
  await sql`
    insert into portal_settings (key, value) values ('contact', ${sql.json(details)})
    on conflict (key) do update set value = excluded.value`
}

export const mountContact = (app: FastifyInstance, portal: Portal): void => {
  const { sql } = portal.database
  const { messenger } = portal

  implement(app, getContact, async () => readContact(sql))

  implement(app, sendContactMessage, async ({ name, email, subject, message, website }, { caller, language }) => {
    await limitEvents(sql, `contact:${caller.client}`, perAddress.max, perAddress.windowMs)
    const details = await readContact(sql)
    const delivered = messenger.mail === 'mail' && details.email !== '' ? ('mail' as const) : ('outbox' as const)
    // A program that fills in what nobody sees is thanked and forgotten.
    if (website !== '') return { delivered }
    await createContactMessage(sql, { account: caller.account, name, email, subject, message })
    if (delivered === 'mail') {
      await messenger.sendMail({
        kind: 'contact',
        to: details.email,
        language,
        params: { name, email, subject },
        quoted: message,
        replyTo: email,
      })
    }
    return { delivered }
  })
}
