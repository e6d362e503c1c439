import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportAccount } from '../contracts/accounts/account.ts'
import { deleteExpired } from '../database/sessions.ts'
import { openTestApp, type TestApp, testPassword } from '../testing/app.ts'
import { full } from '../testing/real-data.ts'
import { createSecretLedger } from '../testing/secrets.ts'
import { makeSpeciesFolder } from '../testing/species.ts'
import { hashToken } from './accounts/credentials.ts'

let bed: TestApp
let second: FastifyInstance
let admin = ''
const logged: string[] = []
/** Every password, code and token of this file, to be looked for in the end wherever they must not be. */
const secrets = createSecretLedger()
/** What was answered, save the one answer in which a secret is handed over. */
const answered: string[] = []
const urls: string[] = []

beforeAll(async () => {
  const logStream = new Writable({
    write: (chunk, _, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  bed = await openTestApp({ logStream })
  second = (await bed.openAnother()).app
  admin = await bed.signUp('maintainer', 'admin')
  secrets.note('session', admin)
  secrets.note('password', testPassword)
})
afterAll(() => bed.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = async (
  method: Method,
  url: string,
  options: { payload?: object; token?: string; app?: FastifyInstance; address?: string; language?: string } = {},
) => {
  urls.push(url)
  const answer = await (options.app ?? bed.app).inject({
    method,
    url,
    ...(options.payload === undefined ? {} : { payload: options.payload }),
    remoteAddress: options.address ?? '10.0.0.1',
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      'accept-language': options.language ?? 'en',
    },
  })
  const body = answer.json()
  const handedOver = typeof body.data?.token === 'string' ? body.data.token : null
  if (handedOver !== null) secrets.note(handedOver.startsWith('nvdb_') ? 'API token' : 'session', handedOver)
  answered.push(handedOver === null ? answer.body : answer.body.replace(handedOver, ''))
  return { status: answer.statusCode, body, data: body.data }
}
const signInAs = async (username: string, password: string, more: object = {}) =>
  (await call('POST', '/api/auth/login/', { payload: { username, password, ...more } })).data.token as string
const newestCode = async (phone: string): Promise<string> => {
  await bed.portal.messenger.settle()
  const { data } = await call('GET', '/api/admin/outbox/?channel=sms', { token: admin })
  // The administrator of a portal without a service reads codes here: that is what the outbox is for.
  answered.pop()
  const message = data.messages.find((row: { recipient: string }) => row.recipient === phone)
  const code = /\b(\d{6})\b/.exec(message?.body ?? '')?.[1]
  if (code === undefined) throw new Error(`no code was sent to ${phone}`)
  secrets.note('code', code)
  return code
}
const later = (seconds: number) => bed.portal.database.sql`
  update phone_codes set sent_at = sent_at - make_interval(secs => ${seconds}),
    expires_at = expires_at - make_interval(secs => ${seconds})`

const password = 'green wrinkled peas'
const registration = (username: string, more: object = {}) => ({
  username,
  email: `${username}@example.org`,
  phone: '13800138000',
  workplace: 'school',
  jobType: 'student',
  password,
  confirm: password,
  ...more,
})
secrets.note('password', password)

describe('registering', () => {
  test('makes an account that signs in at once; without a mail server the link is in the outbox, and the answer says so', async () => {
    const { status, data } = await call('POST', '/api/auth/register/', { payload: registration('mendel') })
    expect([status, data]).toEqual([
      200,
      { username: 'mendel', email: 'mendel@example.org', delivered: 'outbox', phoneConfirmed: false },
    ])
    const token = await signInAs('mendel', password)
    const profile = (await call('GET', '/api/account/', { token })).data
    expect(profile).toMatchObject({
      username: 'mendel',
      access: 'user',
      emailConfirmed: false,
      phone: '+8613800138000',
      workplace: 'school',
      jobType: 'student',
      language: 'en-US',
    })
    await bed.portal.messenger.settle()
    const outbox = (await call('GET', '/api/admin/outbox/', { token: admin })).data
    answered.pop()
    expect(outbox).toMatchObject({ mail: 'outbox', sms: 'outbox' })
    const link = /#confirm=([\w-]{43})/.exec(outbox.messages[0].body)![1]!
    secrets.note('mailed link', link)
    const confirm = () => call('POST', '/api/auth/confirm-email/', { payload: { token: link } })
    const confirmed = { username: 'mendel', email: 'mendel@example.org' }
    expect((await confirm()).data).toEqual(confirmed)
    expect((await call('GET', '/api/account/', { token })).data.emailConfirmed).toBe(true)
    // Mail programs and people open a link more than once.
    expect((await confirm()).data).toEqual(confirmed)
  })

  test('asks for no phone number, which is confirmed at any later time and from then on signs in', async () => {
    const { phone: _, ...without } = registration('linnaeus')
    const refused = await call('POST', '/api/auth/register/', { payload: { ...without, captcha: '123456' } })
    expect([refused.status, refused.body.details.problems]).toEqual([
      400,
      [{ path: ['phone'], message: 'Please input your phone number!' }],
    ])
    expect((await call('POST', '/api/auth/register/', { payload: without })).data.phoneConfirmed).toBe(false)
    const token = await signInAs('linnaeus', password)
    expect((await call('GET', '/api/account/', { token })).data.phone).toBe('')
    const phone = '+8613600136000'
    await call('POST', '/api/auth/captcha/', { payload: { phone, purpose: 'confirm' } })
    const payload = { phone, captcha: await newestCode(phone) }
    const saved = await call('PUT', '/api/account/profile/', { token, payload })
    expect(saved.data.profile).toMatchObject({ phone, phoneConfirmed: true })
    await call('POST', '/api/auth/captcha/', { payload: { phone, purpose: 'login' } })
    const captcha = await newestCode(phone)
    const login = await call('POST', '/api/auth/login/', { payload: { type: 'phone', phone, captcha } })
    expect(login.data.user.username).toBe('linnaeus')
  })

  test('names every field that is wrong, in the reader’s language', async () => {
    const wrong = { username: 'admin', email: 'x', phone: '12', workplace: 'moon', password: 'short', confirm: '' }
    const { status, body } = await call('POST', '/api/auth/register/', { payload: wrong, language: 'zh-CN' })
    expect([status, body.errorCode]).toEqual([400, 'INVALID_INPUT'])
    const texts = Object.fromEntries(
      body.details.problems.map((problem: { path: string[]; message: string }) => [problem.path[0], problem.message]),
    )
    expect(texts).toMatchObject({
      username: '该名称为本站保留，或与保留名称过于相似。',
      email: '邮箱格式不正确。',
      phone: '手机号格式错误！',
      password: '密码至少 8 个字符。',
      confirm: '请再次输入密码。',
    })
    expect(Object.keys(texts).sort()).toEqual(
      ['confirm', 'email', 'jobType', 'password', 'phone', 'username', 'workplace'].sort(),
    )
    const empty = await call('POST', '/api/auth/register/', { payload: {} })
    expect(JSON.stringify(empty.body)).toContain('Please input your username!')
    expect(JSON.stringify(empty.body)).not.toContain('Please input your phone number!')
  })

  test.each([
    ['12345678', 'too common'],
    ['Password1!', 'too common'],
    ['woaini1314', 'too common'],
    ['abcabcabcabc', 'too common'],
    ['19850712', 'too common'],
    ['darwin@example.org', 'must not be your name'],
    ['13800138000', 'must not be your name'],
  ])('refuses the password %s: it is %s', async (guessed, reason) => {
    const payload = registration('darwin', { password: guessed, confirm: guessed })
    const { status, body } = await call('POST', '/api/auth/register/', { payload })
    expect([status, body.details.problems[0].path]).toEqual([400, ['password']])
    expect(body.errorMessage).toContain(reason)
  })

  test('refuses a name that is taken or looks like one', async () => {
    for (const username of ['mendel', 'MENDEL', 'mendeI', 'rnendel', 'méndel']) {
      const { status, body } = await call('POST', '/api/auth/register/', { payload: registration(username) })
      expect([username, status, body.details.problems[0].message]).toEqual([
        username,
        409,
        'This name, or one that looks like it, is taken.',
      ])
    }
  })
})

describe('what a caller may not decide', () => {
  test('a role, a confirmed address or number, or the number of the account is not taken from a request', async () => {
    const wanted = {
      access: 'admin',
      role: 'admin',
      emailConfirmed: true,
      phoneConfirmed: true,
      id: 1,
      disabled: false,
    }
    for (const [name, value] of Object.entries(wanted))
      expect(
        (await call('POST', '/api/auth/register/', { payload: { ...registration('climber'), [name]: value } })).status,
      ).toBe(400)
    expect((await call('POST', '/api/auth/register/', { payload: registration('climber') })).status).toBe(200)
    const token = await signInAs('climber', password)
    for (const [name, value] of Object.entries(wanted))
      expect(
        (await call('PUT', '/api/account/profile/', { token, payload: { nickname: 'C', [name]: value } })).status,
      ).toBe(400)
    await call('PUT', '/api/account/profile/', { token, payload: { nickname: 'C' } })
    expect((await call('GET', '/api/account/', { token })).data).toMatchObject({
      access: 'user',
      emailConfirmed: false,
      phoneConfirmed: false,
      nickname: 'C',
    })
  })

  test('a token is read from the header alone: one in the address or in a cookie is nobody’s', async () => {
    const token = await signInAs('climber', password)
    for (const name of ['token', 'access_token', 'novodb_access_token']) {
      const answer = await bed.app.inject({ url: `/api/auth/user/?${name}=${token}` })
      expect([answer.statusCode, answer.json().data]).toEqual([400, undefined])
    }
    for (const name of ['novodb_read', 'novodb_access_token']) {
      const answer = await bed.app.inject({ url: '/api/account/', headers: { cookie: `${name}=${token}` } })
      expect(answer.statusCode).toBe(401)
    }
    // Signing in makes a token of its own, whatever came with the request.
    const fresh = await call('POST', '/api/auth/login/', { token, payload: { username: 'climber', password } })
    expect(fresh.data.token).not.toBe(token)
  })

  test('failures at an address do not show at the name it belongs to, and unknown names leave the same trace', async () => {
    const { sql } = bed.portal.database
    await sql`update accounts set email_confirmed = true where username = 'climber'`
    const wrong = (username: string) =>
      call('POST', '/api/auth/login/', { payload: { username, password: 'not this one' }, address: '10.0.7.7' })
    for (let n = 0; n < 8; n += 1) await wrong('climber@example.org')
    expect((await wrong('climber@example.org')).status).toBe(429)
    expect((await wrong('climber')).status).toBe(401)
    const count = async () =>
      (await sql<{ n: number }[]>`select count(*)::int as n from audit where action = 'login failed'`)[0]!.n
    const before = await count()
    await wrong('nobody.at.all')
    expect(await count()).toBe(before + 1)
    expect(JSON.stringify(await sql`select * from audit`)).not.toContain('nobody.at.all')
    await sql`delete from accounts where username = 'climber'`
    await sql`delete from login_failures`
  })
})

describe('a code by phone', () => {
  const phone = '+8613900139000'
  const send = (purpose: string, number = phone, app = bed.app) =>
    call('POST', '/api/auth/captcha/', { payload: { phone: number, purpose }, app })
  const enter = (captcha: string, app = bed.app) =>
    call('POST', '/api/auth/login/', { payload: { type: 'phone', phone, captcha }, app })

  test('proves the number at registration, and from then on signs in', async () => {
    expect((await send('confirm')).data).toEqual({ delivered: 'outbox', resendSeconds: 60, expiresSeconds: 300 })
    const captcha = await newestCode(phone)
    const payload = registration('darwin', { phone, captcha })
    expect((await call('POST', '/api/auth/register/', { payload })).data.phoneConfirmed).toBe(true)
    // The code is used up, and one for confirming signs nobody in.
    expect((await enter(captcha)).status).toBe(401)
    await send('login')
    const code = await newestCode(phone)
    const { data } = await enter(code)
    expect(data.user).toEqual({ username: 'darwin', access: 'user' })
    expect((await enter(code)).body).toMatchObject({
      errorCode: 'WRONG_CREDENTIALS',
      errorMessage: 'Verification Code Error',
    })
  })

  test('is sent again only after a minute, whichever process is asked, and the wait is told', async () => {
    const soon = await send('login', phone, second)
    expect([soon.status, soon.body.errorCode]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(soon.body.errorMessage).toMatch(/^Please wait (\d+) seconds/)
    await later(61)
    expect((await send('login', phone, second)).status).toBe(200)
  })

  test('holds for five tries in all processes together, and for five minutes', async () => {
    const code = await newestCode(phone)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const tries = await Promise.all([0, 1, 2, 3, 4].map((n) => enter(wrong, n % 2 === 0 ? bed.app : second)))
    expect(tries.map((one) => one.status)).toEqual([401, 401, 401, 401, 401])
    expect((await enter(code)).status).toBe(401)
    await later(61)
    await send('login')
    const next = await newestCode(phone)
    await later(301)
    expect((await enter(next)).status).toBe(401)
  })

  test('is used up by one of two processes that are given it at the same moment', async () => {
    await send('login')
    const code = await newestCode(phone)
    const both = await Promise.all([enter(code), enter(code, second)])
    expect(both.map((one) => one.status).sort()).toEqual([200, 401])
  })

  test('gets the same answer for a number that nobody has, and is not sent there', async () => {
    const stranger = '+8613700137000'
    await later(61)
    const [known, unknown] = [await send('login'), await send('login', stranger)]
    expect(unknown.body).toEqual(known.body)
    await bed.portal.messenger.settle()
    const sent = await bed.portal.database.sql`select 1 from outbox where recipient = ${stranger}`
    expect(sent.length).toBe(0)
    // A number that somebody only wrote down is not theirs: mendel named it without a code.
    expect((await send('login', '+8613800138000')).status).toBe(200)
    await bed.portal.messenger.settle()
    expect((await bed.portal.database.sql`select 1 from outbox where recipient = '+8613800138000'`).length).toBe(0)
  })

  test('is kept as a hash only', async () => {
    const rows = await bed.portal.database.sql<{ code_hash: string }[]>`select code_hash from phone_codes`
    for (const row of rows) expect(row.code_hash).toMatch(/^\$argon2id\$/)
  })
})

describe('several processes of a portal', () => {
  test('know each other’s sessions, and their end', async () => {
    const token = await signInAs('mendel', password)
    expect((await call('GET', '/api/auth/user/', { token, app: second })).data.username).toBe('mendel')
    await call('POST', '/api/auth/logout/', { token, app: second, payload: {} })
    expect((await call('GET', '/api/auth/user/', { token })).status).toBe(401)
  })

  test('count failures together: guesses at the same moment in both do not get more than one alone would', async () => {
    const guess = (n: number) =>
      call('POST', '/api/auth/login/', {
        payload: { username: 'darwin', password: `guess number ${n}` },
        app: n % 2 === 0 ? bed.app : second,
        address: '10.0.0.66',
      })
    const statuses = (await Promise.all(Array.from({ length: 24 }, (_, n) => guess(n)))).map((one) => one.status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    // As many free failures as one process allows, and those that were under way when the count was reached.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(8)
    for (let tried = 0; (await guess(tried)).status === 401; tried += 1) expect(tried).toBeLessThan(8)
    // After so few failures the wait is two seconds, which on a busy machine are over before the next question: they are of a later time.
    await bed.portal.database.sql`
      update login_failures set failed_at = clock_timestamp() + interval '1 minute' where client = '10.0.0.66'`
    // The owner, at another address, is let in all the same.
    expect((await call('POST', '/api/auth/login/', { payload: { username: 'darwin', password } })).status).toBe(200)
    const held = await call('POST', '/api/auth/login/', {
      payload: { username: 'darwin', password },
      address: '10.0.0.66',
    })
    expect(held.status).toBe(429)
  })

  test('let a class of forty sign in from one address within a minute, five of them mistyping', async () => {
    for (let n = 0; n < 5; n += 1) {
      const mistyped = { username: `student${'abcde'[n]}`, password: 'mistyped once' }
      expect((await call('POST', '/api/auth/login/', { payload: mistyped, address: '10.9.9.9' })).status).toBe(401)
    }
    for (let n = 0; n < 40; n += 1) {
      const app = n % 2 === 0 ? bed.app : second
      const answer = await call('POST', '/api/auth/login/', {
        payload: { username: 'mendel', password },
        address: '10.9.9.9',
        app,
      })
      expect([n, answer.status]).toEqual([n, 200])
    }
  })

  test('stop a program that registers accounts without end', async () => {
    const { sql } = bed.portal.database
    await sql`update rate_counts set count = 80 where key like 'register:%'`
    const { status, body } = await call('POST', '/api/auth/register/', {
      payload: registration('linnaeus'),
      app: second,
    })
    expect([status, body.errorCode]).toEqual([429, 'TOO_MANY_REQUESTS'])
    await sql`delete from rate_counts where key like 'register:%'`
  })
})

describe('the account', () => {
  test('keeps each field of the profile; an empty one is asked for, null empties it', async () => {
    const token = await signInAs('mendel', password)
    const fields = {
      nickname: '豌豆',
      profile: 'Peas.',
      country: 'Moravia',
      province: 'Brünn',
      address: 'Klosterplatz 1',
    }
    const { data } = await call('PUT', '/api/account/profile/', { token, payload: { ...fields, language: 'zh-CN' } })
    expect(data.profile).toMatchObject({ ...fields, language: 'zh-CN', emailConfirmed: true })
    const asked = [
      ['nickname', 'Please input your Nickname!'],
      ['profile', 'Please input your personal profile!'],
      ['country', 'Please input your country!'],
      ['province', 'Please input your geographic info!'],
      ['address', 'Please input your address!'],
      ['email', 'Please input your email!'],
      ['phone', 'Please input your phone number!'],
    ]
    for (const [field, text] of asked) {
      const empty = await call('PUT', '/api/account/profile/', { token, payload: { [field!]: ' ' } })
      expect([field, empty.status, empty.body.details.problems[0].message]).toEqual([field, 400, text])
    }
    const emptied = await call('PUT', '/api/account/profile/', { token, payload: { address: null } })
    expect(emptied.data.profile).toMatchObject({ address: '', country: 'Moravia' })
  })

  test('changes its address only once the new one is confirmed', async () => {
    const token = await signInAs('mendel', password)
    const changed = await call('PUT', '/api/account/profile/', { token, payload: { email: 'abbot@example.org' } })
    expect(changed.data).toMatchObject({
      delivered: 'outbox',
      profile: { email: 'mendel@example.org', emailConfirmed: true, newEmail: 'abbot@example.org' },
    })
    await bed.portal.messenger.settle()
    const [row] = await bed.portal.database.sql<{ body: string }[]>`
      select body from outbox where recipient = 'abbot@example.org' order by id desc limit 1`
    const link = /#confirm=([\w-]{43})/.exec(row!.body)![1]!
    secrets.note('mailed link', link)
    await call('POST', '/api/auth/confirm-email/', { payload: { token: link } })
    const profile = (await call('GET', '/api/account/', { token })).data
    expect(profile).toMatchObject({ email: 'abbot@example.org', emailConfirmed: true, newEmail: null })
  })

  test('changes its password with the present one only; other sessions end, this one and API tokens stay', async () => {
    const [here, elsewhere] = [await signInAs('mendel', password), await signInAs('mendel', password)]
    const next = 'seven pairs of characters'
    const script = (await call('POST', '/api/account/tokens/', { token: here, payload: { name: 'script' } })).data
    for (const one of [next, 'not my password']) secrets.note('password', one)
    const change = (currentPassword: string) =>
      call('POST', '/api/account/password/', {
        token: here,
        payload: { currentPassword, password: next, confirm: next },
      })
    expect((await change('not my password')).body.details.problems[0].message).toBe(
      'The current password is incorrect.',
    )
    expect((await change(password)).status).toBe(200)
    expect((await call('GET', '/api/auth/user/', { token: here })).status).toBe(200)
    expect((await call('GET', '/api/auth/user/', { token: elsewhere })).status).toBe(401)
    expect((await call('GET', '/api/auth/user/', { token: script.token })).status).toBe(200)
    await call('DELETE', `/api/account/tokens/${script.about.id}/`, { token: here })
    expect(await signInAs('mendel', next)).toBeDefined()
    await call('POST', '/api/account/password/', {
      token: here,
      payload: { currentPassword: next, password, confirm: password },
    })
  })

  test('has API tokens that are shown once, read for it, and end when revoked', async () => {
    const token = await signInAs('mendel', password)
    const made = (await call('POST', '/api/account/tokens/', { token, payload: { name: 'notebook' } })).data
    expect(made.token).toMatch(/^nvdb_[\w-]{43}$/)
    expect((await call('GET', '/api/auth/user/', { token: made.token, app: second })).data.username).toBe('mendel')
    const listed = (await call('GET', '/api/account/tokens/', { token })).data.tokens
    expect(listed).toMatchObject([{ name: 'notebook', start: made.token.slice(0, 9) }])
    expect(listed[0].lastUsedAt).not.toBeNull()
    const more = await call('POST', '/api/account/tokens/', { token: made.token, payload: { name: 'child' } })
    expect([more.status, more.body.errorMessage]).toEqual([
      403,
      'An API token is not sufficient for this: please sign in.',
    ])
    await call('DELETE', `/api/account/tokens/${made.about.id}/`, { token })
    expect((await call('GET', '/api/auth/user/', { token: made.token })).status).toBe(401)
  })

  test('keeps gene sets: repeats go, the browser’s id stays, none is made twice', async () => {
    const token = await signInAs('mendel', password)
    const set = { id: 'a1b2c3d4e5f60718', name: 'ESX-1', assembly: 'H37Rv', genes: ['Rv3874', 'Rv3875', 'Rv3874'] }
    const made = await call('POST', '/api/account/gene-sets/', { token, payload: set })
    expect(made.data).toMatchObject({ ...set, genes: ['Rv3874', 'Rv3875'] })
    expect((await call('POST', '/api/account/gene-sets/', { token, payload: set })).status).toBe(409)
    const url = `/api/account/gene-sets/${set.id}/`
    await call('PUT', url, { token, payload: { name: 'ESX-1 secreted' } })
    expect((await call('GET', '/api/account/gene-sets/', { token })).data.sets).toMatchObject([
      { id: set.id, name: 'ESX-1 secreted', assembly: 'H37Rv', geneCount: 2 },
    ])
    expect((await call('DELETE', url, { token })).status).toBe(200)
    expect((await call('GET', url, { token })).status).toBe(404)
  })

  test('keeps its gene sets to itself: another user, admin and a visitor cannot read, change or delete one, nor learn that it is there', async () => {
    const [owner, other] = [await signInAs('mendel', password), await signInAs('darwin', password)]
    const script = (await call('POST', '/api/account/tokens/', { token: other, payload: { name: 'pry' } })).data.token
    const set = { id: '00ff00ff00ff00ff', name: 'Round seeds', assembly: 'H37Rv', genes: ['Rv0001', 'Rv0002'] }
    expect((await call('POST', '/api/account/gene-sets/', { token: owner, payload: set })).status).toBe(200)
    const url = `/api/account/gene-sets/${set.id}/`
    const nowhere = '/api/account/gene-sets/00ff00ff00ff00fe/'
    const payload = { name: 'Mine now', genes: ['Rv9999'] }
    for (const token of [other, admin, script]) {
      for (const [method, body] of [
        ['GET', {}],
        ['PUT', { payload }],
        ['DELETE', {}],
      ] as const) {
        const answer = await call(method, url, { token, ...body })
        const absent = await call(method, nowhere, { token, ...body })
        // Not 403, which would tell that there is one: word for word what an id that nobody has is answered.
        expect([method, answer.status, absent.status]).toEqual([method, 404, 404])
        expect({ ...answer.body, details: null }).toEqual({ ...absent.body, details: null })
      }
      expect((await call('GET', '/api/account/gene-sets/', { token })).data.sets).toEqual([])
      expect(JSON.stringify((await call('GET', '/api/account/export/', { token })).data ?? {})).not.toContain(set.name)
    }
    for (const [method, body] of [
      ['GET', {}],
      ['PUT', { payload }],
      ['DELETE', {}],
    ] as const)
      expect((await call(method, url, body)).status).toBe(401)
    // The same id in two accounts is two sets.
    const theirs = { ...set, name: 'Wrinkled seeds' }
    expect((await call('POST', '/api/account/gene-sets/', { token: other, payload: theirs })).status).toBe(200)
    expect((await call('DELETE', url, { token: other })).status).toBe(200)
    expect((await call('GET', url, { token: owner })).data).toMatchObject(set)
    expect((await call('DELETE', url, { token: owner })).status).toBe(200)
  })

  test('gives out all that is kept about it, and is deleted whole', async () => {
    const token = await signInAs('darwin', password)
    const set = { name: 'finches', assembly: null, genes: ['ALX1'] }
    await call('POST', '/api/account/gene-sets/', { token, payload: set })
    const message = { name: 'C. D.', email: 'cd@example.org', subject: 'Beaks', message: 'They differ.' }
    await call('POST', '/api/contact/', { token, payload: message })
    const { sql } = bed.portal.database
    const [{ id: darwin } = { id: 0 }] = await sql<{ id: number }[]>`select id from accounts where username = 'darwin'`
    const input = { assembly: 'TM1', sequence: 'chr1', start: 1, end: 90 }
    const { id: job } = await bed.portal.queue.submitJob({
      tool: 'sequencefetch',
      toolVersion: 1,
      input,
      owner: darwin,
      client: 'darwin',
      bundles: [],
      cacheKey: 'darwin',
    })
    await bed.portal.queue.cancelJob(job)
    // More than an export reads at a time.
    await sql`
      insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', lpad(to_hex(n), 32, '0')))).*
      from jobs j, generate_series(1, 249) n where j.id = ${job}`
    const { data } = await call('GET', '/api/account/export/', { token })
    expect(data).toMatchObject({
      profile: { username: 'darwin', email: 'darwin@example.org', phoneConfirmed: true },
      geneSets: [set],
      messages: [{ subject: 'Beaks', message: 'They differ.' }],
    })
    expect(data.activity.map((entry: { action: string }) => entry.action)).toContain('register')
    const ids = data.jobs.map((one: { id: string }) => one.id)
    expect([ids.length, new Set(ids).size, ids.includes(job)]).toEqual([250, 250, true])
    for (const one of data.jobs) expect(one.input).toEqual(input)
    exportAccount.output.parse(data)
    const refused = await call('POST', '/api/account/delete/', { token, payload: { password: 'not my password' } })
    expect(refused.status).toBe(400)
    expect((await call('POST', '/api/account/delete/', { token, payload: { password } })).status).toBe(200)
    expect((await call('GET', '/api/auth/user/', { token })).status).toBe(401)
    expect((await sql`select 1 from gene_sets where name = 'finches'`).length).toBe(0)
    expect(await sql`select account from contact_messages where subject = 'Beaks'`).toEqual([{ account: null }])
  })
})

describe('the administrator', () => {
  test('finds users, disables one, whose sessions and tokens end at once, and lets them in again', async () => {
    const token = await signInAs('mendel', password)
    const api = (await call('POST', '/api/account/tokens/', { token, payload: { name: 'x' } })).data.token
    const found = (await call('GET', '/api/admin/users/?q=abbot@&pageSize=5', { token: admin })).data
    expect(found).toMatchObject({ total: 1, users: [{ username: 'mendel', access: 'user', apiTokenCount: 1 }] })
    expect((await call('GET', '/api/admin/users/?q=%25', { token: admin })).data.total).toBe(0)
    const url = '/api/admin/users/mendel/'
    expect((await call('GET', url, { token: admin })).data).toMatchObject({ username: 'mendel', disabled: false })
    expect((await call('GET', '/api/admin/users/nobody.here/', { token: admin })).status).toBe(404)
    expect((await call('PUT', url, { token: admin, payload: { disabled: true } })).data.disabled).toBe(true)
    for (const held of [token, api]) expect((await call('GET', '/api/auth/user/', { token: held })).status).toBe(401)
    const refused = await call('POST', '/api/auth/login/', { payload: { username: 'mendel', password } })
    expect([refused.status, refused.body.errorCode]).toEqual([401, 'WRONG_CREDENTIALS'])
    await call('PUT', url, { token: admin, payload: { disabled: false } })
    expect(await signInAs('mendel', password)).toBeDefined()
    expect((await call('POST', `${url}sign-out/`, { token: admin, payload: {} })).data.ended).toBeGreaterThan(0)
    const self = await call('PUT', '/api/admin/users/maintainer/', { token: admin, payload: { access: 'user' } })
    expect(self.status).toBe(403)
  })

  test('reads messages, the audit log and storage by pages and words', async () => {
    const messages = (await call('GET', '/api/admin/messages/?q=beaks&handled=false', { token: admin })).data
    expect(messages).toMatchObject({ total: 1, messages: [{ name: 'C. D.', username: null, handled: false }] })
    await call('PUT', `/api/admin/messages/${messages.messages[0].id}/`, { token: admin, payload: { handled: true } })
    expect((await call('GET', '/api/admin/messages/?handled=false', { token: admin })).data.total).toBe(0)
    const audit = (await call('GET', '/api/admin/audit/?q=mendel&action=rights&pageSize=1', { token: admin })).data
    expect(audit).toMatchObject({
      total: 2,
      entries: [{ actor: 'maintainer', target: 'mendel', detail: { disabled: false } }],
    })
    expect(audit.actions).toEqual(expect.arrayContaining(['login', 'login failed', 'register', 'password']))
    const details = { en: 'The pea lab', zh: '豌豆实验室', email: 'lab@example.org' }
    await call('PUT', '/api/admin/contact/', { token: admin, payload: details })
    expect((await call('GET', '/api/contact/')).data).toEqual(details)
  })

  if (full)
    test('loads a folder from the page, sees its steps and report', { timeout: 180_000 }, async () => {
      mkdirSync(bed.config.foldersDir, { recursive: true })
      const folder = join(bed.config.foldersDir, 'pump')
      cpSync(makeSpeciesFolder(join(bed.root, 'made')), folder, { recursive: true })
      const folders = (await call('GET', '/api/admin/data/folders/', { token: admin })).data
      expect(folders).toEqual({ directory: bed.config.foldersDir, folders: [{ folder, present: true, loaded: false }] })
      const started = await call('POST', '/api/admin/data/load/', { token: admin, payload: { folder } })
      expect([started.status, started.data.load.state]).toEqual([202, 'waiting'])
      const second = await call('POST', '/api/admin/data/load/', { token: admin, payload: { folder } })
      expect([second.status, second.body.errorCode]).toEqual([409, 'CONFLICT'])
      const look = () => call('GET', `/api/admin/data/loads/${started.data.load.id}/`, { token: admin })
      await expect
        .poll(async () => (await look()).data.load.state, { timeout: 150_000, interval: 500 })
        .not.toMatch(/^(waiting|running)$/)
      const seen = await look()
      expect(seen.data.load).toMatchObject({
        state: 'done',
        fraction: 1,
        startedBy: 'maintainer',
        report: { ok: true },
      })
      expect(seen.data.log.length).toBeGreaterThan(3)
      const storage = (await call('GET', '/api/admin/storage/', { token: admin })).data
      expect(storage.bundles.filter((bundle: { active: boolean }) => bundle.active).length).toBeGreaterThan(1)
      expect(storage.bundles[1].bytes).toBeGreaterThan(0)
      expect((await call('GET', '/api/admin/data/folders/', { token: admin })).data.folders[0].loaded).toBe(true)

      // Whoever may put folders there need not be allowed to read the machine's files.
      symlinkSync(bed.root, join(bed.config.foldersDir, 'linked'))
      const prying = join(bed.config.foldersDir, 'prying')
      cpSync(makeSpeciesFolder(join(bed.root, 'made')), prying, { recursive: true })
      rmSync(join(prying, 'peaks.bed'))
      symlinkSync('/etc/hostname', join(prying, 'peaks.bed'))
      expect(
        (await call('GET', '/api/admin/data/folders/', { token: admin })).data.folders.map(
          (found: { folder: string }) => found.folder,
        ),
      ).toEqual([prying, folder])
      const { id } = (await call('POST', '/api/admin/data/load/', { token: admin, payload: { folder: prying } })).data
        .load
      const lookAgain = async () => (await call('GET', `/api/admin/data/loads/${id}/`, { token: admin })).data.load
      await expect
        .poll(async () => (await lookAgain()).state, { timeout: 60_000, interval: 200 })
        .not.toMatch(/^(waiting|running)$/)
      expect((await lookAgain()).report.defects).toMatchObject([
        { code: 'file-outside-folder', file: 'peaks.bed', params: { entry: 'assemblies.0.tracks.0.file' } },
      ])
    })
})

describe('passwords, codes and tokens', () => {
  test('of everything above are in no log, no address, no answer but the one that hands them over, and no table in the clear', async () => {
    await bed.portal.messenger.settle()
    const { sql } = bed.portal.database
    // Messages are kept in the outbox for admin where no service is set up; its text is what is left out here.
    const tables = await sql<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'outbox'`
    let stored = ''
    for (const { name } of tables) stored += JSON.stringify(await sql`select t::text as row from ${sql(name)} t`)
    const places = { log: logged.join(''), urls: urls.join('\n'), answers: answered.join('\n'), tables: stored }
    // What is searched holds this file's run, at the most talkative level, and what is looked for is there in numbers.
    for (const path of ['/api/auth/login/', '/api/auth/captcha/', '/api/account/tokens/', '/api/auth/confirm-email/'])
      expect([path, places.log.includes(path), places.urls.includes(path)]).toEqual([path, true, true])
    expect(places.answers).toContain('WRONG_CREDENTIALS')
    expect(places.tables).toContain('mendel')
    expect(places.tables).toContain(hashToken(admin))
    expect({
      passwords: secrets.count('password') >= 4,
      sessions: secrets.count('session') > 20,
      tokens: secrets.count('API token') >= 4,
      codes: secrets.count('code') >= 4,
      links: secrets.count('mailed link') >= 2,
    }).toEqual({ passwords: true, sessions: true, tokens: true, codes: true, links: true })
    // The same search finds codes and links where they are kept for admin to read.
    const kept = JSON.stringify(await sql`select body from outbox`)
    expect(secrets.find({ outbox: kept })).toEqual(['outbox: code', 'outbox: mailed link'])
    expect(secrets.find(places)).toEqual([])
  })
})

describe('what has had its time', () => {
  test('goes in the hourly sweep, and what holds stays: sessions, API tokens, codes, counts, texts of kept messages', async () => {
    const { sql } = bed.portal.database
    const token = await signInAs('mendel', password)
    const old = await signInAs('mendel', password)
    await sql`
      update sessions set expires_at = now() - interval '1 second' where token_hash = ${hashToken(old)}`
    await later(2 * 86_400)
    await sql`update rate_counts set window_start = window_start - interval '3 days' where key = 'codes'`
    await sql`update outbox set useful_until = now() - interval '1 second' where channel = 'sms'`
    await deleteExpired(sql)
    expect((await call('GET', '/api/auth/user/', { token })).status).toBe(200)
    const gone = [
      await sql`select 1 from sessions where expires_at < now()`,
      await sql`select 1 from phone_codes`,
      await sql`select 1 from rate_counts where key = 'codes'`,
      await sql`select 1 from outbox where channel = 'sms' and body <> ''`,
    ]
    expect(gone.map((rows) => rows.length)).toEqual([0, 0, 0, 0])
    expect((await sql`select 1 from outbox where channel = 'sms'`).length).toBeGreaterThan(3)
    expect((await sql`select 1 from rate_counts where key like 'login:%'`).length).toBeGreaterThan(0)
  })
})
