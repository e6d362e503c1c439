import { expect, test } from 'vitest'
import { parseRanks, renderRanks } from './ranks.ts'

const expand = (text: string, max: number): number[] =>
  Array.from({ length: max }, (_, at) => at + 1).filter(parseRanks(text))

test('chosen hits are written as ranges and read again as the same hits', () => {
  for (const ranks of [[1], [1, 2, 3], [9, 4, 1, 2, 3], [2, 4, 6], [5, 5, 5]]) {
    const sorted = [...new Set(ranks)].sort((a, b) => a - b)
    expect(expand(renderRanks(ranks), 10)).toEqual(sorted)
  }
  expect(renderRanks([9, 4, 1, 2, 3])).toBe('1-4,9')
  expect(renderRanks([])).toBe('')
})

test('all 5,000 hits of a search take ten characters of an address, every second one less than a header may hold', () => {
  expect(renderRanks(Array.from({ length: 5000 }, (_, at) => at + 1))).toBe('1-5000')
  expect(renderRanks(Array.from({ length: 2500 }, (_, at) => at * 2 + 1)).length).toBeLessThan(14_000)
})
