import { describe, expect, test } from 'vitest'
import { harmonicSums, hudsonFst, pairsBetween, pairsWithin, tajimaD, weirCockerham } from './population-statistics.ts'

const haploid = (...counts: number[]) => ({ counts, heterozygotes: null })
const quotient = (parts: { numerator: number; denominator: number } | null): number =>
  parts === null ? Number.NaN : parts.numerator / parts.denominator

describe('nucleotide diversity', () => {
  test('of a site is the share of pairs of copies that differ, of any number of alleles', () => {
    expect(pairsWithin([3, 1])).toEqual({ numerator: 3, denominator: 6 })
    expect(pairsWithin([5, 0])).toEqual({ numerator: 0, denominator: 10 })
    // 2·1 + 2·1 + 1·1 of ten pairs.
    expect(pairsWithin([2, 2, 1])).toEqual({ numerator: 8, denominator: 10 })
    expect(pairsWithin([1, 0])).toEqual({ numerator: 0, denominator: 0 })
  })

  test('between populations compares each copy of one with each of the other', () => {
    expect(pairsBetween([3, 1], [0, 4])).toEqual({ numerator: 12, denominator: 16 })
    expect(pairsBetween([2, 0], [3, 0])).toEqual({ numerator: 0, denominator: 6 })
  })
})

describe('Fst of Hudson', () => {
  test('is the estimator of Bhatia et al. for two alleles', () => {
    const [p1, p2, n1, n2] = [0.75, 0.25, 8, 12]
    const parts = hudsonFst([6, 2], [3, 9])!
    expect(parts.numerator).toBeCloseTo((p1 - p2) ** 2 - (p1 * (1 - p1)) / (n1 - 1) - (p2 * (1 - p2)) / (n2 - 1), 12)
    expect(parts.denominator).toBeCloseTo(p1 * (1 - p2) + p2 * (1 - p1), 12)
  })

  test('is one for a fixed difference, below nought for equal frequencies, and none for a single copy', () => {
    expect(quotient(hudsonFst([4, 0], [0, 4]))).toBe(1)
    expect(quotient(hudsonFst([2, 2], [2, 2]))).toBeLessThan(0)
    expect(hudsonFst([1, 0], [0, 4])).toBeNull()
  })
})

describe('Fst of Weir and Cockerham', () => {
  test('of diploids, by hand: two populations of four with the frequencies 3/4 and 1/4', () => {
    // n̄ 4, n_c 4, p̄ 1/2, s² = 2·4·(1/4)²/4 = 1/8, h̄ 1/4 (one heterozygote… of four in each):
    // a = 1/8 - (1/4 - 1/16 - 1/16)/3, b = 4/3·(1/4 - 1/16 - 7/16·1/4), c = 1/8.
    const population = (counts: number[]) => ({ counts, heterozygotes: [1, 1] })
    const a = 1 / 8 - (1 / 4 - 1 / 16 - 1 / 16) / 3
    const b = (4 / 3) * (1 / 4 - 1 / 16 - (7 / 16) * (1 / 4))
    const parts = weirCockerham([population([6, 2]), population([2, 6])])!
    expect(parts.numerator).toBeCloseTo(2 * a, 12)
    expect(parts.denominator).toBeCloseTo(2 * (a + b + 1 / 8), 12)
  })

  test('of haploids is that of the same written as homozygous diploids', () => {
    const coded = (...counts: number[]) => ({ counts: counts.map((count) => 2 * count), heterozygotes: [0, 0, 0] })
    const pairs = [
      [
        [5, 2, 0],
        [1, 6, 0],
      ],
      [
        [3, 1, 4],
        [9, 0, 2],
      ],
    ]
    for (const [one, two] of pairs)
      expect(quotient(weirCockerham([haploid(...one!), haploid(...two!)]))).toBeCloseTo(
        quotient(weirCockerham([coded(...one!), coded(...two!)])),
        12,
      )
  })

  test('of haploids, by hand: mean squares of populations and within them', () => {
    // Three and five copies with one and four of the allele: MSP = Σ n (p - p̄)²/(r - 1), MSG = Σ n p (1 - p)/Σ(n - 1).
    const p = 5 / 8
    const between = 3 * (1 / 3 - p) ** 2 + 5 * (4 / 5 - p) ** 2
    const within = (3 * (1 / 3) * (2 / 3) + 5 * (4 / 5) * (1 / 5)) / 6
    const nc = 8 - (9 + 25) / 8
    expect(quotient(weirCockerham([haploid(2, 1), haploid(1, 4)]))).toBeCloseTo(
      (between - within) / (between + (nc - 1) * within),
      12,
    )
  })

  test('needs more than one individual a population, and somebody in each', () => {
    expect(weirCockerham([haploid(1, 0), haploid(0, 1)])).toBeNull()
    expect(weirCockerham([haploid(4, 0), haploid(0, 0)])).toBeNull()
    expect(quotient(weirCockerham([haploid(4, 0), haploid(0, 4)]))).toBe(1)
  })
})

describe('Tajima’s D', () => {
  test('of the published sample of ten with sixteen segregating sites is -1.446172', () => {
    expect(harmonicSums(10).a1).toBeCloseTo(2.828968, 6)
    const theta = 16 / harmonicSums(10).a1
    expect(theta).toBeCloseTo(5.655772, 6)
    expect(tajimaD({ segregating: 16, pi: 3.888889, theta, copies: 10 })).toBeCloseTo(-1.446172, 6)
  })

  test('is none without segregating sites, and of fewer than four copies, where it is 0 / 0', () => {
    expect(tajimaD({ segregating: 0, pi: 0, theta: 0, copies: 10 })).toBeNull()
    expect(tajimaD({ segregating: 5, pi: 10 / 3, theta: 10 / 3, copies: 3 })).toBeNull()
  })
})
