import { expect, test } from 'vitest'
import { maxTested } from './find-variants.ts'
import { limits } from './tool.ts'

test('a whole genome of few accessions is looked at for a condition on them, of many a part', () => {
  for (const samples of [1, 6, 100]) expect(maxTested(samples)).toBe(limits.tested)
  expect(maxTested(400)).toBe(250_000)
  expect(maxTested(20_000)).toBe(limits.scanned)
})
