import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { findPorts } from '../src/testing/peers/patroni-cluster.ts'
import { messages as account } from '../src/web/messages/account.ts'
import { open, sharedBrowser, visit, witnessed } from './browser.ts'
import { databaseUrlOf, startServer } from './portal-command.ts'

// A second process of the portal beside the first, on its database and its files, as behind a load balancer. It requires signing
// in, and sends mails and text messages to servers that stand here.

let second: Awaited<ReturnType<typeof startServer>>
let settings: NodeJS.ProcessEnv
let smtp: SMTPServer
let gateway: Server
const mails: string[] = []
const shortMessages: { phone: string; code: string; text: string }[] = []

const stop = (child: (typeof second)['child']): Promise<unknown> => {
  const ended = new Promise((done) => child.once('close', done))
  child.kill('SIGTERM')
  return ended
}

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => {
      void text(stream).then((mail) => {
        mails.push(mail)
        done()
      })
    },
  })
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done))
  gateway = createServer((request, response) => {
    void text(request).then((body) => {
      shortMessages.push(JSON.parse(body))
      response.end('{}')
    })
  })
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done))
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
  const dataDir = inject('dataDir')
  // The fifth line of PostgreSQL's lock file is the directory of its socket (PostgreSQL, pidfile.h).
  const port = String((await findPorts(1))[0])
  settings = {
    PORT: port,
    DATABASE_URL: databaseUrlOf(dataDir),
    NOVODB_WORKERS: '0',
    NOVODB_REQUIRE_LOGIN: 'true',
    NOVODB_PUBLIC_URL: `http://localhost:${port}`,
    NOVODB_SMTP_URL: `smtp://127.0.0.1:${portOf(smtp.server)}`,
    NOVODB_MAIL_FROM: 'portal@example.org',
    NOVODB_SMS_WEBHOOK_URL: `http://127.0.0.1:${portOf(gateway)}/sms`,
    NOVODB_SMS_WEBHOOK_SECRET: 'sixteen signs or more',
  }
  second = await startServer(dataDir, settings)
})
afterAll(async () => {
  await stop(second.child)
  gateway.close()
  await new Promise<void>((done) => smtp.close(() => done()))
})

