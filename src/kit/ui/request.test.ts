import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { closeNotice, currentNotices } from './notices.ts'
import { call, displayOf, needsToken, queryOf, RequestError } from './request.ts'

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

    // What the caller itself took back is no failure to show.
    const controller = new AbortController()
    controller.abort()
    const shown = currentNotices().length
    await expect(call(endpoint, { id: 'x' }, { signal: controller.signal })).rejects.toThrow('Failed to fetch')
    expect(currentNotices()).toHaveLength(shown)
  })
})
