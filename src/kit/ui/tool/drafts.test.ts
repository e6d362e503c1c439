import { beforeEach, expect, it, vi } from 'vitest'

/** Storage of a browser's session with room for so many characters. */
const storageOf = (room: number): Record<string, unknown> =>
  Object.create({
    getItem(key: string) {
      return Object.hasOwn(this, key) ? (this as Record<string, string>)[key] : null
    },
    setItem(key: string, body: string) {
      const others = Object.entries(this as Record<string, string>).filter(([name]) => name !== key)
      if (others.reduce((sum, [, text]) => sum + text.length, body.length) > room) throw new Error('QuotaExceededError')
      ;(this as Record<string, string>)[key] = body
    },
    removeItem(key: string) {
      delete (this as Record<string, string>)[key]
    },
  })

/** A page that has just been loaded. */
const load = async () => {
  vi.resetModules()
  return await import('./drafts.ts')
}

beforeEach(() => vi.stubGlobal('sessionStorage', storageOf(1000)))

it('keeps the same sequences under the same name, through a reload', async () => {
  const { keepDraft } = await load()
  const name = keepDraft('blast', { query: 'ACGT' })
  expect(keepDraft('blast', { query: 'ACGT' })).toBe(name)
  expect(keepDraft('blast', { query: 'ACGA' })).not.toBe(name)
  expect((await load()).findDraft('blast', name)).toEqual({ query: 'ACGT' })
})

it('has both of two long inputs before a reload, and after it the later, which alone fits into the storage', async () => {
  const { keepDraft, findDraft } = await load()
  sessionStorage.setItem('language', 'en')
  const [first, second] = ['A', 'C'].map((letter) => keepDraft('blast', { query: letter.repeat(800) }))
  expect(findDraft('blast', first!).query).toBe('A'.repeat(800))
  expect(findDraft('blast', second!).query).toBe('C'.repeat(800))
  const after = await load()
  expect(after.findDraft('blast', first!)).toEqual({})
  expect(after.findDraft('blast', second!).query).toBe('C'.repeat(800))
  expect(sessionStorage.getItem('language')).toBe('en')
})

it('has an input that is larger than the storage until the page is loaded anew', async () => {
  const { keepDraft, findDraft } = await load()
  const name = keepDraft('blast', { query: 'A'.repeat(2000) })
  expect(findDraft('blast', name).query).toBe('A'.repeat(2000))
  expect((await load()).findDraft('blast', name)).toEqual({})
})
