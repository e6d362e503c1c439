import { expect, test } from 'vitest'
import { evenly, shareOut, takeEvenly } from './even-samples.ts'

test('of comparisons with 14, 5500 and 4800 pairs, the small one is measured whole and the large ones alike', () => {
  expect(shareOut([14, 5500, 4800], 2000)).toEqual([14, 993, 993])
  expect(shareOut([3, 4], 2000)).toEqual([3, 4])
  expect(shareOut([], 2000)).toEqual([])
  // More comparisons than pairs that may be measured: some have none, and the bound holds.
  expect(shareOut([9, 9, 9], 2).reduce((sum, share) => sum + share)).toBe(2)
})

test('pairs that are measured are spread over the genome from end to end, each once', () => {
  expect(evenly(10, 2)).toEqual([2, 7])
  expect(evenly(4, 4)).toEqual([0, 1, 2, 3])
  const indexes = evenly(5500, 993)
  expect(new Set(indexes).size).toBe(993)
  expect([indexes[0]! < 6, indexes.at(-1)! > 5493]).toEqual([true, true])
})

test('of more variants than are drawn every so-maniest is, of fewer all', () => {
  expect(takeEvenly(Uint32Array.of(3, 5, 8, 13), 2)).toEqual([5, 13])
  expect(takeEvenly(['rs1', 'rs2'], 400)).toEqual(['rs1', 'rs2'])
})
