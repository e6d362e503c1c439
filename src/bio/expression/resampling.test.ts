import { describe, expect, test } from 'vitest'
import { seededRandom } from '../statistics/random.ts'
import { resampleGene, trimmedTotalReadsFactor } from './resampling.ts'

describe('trimmed total reads', () => {
  test('make the mean over all sites 100, without the extreme twentieths of what was found', () => {
    expect(trimmedTotalReadsFactor([0, 50, 0, 50])).toBe(4)
    // 40 found: the two highest and the two lowest are cut.
    const found = [1, 1, ...Array.from({ length: 36 }, () => 10), 9000, 9000]
    expect(trimmedTotalReadsFactor([...found, ...Array.from({ length: 40 }, () => 0)])).toBeCloseTo(20, 12)
    expect(trimmedTotalReadsFactor([0, 0])).toBeNaN()
  })
})

/** Every way to choose the members of the smaller group, each as likely. */
const exactP = (reference: number[], test: number[]): number => {
  const all = [...reference, ...test]
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const seen = Math.abs(mean(test) - mean(reference))
  let [hits, ways] = [0, 0]
  for (let mask = 0; mask < 2 ** all.length; mask += 1) {
    const chosen = all.filter((_, at) => (mask >> at) & 1)
    if (chosen.length !== test.length) continue
    ways += 1
    if (Math.abs(mean(chosen) - mean(all.filter((_, at) => !((mask >> at) & 1)))) >= seen - 1e-9) hits += 1
  }
  return hits / ways
}

describe('resampling', () => {
  const limits = { max: 40_000, enough: 40_000 }
  test.each([
    [
      [0, 12, 30, 4],
      [55, 80, 41, 90, 3, 61],
    ],
    [
      [10, 0, 0, 2, 9, 7],
      [0, 1, 0],
    ],
    [
      [5, 5, 5],
      [5, 5, 5],
    ],
  ])('of %j and %j comes to the share of all ways to deal them', (reference, given) => {
    const { pValue, log2FoldChange, difference } = resampleGene(reference, given, seededRandom(3), limits)
    const exact = exactP(reference, given)
    expect(Math.abs(pValue - exact)).toBeLessThan(0.02)
    const [a, b] = [reference, given].map((one) => one.reduce((sum, value) => sum + value, 0) / one.length)
    expect(difference).toBeCloseTo(b! - a!, 10)
    expect(log2FoldChange).toBeCloseTo(Math.log2((b! + 1) / (a! + 1)), 10)
  })

  test('ends early where groups are alike, is never zero, and says nothing of no reads', () => {
    const alike = resampleGene([5, 9, 4, 6], [6, 5, 7, 8], seededRandom(1))
    expect(alike.permutations).toBeLessThan(1000)
    const apart = resampleGene(Array(30).fill(0), Array(30).fill(99), seededRandom(1), { max: 500, enough: 50 })
    expect(apart.pValue).toBe(1 / 501)
    expect(resampleGene([0, 0], [0], seededRandom(1))).toMatchObject({ pValue: 1, permutations: 0, log2FoldChange: 0 })
  })
})
