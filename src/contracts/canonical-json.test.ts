import { expect, test } from 'vitest'
import { renderCanonicalJson } from './canonical-json.ts'

test('a query typed in another order of fields is the same text, and RFC 8785 gives its numbers and key order', () => {
  expect(renderCanonicalJson({ sequence: 'chrI', start: 1, nested: { b: [3, 1], a: null } })).toBe(
    '{"nested":{"a":null,"b":[3,1]},"sequence":"chrI","start":1}',
  )
  // The number samples of RFC 8785, section 3.2.2.3 and its sorting sample of section 3.2.3.
  expect(renderCanonicalJson([Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001])).toBe(
    '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
  )
  const keys = Object.keys(
    JSON.parse(
      renderCanonicalJson({ '€': 5, '\r': 1, '\ufb33': 7, '1': 2, '\u{1f600}': 6, '\u0080': 3, ö: 4 }),
    ) as object,
  )
  expect(keys).toEqual(['1', '\r', '\u0080', 'ö', '€', '\u{1f600}', '\ufb33'])
})

test('what JSON would silently change is refused', () => {
  for (const value of [Number.NaN, 1n, new Map(), new Date(), () => 1]) {
    expect(() => renderCanonicalJson({ value })).toThrow(TypeError)
  }
})
