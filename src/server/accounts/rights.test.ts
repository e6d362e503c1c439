import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp, testPassword } from '../../testing/app.ts'
import { mountedEndpoints, mountedRoutes } from '../answers/implement.ts'
import { createToken } from './credentials.ts'

let bed: TestApp
const tokens: Record<string, string | null> = {}
beforeAll(async () => {
  bed = await openTestApp({ species: true })
  const { sql } = bed.portal.database
  tokens.nobody = null
  tokens.user = await bed.signUp('reader', 'user')
  tokens.admin = await bed.signUp('maintainer', 'admin')
  tokens['other user'] = await bed.signUp('neighbour', 'user')
  for (const who of ['user', 'admin']) {
    const made = await bed.app.inject({
      method: 'POST',
      url: '/api/account/tokens/',
      payload: { name: 'script' },
      headers: { authorization: `Bearer ${tokens[who]}` },
    })
    tokens[`API token of ${who}`] = made.json().data.token
  }
  tokens.garbage = 'x'.repeat(43)
  tokens.expired = await bed.signUp('sleeper', 'admin')
  await sql`update sessions set expires_at = now() - interval '1 second' where account = (select id from accounts where username = 'sleeper')`
  tokens.disabled = await bed.signUp('banned', 'admin')
  await sql`update accounts set disabled = true where username = 'banned'`
  tokens['signed out'] = await bed.signUp('leaver', 'admin')
  await bed.app.inject({
    method: 'POST',
    url: '/api/auth/logout/',
    headers: { authorization: `Bearer ${tokens['signed out']}` },
  })
})
afterAll(() => bed.close())

