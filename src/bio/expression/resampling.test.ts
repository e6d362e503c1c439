import { describe, expect, test } from 'vitest'
import { seededRandom } from '../statistics/random.ts'
import { libraryFactors, resampleGene, resampleGenes, trimmedTotalReadsFactor } from './resampling.ts'

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

describe('two groups of libraries', () => {
  // Six libraries; the first gene has insertions in all, the second has no site, the third none in the last three libraries.
  const site = (...counts: number[]): number[] => counts
  const sites = [
    ...Array.from({ length: 12 }, (_, at) => site(40 + at, 44, 50 - at, 47, 52 - at, 41)),
    ...Array.from({ length: 12 }, (_, at) => site(60, 55 + at, 49, 0, 0, 0)),
    site(0, 0, 0, 0, 0, 0),
  ]
  const counted = { counts: sites.flat(), width: 6, geneSites: [0, 12, 12, 0, 12, 13] }
  const groups = { reference: [0, 1, 2], test: [3, 4, 5] }

  test('are compared gene by gene: a gene without insertions in one group stands out, one without sites is passed over', () => {
    const factors = libraryFactors(counted, [...groups.reference, ...groups.test])
    const rows = [...resampleGenes(counted, groups, factors)]
    expect(rows.map(({ row, sites: all, sitesHit }) => [row, all, sitesHit])).toEqual([
      [0, 12, 12],
      [2, 13, 12],
    ])
    expect(rows[1]!.log2FoldChange).toBeLessThan(-5)
    expect(rows[1]!.pValue).toBeLessThan(0.001)
    expect(rows[1]!.mean).toBeCloseTo(rows[1]!.meanReference / 2, 10)
    expect([...resampleGenes(counted, groups, factors)]).toEqual(rows)
  })

  test('a library without reads has no factor', () => {
    expect(
      libraryFactors({ ...counted, counts: counted.counts.map((count, at) => (at % 6 === 1 ? 0 : count)) }, [1]),
    ).toEqual([Number.NaN])
  })
})
