import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { checkConnection, probeEveryMs, probeTimeoutMs, watchConnection } from './connection.ts'
import { isConnected, subscribeConnection } from './connection-state.ts'
import { call, RequestError } from './request.ts'

const endpoint = defineEndpoint({
  method: 'GET',
  path: '/api/genes/',
  summary: '',
  tag: '',
  input: z.object({}),
  output: z.object({}),
})

type Answer = 'answer' | 'fault' | 'none' | 'silence'
/** What the server does with a question to its health, and with any other. */
let health: Answer
let others: Answer
let probes: RequestInit[]
let events: EventTarget
let stop: () => void
let reported: boolean[]

const network = (url: string, init: RequestInit = {}): Promise<Response> => {
  const isProbe = url.endsWith('/api/health/')
  if (isProbe) probes.push(init)
  switch (isProbe ? health : others) {
    case 'answer':
      return Promise.resolve(new Response(JSON.stringify({ success: true, data: {} })))
    case 'fault':
      return Promise.resolve(new Response('away', { status: 503 }))
    case 'none':
      return Promise.reject(new TypeError('Failed to fetch'))
    default:
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      })
  }
}

const ask = (signal?: AbortSignal): Promise<unknown> =>
  call(endpoint, {}, { skipErrorHandler: true, ...(signal === undefined ? {} : { signal }) }).catch(
    (error: unknown) => error,
  )
const say = (name: string): void => void events.dispatchEvent(new Event(name))

const watch = (onLine = true): void => {
  vi.stubGlobal('navigator', { onLine })
  stop = watchConnection()
}

beforeEach(() => {
  vi.useFakeTimers()
  health = 'answer'
  others = 'answer'
  probes = []
  reported = []
  events = new EventTarget()
  vi.stubGlobal('fetch', network)
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', { querySelector: () => null })
  const storage = { getItem: () => null }
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events))
  const unsubscribe = subscribeConnection(() => reported.push(isConnected()))
  stop = () => {}
  return () => unsubscribe()
})

afterEach(() => {
  stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the connection', () => {
  it('is lost when neither a request nor the question to the health of the server has an answer, before the request fails', async () => {
    watch()
    health = 'none'
    others = 'none'
    const failure = await ask()
    expect(failure).toBeInstanceOf(RequestError)
    expect(failure).toMatchObject({ status: 0 })
    expect(isConnected()).toBe(false)
    expect(reported).toEqual([false])
    expect(probes).toHaveLength(1)
    expect(probes[0]?.cache).toBe('no-store')
  })

  it('is not lost by one request that is cut off, nor by one that its caller took back, nor by answers that are failures', async () => {
    watch()
    others = 'none'
    expect(await ask()).toMatchObject({ status: 0 })
    expect(probes).toHaveLength(1)
    health = 'fault'
    await ask()
    expect(probes).toHaveLength(2)
    others = 'fault'
    expect(await ask()).toMatchObject({ status: 503 })
    others = 'none'
    await ask(AbortSignal.abort())
    expect(probes).toHaveLength(2)
    expect(reported).toEqual([])
  })

  it('is not asked after while it is there', async () => {
    watch()
    await ask()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(probes).toEqual([])
  })

  it('is tried every five seconds while it is lost, and is back with the first answer, whatever it says', async () => {
    watch()
    health = 'none'
    say('offline')
    expect(isConnected()).toBe(false)
    // Long enough for a reader to see, also where the server answers.
    await vi.advanceTimersByTimeAsync(probeEveryMs - 1)
    expect(probes).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(probes).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2 * probeEveryMs)
    expect(probes).toHaveLength(3)
    health = 'fault'
    await vi.advanceTimersByTimeAsync(probeEveryMs)
    expect(probes).toHaveLength(4)
    expect(reported).toEqual([false, true])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(probes).toHaveLength(4)
  })

  it('is back with the answer to any request', async () => {
    watch()
    say('offline')
    others = 'fault'
    await ask()
    expect(reported).toEqual([false, true])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(probes).toEqual([])
  })

  it('is asked after at once when the browser says that there is a network again', async () => {
    watch()
    health = 'none'
    say('offline')
    say('online')
    await vi.advanceTimersByTimeAsync(0)
    expect(probes).toHaveLength(1)
    expect(isConnected()).toBe(false)
    // A question asked in the dead network is not waited for.
    health = 'silence'
    await vi.advanceTimersByTimeAsync(probeEveryMs)
    expect(probes).toHaveLength(2)
    health = 'answer'
    say('online')
    await vi.advanceTimersByTimeAsync(0)
    expect(probes).toHaveLength(3)
    expect(reported).toEqual([false, true])
  })

  it('is asked after once at a time, and a question that is swallowed counts as one without an answer', async () => {
    watch()
    health = 'silence'
    others = 'none'
    const failures = Promise.all([ask(), ask(), checkConnection()])
    await vi.advanceTimersByTimeAsync(probeTimeoutMs - 1)
    expect(probes).toHaveLength(1)
    expect(isConnected()).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    await failures
    expect(isConnected()).toBe(false)
    await vi.advanceTimersByTimeAsync(probeEveryMs + probeTimeoutMs)
    expect(probes).toHaveLength(2)
  })

  it('that the browser calls off at the start is looked at: a portal on the same machine needs no network', async () => {
    watch(false)
    await checkConnection()
    expect(reported).toEqual([])
    stop()
    health = 'none'
    watch(false)
    await checkConnection()
    expect(reported).toEqual([false])
  })

  it('is not called lost by what the browser cuts off while the page is left, and is looked at when the page is shown again', async () => {
    watch()
    health = 'none'
    others = 'none'
    say('pagehide')
    await ask()
    expect(probes).toEqual([])
    say('pageshow')
    expect(reported).toEqual([])
    await ask()
    expect(reported).toEqual([false])
    say('pagehide')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(probes).toHaveLength(1)
    health = 'answer'
    say('pageshow')
    await vi.advanceTimersByTimeAsync(0)
    expect(reported).toEqual([false, true])
  })

  it('is watched no more once the watch is ended', async () => {
    watch()
    say('offline')
    stop()
    expect(isConnected()).toBe(true)
    say('offline')
    health = 'none'
    others = 'none'
    await ask()
    expect(isConnected()).toBe(true)
    expect(probes).toEqual([])
  })
})
