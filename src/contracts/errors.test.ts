import { expect, test } from 'vitest'
import { type ErrorCode, errorKinds, remedyOf } from './errors.ts'

test.each<[ErrorCode | 'NETWORK', ReturnType<typeof remedyOf>]>([
  ['INVALID_INPUT', 'input'],
  ['UNKNOWN_GENE', 'input'],
  ['UNKNOWN_ASSEMBLY', 'input'],
  ['TOO_LARGE', 'input'],
  // What took too long would do so again.
  ['ENGINE_LIMIT', 'nothing'],
  ['NOT_SIGNED_IN', 'nothing'],
  ['FORBIDDEN', 'nothing'],
  ['TOOL_UNAVAILABLE', 'nothing'],
  ['BUSY', 'again'],
  ['TOO_MANY_REQUESTS', 'again'],
  ['INTERNAL', 'again'],
  ['ENGINE_FAILED', 'again'],
  ['NETWORK', 'again'],
])('a run that failed with %s asks its reader for: %s', (code, remedy) => {
  expect(remedyOf(code)).toBe(remedy)
})

test('whatever only its reader can mend is never offered to be tried again as it is', () => {
  for (const [code, { fixableBy }] of Object.entries(errorKinds))
    if (fixableBy === 'user') expect(remedyOf(code), code).not.toBe('again')
})
