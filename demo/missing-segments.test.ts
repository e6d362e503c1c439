import { expect, test } from 'vitest'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { makeBases } from '../src/testing/random.ts'
import { findMissingSegments } from './missing-segments.ts'

const genome = makeBases(20_000, 7)

test('a deletion is found with its ends, whichever strand the other genome is written on', () => {
  const lost = genome.slice(0, 8000) + genome.slice(9000)
  const [segment, ...more] = findMissingSegments(genome, lost, 500)
  expect(more).toEqual([])
  expect(Math.abs(segment!.start0 - 8000)).toBeLessThan(4)
  expect(Math.abs(segment!.end0 - 9000)).toBeLessThan(4)
  expect(findMissingSegments(genome, reverseComplement(lost), 500)).toEqual([segment])
  expect(findMissingSegments(lost, genome, 500)).toEqual([])
})

test('point differences every 60 bases make no missing segment, a stretch of 40 shared bases does not part one', () => {
  const turned = [...genome].map((base, i) => (i % 60 === 0 ? (base === 'A' ? 'C' : 'A') : base)).join('')
  expect(findMissingSegments(genome, turned, 100)).toEqual([])
  const lost = genome.slice(0, 5000) + genome.slice(5600, 5640) + genome.slice(6500)
  const found = findMissingSegments(genome, lost, 500)
  expect(found).toHaveLength(1)
  expect(found[0]!.end0 - found[0]!.start0).toBeGreaterThan(1490)
})

test('what only a rearrangement moved is not missing, unknown bases are', () => {
  const moved = genome.slice(10_000) + reverseComplement(genome.slice(0, 10_000))
  expect(findMissingSegments(genome, moved, 100)).toEqual([])
  const masked = genome.slice(0, 3000) + 'N'.repeat(700) + genome.slice(3700)
  expect(findMissingSegments(masked, genome, 500)).toEqual([{ start0: 3000, end0: 3700 }])
})