const noJob = '0'.repeat(32)
let turns = 0
const nextTurn = (): number => {
  turns += 1
  return turns
}
const goodPassword = 'a quiet meadow in spring'
// What each endpoint answers to whoever may use it, for a request that is right or names what is not there.
interface Expectation {
  access: 'anyone' | 'user' | 'admin'
  /** API tokens are refused; those of admin endpoints are so always. */
  sessionOnly?: true
  /** A token that no longer holds is passed over. */
  ignoresToken?: true
  /** Answers visitors also where the portal requires signing in. */
  open?: true
  url: string
  payload?: object | (() => object)
  status: number
}
const anyone = { access: 'anyone' } as const
const user = { access: 'user' } as const
const atScreen = { access: 'user', sessionOnly: true } as const
const admin = { access: 'admin' } as const
const doorway = { access: 'anyone', open: true, ignoresToken: true } as const
const noNotebook = `/api/notebooks/${'0'.repeat(32)}/`
const noSet = '/api/account/gene-sets/0000000000000000/'
const expectations: Record<string, Expectation> = {
  'GET /api/auth/user/': { ...anyone, url: '/api/auth/user/', status: 200 },
  'GET /api/auth/options/': { ...doorway, url: '/api/auth/options/', status: 200 },
  'POST /api/auth/login/': {
    ...doorway,
    url: '/api/auth/login/',
    payload: { username: 'reader', password: testPassword },
    status: 200,
  },
  // Without a token: a session that is signed out could not be asked with again.
  'POST /api/auth/logout/': { ...anyone, open: true, url: '/api/auth/logout/', payload: {}, status: 200 },
  'POST /api/auth/captcha/': {
    ...doorway,
    url: '/api/auth/captcha/',
    payload: () => ({ phone: `138001380${String(nextTurn()).padStart(2, '0')}` }),
    status: 200,
  },
  'POST /api/auth/register/': {
    ...doorway,
    url: '/api/auth/register/',
    payload: () => ({
      username: `newcomer${'abcdefghjk'[nextTurn() % 10]}${turns}`,
      email: 'newcomer@example.org',
      phone: '13900139000',
      workplace: 'school',
      jobType: 'student',
      password: goodPassword,
      confirm: goodPassword,
    }),
    status: 200,
  },
  'POST /api/auth/confirm-email/': {
    ...doorway,
    url: '/api/auth/confirm-email/',
    payload: () => ({ token: createToken() }),
    status: 400,
  },
  'POST /api/auth/password-reset/': {
    ...doorway,
    url: '/api/auth/password-reset/',
    payload: { email: 'nobody@example.org' },
    status: 200,
  },
  'POST /api/auth/password-reset/confirm/': {
    ...doorway,
    url: '/api/auth/password-reset/confirm/',
    payload: () => ({ token: createToken(), password: goodPassword, confirm: goodPassword }),
    status: 400,
  },
  'GET /api/account/': { ...user, url: '/api/account/', status: 200 },
  'PUT /api/account/profile/': { ...atScreen, url: '/api/account/profile/', payload: { nickname: 'N' }, status: 200 },
  // Accounts of the test have no address to confirm.
  'POST /api/account/confirmation/': { ...atScreen, url: '/api/account/confirmation/', payload: {}, status: 400 },
  'POST /api/account/password/': {
    ...atScreen,
    url: '/api/account/password/',
    payload: { currentPassword: 'not this one', password: goodPassword, confirm: goodPassword },
    status: 400,
  },
  'GET /api/account/sessions/': { ...atScreen, url: '/api/account/sessions/', status: 200 },
  'POST /api/account/sessions/end/': { ...atScreen, url: '/api/account/sessions/end/', payload: {}, status: 200 },
  'GET /api/account/tokens/': { ...atScreen, url: '/api/account/tokens/', status: 200 },
  'POST /api/account/tokens/': { ...atScreen, url: '/api/account/tokens/', payload: { name: 'more' }, status: 200 },
  'DELETE /api/account/tokens/{id}/': { ...atScreen, url: '/api/account/tokens/2147483647/', status: 404 },
  'POST /api/account/delete/': {
    ...atScreen,
    url: '/api/account/delete/',
    payload: { password: 'not this one' },
    status: 400,
  },
  'GET /api/account/export/': { ...atScreen, url: '/api/account/export/', status: 200 },
  'GET /api/account/jobs/': { ...user, url: '/api/account/jobs/', status: 200 },
  'GET /api/account/gene-sets/': { ...user, url: '/api/account/gene-sets/', status: 200 },
  'POST /api/account/gene-sets/': {
    ...user,
    url: '/api/account/gene-sets/',
    payload: { name: 'pumps', assembly: 'TM1', genes: ['TM_0001'] },
    status: 200,
  },
  'GET /api/account/gene-sets/{id}/': { ...user, url: noSet, status: 404 },
  'PUT /api/account/gene-sets/{id}/': { ...user, url: noSet, payload: { name: 'x' }, status: 404 },
  'DELETE /api/account/gene-sets/{id}/': { ...user, url: noSet, status: 404 },
  'GET /api/notebooks/': { ...user, url: '/api/notebooks/', status: 200 },
  'POST /api/notebooks/': { ...anyone, url: '/api/notebooks/', payload: { title: 'N' }, status: 200 },
  'POST /api/notebooks/known/': { ...anyone, url: '/api/notebooks/known/', payload: { ids: [] }, status: 200 },
  'POST /api/notebooks/adopt/': { ...user, url: '/api/notebooks/adopt/', payload: { notebooks: [] }, status: 200 },
  'GET /api/notebooks/{id}/': { ...anyone, url: noNotebook, status: 404 },
  'PUT /api/notebooks/{id}/': {
    ...anyone,
    url: noNotebook,
    payload: { version: 1, title: 'N', steps: [] },
    status: 404,
  },
  'POST /api/notebooks/{id}/steps/': { ...anyone, url: `${noNotebook}steps/`, payload: { title: 'S' }, status: 404 },
  'GET /api/notebooks/{id}/steps/{step}/result/': {
    ...anyone,
    url: `${noNotebook}steps/0000000000000000/result/`,
    status: 404,
  },
  'POST /api/notebooks/{id}/delete/': { ...anyone, url: `${noNotebook}delete/`, payload: {}, status: 404 },
  'GET /api/contact/': { ...anyone, open: true, url: '/api/contact/', status: 200 },
  'POST /api/contact/': {
    ...anyone,
    open: true,
    url: '/api/contact/',
    payload: { name: 'A', email: 'a@example.org', subject: 'Thanks', message: 'It works.' },
    status: 200,
  },
  'GET /api/species/': { ...anyone, url: '/api/species/', status: 200 },
  'GET /api/assemblies/{assembly}/sequences/': { ...anyone, url: '/api/assemblies/TM1/sequences/', status: 200 },
  'GET /api/assemblies/{assembly}/overview/': { ...anyone, url: '/api/assemblies/TM1/overview/', status: 200 },
  'GET /api/genes/{id}/': { ...anyone, url: '/api/genes/TM_0001/', status: 200 },
  'GET /api/genes/{id}/former/': { ...anyone, url: '/api/genes/TM_0001/former/', status: 200 },
  'GET /api/genes/{id}/protein-changes/': {
    ...anyone,
    url: '/api/genes/TM_0001/protein-changes/?assembly=TM1',
    status: 200,
  },
  'GET /api/genes/{id}/states/': { ...anyone, url: '/api/genes/TM_0001/states/?assembly=TM1', status: 200 },
  'GET /api/genes/': { ...anyone, url: '/api/genes/?assembly=TM1&sequence=chr1&start=1&end=999', status: 200 },
  'POST /api/genes/resolve/': { ...anyone, url: '/api/genes/resolve/', payload: { ids: ['abcA'] }, status: 200 },
  'GET /api/lift/': { ...anyone, url: '/api/lift/?assembly=TM1&sequence=chr1&start=101&end=260', status: 200 },
  'GET /api/details/{type}/{id}/': { ...anyone, url: '/api/details/sequence/chr1/?assembly=TM1', status: 200 },
  'GET /api/search/': { ...anyone, url: '/api/search/?q=pump', status: 200 },
  'GET /api/search/suggest/': { ...anyone, url: '/api/search/suggest/?q=ab', status: 200 },
  'GET /api/downloads/': { ...anyone, url: '/api/downloads/', status: 200 },
  'GET /api/tools/': { ...anyone, url: '/api/tools/', status: 200 },
  'POST /api/tools/{tool}/': {
    ...anyone,
    url: '/api/tools/sequencefetch/',
    payload: { assembly: 'TM1', sequence: 'chr1', start: 1, end: 10 },
    status: 200,
  },
  'GET /api/jobs/{id}/': { ...anyone, url: `/api/jobs/${noJob}/`, status: 404 },
  'GET /api/jobs/{id}/result/': { ...anyone, url: `/api/jobs/${noJob}/result/`, status: 404 },
  'DELETE /api/jobs/{id}/': { ...anyone, url: `/api/jobs/${noJob}/`, status: 404 },
  'GET /api/admin/jobs/': { ...admin, url: '/api/admin/jobs/', status: 200 },
  'GET /api/admin/data/': { ...admin, url: '/api/admin/data/', status: 200 },
  'POST /api/admin/data/{species}/rollback/': {
    ...admin,
    url: '/api/admin/data/no-such-species/rollback/',
    payload: {},
    status: 404,
  },
  'GET /api/admin/engines/': { ...admin, url: '/api/admin/engines/', status: 200 },
  'GET /api/admin/users/': { ...admin, url: '/api/admin/users/', status: 200 },
  'GET /api/admin/users/{username}/': { ...admin, url: '/api/admin/users/reader/', status: 200 },
  'PUT /api/admin/users/{username}/': {
    ...admin,
    url: '/api/admin/users/reader/',
    payload: { access: 'user', disabled: false },
    status: 200,
  },
  'POST /api/admin/users/{username}/sign-out/': {
    ...admin,
    url: '/api/admin/users/no-such/sign-out/',
    payload: {},
    status: 404,
  },
  'POST /api/admin/jobs/{id}/cancel/': { ...admin, url: `/api/admin/jobs/${noJob}/cancel/`, payload: {}, status: 404 },
  'POST /api/admin/jobs/{id}/retry/': { ...admin, url: `/api/admin/jobs/${noJob}/retry/`, payload: {}, status: 404 },
  'GET /api/admin/data/folders/': { ...admin, url: '/api/admin/data/folders/', status: 200 },
  'POST /api/admin/data/load/': { ...admin, url: '/api/admin/data/load/', payload: { folder: '/etc' }, status: 404 },
  'GET /api/admin/data/loads/{id}/': { ...admin, url: '/api/admin/data/loads/2147483647/', status: 404 },
  'GET /api/admin/system/': { ...admin, url: '/api/admin/system/', status: 200 },
  'GET /api/admin/storage/': { ...admin, url: '/api/admin/storage/', status: 200 },
  'GET /api/admin/messages/': { ...admin, url: '/api/admin/messages/', status: 200 },
  'PUT /api/admin/messages/{id}/': {
    ...admin,
    url: '/api/admin/messages/2147483647/',
    payload: { handled: true },
    status: 404,
  },
  'DELETE /api/admin/messages/{id}/': { ...admin, url: '/api/admin/messages/2147483647/', status: 404 },
  'PUT /api/admin/contact/': {
    ...admin,
    url: '/api/admin/contact/',
    payload: { en: 'A lab', zh: '实验室', email: '' },
    status: 200,
  },
  'GET /api/admin/outbox/': { ...admin, url: '/api/admin/outbox/', status: 200 },
  'POST /api/admin/data/loads/{id}/undo/': {
    ...admin,
    url: '/api/admin/data/loads/2147483647/undo/',
    payload: { number: 1, before: null },
    status: 404,
  },
  'POST /api/admin/data/loads/{id}/cancel/': {
    ...admin,
    url: '/api/admin/data/loads/2147483647/cancel/',
    payload: {},
    status: 404,
  },
  'GET /api/admin/imports/': { ...admin, url: '/api/admin/imports/', status: 200 },
  'GET /api/admin/imports/entries/': {
    ...admin,
    url: '/api/admin/imports/entries/?species=none-such',
    status: 200,
  },
  'GET /api/admin/imports/server-files/': {
    ...admin,
    url: '/api/admin/imports/server-files/?folder=/etc',
    status: 403,
  },
  'POST /api/admin/imports/': { ...admin, url: '/api/admin/imports/', payload: { name: '' }, status: 400 },
  'GET /api/admin/imports/{id}/': { ...admin, url: '/api/admin/imports/none/', status: 404 },
  'POST /api/admin/imports/{id}/work/': {
    ...admin,
    url: '/api/admin/imports/none/work/',
    payload: { action: 'look' },
    status: 404,
  },
  'POST /api/admin/imports/{id}/stop/': { ...admin, url: '/api/admin/imports/none/stop/', payload: {}, status: 404 },
  'DELETE /api/admin/imports/{id}/': { ...admin, url: '/api/admin/imports/none/', status: 404 },
  'GET /api/admin/audit/': { ...admin, url: '/api/admin/audit/', status: 200 },
}

