import { describe, expect, it } from 'vitest'
import { boundedCache, patternCacheLimit } from './bounded-cache.ts'

describe('the cache of paths', () => {
  it('keeps at most 10,000, forgetting the oldest', () => {
    let computed = 0
    const cache = boundedCache((path) => {
      computed += 1
      return path.length
    })
    for (let at = 0; at < 10_500; at += 1) cache.get(`/gene/${at}`)
    expect(patternCacheLimit).toBe(10_000)
    expect(cache.size()).toBe(10_000)
    cache.get('/gene/10499')
    expect(computed).toBe(10_500)
    cache.get('/gene/0')
    expect(computed).toBe(10_501)
    expect(cache.size()).toBe(10_000)
  })
})
