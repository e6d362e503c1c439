import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChunkLoadError, chunkTimeoutMs, isChunkFailure, loadChunk } from './chunk.ts'

afterEach(() => vi.useRealTimers())

describe('a part of the program', () => {
  it('that has not come after 120,000 ms fails as a ChunkLoadError, and not a millisecond earlier', async () => {
    vi.useFakeTimers()
    let failure: unknown = null
    loadChunk(() => new Promise<string>(() => {})).catch((error: unknown) => {
      failure = error
    })
    await vi.advanceTimersByTimeAsync(119_999)
    expect(failure).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(failure).toBeInstanceOf(ChunkLoadError)
    expect((failure as Error).name).toBe('ChunkLoadError')
    expect(chunkTimeoutMs).toBe(120_000)
  })

  it('that is gone from the server fails as a ChunkLoadError, whatever words the browser has for it', async () => {
    for (const words of [
      'Failed to fetch dynamically imported module: http://x/assets/a.js',
      'error loading dynamically imported module',
      'Unable to preload CSS for http://x/assets/account-Bjts9sGb.css',
      'Importing a module script failed.',
    ]) {
      const failed = loadChunk(() => Promise.reject(new TypeError(words)))
      await expect(failed).rejects.toBeInstanceOf(ChunkLoadError)
    }
  })

  it('that breaks while it runs is a fault of its own, not one of loading', async () => {
    const fault = new Error('gene is undefined')
    await expect(loadChunk(() => Promise.reject(fault))).rejects.toBe(fault)
    expect(isChunkFailure(fault)).toBe(false)
    expect(await loadChunk(async () => 'page')).toBe('page')
  })
})
