import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countTableRows, gatherToolTable } from './tool-route.ts'

beforeEach(() => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('document', { querySelector: () => null, documentElement: { lang: 'en-US' } })
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('refused')
      ? new Response(JSON.stringify({ success: false, errorCode: 'NOT_FOUND', errorMessage: 'none', showType: 0 }), {
          status: 404,
          headers: { 'Content-Type': 'application/json' },
        })
      : new Response('# receipt\nposition\tgene\n761155\trpoB\n2155168\tkatG\n'),
  )
})
afterEach(() => vi.unstubAllGlobals())

const about = { name: 'variants', shown: 1, of: 2 }

test('rows of a table are those below its receipt and its headings', () => {
  expect(countTableRows('# receipt\nposition\tgene\n761155\trpoB\n2155168\tkatG\n')).toBe(2)
  expect(countTableRows('')).toBe(0)
})

test('a whole table is what the route gives, and one that it refuses is none', async () => {
  const whole = await gatherToolTable({ tool: 'variation', path: 'file', input: {} }, about)
  expect(whole).toMatchObject({ name: 'variants', rows: 2, of: 2 })
  expect(whole.table).toContain('katG')
  expect(await gatherToolTable({ tool: 'variation', path: 'refused', input: {} }, about)).toEqual({
    name: 'variants',
    table: null,
    rows: 1,
    of: 2,
  })
})
