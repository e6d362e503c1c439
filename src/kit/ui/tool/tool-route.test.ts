import { expect, test, vi } from 'vitest'
import { countTableRows, gatherToolTable } from './tool-route.ts'

vi.mock('../request.ts', () => ({
  addressOf: (path: string) => path,
  queryOf: () => '',
  requestAnswer: async (path: string) => {
    if (path.includes('refused')) throw new Error('refused')
    return new Response('# receipt\nposition\tgene\n761155\trpoB\n2155168\tkatG\n')
  },
}))

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
