import { expect, test } from 'vitest'
import { groupsThatFit } from './sequence-view.tsx'

test('a line has as many groups of ten as fit behind its number: six at most, one at least', () => {
  for (const width of [120, 200, 290, 330, 480, 700, 1200]) {
    const groups = groupsThatFit(width, 6)
    // Letters of 13 px in the monospaced face are 7.81 px wide; 16 px stand behind the number.
    const lineOf = (count: number): number => (6 + 11 * count - 1) * 7.81 + 16
    if (groups > 1) expect(lineOf(groups)).toBeLessThanOrEqual(width)
    if (groups < 6) expect(lineOf(groups + 1)).toBeGreaterThan(width)
  }
  expect([120, 290, 1200].map((width) => groupsThatFit(width, 6))).toEqual([1, 2, 6])
})