const ask = (base: string, path: string, body?: object, token?: string): Promise<Response> =>
  fetch(`${base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** The newest of what came that holds all words, as soon as it is there. */
const waitFor = async <T>(find: () => T | undefined): Promise<T> => {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = find()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('nothing came')
}

const mark = Date.now().toString(36)
const person = {
  username: `walker.${mark}`,
  email: `walker.${mark}@example.org`,
  phone: `+86136${String(Date.now()).slice(-8)}`,
}
const password = 'the long arm of chromosome IV'
const a = translator(account, 'zh-CN')

describe('two processes of a portal', () => {
  it('that requires signing in: a new reader registers by mail and text message, is led to the page asked for, and reads files by links', async () => {
    const { page, context } = await visit('/404', { language: 'zh-CN' })
    await page.goto(`${second.url}/download`)
    await page.waitForURL(/\/user\/login\?redirect=%2Fdownload$/)
    await page.getByRole('link', { name: a('login.register') }).click()
    await page.locator('input[name=username]').fill(person.username)
    await page.locator('input[name=email]').fill(person.email)
    await page.locator('select[name=workplace]').selectOption('commerce')
    await page.locator('select[name=jobType]').selectOption('other')
    await page.locator('input[name=phone]').fill(person.phone)
    await page.getByRole('button', { name: a('code.get') }).click()
    await page.getByText(a('code.sent')).waitFor()
    const proof = await waitFor(() => shortMessages.find((one) => one.phone === person.phone))
    expect(proof.text).toContain(proof.code)
    await page.locator('input[name=captcha]').fill(proof.code)
    await page.locator('input[name=password]').fill(password)
    await page.locator('input[name=confirm]').fill(password)
    await page.locator('main button[type=submit]').click()
    await page.waitForURL(/\/users\/register-result$/)
    await page.getByText(a('result.mail', { email: person.email })).waitFor()
    const mail = await waitFor(() => mails.find((one) => one.includes(`To: ${person.email}`)))
    // Base64 or quoted-printable (RFC 2045, sections 6.7 and 6.8).
    const [head = '', ...rest] = mail.split('\r\n\r\n')
    const body = rest.join('\r\n\r\n')
    const plain = /base64/i.test(head)
      ? Buffer.from(body, 'base64').toString('utf8')
      : body.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const link = new RegExp(`${settings.NOVODB_PUBLIC_URL}/users/register-result#confirm=[\\w-]{43}`).exec(plain)?.[0]
    expect(link).toBeDefined()
    await page.goto(`${second.url}/user/login`)
    await page.goto(link!)
    await page.getByText(a('result.confirmed', { email: person.email })).waitFor()

    // Signs in by phone, and is where they wanted to go.
    await page.goto(`${second.url}/user/login?redirect=%2Fdownload`)
    await page.getByRole('tab', { name: a('login.phone') }).click()
    await page.locator('input[name=phone]').fill(person.phone)
    await page.getByRole('button', { name: a('code.get') }).click()
    const entry = await waitFor(() => shortMessages.filter((one) => one.phone === person.phone)[1])
    await page.locator('input[name=captcha]').fill(entry.code)
    await page.locator('button[type=submit]').click()
    await page.waitForURL(/\/download$/)
    await page.locator('main h1').waitFor()
    const address = await page.locator('main a[href*="/data/"]').first().getAttribute('href')
    // A link carries no header: the cookie that only reads goes with it.
    expect(await page.evaluate((to) => fetch(to!, { method: 'HEAD' }).then((one) => one.status), address)).toBe(200)
    expect((await fetch(new URL(address!, second.url), { method: 'HEAD' })).status).toBe(401)
    await context.close()
  })

  it('a session holds in both and over a restart, and ends in both at once when admin disables the account', async () => {
    const first = inject('portalUrl')
    const signIn = async (base: string, body: object): Promise<string> =>
      ((await (await ask(base, '/api/auth/login/', body)).json()) as { data: { token: string } }).data.token
    const token = await signIn(first, { username: person.username, password })
    const admin = await signIn(second.url, { type: 'admin', username: 'admin', password: inject('adminPassword') })
    expect((await ask(second.url, '/api/account/', undefined, token)).status).toBe(200)

    await stop(second.child)
    second = await startServer(inject('dataDir'), settings)
    expect((await ask(second.url, '/api/account/', undefined, token)).status).toBe(200)

    // In the browser, too: the page that is open when it happens is told at its next request.
    const { page, context } = await open(await (await sharedBrowser()).newContext(), '/user/login')
    await page.evaluate((key) => localStorage.setItem('novodb_access_token', key), token)
    await page.goto(`${first}/account/center`)
    await page.locator('main h1').waitFor()
    const disabled = await fetch(`${second.url}/api/admin/users/${person.username}/`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${admin}` },
      body: JSON.stringify({ disabled: true }),
    })
    expect(disabled.status).toBe(200)
    for (const base of [first, second.url])
      expect((await ask(base, '/api/account/', undefined, token)).status).toBe(401)
    const before = witnessed.addresses.length
    await page.getByRole('tab').last().click()
    await page.waitForURL(/\/user\/login/)
    expect(await page.evaluate(() => localStorage.getItem('novodb_access_token'))).toBeNull()
    // Asked once, not without end.
    expect(witnessed.addresses.slice(before).filter((one) => one.endsWith('/api/auth/user/')).length).toBeLessThan(4)
    await context.close()
  })

  it('count failures to sign in together: who is made to wait by one is made to wait by the other', async () => {
    const bases = [inject('portalUrl'), second.url]
    const guess = (n: number): Promise<number> =>
      ask(bases[n % 2]!, '/api/auth/login/', { username: `guessed.${mark}`, password: `guess ${n}` }).then(
        (answer) => answer.status,
      )
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) statuses.push(await guess(n))
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    // The waits begin at two seconds, longer than the rest of the guesses takes.
    expect(statuses.slice(-2)).toEqual([429, 429])
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(9)
  })
})
