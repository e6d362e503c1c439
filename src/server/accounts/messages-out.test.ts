import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { createSecretLedger } from '../../testing/secrets.ts'
import { readConfig } from '../config.ts'
import { createSmsProvider, signAliyunRequest } from './sms.ts'

const readAll = async (stream: AsyncIterable<unknown>): Promise<string> => {
  let text = ''
  for await (const piece of stream) text += String(piece)
  return text
}

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** A web server on loopback that keeps what it is asked and answers as told. */
const openWebServer = async (
  answer: (seen: Seen) => { status: number; body: unknown },
): Promise<{ url: string; seen: Seen[]; server: Server }> => {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const asked = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
      seen.push(asked)
      const { status, body: reported } = answer(asked)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reported))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, server }
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

describe('text messages by Alibaba Cloud', () => {
  // Fixed parameters and result as printed in its documentation, "V3 request body and signature mechanism".
  test('are signed as its documentation shows by an example', () => {
    const authorization = signAliyunRequest({
      method: 'POST',
      path: '/',
      query: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
      headers: {
        host: 'ecs.cn-shanghai.aliyuncs.com',
        'x-acs-action': 'RunInstances',
        'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'x-acs-date': '2023-10-26T10:22:32Z',
        'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
        'x-acs-version': '2014-05-26',
      },
      body: '',
      keyId: 'YourAccessKeyId',
      keySecret: 'YourAccessKeySecret',
    })
    expect(authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;' +
        'x-acs-signature-nonce;x-acs-version,' +
        'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    )
  })

  /** The receiver's side of the documented check, written from the request as it arrived. */
  const signatureHolds = ({ method, url, headers, body }: Seen, secret: string): boolean => {
    const [path, query = ''] = url.split('?')
    const match = /^ACS3-HMAC-SHA256 Credential=key-id,SignedHeaders=([a-z0-9;-]+),Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
    if (match === null) return false
    const names = match[1]!.split(';')
    const canonical = `${method}\n${path}\n${query.split('&').sort().join('&')}\n${names
      .map((name) => `${name}:${String(headers[name]).trim()}\n`)
      .join('')}\n${names.join(';')}\n${createHash('sha256').update(body).digest('hex')}`
    const text = `ACS3-HMAC-SHA256\n${createHash('sha256').update(canonical).digest('hex')}`
    return createHmac('sha256', secret).update(text).digest('hex') === match[2]
  }

  const provider = (endpoint: string, keySecret = 'key secret') =>
    createSmsProvider({
      provider: 'aliyun',
      endpoint,
      keyId: 'key-id',
      keySecret,
      signName: '基因组(测试)!',
      template: 'SMS_1',
    })
  const message = { phone: '+8613800138000', code: '012345', text: '', language: 'zh' as const }

  test('carry number, signature name, template and code, under a signature that the receiver can check', async () => {
    const { url, seen, server } = await openWebServer((asked) =>
      signatureHolds(asked, 'key secret')
        ? { status: 200, body: { Code: 'OK', Message: 'OK', RequestId: 'R' } }
        : { status: 400, body: { Code: 'SignatureDoesNotMatch', RequestId: 'R' } },
    )
    servers.push(server)
    await provider(url).sendCode(message)
    const asked = seen[0]!
    expect(Object.fromEntries(new URL(asked.url, url).searchParams)).toEqual({
      PhoneNumbers: '13800138000',
      SignName: '基因组(测试)!',
      TemplateCode: 'SMS_1',
      TemplateParam: '{"code":"012345"}',
    })
    expect(asked.headers).toMatchObject({ 'x-acs-action': 'SendSms', 'x-acs-version': '2017-05-25' })
    expect(Math.abs(Date.parse(String(asked.headers['x-acs-date'])) - Date.now())).toBeLessThan(60_000)
    await expect(provider(url, 'another').sendCode(message)).rejects.toThrow('refused: SignatureDoesNotMatch (R)')
    expect(new Set(seen.map((one) => one.headers['x-acs-signature-nonce'])).size).toBe(2)
  })

  test('that cannot be sent say why, without the number or the code', async () => {
    const closed = await openWebServer(() => ({ status: 200, body: {} }))
    await new Promise((resolve) => closed.server.close(resolve))
    const failure = await provider(closed.url)
      .sendCode(message)
      .catch((error: Error) => error)
    expect(String(failure)).toBe('Error: Alibaba Cloud SMS could not be reached: ECONNREFUSED')
  })
})

describe('text messages by a webhook', () => {
  test('are posted with a signature over time and body; a refusal is an error', async () => {
    let status = 204
    const { url, seen, server } = await openWebServer(() => ({ status: status === 204 ? 200 : status, body: {} }))
    servers.push(server)
    const provider = createSmsProvider({ provider: 'webhook', url: `${url}/sms`, secret: 'sixteen signs or more' })
    const message = { phone: '+442079460958', code: '654321', text: 'Your code is 654321', language: 'en' as const }
    await provider.sendCode(message)
    const { headers, body, url: path } = seen[0]!
    expect([path, JSON.parse(body)]).toEqual(['/sms', message])
    const expected = createHmac('sha256', 'sixteen signs or more')
      .update(`${String(headers['x-novodb-timestamp'])}.${body}`)
      .digest('hex')
    expect(headers['x-novodb-signature']).toBe(`sha256=${expected}`)
    status = 500
    await expect(provider.sendCode(message)).rejects.toThrow('status 500')
  })
})

describe('settings of messages', () => {
  test('half of them is refused with the names of the rest', () => {
    expect(() => readConfig({ NOVODB_SMTP_URL: 'smtp://localhost' })).toThrow(
      /NOVODB_MAIL_FROM: .*\n.*NOVODB_PUBLIC_URL: /,
    )
    expect(() => readConfig({ NOVODB_ALIYUN_KEY_ID: 'x' })).toThrow('NOVODB_ALIYUN_KEY_SECRET: needed with')
    expect(() => readConfig({ NOVODB_SMS_WEBHOOK_URL: 'http://sms.example.org/x' })).toThrow('NOVODB_SMS_WEBHOOK_URL')
    expect(readConfig({ NOVODB_PUBLIC_URL: 'https://genomes.example.org/' }).publicUrl).toBe(
      'https://genomes.example.org',
    )
    // Under a path of its own, links in mails lead there, too.
    for (const path of ['/peas', '/peas/'])
      expect(readConfig({ NOVODB_PUBLIC_URL: 'https://genomes.example.org/', NOVODB_BASE_PATH: path }).publicUrl).toBe(
        'https://genomes.example.org/peas',
      )
  })
})

describe('mail by SMTP', () => {
  const mails: { to: string; from: string; text: string; user: string }[] = []
  let refuse = 0
  let bed: TestApp
  let smtp: SMTPServer
  const gatewayPassword = 'gateway password'
  const logged: string[] = []
  const secrets = createSecretLedger()
  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _, done) =>
        auth.password === gatewayPassword ? done(null, { user: auth.username ?? '' }) : done(new Error('no such user')),
      onData: (stream, session, done) => {
        void readAll(stream).then((text) => {
          if (refuse > 0) {
            refuse -= 1
            done(Object.assign(new Error('mailbox busy'), { responseCode: 450 }))
            return
          }
          const { mailFrom, rcptTo } = session.envelope
          mails.push({
            to: rcptTo.map((address) => address.address).join(),
            from: mailFrom === false ? '' : mailFrom.address,
            text,
            user: String(session.user),
          })
          done()
        })
      },
    })
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.server.address() as AddressInfo
    bed = await openTestApp({
      logStream: new Writable({
        write: (chunk, _, done) => {
          logged.push(String(chunk))
          done()
        },
      }),
      settings: {
        NOVODB_SMTP_URL: `smtp://portal:${encodeURIComponent(gatewayPassword)}@127.0.0.1:${port}`,
        NOVODB_MAIL_FROM: 'Peas <portal@example.org>',
        NOVODB_PUBLIC_URL: 'https://peas.example.org',
      },
    })
  })
  afterAll(async () => {
    await bed.close()
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
  })
  const post = (url: string, payload: object, language = 'en') =>
    bed.app.inject({ method: 'POST', url, payload, headers: { 'accept-language': language } })
  const settle = async () => {
    await bed.portal.messenger.settle()
    await bed.portal.messenger.deliver()
  }
  /** Quoted-printable and base64 parts as text (RFC 2045, section 6). */
  const textOf = (mail: string): string => {
    const [head, ...rest] = mail.split('\r\n\r\n')
    const body = rest.join('\r\n\r\n')
    if (/base64/i.test(head!)) return Buffer.from(body, 'base64').toString('utf8')
    return Buffer.from(
      body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8')
  }
  const password = 'seven wrinkled peas'
  const registration = {
    username: 'mendel',
    email: 'mendel@example.org',
    phone: '13800138000',
    workplace: 'school',
    jobType: 'teacher',
    password,
    confirm: password,
  }

  test('a new account’s link confirms the address, and says so when it is opened again; then a new password can be asked for', async () => {
    const answer = await post('/api/auth/register/', registration)
    expect(answer.json().data).toEqual({
      username: 'mendel',
      email: 'mendel@example.org',
      delivered: 'mail',
      phoneConfirmed: false,
    })
    await settle()
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ to: 'mendel@example.org', from: 'portal@example.org', user: 'portal' })
    const link = /https:\/\/peas\.example\.org\/users\/register-result#confirm=([\w-]{43})/.exec(textOf(mails[0]!.text))
    const token = link![1]!
    // Before it is confirmed nobody gets into the account by the address.
    await post('/api/auth/password-reset/', { email: registration.email })
    await settle()
    expect(mails).toHaveLength(1)
    const confirmed = await post('/api/auth/confirm-email/', { token })
    expect(confirmed.json().data).toEqual({ username: 'mendel', email: 'mendel@example.org' })
    // Opened once more, by a reload or the mail program, it says the same.
    expect((await post('/api/auth/confirm-email/', { token })).json()).toEqual(confirmed.json())

    await post('/api/auth/password-reset/', { email: 'MENDEL@example.org' }, 'zh-CN')
    await settle()
    const text = textOf(mails[1]!.text)
    expect(text).toContain('mendel，您好')
    const reset = /\/user\/login#reset=([\w-]{43})/.exec(text)![1]!
    const next = 'round and yellow peas'
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    const session = (await post('/api/auth/login/', { username: 'mendel', password })).json().data.token as string
    const made = await bed.app.inject({
      method: 'POST',
      url: '/api/account/tokens/',
      payload: { name: 'notebook' },
      ...bearer(session),
    })
    const held = [session, made.json().data.token as string]
    const holds = async () =>
      Promise.all(
        held.map(async (one) => (await bed.app.inject({ url: '/api/auth/user/', ...bearer(one) })).statusCode),
      )
    expect(await holds()).toEqual([200, 200])
    // A password that is refused does not cost the link.
    const refused = await post('/api/auth/password-reset/confirm/', {
      token: reset,
      password: 'password1',
      confirm: 'password1',
    })
    expect(refused.json().errorMessage).toContain('too common')
    expect(await holds()).toEqual([200, 200])
    const done = await post('/api/auth/password-reset/confirm/', { token: reset, password: next, confirm: next })
    expect(done.json().data).toEqual({ username: 'mendel' })
    const again = await post('/api/auth/password-reset/confirm/', { token: reset, password: next, confirm: next })
    expect(again.statusCode).toBe(400)
    // Whoever had got in is out: by the browser and by programs alike.
    expect(await holds()).toEqual([401, 401])
    expect((await post('/api/auth/login/', { username: 'mendel', password: next })).statusCode).toBe(200)
    expect((await post('/api/auth/login/', { username: 'mendel@example.org', password: next })).statusCode).toBe(200)
    expect((await post('/api/auth/login/', { username: 'mendel', password })).statusCode).toBe(401)
    await settle()
    const reported = textOf(mails.at(-1)!.text)
    expect(reported).toMatch(/All its sessions have ended and all its API tokens are revoked/)
    expect(reported).not.toContain('#reset=')
  })

  test('an address that is taken gets the same answer, and its owner a mail without a link', async () => {
    const before = mails.length
    const answer = await post('/api/auth/register/', { ...registration, username: 'imposter' })
    expect(answer.json().data).toMatchObject({ username: 'imposter', delivered: 'mail' })
    await settle()
    expect(mails.length).toBe(before + 1)
    expect(mails.at(-1)!.to).toBe('mendel@example.org')
    expect(textOf(mails.at(-1)!.text)).not.toContain('#confirm=')
    // Neither does asking for a new password tell who is known.
    const known = await post('/api/auth/password-reset/', { email: 'mendel@example.org' })
    const unknown = await post('/api/auth/password-reset/', { email: 'nobody@example.org' })
    expect(known.json()).toEqual(unknown.json())
    await settle()
    expect(mails.at(-1)!.to).toBe('mendel@example.org')
  })

  test('a server that is busy is asked again later, and what was sent is erased from the outbox', async () => {
    refuse = 1
    const before = mails.length
    await post('/api/auth/register/', { ...registration, username: 'darwin', email: 'darwin@example.org' })
    await settle()
    const { sql } = bed.portal.database
    const waiting = await sql`select state, attempts, error from outbox where recipient = 'darwin@example.org'`
    expect(waiting).toMatchObject([{ state: 'waiting', attempts: 1 }])
    expect(waiting[0]!.error).toContain('mailbox busy')
    expect(mails.length).toBe(before)
    await sql`update outbox set next_attempt_at = clock_timestamp() where state = 'waiting'`
    await settle()
    expect(mails.length).toBe(before + 1)
    const rows = await sql`select body, parameters::text from outbox where state = 'sent'`
    expect(rows.length).toBeGreaterThan(3)
    for (const row of rows) expect(row).toEqual({ body: '', parameters: '{}' })
  })

  test('a message to the administrator is mailed with the sender’s address to answer to, and a header cannot be smuggled in', async () => {
    const { sql } = bed.portal.database
    const details = { en: '', zh: '', email: 'administrator@example.org' }
    await sql`insert into portal_settings (key, value) values ('contact', ${sql.json(details)})`
    const answer = await post('/api/contact/', {
      name: 'A. Reader',
      email: 'reader@example.org',
      subject: 'Wrong gene\r\nBcc: everybody@example.org',
      message: 'Rv3874 is not where it should be.',
    })
    expect(answer.json().data).toEqual({ delivered: 'mail' })
    await settle()
    const mail = mails.at(-1)!
    expect(mail.to).toBe('administrator@example.org')
    expect(mail.text).toMatch(/^Reply-To: reader@example\.org\r$/m)
    expect(mail.text).not.toMatch(/^Bcc:/m)
    expect(textOf(mail.text)).toContain('Rv3874 is not where it should be.')
    const count = mails.length
    const trap = { name: 'Bot', email: 'b@example.org', subject: 'Buy', message: 'cheap things', website: 'http://x' }
    expect((await post('/api/contact/', trap)).json().data).toEqual({ delivered: 'mail' })
    await settle()
    expect(mails.length).toBe(count)
    expect(await sql`select name from contact_messages`).toEqual([{ name: 'A. Reader' }])
  })

  test('the password of the mail server, and the links that went out, are in no log and no table', async () => {
    secrets.note('service key', gatewayPassword)
    secrets.note('password', password)
    for (const { text } of mails)
      for (const [, token] of textOf(text).matchAll(/#(?:confirm|reset)=([\w-]{43})/g))
        secrets.note('mailed link', token!)
    expect(secrets.count('mailed link')).toBeGreaterThanOrEqual(3)
    // The server let in whoever had the password: it was used, and the search finds what was sent.
    expect(mails.every((mail) => mail.user === 'portal')).toBe(true)
    expect(secrets.find({ mails: mails.map((mail) => textOf(mail.text)).join('\n') })).toEqual(['mails: mailed link'])
    const { sql } = bed.portal.database
    const tables = await sql<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    let stored = ''
    for (const { name } of tables) stored += JSON.stringify(await sql`select t::text as row from ${sql(name)} t`)
    const log = logged.join('')
    expect(log).toContain('/api/auth/password-reset/confirm/')
    expect(stored).toContain('mendel@example.org')
    expect(secrets.find({ log, tables: stored })).toEqual([])
  })
})
