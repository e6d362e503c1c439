import { expect, test } from 'vitest'
import { makeRandom } from '../../testing/random.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { type CopiedBases, findCopiedBases } from './copied-bases.ts'

const next = makeRandom(5)
const randomBases = (lengthBp: number): string =>
  Array.from({ length: lengthBp }, () => 'ACGT'[Math.floor(next() * 4)]!).join('')
const [a, b, c, d, e] = [3000, 2000, 4000, 1500, 3000].map(randomBases) as [string, string, string, string, string]
const own = [a, b, c, d, e].join('')
/** Ends may be some bases further by chance, which is given to the segment behind the seam. */
const near = ({ segments, seams0 }: CopiedBases, expected: [number, number][], seams: number[]): void => {
  expect(segments).toHaveLength(expected.length)
  expect(seams0).toHaveLength(seams.length)
  for (const [at, seam] of seams.entries()) expect(Math.abs(seams0[at]! - seam)).toBeLessThanOrEqual(4)
  for (const [at, { start0, end0 }] of segments.entries()) {
    expect(Math.abs(start0 - expected[at]![0])).toBeLessThanOrEqual(4)
    expect(Math.abs(end0 - expected[at]![1])).toBeLessThanOrEqual(4)
  }
}

test('a tandem copy, with substitutions in one of the two', () => {
  const changed = [...b].map((base, at) => (at === 700 || at === 1500 ? (base === 'A' ? 'C' : 'A') : base)).join('')
  near(findCopiedBases(own, [a, b, changed, c, d, e].join('')), [[3000, 5000]], [5000])
})

test('two segments that were copied together, and one on the other strand', () => {
  near(
    findCopiedBases(own, [a, b, c, d, b, d, e].join('')),
    [
      [3000, 5000],
      [9000, 10_500],
    ],
    [10_500, 12_500],
  )
  near(findCopiedBases(own, [a, b, c, reverseComplement(b), d, e].join('')), [[3000, 5000]], [])
})

test('what fits both at a seam is counted once, with the second', () => {
  const seam = 'ACGTTGCAAC'
  // The copied segment begins with the bases that follow it.
  const [before, segment, after] = [randomBases(2000), seam + randomBases(1500), seam + randomBases(2000)]
  const { segments, seams0 } = findCopiedBases(before + segment + after, before + segment + segment + after)
  expect(segments.map(({ start0, end0 }) => end0 - start0)).toEqual([segment.length])
  expect(seams0).toEqual([before.length + segment.length])
})

test('nothing where nothing was copied, in what both have twice, and in less than a word', () => {
  expect(findCopiedBases(own, own)).toEqual({ segments: [], seams0: [] })
  expect(findCopiedBases(a + b + c + b, a + b + c + b)).toEqual({ segments: [], seams0: [] })
  const inverted = a + b + c + reverseComplement(b)
  expect(findCopiedBases(inverted, inverted)).toEqual({ segments: [], seams0: [] })
  expect(findCopiedBases('ACGT', 'ACGTACGT')).toEqual({ segments: [], seams0: [] })
})
