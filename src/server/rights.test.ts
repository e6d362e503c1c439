import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountedEndpoints } from './implement.ts'
import { openTestApp, type TestApp, testPassword } from './testing-app.ts'

let bed: TestApp
const tokens: Record<string, string | null> = {}
beforeAll(async () => {
  bed = await openTestApp({ species: true })
  const { sql } = bed.portal.database
  tokens.nobody = null
  tokens.user = await bed.signUp('reader', 'user')
  tokens.admin = await bed.signUp('keeper', 'admin')
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
// What each endpoint answers to whoever may use it, for a request that is right.
interface Expectation {
  access: 'anyone' | 'admin'
  url: string
  payload?: object
  status: number
}
const expectations: Record<string, Expectation> = {
  'GET /api/auth/user/': { access: 'anyone', url: '/api/auth/user/', status: 200 },
  'POST /api/auth/login/': {
    access: 'anyone',
    url: '/api/auth/login/',
    payload: { username: 'reader', password: testPassword },
    status: 200,
  },
  // Without a token: a session that is signed out could not be asked with again.
  'POST /api/auth/logout/': { access: 'anyone', url: '/api/auth/logout/', payload: {}, status: 200 },
  'GET /api/species/': { access: 'anyone', url: '/api/species/', status: 200 },
  'GET /api/assemblies/{assembly}/sequences/': { access: 'anyone', url: '/api/assemblies/TM1/sequences/', status: 200 },
  'GET /api/assemblies/{assembly}/overview/': { access: 'anyone', url: '/api/assemblies/TM1/overview/', status: 200 },
  'GET /api/genes/{id}/': { access: 'anyone', url: '/api/genes/TM_0001/', status: 200 },
  'GET /api/genes/': { access: 'anyone', url: '/api/genes/?assembly=TM1&sequence=chr1&start=1&end=999', status: 200 },
  'POST /api/genes/resolve/': { access: 'anyone', url: '/api/genes/resolve/', payload: { ids: ['abcA'] }, status: 200 },
  'GET /api/search/': { access: 'anyone', url: '/api/search/?q=pump', status: 200 },
  'GET /api/search/suggest/': { access: 'anyone', url: '/api/search/suggest/?q=ab', status: 200 },
  'GET /api/downloads/': { access: 'anyone', url: '/api/downloads/', status: 200 },
  'GET /api/tools/': { access: 'anyone', url: '/api/tools/', status: 200 },
  'POST /api/tools/{tool}/': {
    access: 'anyone',
    url: '/api/tools/sequencefetch/',
    payload: { assembly: 'TM1', sequence: 'chr1', start: 1, end: 10 },
    status: 200,
  },
  'GET /api/jobs/{id}/': { access: 'anyone', url: `/api/jobs/${noJob}/`, status: 404 },
  'GET /api/jobs/{id}/result/': { access: 'anyone', url: `/api/jobs/${noJob}/result/`, status: 404 },
  'DELETE /api/jobs/{id}/': { access: 'anyone', url: `/api/jobs/${noJob}/`, status: 404 },
  'GET /api/admin/jobs/': { access: 'admin', url: '/api/admin/jobs/', status: 200 },
  'GET /api/admin/data/': { access: 'admin', url: '/api/admin/data/', status: 200 },
  'POST /api/admin/data/{species}/rollback/': {
    access: 'admin',
    url: '/api/admin/data/no-such-species/rollback/',
    payload: {},
    status: 404,
  },
  'GET /api/admin/engines/': { access: 'admin', url: '/api/admin/engines/', status: 200 },
}

const ask = (name: string, who: string) => {
  const expectation = expectations[name]!
  const token = tokens[who]
  return bed.app.inject({
    method: name.split(' ')[0] as 'GET' | 'POST' | 'DELETE',
    url: expectation.url,
    payload: expectation.payload,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })
}

describe('rights', () => {
  test('no endpoint is without an expectation, and none expected is gone', () => {
    const mounted = mountedEndpoints(bed.app)
    expect(mounted.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort()).toEqual(
      Object.keys(expectations).sort(),
    )
    for (const endpoint of mounted)
      expect([endpoint.path, endpoint.access]).toEqual([
        endpoint.path,
        expectations[`${endpoint.method} ${endpoint.path}`]!.access,
      ])
  })

  test.each(Object.keys(expectations))('%s: each caller gets what is theirs', async (name) => {
    const { access, status } = expectations[name]!
    const closed = access === 'admin'
    const refused = { status: 401, code: 'NOT_SIGNED_IN' }
    const allowed = { status, code: status === 404 ? 'NOT_FOUND' : undefined }
    const expected: Record<string, { status: number; code: string | undefined }> = {
      nobody: closed ? refused : allowed,
      // A token that no longer holds is never passed over in silence: the browser must know that it is signed out.
      garbage: refused,
      expired: refused,
      disabled: refused,
      'signed out': refused,
      user: closed ? { status: 403, code: 'FORBIDDEN' } : allowed,
      admin: allowed,
    }
    const leaving = name.endsWith('/api/auth/logout/')
    for (const [who, answer] of Object.entries(expected)) {
      if (leaving && (who === 'user' || who === 'admin')) continue
      const given = await ask(name, who)
      const body = given.json() as { success: boolean; errorCode?: string }
      expect([who, given.statusCode, body.errorCode]).toEqual([who, answer.status, answer.code])
      expect(body.success).toBe(answer.status === 200)
      expect(given.headers['cache-control']).toBe('no-store')
    }
  })

  test('a header that is no bearer token is refused, also an empty one', async () => {
    for (const authorization of ['Bearer ', 'Basic cmVhZGVyOng=', 'Bearer a b', '']) {
      const answer = await bed.app.inject({ url: '/api/auth/user/', headers: { authorization } })
      expect([authorization, answer.statusCode]).toEqual([authorization, 401])
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
