import { describe, expect, test } from 'vitest'
import { parseVcfRecord, readGenotypes } from '../../bio/variation/vcf.ts'
import { alternateShare, passesPopulation, populationPlaces, requirePopulation } from './population-condition.ts'

const samples = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const populations = [
  { name: 'L1', indexes: [0, 1] },
  { name: 'L2', indexes: [2, 3] },
  { name: 'L4', indexes: [4, 5] },
]
const places = populationPlaces({ samples, populations })

const read = (calls: string, alternates = 'G') => {
  const record = parseVcfRecord(['c', 10, '.', 'A', alternates, '.', '.', '.', 'GT', ...calls.split(' ')].join('\t'))!
  return readGenotypes(record, samples.length, 1)!
}
const passes = (calls: string, minimum: number, maximumElsewhere: number, place = 1, alternates = 'G'): boolean =>
  passesPopulation(read(calls, alternates), places, populations.length, { place, minimum, maximumElsewhere })

describe('a variant of a population', () => {
  test('is private to it where no other has the allele; an accession of no population does not count', () => {
    expect(passes('0 0 1 0 0 0 1', 0, 0)).toBe(true)
    expect(passes('0 0 1 0 0 1 0', 0, 0)).toBe(false)
    expect(passes('0 0 0 0 0 0 1', 0, 0)).toBe(false)
  })

  test('is fixed in it where every called copy has the allele, and a fixed difference where no other has it', () => {
    expect(passes('1 0 1 1 1 0 0', 1, 1)).toBe(true)
    expect(passes('1 0 1 1 1 0 0', 1, 0)).toBe(false)
    expect(passes('0 0 1 . 0 0 0', 1, 0)).toBe(true)
    expect(passes('0 0 . . 0 0 0', 1, 0)).toBe(false)
  })

  test('is bounded in each of the others, not in all of them together', () => {
    // Half of L1, none of L4: a quarter of both.
    expect(passes('1 0 1 1 0 0 0', 0.9, 0.4)).toBe(false)
    expect(passes('1 0 1 1 0 0 0', 0.9, 0.5)).toBe(true)
  })

  test('counts each alternate allele by itself', () => {
    // G is private to L2, though L4 has T.
    expect(passes('0 0 1 0 2 2 0', 0, 0, 1, 'G,T')).toBe(true)
    expect(passes('0 0 1 2 0 0 0', 1, 0, 1, 'G,T')).toBe(false)
  })
})

test('the share of a population counts its called copies', () => {
  expect(alternateShare(read('0 0 1 0 0 0 1'), [2, 3])).toBe(0.5)
  expect(alternateShare(read('0 0 . . 0 0 1'), [2, 3])).toBeNull()
  expect(alternateShare(read('0 0 1 . 0 0 1'), null)).toBeCloseTo(2 / 6)
  expect(alternateShare(null, null)).toBeNull()
})

test('a population that the accessions do not have is refused with those that there are', () => {
  expect(requirePopulation('L4', { populations })).toBe(2)
  expect(() => requirePopulation('L7', { populations })).toThrow()
})
