import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp, testPassword } from '../../testing/app.ts'
import { ensureAdmin, failureKey } from './sessions.ts'

let bed: TestApp
const logged: string[] = []
beforeAll(async () => {
  const logStream = new Writable({
    write: (chunk, _, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  bed = await openTestApp({ logStream })
  await bed.signUp('reader', 'user')
  await bed.signUp('admin', 'admin')
})
afterAll(() => bed.close())

const login = (username: string, password: string, type?: string) =>
  bed.app.inject({ method: 'POST', url: '/api/auth/login/', payload: { username, password, type } })
const whoAmI = (token: string) =>
  bed.app.inject({ url: '/api/auth/user/', headers: { authorization: `Bearer ${token}` } })

describe('admin', () => {
  test('is made at the first start and never again, with a password that is told once and no other', async () => {
    const { sql } = bed.portal.database
    await sql`delete from accounts where username = 'admin'`
    const made = await ensureAdmin(sql, undefined)
    const password = made?.madeUpPassword
    expect(password).toMatch(/^[\w-]{16}$/)
    expect(await ensureAdmin(sql, undefined)).toBeNull()
    expect(await sql`select username, access from accounts where access = 'admin'`).toEqual([
      { username: 'admin', access: 'admin' },
    ])
    const { data } = (await login('admin', password!, 'admin')).json()
    expect(data.user).toEqual({ username: 'admin', access: 'admin' })
    expect((await login('admin', testPassword, 'admin')).statusCode).toBe(401)
    await sql`delete from accounts where username = 'admin'`
    expect(await ensureAdmin(sql, testPassword)).toEqual({ madeUpPassword: null })
  })
})

describe('signing in', () => {
  test('with the right password gives a token of which the table knows only the SHA-256', async () => {
    const answer = await login('reader', testPassword)
    expect(answer.statusCode).toBe(200)
    const { token, user } = answer.json().data
    expect(user).toEqual({ username: 'reader', access: 'user' })
    expect((await whoAmI(token)).json().data).toEqual({ username: 'reader', access: 'user' })
    const { sql } = bed.portal.database
    const rows = await sql<{ token_hash: string }[]>`select token_hash from sessions`
    const hashes = rows.map((row) => row.token_hash)
    expect(hashes).toContain(createHash('sha256').update(token).digest('hex'))
    expect(JSON.stringify(await sql`select * from sessions`)).not.toContain(token)
    const [account] = await sql<
      { password_hash: string }[]
    >`select password_hash from accounts where username = 'reader'`
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('with the name in another case or width is the same account', async () => {
    expect((await login('READER', testPassword)).statusCode).toBe(200)
    expect((await login('ｒeader', testPassword)).statusCode).toBe(200)
  })

  test('with a wrong password and with an unknown name get the same answer', async () => {
    const [wrong, unknown] = [await login('reader', 'not this one'), await login('nobody-here', 'not this one')]
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
    const plain = (body: { details: unknown }) => ({ ...body, details: null })
    expect(plain(wrong.json())).toEqual(plain(unknown.json()))
    expect(wrong.json()).toMatchObject({ errorCode: 'WRONG_CREDENTIALS', errorMessage: 'Incorrect username/password' })
    expect((await login('reader', testPassword)).statusCode).toBe(200)
  })

  test('on the administrator’s tab is for administrators only, and tells a user no more than a wrong password would', async () => {
    expect((await login('admin', testPassword, 'admin')).json().data.user.access).toBe('admin')
    const refused = await login('reader', testPassword, 'admin')
    expect([refused.statusCode, refused.json().errorCode]).toEqual([401, 'WRONG_CREDENTIALS'])
  })

  test('after many failures is made to wait even with the right password, whether or not the name exists', async () => {
    await bed.signUp('guessed', 'user')
    for (const name of ['guessed', 'never-was']) {
      for (let attempt = 0; attempt < 6; attempt += 1)
        expect((await login(name, `guess ${attempt}`)).statusCode).toBe(401)
      // By now the wait doubles from two seconds; the clock of the table is set forward to be sure of it.
      await bed.portal.database.sql`
        insert into login_failures (username_key, client) select username_key, client from login_failures
        where username_key = ${failureKey(name)} limit 5`
      const waiting = await login(name, testPassword)
      expect([waiting.statusCode, waiting.json().errorCode]).toEqual([429, 'TOO_MANY_REQUESTS'])
      expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0)
    }
    await bed.portal.database.sql`update login_failures set failed_at = failed_at - interval '6 minutes'`
    expect((await login('guessed', testPassword)).statusCode).toBe(200)
  })

  test('out ends the session at once, and only that one', async () => {
    const [one, other] = [
      (await login('reader', testPassword)).json().data.token,
      (await login('reader', testPassword)).json().data.token,
    ]
    const out = await bed.app.inject({
      method: 'POST',
      url: '/api/auth/logout/',
      headers: { authorization: `Bearer ${one}` },
    })
    expect(out.statusCode).toBe(200)
    expect((await whoAmI(one)).json().errorCode).toBe('NOT_SIGNED_IN')
    expect((await whoAmI(other)).statusCode).toBe(200)
  })

  test('leaves neither password nor token in the log, not even when the body is no JSON', async () => {
    const { token } = (await login('reader', testPassword)).json().data
    await login('reader', 'a secret that is wrong')
    await whoAmI(token)
    const broken = await bed.app.inject({
      method: 'POST',
      url: '/api/auth/login/',
      headers: { 'content-type': 'application/json' },
      payload: '{"username":"reader","password":"spilt secret"',
    })
    expect(broken.statusCode).toBe(400)
    const text = logged.join('')
    expect(text).toContain('/api/auth/login/')
    for (const secret of [testPassword, 'a secret that is wrong', 'spilt secret', token])
      expect(text).not.toContain(secret)
  })
})

const runCommand = (words: string[], input: string) =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const entry = fileURLToPath(new URL('../fixtures/command-process.mjs', import.meta.url))
    const child = spawn(process.execPath, [entry, ...words], {
      env: { PATH: bed.config.searchPath, NOVODB_DATA: bed.dataDir },
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += String(piece)))
    child.once('close', (code) => resolve({ code, out }))
    child.stdin.end(input)
  })

describe('novodb admin password', () => {
  test('takes a piped password with its blanks; it logs in at once although others failed before', {
    timeout: 120_000,
  }, async () => {
    for (let attempt = 0; attempt < 7; attempt += 1) await login('admin', 'forgotten')
    const before = (
      await bed.portal.database
        .sql`select 1 from sessions s join accounts a on a.id = s.account where a.username = 'admin'`
    ).length
    expect(before).toBeGreaterThan(0)
    const done = await runCommand(['admin', 'password'], ' two words \n')
    expect([done.code, done.out]).toEqual([0, 'The password of admin is set; its sessions have ended.\n'])
    expect((await login('admin', ' two words ', 'admin')).statusCode).toBe(200)
    const old = await login('admin', testPassword)
    expect(old.statusCode).toBe(401)
    const long = await runCommand(['admin', 'password'], 'x'.repeat(201))
    expect([long.code, long.out]).toEqual([1, 'A password has 8 to 200 characters.\n'])
    expect((await login('admin', ' two words ')).statusCode).toBe(200)
  })
})