// Routes that are no endpoints with an envelope of their own, beside those of the tools.
const furtherRoutes = [
  'GET /api/health/',
  'GET /api/openapi.json',
  'GET /api/jobs/:id/events',
  // Held to their rights in server/imports/imports.test.ts.
  'POST /api/admin/uploads',
  'PATCH /api/admin/uploads/:id',
  'DELETE /api/admin/uploads/:id',
]

const send = (method: string, url: string, who: string, payload?: object) => {
  const token = tokens[who]
  return bed.app.inject({
    method: method as 'GET' | 'POST' | 'PUT' | 'DELETE',
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })
}
const ask = (name: string, who: string) => {
  const { url, payload } = expectations[name]!
  return send(name.split(' ')[0]!, url, who, typeof payload === 'function' ? payload() : payload)
}
const codeOf: Record<number, string | undefined> = { 400: 'INVALID_INPUT', 403: 'FORBIDDEN', 404: 'NOT_FOUND' }
// Of whom the portal must know that they are signed out.
const stale = ['garbage', 'expired', 'disabled', 'signed out']

describe('rights', () => {
  test('no endpoint is without an expectation, and none expected is gone', () => {
    const mounted = mountedEndpoints(bed.app)
    expect(mounted.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort()).toEqual(
      Object.keys(expectations).sort(),
    )
    for (const endpoint of mounted) {
      const expected = expectations[`${endpoint.method} ${endpoint.path}`]!
      const { path, access, sessionOnly = false, open = false, ignoresToken = false } = endpoint
      expect({ path, access, sessionOnly, open, ignoresToken }).toEqual({
        path,
        access: expected.access,
        sessionOnly: expected.sessionOnly ?? false,
        open: expected.open ?? false,
        ignoresToken: expected.ignoresToken ?? false,
      })
    }
  })

  test('no route below /api/ is outside the table: each is an endpoint, a tool’s own, or one of those named here', () => {
    const known = new Set([
      ...Object.keys(expectations).map((name) => name.replace(/\{(\w+)\}/g, ':$1')),
      ...toolRoutes().map(({ method, url }) => `${method} ${url}`),
      ...furtherRoutes,
    ])
    const mounted = mountedRoutes(bed.app).filter((route) => route.url.startsWith('/api'))
    expect(mounted.map(({ method, url }) => `${method} ${url}`).filter((name) => !known.has(name))).toEqual([])
    expect(mounted.length).toBe(known.size)
  })

  test.each(Object.keys(expectations))('%s: each caller gets what is theirs', async (name) => {
    const { access, status, sessionOnly, ignoresToken } = expectations[name]!
    const notSignedIn = { status: 401, code: 'NOT_SIGNED_IN' }
    const forbidden = { status: 403, code: 'FORBIDDEN' }
    const allowed = { status, code: codeOf[status] }
    const asUser = access === 'admin' ? forbidden : allowed
    const byToken = sessionOnly || access === 'admin' ? forbidden : allowed
    const expected: Record<string, { status: number; code: string | undefined }> = {
      nobody: access === 'anyone' ? allowed : notSignedIn,
      // A token that no longer holds is passed over only where people sign in anew: else the browser must know of it.
      ...Object.fromEntries(stale.map((who) => [who, ignoresToken ? allowed : notSignedIn])),
      user: asUser,
      'other user': asUser,
      admin: allowed,
      'API token of user': access === 'admin' ? forbidden : byToken,
      'API token of admin': byToken,
    }
    const leaving = name.endsWith('/api/auth/logout/')
    for (const [who, answer] of Object.entries(expected)) {
      if (leaving && /user|admin/.test(who)) continue
      const given = await ask(name, who)
      const body = given.json() as { success: boolean; errorCode?: string }
      expect([who, given.statusCode, body.errorCode]).toEqual([who, answer.status, answer.code])
      expect(body.success).toBe(answer.status === 200)
      expect(given.headers['cache-control']).toBe('no-store')
    }
  })

  test('tools’ own routes and the events of a job answer a visitor as a user, and refuse a token that no longer holds', async () => {
    const routes = [...toolRoutes(), { method: 'GET', url: `/api/jobs/${noJob}/events` }]
    expect(routes.length).toBeGreaterThan(10)
    for (const { method, url } of routes) {
      // Nothing is given: the input is refused, or the job is not there, but never the caller.
      const address = url.replace(/:id\b|:job\b/g, noJob).replace(/:\w+/g, 'none')
      const payload = method === 'POST' ? {} : undefined
      const visitor = await send(method, address, 'nobody', payload)
      expect([url, [401, 403, 500].includes(visitor.statusCode)]).toEqual([url, false])
      for (const who of ['user', 'other user', 'admin', 'API token of user'])
        expect([url, who, (await send(method, address, who, payload)).statusCode]).toEqual([
          url,
          who,
          visitor.statusCode,
        ])
      for (const who of stale) {
        const refused = await send(method, address, who, payload)
        expect([url, who, refused.statusCode, refused.json().errorCode]).toEqual([url, who, 401, 'NOT_SIGNED_IN'])
      }
    }
  })

  test('a header that is no bearer token is refused, also an empty one', async () => {
    for (const authorization of ['Bearer ', 'Basic cmVhZGVyOng=', 'Bearer a b', '']) {
      const answer = await bed.app.inject({ url: '/api/auth/user/', headers: { authorization } })
      expect([authorization, answer.statusCode]).toEqual([authorization, 401])
    }
  })

  test('the scheme of a token is read in any case, as RFC 9110 has it', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer']) {
      const headers = { authorization: `${scheme} ${tokens.user}` }
      expect((await bed.app.inject({ url: '/api/auth/user/', headers })).json().data.username).toBe('reader')
    }
  })

  test('a role that is taken away is gone at the next request', async () => {
    const token = await bed.signUp('deputy', 'admin')
    const look = () => bed.app.inject({ url: '/api/admin/engines/', headers: { authorization: `Bearer ${token}` } })
    expect((await look()).statusCode).toBe(200)
    await bed.portal.database.sql`update accounts set access = 'user' where username = 'deputy'`
    expect((await look()).statusCode).toBe(403)
  })

  test('files and sequences for other programs need no token and pass over a wrong one', async () => {
    for (const url of ['/refget/sequence/service-info']) {
      const answer = await bed.app.inject({ url, headers: { authorization: 'Bearer nonsense' } })
      expect([url, answer.statusCode]).toEqual([url, 200])
    }
  })
})

