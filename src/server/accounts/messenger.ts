import type { Transporter } from 'nodemailer'
import type { Language, Messages } from '../../contracts/text.ts'
import type { Sql, TransactionSql } from '../../database/connect.ts'
import {
  createMessage,
  endMessage,
  failMessage,
  takeWaitingMessage,
  type WaitingMessage,
} from '../../database/outbox.ts'
import type { Config } from '../config.ts'
import { formatText } from '../language.ts'
import { messageTexts } from './message-texts.ts'
import { createSmsProvider } from './sms.ts'

/** A mail of the portal: paragraphs of the text `mail.<kind>.body`, then what is quoted or linked. */
export interface Mail {
  kind: 'confirm' | 'known' | 'reset' | 'passwordChanged' | 'passwordReset' | 'contact'
  to: string
  language: Language
  username?: string
  params?: Record<string, string | number>
  /** A link or a quotation below the text. */
  quoted?: string
  replyTo?: string
  usefulMs?: number
}

/**
 * Messages to people. Each is a row of the outbox first: sent by whichever process comes to it where a service is set up, kept
 * for admin to read where none is. So a mail survives a restart, and no answer waits for a mail server.
 */
export interface Messenger {
  /** How a mail goes out on this portal. */
  mail: 'mail' | 'outbox'
  sms: 'sms' | 'outbox'
  sendMail(mail: Mail, on?: Sql | TransactionSql): Promise<void>
  sendCode(phone: string, code: string, language: Language, usefulMs: number): Promise<void>
  /** Runs after the answer, so that its time tells nothing; a failure is logged. `settle` waits for all of them. */
  later(work: () => Promise<void>): void
  /** Sends what waits and is due; resolves when nothing is left to send now. */
  deliver(): Promise<void>
  settle(): Promise<void>
  close(): Promise<void>
}

/** A message is tried again after one minute, then after twice as long each time; the fifth failure is the last. */
const firstRetryMs = 60_000
const maxAttempts = 5
const leaseMs = 120_000
const pollMs = 15_000
const smtpTimeoutMs = 20_000

/** The library is loaded with the first mail: most processes of a portal send none, and a task on a node starts for one job. */
const openTransport = async (url: string): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs * 2,
    // Texts only: nothing that a message says is ever fetched or read from disk.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

export const createMessenger = (sql: Sql, config: Config, log: (line: string) => void): Messenger => {
  const { mail: service } = config
  let transport: Promise<Transporter> | null = null
  const sms = config.sms === null ? null : createSmsProvider(config.sms)
  const channels = [...(service === null ? [] : ['mail']), ...(sms === null ? [] : ['sms'])]
  const underWay = new Set<Promise<void>>()
  let closed = false
  let delivering: Promise<void> | null = null
  let again = false

  const text = (language: Language, id: string, params: Record<string, string | number>): string =>
    formatText(language, id, params, messageTexts as Messages)

  const sendOne = async (message: WaitingMessage): Promise<void> => {
    if (message.channel === 'sms') {
      const { code = '', language } = message.parameters
      await sms!.sendCode({
        phone: message.recipient,
        code,
        text: message.body,
        language: language === 'zh' ? 'zh' : 'en',
      })
      return
    }
    const { replyTo } = message.parameters
    transport ??= openTransport(service!.url)
    await (await transport).sendMail({
      from: service!.from,
      to: { name: '', address: message.recipient },
      ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
      subject: message.subject,
      text: message.body,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }

  const run = async (): Promise<void> => {
    do {
      again = false
      while (!closed) {
        const message = await takeWaitingMessage(sql, channels, leaseMs)
        if (message === null) break
        try {
          await sendOne(message)
          await endMessage(sql, message.id)
        } catch (error) {
          // The reason of a mail server is its status and sentence; the text of the message is not in it.
          const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300)
          log(`message ${message.id} (${message.channel}) was not sent: ${reason}`)
          const retryMs = message.attempts >= maxAttempts ? null : firstRetryMs * 2 ** (message.attempts - 1)
          await failMessage(sql, message.id, reason, retryMs)
        }
      }
    } while (again && !closed)
  }
  const deliver = async (): Promise<void> => {
    if (channels.length === 0) return
    again = true
    delivering ??= run()
      .catch((error: unknown) => log(`outbox: ${error instanceof Error ? error.message : String(error)}`))
      .finally(() => {
        delivering = null
      })
    return delivering
  }
  const later = (work: () => Promise<void>): void => {
    const promise: Promise<void> = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => log(`after an answer: ${error instanceof Error ? error.message : String(error)}`))
      .finally(() => underWay.delete(promise))
    underWay.add(promise)
  }
  const timer = channels.length === 0 ? null : setInterval(() => void deliver(), pollMs)
  timer?.unref()

  return {
    mail: service === null ? 'outbox' : 'mail',
    sms: sms === null ? 'outbox' : 'sms',
    sendMail: async (mail, on = sql) => {
      const { kind, language, username = '' } = mail
      const params = { ...mail.params, username, title: config.title, url: config.publicUrl }
      const paragraphs = [
        ...(username === '' ? [] : [text(language, 'mail.greeting', params)]),
        text(language, `mail.${kind}.body`, params),
        ...(mail.quoted === undefined ? [] : [mail.quoted]),
        ...(kind === 'contact' ? [] : [text(language, 'mail.close', params)]),
      ]
      await createMessage(on, {
        channel: 'mail',
        recipient: mail.to,
        // A subject is one line, whatever somebody wrote into the contact form.
        subject: text(language, `mail.${kind}.subject`, params).replace(/\s+/g, ' ').slice(0, 250),
        body: `${paragraphs.join('\n\n')}\n`,
        parameters: mail.replyTo === undefined ? {} : { replyTo: mail.replyTo },
        state: service === null ? 'kept' : 'waiting',
        usefulMs: mail.usefulMs ?? null,
      })
      later(deliver)
    },
    sendCode: async (phone, code, language, usefulMs) => {
      const minutes = Math.round(usefulMs / 60_000)
      await createMessage(sql, {
        channel: 'sms',
        recipient: phone,
        subject: '',
        body: text(language, 'sms.code', { title: config.title, code, minutes }),
        parameters: { code, language },
        state: sms === null ? 'kept' : 'waiting',
        usefulMs,
      })
      later(deliver)
    },
    later,
    deliver,
    settle: async () => {
      while (underWay.size > 0 || delivering !== null) await Promise.all([...underWay, delivering])
    },
    close: async () => {
      if (timer !== null) clearInterval(timer)
      while (underWay.size > 0) await Promise.all([...underWay])
      closed = true
      await delivering
      await transport?.then((open) => open.close()).catch(() => undefined)
    },
  }
}
