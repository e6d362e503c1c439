import { expect, test } from 'vitest'
import { readChineseFunctions } from './chinese-functions.ts'

test('functions in Chinese are read as annotation has them, the longest word first', () => {
  expect(readChineseFunctions('RNA聚合酶 rpoB')).toEqual({
    text: 'RNA polymerase rpoB',
    read: [{ typed: 'RNA聚合酶', read: 'RNA polymerase' }],
  })
  // Not the peroxidase that its first signs are.
  expect(readChineseFunctions('过氧化氢酶')?.text).toBe('catalase')
  expect(readChineseFunctions('核糖体蛋白')?.read).toHaveLength(1)
  expect(readChineseFunctions('水稻')).toBeNull()
})
