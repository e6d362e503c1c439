import { describe, expect, test } from 'vitest'
import { normalQuantile } from '../statistics/distributions.ts'
import {
  chiSquareOfP,
  groupLoci,
  medianChiSquare,
  orderStatistic,
  PValueDistribution,
  ScanThinner,
  usualWindowBp,
} from './association-summary.ts'

/** Uniform numbers that are the same at every run (Park & Miller's generator). */
const random = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

test('normal and chi-square quantiles are those of R', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14)
  expect(normalQuantile(1e-10)).toBeCloseTo(-6.361340902404056, 12)
  expect(normalQuantile(1e-300)).toBeCloseTo(-37.0471, 4)
  expect(chiSquareOfP(0.5)).toBeCloseTo(medianChiSquare, 13)
})

test('bounds of order statistics are Beta quantiles', () => {
  // R: qbeta(c(.025, .975), r, 1e6 - r + 1)
  expect(orderStatistic(1, 1e6, 0.025)).toBeCloseTo(2.5317808e-8, 13)
  expect(orderStatistic(1, 1e6, 0.975)).toBeCloseTo(3.688873e-6, 10)
  expect(orderStatistic(10, 1e6, 0.5) * 1e6).toBeCloseTo(9.6687, 2)
  // scipy.stats.beta.ppf
  for (const [rank, count, share, expected] of [
    [1, 10, 0.975, 0.3084971078187608],
    [1, 10, 0.025, 0.0025285785444617848],
    [5, 10, 0.975, 0.7376219233930549],
    [10, 10, 0.025, 0.6915028921812392],
    [1, 1, 0.025, 0.025],
    [50, 100, 0.025, 0.39832112950330095],
    [200, 1000, 0.975, 0.22511590996300732],
  ] as const)
    expect(orderStatistic(rank, count, share)).toBeCloseTo(expected, 9)
  // From here on by approximations, whose errors a figure does not show.
  expect(Math.log10(orderStatistic(201, 1000, 0.975))).toBeCloseTo(Math.log10(0.22615937282137055), 2)
  expect(Math.log10(orderStatistic(1, 100_001, 0.975))).toBeCloseTo(Math.log10(3.68881141579242e-5), 4)
})

describe('the distribution of p-values', () => {
  test.each([20_001, 200_000])('of %i values has the lambda and the quantiles of the sorted values', (count) => {
    const next = random(7)
    const distribution = new PValueDistribution()
    const all: number[] = []
    for (let at = 0; at < count; at += 1) {
      // Inflated: chi-squares of 1.2 times the usual.
      const p = next()
      const logP = -Math.log10(p) * 1.15
      all.push(logP)
      distribution.add(logP)
    }
    all.sort((a, b) => b - a)
    const median =
      (chiSquareOfP(10 ** -all[Math.ceil(count / 2) - 1]!) + chiSquareOfP(10 ** -all[Math.floor(count / 2)]!)) / 2
    expect(distribution.count).toBe(count)
    expect(distribution.lambda()).toBeCloseTo(median / medianChiSquare, 3)
    const ranks = [1, 2, 500, 5000, Math.floor(count / 4), Math.floor(count / 2), count]
    for (const [at, observed] of distribution.atRanks(ranks).entries())
      expect(Math.abs(observed - all[ranks[at]! - 1]!)).toBeLessThan(0.006)
    expect(distribution.countFrom(all[99]!)).toBe(100)
    expect(distribution.shareAbove(0.5)).toBeCloseTo(all.filter((value) => 10 ** -value > 0.5).length / count, 3)
    const points = distribution.quantiles()
    expect(points.length).toBeLessThan(800)
    expect(points[0]).toMatchObject({ observed: all[0], expected: -Math.log10(0.5 / count) })
    expect(points.every(({ low, high }) => low <= high)).toBe(true)
  })
})

describe('a thinned scan', () => {
  test('of few rows has all of them', () => {
    const thinner = new ScanThinner([1000, 500])
    thinner.add(1, 7, 2.5)
    expect(thinner.finish()).toEqual({ binBp: 1, cell: 0.1, runs: [], points: [1, 7, 2.5] })
  })

  test('of 400,000 rows is small and has every peak at its place, the best of every stretch and every row that stands out', () => {
    const lengths = [6_000_000, 4_000_000]
    const thinner = new ScanThinner(lengths)
    const next = random(3)
    const best = new Map<number, number>()
    const binBp = 10_000_000 / 1600
    const high: string[] = []
    for (let at = 0; at < 400_000; at += 1) {
      const sequence = next() < 0.6 ? 0 : 1
      const position = 1 + Math.floor(next() * lengths[sequence]!)
      const logP = at % 100_000 === 0 ? 12 + at / 100_000 : -Math.log10(next())
      thinner.add(sequence, position, logP)
      const bin = sequence * 1e6 + Math.floor((position - 1) / binBp)
      best.set(bin, Math.max(best.get(bin) ?? 0, logP))
      if (logP >= 4) high.push(`${sequence} ${position} ${Math.round(logP * 1000) / 1000}`)
    }
    const thin = thinner.finish()
    expect(thin.binBp).toBe(binBp)
    expect(thin.points.length / 3).toBeLessThan(14_000)
    expect(thin.runs.length / 4).toBeLessThan(12_000)
    const drawn = new Set<string>()
    const shown = new Map<number, number>()
    for (let at = 0; at < thin.points.length; at += 3) {
      const [sequence, position, logP] = thin.points.slice(at, at + 3) as [number, number, number]
      drawn.add(`${sequence} ${position} ${logP}`)
      const bin = sequence * 1e6 + Math.floor((position - 1) / binBp)
      shown.set(bin, Math.max(shown.get(bin) ?? 0, logP))
    }
    expect(high.filter((row) => !drawn.has(row))).toEqual([])
    for (const [bin, logP] of best) expect(shown.get(bin)).toBeCloseTo(logP, 3)
  })
})

test('loci are led by the best hit of a window, with what is linked to it', () => {
  const hit = (position: number, logP: number, sequence = 'chr1') => ({ sequence, position, logP })
  const hits = [hit(1000, 9), hit(1400, 7), hit(1900, 6), hit(9000, 8), hit(1200, 2), hit(1000, 6, 'chr2')]
  const { loci } = groupLoci(hits, { min: 5, windowBp: 500, max: 10 })
  expect(
    loci.map(({ lead, start1, end1, hits: own }) => [lead.sequence, lead.position, start1, end1, own.length]),
  ).toEqual([
    ['chr1', 1000, 1000, 1400, 3],
    ['chr1', 9000, 9000, 9000, 1],
    ['chr1', 1900, 1900, 1900, 1],
    ['chr2', 1000, 1000, 1000, 1],
  ])
  const apart = groupLoci(hits, { min: 5, windowBp: 500, max: 2, linked: () => false })
  expect(apart.cut).toBe(true)
  expect(apart.loci.map(({ lead }) => lead.position)).toEqual([1000, 9000])
  expect([12e6, 370e6, 3e9].map(usualWindowBp)).toEqual([10_000, 400_000, 500_000])
})
