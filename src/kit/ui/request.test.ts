import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { setConnected } from './connection-state.ts'
import { closeNotice, currentNotices } from './notices.ts'
import {
  call,
  displayOf,
  failureFrom,
  needsToken,
  queryOf,
  RequestError,
  requestAnswer,
  shownBesideFields,
} from './request.ts'

const failure = (showType: number, status = 400): RequestError =>
  new RequestError({ errorCode: 'X', errorMessage: 'text', showType, status })

describe('how a failure is shown', () => {
  it('follows the display types of the portal specification', () => {
    expect([0, 1, 2, 4, 9, 3, 99].map((type) => displayOf(failure(type)))).toEqual([
      'nothing',
      'warning',
      'error',
      'notification',
      'redirect',
      'error',
      'error',
    ])
  })

  it('calls a 504 a network error whatever it carries', () => {
    expect(displayOf(failure(0, 504))).toBe('network')
  })
})

describe('a failure that is not as it should be', () => {
  beforeEach(() => {
    vi.stubGlobal('localStorage', { getItem: () => null })
    vi.stubGlobal('document', { querySelector: () => null })
  })
  afterEach(() => vi.unstubAllGlobals())

  const read = (body: unknown) => {
    const { errorCode, message, showType, problems } = failureFrom(body, 400)
    return { errorCode, message, showType, problems }
  }

  it('gives all of it that can be read', () => {
    const rest = { errorCode: 'INTERNAL', showType: 2, problems: [] }
    expect(read({ success: false, errorMessage: 'No such gene.' })).toEqual({ ...rest, message: 'No such gene.' })
    expect(read({ success: false, errorMessage: 'Busy.', showType: 4, host: 'db-3', trace: [1] })).toEqual({
      ...rest,
      message: 'Busy.',
      showType: 4,
    })
    expect(read({ success: false, errorMessage: 'Late.', errorCode: 7, showType: '4', details: 'none' })).toEqual({
      ...rest,
      message: 'Late.',
    })
    const problems = [{ path: ['genes', 0], message: 'Unknown.' }]
    expect(read({ errorMessage: 'Look.', details: { problems, requestId: null } })).toEqual({
      ...rest,
      message: 'Look.',
      problems,
    })
  })

  it('is the default text where nothing can be read', () => {
    for (const body of [null, 'gateway timeout', [], {}, { success: false, errorMessage: '' }])
      expect(read(body).message).toBe('Request error, please retry.')
  })
})

describe('which requests carry the token', () => {
  it('all of the API but the login', () => {
    expect(['/api/auth/user/', '/portal/api/species/', '/api/auth/login/', '/data/b/x.fa'].map(needsToken)).toEqual([
      true,
      true,
      false,
      false,
    ])
    // A gene may be called so, and what stands after the question mark is no address.
    expect(['/api/genes/login/', '/data/b/x.fa?from=/api/'].map(needsToken)).toEqual([true, false])
  })
})

describe('a query string', () => {
  it('leaves out what was not given and repeats lists', () => {
    expect(queryOf({ q: 'esxA', type: undefined, species: '', ids: ['a', 'b'], page: 0 })).toBe(
      '?q=esxA&ids=a&ids=b&page=0',
    )
  })
})

