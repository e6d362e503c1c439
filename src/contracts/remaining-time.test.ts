import { expect, test } from 'vitest'
import { remainingMs } from './remaining-time.ts'

test('what has taken a minute for a quarter takes three more', () => {
  expect(remainingMs(60_000, 0.25)).toBe(180_000)
})

test.each([
  ['the share done is not known', 60_000, null],
  ['it has hardly begun', 60_000, 0.01],
  ['a few seconds say nothing of its rate', 3000, 0.5],
  ['it is done', 60_000, 1],
])('nothing is foretold where %s', (_, elapsed, fraction) => {
  expect(remainingMs(elapsed, fraction)).toBeNull()
})
