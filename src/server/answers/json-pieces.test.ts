import { expect, test } from 'vitest'
import { renderJsonPieces } from './json-pieces.ts'

const joined = async (fields: Record<string, unknown>): Promise<string> => {
  let text = ''
  for await (const piece of renderJsonPieces(fields)) text += piece
  return text
}
async function* of(...items: unknown[]): AsyncGenerator<unknown> {
  yield* items
}

test('pieces together are what JSON.stringify writes, with an array for each list that is read as it goes', async () => {
  expect(await joined({})).toBe('{}')
  expect(await joined({ gone: undefined, list: of() })).toBe('{"list":[]}')
  const plain = { 'na"me': 'OsHd3a\n水稻', list: [1, null, { genes: ['a', 'b'] }], empty: [], last: true }
  expect(await joined({ ...plain, list: of(...plain.list), empty: of() })).toBe(JSON.stringify(plain))
})

test('no item of a list is asked for before the one before it has been taken', async () => {
  let made = 0
  async function* jobs(): AsyncGenerator<number> {
    for (; made < 1000; ) yield made++
  }
  const pieces = renderJsonPieces({ jobs: jobs() })
  for (let taken = 0; taken < 5; taken++) await pieces.next()
  expect(made).toBeLessThanOrEqual(5)
  await pieces.return(undefined)
})
