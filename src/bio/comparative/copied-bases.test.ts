import { expect, test } from 'vitest'
import { makeRandom } from '../../testing/random.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { findCopiedBases } from './copied-bases.ts'

const next = makeRandom(5)
const randomBases = (lengthBp: number): string =>
  Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
const [a, b, c, d, e] = [3000, 2000, 4000, 1500, 3000].map(randomBases) as [string, string, string, string, string]
const own = [a, b, c, d, e].join('')
/** Ends may be some bases further by chance, which is given to the segment behind the seam. */
const near = (found: { start0: number; end0: number }[], expected: [number, number][]): void => {
  expect(found).toHaveLength(expected.length)
  for (const [at, { start0, end0 }] of found.entries()) {
    expect(Math.abs(start0 - expected[at]![0])).toBeLessThanOrEqual(4)
    expect(Math.abs(end0 - expected[at]![1])).toBeLessThanOrEqual(4)
  }
}

test('a tandem copy, with substitutions in one of the two', () => {
  const changed = [...b].map((base, at) => (at === 700 || at === 1500 ? (base === 'A' ? 'C' : 'A') : base)).join('')
  near(findCopiedBases(own, [a, b, changed, c, d, e].join('')), [[3000, 5000]])
})

test('two segments that were copied together, and one on the other strand', () => {
  near(findCopiedBases(own, [a, b, c, d, b, d, e].join('')), [
    [3000, 5000],
    [9000, 10_500],
  ])
  near(findCopiedBases(own, [a, b, c, reverseComplement(b), d, e].join('')), [[3000, 5000]])
})

test('what fits both at a seam is counted once, with the second', () => {
  const seam = 'ACGTTGCAAC'
  // The copied segment begins with the bases that follow it.
  const [before, segment, after] = [randomBases(2000), seam + randomBases(1500), seam + randomBases(2000)]
  const [found] = findCopiedBases(before + segment + after, before + segment + segment + after)
  expect(found!.end0 - found!.start0).toBe(segment.length)
})

test('nothing where nothing was copied, in what both have twice, and in less than a word', () => {
  expect(findCopiedBases(own, own)).toEqual([])
  expect(findCopiedBases(a + b + c + b, a + b + c + b)).toEqual([])
  const inverted = a + b + c + reverseComplement(b)
  expect(findCopiedBases(inverted, inverted)).toEqual([])
  expect(findCopiedBases('ACGT', 'ACGTACGT')).toEqual([])
})