describe('a call', () => {
  const storage = (): Storage => {
    const kept = new Map<string, string>()
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    } as unknown as Storage
  }
  const endpoint = defineEndpoint({
    method: 'GET',
    path: '/api/genes/{id}/',
    summary: '',
    tag: '',
    input: z.object({ id: z.string() }),
    output: z.object({ id: z.string() }),
  })
  const answerWith = (status: number, body: unknown): void => {
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }))
  }
  beforeEach(() => {
    vi.stubGlobal('localStorage', storage())
    vi.stubGlobal('sessionStorage', storage())
    vi.stubGlobal('window', {})
    vi.stubGlobal('document', { querySelector: () => null })
    for (const notice of currentNotices()) closeNotice(notice.id)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('gives what stands under data, throws every failure again, and shows none when asked to skip', async () => {
    answerWith(200, { success: true, data: { id: 'YAL001C' } })
    expect(await call(endpoint, { id: 'YAL001C' })).toEqual({ id: 'YAL001C' })

    answerWith(404, { success: false, errorCode: 'UNKNOWN_GENE', errorMessage: 'No such gene.', showType: 2 })
    await expect(call(endpoint, { id: 'x' }, { skipErrorHandler: true })).rejects.toMatchObject({
      errorCode: 'UNKNOWN_GENE',
      message: 'No such gene.',
    })
    expect(currentNotices()).toEqual([])
    await expect(call(endpoint, { id: 'x' })).rejects.toBeInstanceOf(RequestError)
    expect(currentNotices().map((notice) => notice.text)).toEqual(['No such gene.'])

    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(endpoint, { id: 'x' })).rejects.toMatchObject({ errorCode: 'NETWORK', status: 0 })
    expect(currentNotices().at(-1)?.text).toBe('Request error, please retry.')

    // That the connection is lost is said once, by the shell, for as long as it is.
    for (const notice of currentNotices()) closeNotice(notice.id)
    setConnected(false)
    await expect(call(endpoint, { id: 'x' })).rejects.toMatchObject({ status: 0 })
    expect(currentNotices()).toEqual([])
    setConnected(true)

    // What the caller itself took back is no failure to show.
    const controller = new AbortController()
    controller.abort()
    const shown = currentNotices().length
    await expect(call(endpoint, { id: 'x' }, { signal: controller.signal })).rejects.toThrow('Failed to fetch')
    expect(currentNotices()).toHaveLength(shown)
  })

  it('leaves to a query what its context is handed over with, and to its caller what that says itself', async () => {
    answerWith(400, { success: false, errorCode: 'BUSY', errorMessage: 'Later.', showType: 4 })
    await expect(call(endpoint, { id: 'x' }, { queryKey: ['genes', 'x'] })).rejects.toMatchObject({ skipped: false })
    expect(currentNotices()).toEqual([])
    await expect(call(endpoint, { id: 'x' }, { skipErrorHandler: shownBesideFields })).rejects.toMatchObject({
      skipped: false,
    })
    expect(currentNotices()).toMatchObject([{ kind: 'notification', title: 'BUSY', text: 'Later.' }])

    const details = { problems: [{ path: ['id'], message: 'Too long.' }] }
    answerWith(400, { success: false, errorCode: 'INVALID_INPUT', errorMessage: 'Look.', showType: 2, details })
    await expect(call(endpoint, { id: 'x' }, { skipErrorHandler: shownBesideFields })).rejects.toMatchObject({
      skipped: true,
    })
    expect(currentNotices()).toHaveLength(1)
  })

  it('tells once what ten answers of a page say alike, for files as for endpoints', async () => {
    vi.stubGlobal('fetch', async () => new Response('<h1>504</h1>', { status: 504 }))
    const asked = Array.from({ length: 5 }, (_, id) => [
      call(endpoint, { id: String(id) }),
      requestAnswer(`/api/tools/singlecellexpress/map.npy?map=${id}`, { headers: { Accept: '*/*' } }),
    ]).flat()
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    expect(currentNotices()).toMatchObject([{ kind: 'notification', level: 'error', title: 'Network error' }])
  })

  it('takes back that the server cannot be reached once an address that it was lost for answers', async () => {
    let isReached = (_: string): boolean => false
    vi.stubGlobal('fetch', async (url: string) =>
      isReached(url) ? new Response('[]', { status: 200 }) : new Response('<h1>504</h1>', { status: 504 }),
    )
    const ask = (id: number) => requestAnswer(`/api/tools/motif/jobs/${id}/sites`, {}).catch(() => null)
    await Promise.all([ask(1), ask(2)])
    expect(currentNotices()).toHaveLength(1)
    isReached = (url) => url.includes('/3/')
    // Of a server that answers some, as one does whose gateway gives a long answer up, it stands.
    await ask(3)
    expect(currentNotices()).toHaveLength(1)
    isReached = () => true
    await ask(2)
    expect(currentNotices()).toEqual([])
  })

  it('leads to the error page, and says so there instead of going round in circles', async () => {
    const opened: string[] = []
    const page = { pathname: '/home', assign: (address: string) => opened.push(address) }
    vi.stubGlobal('location', page)
    answerWith(500, { success: false, errorCode: 'CLOSED', errorMessage: 'Closed for repair.', showType: 9 })
    await expect(call(endpoint, { id: 'x' })).rejects.toBeInstanceOf(RequestError)
    expect(opened).toEqual(['/exception?errorCode=CLOSED&errorMessage=Closed+for+repair.'])
    page.pathname = '/exception'
    await expect(call(endpoint, { id: 'x' })).rejects.toBeInstanceOf(RequestError)
    expect(opened).toHaveLength(1)
    expect(currentNotices().map(({ text }) => text)).toEqual(['Closed for repair.'])
  })
})
