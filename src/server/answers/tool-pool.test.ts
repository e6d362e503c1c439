import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { full } from '../../testing/real-data.ts'
import { testingTool } from '../../testing/tool.ts'
import { answerBounds, routeBounds } from './tool-tasks.ts'

const longMs = 3_600_000
let limitMs = longMs
let opened: TestApp
let address: string
beforeAll(async () => {
  opened = await openTestApp({
    species: true,
    settings: { NOVODB_ANSWER_PROCESSES: '3' },
    portal: {
      processEntry: fileURLToPath(new URL('../fixtures/tool-process.mjs', import.meta.url)),
      tools: [testingTool],
      answerTimeoutMs: () => limitMs,
      heapMegabytes: 400,
      graceMs: 1_000,
    },
  })
  address = await opened.app.listen({ port: 0, host: '127.0.0.1' })
}, 240_000)
afterAll(() => opened?.close())
afterEach(() => {
  limitMs = longMs
})

const get = (path: string, client = '10.0.0.1') =>
  opened.app.inject({ url: `/api/tools/testing/${path}`, remoteAddress: client })
const where = async (client?: string): Promise<{ pid: number; niceness: number | null }> => {
  const answer = await get('where', client)
  expect(answer.statusCode).toBe(200)
  return answer.json().data
}
const fileOf = (name: string): string => join(opened.root, name)
const exists = (name: string) => expect.poll(() => existsSync(fileOf(name)), { timeout: 60_000 }).toBe(true)
const hold = (name: string, client?: string) => get(`hold?file=${encodeURIComponent(fileOf(name))}`, client)
const letGo = (...names: string[]): void => {
  for (const name of names) writeFileSync(fileOf(`${name}.go`), '')
}

describe('a process of the pool', () => {
  test('answers routes and tools, not the process that serves requests, and stands behind it in priority', async () => {
    const { pid, niceness } = await where()
    expect(pid).not.toBe(process.pid)
    if (process.platform === 'linux') expect(niceness).toBe(Math.min(19, getPriority() + 10))
    const ran = await opened.app.inject({ method: 'POST', url: '/api/tools/testing/', payload: { what: 'where' } })
    expect(ran.json().data.result.pid).not.toBe(process.pid)
    expect(ran.json().data.receipt.tool).toBe('testing')
  }, 240_000)

  test('resolves long lists of names as the server does short ones', async () => {
    const names = Array.from({ length: 60 }, (_, number) => `nobody${number}`)
    const resolve = async (ids: string[]) =>
      (await opened.app.inject({ method: 'POST', url: '/api/genes/resolve/', payload: { ids } })).json().data
    const short = await resolve(['TM_0001', 'shared1', 'repW', ...names.slice(0, 3)])
    const long = await resolve(['TM_0001', 'shared1', 'repW', ...names])
    expect(short.found.map(({ query }: { query: string }) => query)).toEqual(['TM_0001', 'repW'])
    expect(long).toEqual({ ...short, unknown: [...short.unknown, ...names.slice(3)], nearest: long.nearest })
    expect(long.nearest).toEqual(expect.any(Array))
  }, 240_000)
})

describe('limits', () => {
  test('of time end a route that loops, with its process, and it is answered; the next is served by another', async () => {
    const before = await where()
    limitMs = 1_000
    const looped = await get('loop')
    expect([looped.statusCode, looped.json().errorCode]).toEqual([422, 'ENGINE_LIMIT'])
    expect(looped.json().errorMessage).toMatch(/stopped after 1 seconds/)
    limitMs = longMs
    expect((await where()).pid).not.toBe(before.pid)
  }, 240_000)

  test('of time end a tool that loops as well', async () => {
    await where()
    limitMs = 1_000
    const looped = await opened.app.inject({ method: 'POST', url: '/api/tools/testing/', payload: { what: 'loop' } })
    expect([looped.statusCode, looped.json().errorCode]).toEqual([422, 'ENGINE_LIMIT'])
    limitMs = longMs
    await where()
  }, 240_000)

  if (full)
    test('of memory end a process that needs ever more, and not the server', async () => {
      const grown = await get('heap')
      expect([grown.statusCode, grown.json().errorCode]).toEqual([422, 'ENGINE_LIMIT'])
      expect(grown.json().errorMessage).toMatch(/more than 400 MB/)
      await where()
    }, 240_000)

  test('hold for the programs of routes and answers, however much a job may have', () => {
    const config = { ...opened.config, jobMemoryBytes: 64 * 2 ** 30 }
    expect([routeBounds(config).memoryBytes, answerBounds(config).memoryBytes]).toEqual([2 * 2 ** 30, 2 * 2 ** 30])
    expect(routeBounds({ ...config, jobMemoryBytes: 2 ** 28 }).memoryBytes).toBe(2 ** 28)
  })
})