const toolRoutes = (): { method: string; url: string }[] =>
  bed.portal.tools.flatMap((entry) =>
    (entry.engine.routes ?? []).map((route) => ({
      method: route.method ?? 'GET',
      url: `/api/tools/${entry.id}/${route.path.replace(/\{(\w+)\}/g, ':$1')}`,
    })),
  )

describe('what belongs to one account', () => {
  const as = (who: string, method: string, url: string, payload?: object) => send(method, url, who, payload)

  test('is out of another user’s reach: gene sets, API tokens, jobs', async () => {
    const set = await as('user', 'POST', '/api/account/gene-sets/', {
      name: 'mine',
      assembly: null,
      genes: ['TM_0002'],
    })
    const address = `/api/account/gene-sets/${set.json().data.id}/`
    for (const [method, payload] of [['GET'], ['PUT', { name: 'theirs' }], ['DELETE']] as const) {
      for (const who of ['other user', 'admin'])
        expect([method, who, (await as(who, method, address, payload)).statusCode]).toEqual([method, who, 404])
    }
    expect((await as('user', 'GET', address)).json().data).toMatchObject({ name: 'mine', genes: ['TM_0002'] })

    const made = await as('user', 'POST', '/api/account/tokens/', { name: 'of the reader' })
    const token = `/api/account/tokens/${made.json().data.about.id}/`
    expect((await as('other user', 'DELETE', token)).statusCode).toBe(404)
    expect((await as('user', 'DELETE', token)).statusCode).toBe(200)

    const submitted = await bed.app.inject({
      method: 'POST',
      url: '/api/tools/sequencefetch/',
      payload: { assembly: 'TM1', sequence: 'chr1', start: 1, end: 12 },
      headers: { authorization: `Bearer ${tokens.user}`, prefer: 'respond-async' },
    })
    const job = submitted.json().data.job.id as string
    expect((await as('other user', 'DELETE', `/api/jobs/${job}/`)).statusCode).toBe(403)
    expect((await as('nobody', 'DELETE', `/api/jobs/${job}/`)).statusCode).toBe(403)
    expect(
      (await as('user', 'GET', '/api/account/jobs/')).json().data.jobs.map((row: { id: string }) => row.id),
    ).toEqual([job])
    expect((await as('other user', 'GET', '/api/account/jobs/')).json().data.total).toBe(0)
    const all = await as('admin', 'GET', '/api/admin/jobs/?owner=reader')
    expect(all.json().data.jobs).toMatchObject([{ id: job, owner: 'reader' }])
    expect((await as('admin', 'POST', `/api/admin/jobs/${job}/cancel/`, {})).json().data.job.state).toBe('cancelled')
    expect((await as('admin', 'POST', `/api/admin/jobs/${job}/retry/`, {})).json().data.job.state).toBe('queued')
    expect((await as('user', 'DELETE', `/api/jobs/${job}/`)).json().data.job.state).toBe('cancelled')
  })
})

