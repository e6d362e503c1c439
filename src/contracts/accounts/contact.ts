import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { emailSchema } from './identity.ts'

/** Who keeps the portal, as admin wrote it; both languages may be empty. */
export const contactDetailsSchema = z.object({
  en: z.string().trim().max(5000),
  zh: z.string().trim().max(5000),
  /** Where messages are mailed to; shown on the page. */
  email: z.union([z.literal(''), emailSchema]),
})
export type ContactDetails = z.infer<typeof contactDetailsSchema>

export const getContact = defineEndpoint({
  method: 'GET',
  path: '/api/contact/',
  summary: 'Who keeps this portal and how to reach them',
  tag: 'contact',
  open: true,
  input: z.object({}),
  output: contactDetailsSchema,
})

export const sendContactMessage = defineEndpoint({
  method: 'POST',
  path: '/api/contact/',
  summary: 'A message to the administrator: kept for admin to read, and mailed where mail is set up',
  tag: 'contact',
  open: true,
  input: z.object({
    name: z.string('account.needName').trim().min(1, 'account.needName').max(100),
    email: emailSchema,
    subject: z.string('account.needSubject').trim().min(1, 'account.needSubject').max(200),
    message: z
      .string('account.needMessage')
      .trim()
      .min(1, 'account.needMessage')
      .min(5, 'account.messageShort')
      .max(10_000),
    /** Not shown to people: what a program filling in every field writes here gives it away. */
    website: z.string().max(500).default(''),
  }),
  output: z.object({ delivered: z.enum(['mail', 'outbox']) }),
})
