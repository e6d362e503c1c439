import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

interface FetchEvent {
  request: { url: string; method: string; mode: string; headers: Headers }
  respondWith: (answer: Promise<Response>) => void
}

/** The service worker as the build writes it, over a cache that keeps nothing; gives back its answer to a request. */
const startWorker = (put: () => Promise<void>): ((path: string) => Promise<Response> | null) => {
  const listeners = new Map<string, (event: FetchEvent) => void>()
  const source = readFileSync(join(import.meta.dirname, 'service-worker.js'), 'utf8')
    .replace('%VERSION%', 'one')
    .replace('%SHELL%', '[]')
  runInNewContext(source, {
    URL,
    self: {
      registration: { scope: 'https://portal.example/' },
      addEventListener: (name: string, listener: (event: FetchEvent) => void) => listeners.set(name, listener),
    },
    caches: { open: async () => ({ match: async () => undefined, put }) },
    fetch: async () => new Response('export default 1'),
  })
  return (path) => {
    let answer: Promise<Response> | null = null
    listeners.get('fetch')?.({
      request: { url: `https://portal.example${path}`, method: 'GET', mode: 'cors', headers: new Headers() },
      respondWith: (given) => {
        answer = given
      },
    })
    return answer
  }
}

describe('the service worker', () => {
  it('gives a file of the build that came, also where the disk is full', async () => {
    const ask = startWorker(() => Promise.reject(new DOMException('full', 'QuotaExceededError')))
    expect(await (await ask('/assets/a-1234.js'))?.text()).toBe('export default 1')
  })

  it('leaves the API to the server', () => {
    expect(startWorker(async () => {})('/api/health/')).toBeNull()
  })
})