describe('a client that goes away', () => {
  test('ends what is done for it', async () => {
    const going = new AbortController()
    const asked = fetch(`${address}/api/tools/testing/hold?file=${encodeURIComponent(fileOf('gone'))}`, {
      signal: going.signal,
    })
    asked.catch(() => undefined)
    await exists('gone.begun')
    going.abort()
    await exists('gone.ended')
    expect(readFileSync(fileOf('gone.ended'), 'utf8')).toBe('stopped')
  }, 240_000)

  test('ends a stream that it does not read on', async () => {
    const going = new AbortController()
    const asked = await fetch(`${address}/api/tools/testing/stream?file=${encodeURIComponent(fileOf('stream'))}`, {
      signal: going.signal,
    })
    const reader = asked.body!.getReader()
    expect((await reader.read()).done).toBe(false)
    going.abort()
    await reader.read().catch(() => undefined)
    await exists('stream.ended')
  }, 240_000)

  test('ends a loop too, with its process, which another takes the place of', async () => {
    const going = new AbortController()
    const asked = fetch(`${address}/api/tools/testing/loop?file=${encodeURIComponent(fileOf('loop'))}`, {
      signal: going.signal,
    })
    asked.catch(() => undefined)
    await exists('loop.begun')
    going.abort()
    const held = ['beside', 'besides'].map((name) => hold(name, '10.0.0.9'))
    // Two of three processes are taken: this needs the one that loops, or its successor.
    await where('10.0.0.2')
    letGo('beside', 'besides')
    await Promise.all(held)
  }, 240_000)
})

describe('streams', () => {
  test('come whole, from one process', async () => {
    const answer = await get('stream?lines=2000')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toBe('attachment; filename="lines.txt"')
    const lines = answer.body.trimEnd().split('\n')
    expect(lines.map((line) => Number(line.split(' ')[1]))).toEqual(Array.from({ length: 2000 }, (_, number) => number))
    expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(1)
  }, 240_000)

  test('are packed where they are made for whoever reads gzip, and for nobody else', async () => {
    const ask = (encoding: string) =>
      opened.app.inject({
        url: '/api/tools/testing/stream?lines=2000',
        headers: encoding === '' ? {} : { 'accept-encoding': encoding },
      })
    const lines = (text: string): number => text.trimEnd().split('\n').length
    for (const encoding of ['gzip', 'br, gzip;q=0.5']) {
      const answer = await ask(encoding)
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
      expect(lines(gunzipSync(answer.rawPayload).toString('utf8'))).toBe(2000)
    }
    for (const encoding of ['', 'identity', 'gzip;q=0']) {
      const answer = await ask(encoding)
      expect(answer.headers['content-encoding'] ?? 'identity').toBe('identity')
      expect(lines(answer.body)).toBe(2000)
    }
    // What fails before its first piece is no packed file.
    const refused = await opened.app.inject({
      url: '/api/tools/testing/refusing-stream',
      headers: { 'accept-encoding': 'gzip' },
    })
    expect([refused.statusCode, refused.headers['content-encoding']]).toEqual([503, undefined])
    expect(refused.json().errorCode).toBe('BUSY')
  }, 240_000)

  test('hold no process while nobody reads them: with more of them than processes all others are served', async () => {
    const going = new AbortController()
    const streams = await Promise.all(
      Array.from({ length: 8 }, () =>
        fetch(`${address}/api/tools/testing/stream`, {
          // What compresses to nothing would be read for ever.
          headers: { 'accept-encoding': 'identity' },
          signal: going.signal,
        }),
      ),
    )
    expect(streams.map(({ status }) => status)).toEqual(Array(8).fill(200))
    for (const client of ['10.0.0.1', '127.0.0.1', '10.0.0.3']) await where(client)
    going.abort()
  }, 240_000)

  test('that fail before their first piece are answered as anything that fails: no file, no status of a success', async () => {
    const answer = await get('refusing-stream')
    // The database's own code, which the process handed on, says that time mends it.
    expect([answer.statusCode, answer.json().errorCode]).toEqual([503, 'BUSY'])
    expect(answer.headers['content-disposition']).toBeUndefined()
  }, 240_000)
})

test('a client never has all processes: another is answered while it has more to do than there are', async () => {
  const names = ['one', 'two', 'three', 'four']
  const held = names.map((name) => hold(name, '10.1.0.1'))
  await exists('one.begun')
  await exists('two.begun')
  await where('10.1.0.2')
  expect(names.map((name) => existsSync(fileOf(`${name}.begun`)))).toEqual([true, true, false, false])
  letGo(...names)
  for (const answer of await Promise.all(held)) expect(answer.statusCode).toBe(200)
}, 240_000)