describe('a portal that requires signing in', () => {
  let closed: TestApp
  beforeAll(async () => {
    closed = await openTestApp({ species: true, settings: { NOVODB_REQUIRE_LOGIN: 'true' } })
    await closed.signUp('reader', 'user')
  })
  afterAll(() => closed.close())

  test('answers a visitor nothing but what leads to it', async () => {
    for (const [name, { url, payload, open }] of Object.entries(expectations)) {
      const answer = await closed.app.inject({
        method: name.split(' ')[0] as 'GET',
        url,
        payload: typeof payload === 'function' ? payload() : payload,
      })
      expect([name, answer.statusCode === 401 && answer.json().errorCode === 'NOT_SIGNED_IN']).toEqual([name, !open])
    }
    for (const { method, url } of mountedRoutes(closed.app).filter((route) => /^\/(api|data|refget)/.test(route.url))) {
      const rights = mountedRoutes(closed.app).find((route) => route.method === method && route.url === url)?.rights
      if (rights?.open) continue
      const answer = await closed.app.inject({
        method: method as 'GET',
        url: url.replace(/:\w+/g, noJob).replace('*', 'x'),
        ...(method === 'POST' || method === 'PUT' ? { payload: {} } : {}),
      })
      expect([method, url, answer.statusCode]).toEqual([method, url, 401])
    }
    expect((await closed.app.inject({ url: '/api/health/' })).statusCode).toBe(200)
  })

  test('is as closed to addresses written in another way', async () => {
    const { active } = await closed.portal.data.snapshot()
    const bundle = active.flatMap((species) => species.bundles).find((item) => item.summary.files.length > 0)!
    for (const url of [
      '/%61pi/species/',
      '/ap%69/search/?q=pump',
      '/%61pi/%74ools/',
      `/%64ata/${bundle.uid}/${bundle.summary.files[0]!.path}`,
      `/dat%61/${bundle.uid}/${bundle.summary.files[0]!.path}`,
      '/%72efget/sequence/service-info',
    ]) {
      const answer = await closed.app.inject({ url })
      expect([url, answer.statusCode]).toEqual([url, 401])
    }
  })

  test('lets no cache that readers share keep its files', async () => {
    const login = await closed.app.inject({
      method: 'POST',
      url: '/api/auth/login/',
      payload: { username: 'reader', password: testPassword },
    })
    const headers = { authorization: `Bearer ${login.json().data.token}` }
    const { files } = (await closed.app.inject({ url: '/api/downloads/', headers })).json().data
    const file = await closed.app.inject({ url: files[0].url, headers })
    expect([file.statusCode, file.headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable'])
  })

  test('gives a cookie on signing in by which links to files are read, and nothing else; signing out takes it away', async () => {
    const login = await closed.app.inject({
      method: 'POST',
      url: '/api/auth/login/',
      payload: { username: 'reader', password: testPassword },
    })
    const { token } = login.json().data
    const set = String(login.headers['set-cookie'])
    expect(set).toMatch(/^novodb_read=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(set).not.toContain(token)
    const cookie = set.split(';')[0]!
    const asked = (url: string, method: 'GET' | 'POST' = 'GET') =>
      closed.app.inject({
        method,
        url,
        headers: { cookie },
        ...(method === 'POST' ? { payload: { ids: ['abcA'] } } : {}),
      })
    const { files } = (await asked('/api/downloads/')).json().data
    expect(files.length).toBeGreaterThan(0)
    expect((await asked(files[0].url)).statusCode).toBe(200)
    expect((await asked('/api/account/')).statusCode).toBe(401)
    expect((await asked('/api/auth/user/')).statusCode).toBe(401)
    expect((await asked('/api/admin/users/')).statusCode).toBe(401)
    expect((await asked('/api/genes/resolve/', 'POST')).statusCode).toBe(401)
    const out = await closed.app.inject({
      method: 'POST',
      url: '/api/auth/logout/',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await asked('/api/downloads/')).statusCode).toBe(401)
  })
})
