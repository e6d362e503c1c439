import { describe, expect, it } from 'vitest'
import { normalTail } from './distributions.ts'
import { adjustByBenjaminiHochberg, adjustByBonferroni, adjustByHolm } from './multiple-testing.ts'
import { hypergeometricLowerTail, hypergeometricTail, hypergeometricTwoSided, rankSumGreater } from './set-tests.ts'

// Reference values: scipy 1.10.1 (stats.hypergeom.sf, norm.sf, mannwhitneyu) and R 4.2.2 (p.adjust, phyper, wilcox.test).

const relative = (value: number, reference: number): number => Math.abs(value / reference - 1)

describe('tests of a set against a background give what scipy and R give', () => {
  it.each([
    [4, 5, 6, 20, 0.01393188854489164],
    [12, 80, 300, 6000, 0.0005521952191522379],
    [37, 40, 5000, 6000, 0.0804311929463838],
    [55, 120, 400, 6500, 1.218055839105941e-35],
    [150, 400, 160, 30_000, 1.6262777896620503e-280],
    [300, 2000, 4000, 30_000, 0.013608533170872289],
  ])('hypergeometric: at least %i of %i drawn, %i marked of %i', (found, drawn, marked, total, reference) => {
    expect(relative(hypergeometricTail({ found, drawn, marked, total }), reference)).toBeLessThan(1e-10)
  })

  // scipy 1.17.1: stats.hypergeom.cdf and stats.fisher_exact.
  it.each([
    [4, 5, 6, 20, 0.9996130030959752, 0.01393188854489164],
    [12, 80, 300, 6000, 0.9998565750429218, 0.0005521952191522379],
    [0, 80, 300, 6000, 0.0160597885269776, 0.03374366067888469],
    [2, 120, 400, 6500, 0.018610440064941468, 0.03366582146732125],
    [37, 40, 5000, 6000, 0.9730112621864154, 0.13816868830439621],
    [30, 40, 5000, 6000, 0.11667490992708297, 0.19710610287346678],
    [300, 2000, 4000, 30_000, 0.9885295081127075, 0.02462507846229868],
    [180, 2000, 4000, 30_000, 3.8333768916260013e-10, 7.946704577830316e-10],
    [1, 9, 11, 20, 0.0005953798523457966, 0.0009228387711359848],
    [150, 400, 160, 30_000, 1, 1.6262777896618423e-280],
  ])('depletion and both sides: %i of %i drawn, %i marked of %i', (found, drawn, marked, total, lower, both) => {
    const counts = { found, drawn, marked, total }
    expect(relative(hypergeometricLowerTail(counts), lower)).toBeLessThan(1e-9)
    expect(relative(hypergeometricTwoSided(counts), both)).toBeLessThan(1e-9)
  })

  it('depletion and both sides are the sums over whole numbers, for every table of small margins', () => {
    const choose = (n: number, k: number): number => {
      let value = 1
      for (let at = 1; at <= k; at++) value = (value * (n - at + 1)) / at
      return k < 0 || k > n ? 0 : Math.round(value)
    }
    for (let total = 1; total <= 12; total++)
      for (let drawn = 0; drawn <= total; drawn++)
        for (let marked = 0; marked <= total; marked++) {
          const ways = (count: number): number => choose(marked, count) * choose(total - marked, drawn - count)
          const all = choose(total, drawn)
          for (let found = Math.max(0, drawn + marked - total); found <= Math.min(drawn, marked); found++) {
            let [lower, both] = [0, 0]
            for (let count = 0; count <= drawn; count++) {
              if (count <= found) lower += ways(count)
              if (ways(count) <= ways(found)) both += ways(count)
            }
            const counts = { found, drawn, marked, total }
            expect(hypergeometricLowerTail(counts)).toBeCloseTo(lower / all, 12)
            expect(hypergeometricTwoSided(counts)).toBeCloseTo(both / all, 12)
          }
        }
  })

  it('hypergeometric at its ends: nothing needed is certain, the impossible has probability 0', () => {
    expect(hypergeometricTail({ found: 0, drawn: 5, marked: 6, total: 20 })).toBe(1)
    expect(hypergeometricTail({ found: 1, drawn: 10, marked: 0, total: 50 })).toBe(0)
    expect(hypergeometricTail({ found: 20, drawn: 20, marked: 20, total: 20 })).toBe(1)
  })

  /** The tail by whole numbers, without any rounding before the last step. */
  const exactTail = (found: number, drawn: number, marked: number, total: number): number => {
    const choose = (n: number, k: number): bigint => {
      if (k < 0 || k > n) return 0n
      let value = 1n
      for (let at = 1; at <= k; at++) value = (value * BigInt(n - at + 1)) / BigInt(at)
      return value
    }
    const [small, large] = [Math.min(drawn, marked), Math.max(drawn, marked)]
    let sum = 0n
    for (let count = found; count <= small; count++) sum += choose(small, count) * choose(total - small, large - count)
    const all = choose(total, large)
    const digits = BigInt(all.toString().length - sum.toString().length + 25)
    return Number(`${(sum * 10n ** digits) / all}e-${digits}`)
  }

  it.each([
    [1, 1, 1, 30_000],
    [2, 40, 90, 30_000],
    [9, 50, 1000, 6000],
    [25, 300, 120, 4000],
    // All that lie between: 1e-100, 1e-280, and the least that a double can tell whole.
    [60, 300, 80, 20_000],
    [150, 400, 160, 30_000],
    [158, 400, 165, 30_000],
    [127, 150, 136, 25_000],
    // More marked than not, nearly all drawn, and a tail that begins below the most likely number.
    [380, 400, 2600, 3000],
    [5, 2000, 120, 6000],
    [330, 1000, 900, 3000],
  ])('hypergeometric against whole numbers: at least %i of %i, %i marked of %i', (found, drawn, marked, total) => {
    const reference = exactTail(found, drawn, marked, total)
    expect(reference).toBeGreaterThan(1e-307)
    expect(relative(hypergeometricTail({ found, drawn, marked, total }), reference)).toBeLessThan(1e-12)
    expect(relative(hypergeometricTail({ found, drawn: marked, marked: drawn, total }), reference)).toBeLessThan(1e-12)
  })

  it.each([
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [2.9, 0.0018658133003840375],
    [3.1, 0.0009676032132183563],
    [6, 9.865876450376946e-10],
    [12, 1.776482112077653e-33],
    [30, 4.906713927147908e-198],
    [-1.2, 0.8849303297782918],
  ])('tail of the normal distribution at %f', (z, reference) => {
    expect(relative(normalTail(z), reference)).toBeLessThan(1e-11)
  })

  it.each([
    [[5, 7, 9], [1, 2, 3, 4], 12, 0.02591496360895484],
    [[3, 3, 4, 8, 8, 8], [1, 3, 3, 5, 8, 2, 2], 32.5, 0.052743112875801246],
    [[1, 1, 1], [1, 1], 3, 1],
    [[1, 2], [3, 4, 5], 0, 0.978345928594604],
  ])('rank sum with ties: %j over %j', (set, background, u, reference) => {
    const test = rankSumGreater(set, background)
    expect(test.u).toBe(u)
    expect(relative(test.pValue, reference)).toBeLessThan(1e-9)
  })

  it('rank sum of 80 against 6,000 with many ties', () => {
    const chance = (count: number, seed: number): number[] => {
      let state = seed
      return Array.from({ length: count }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return (state >>> 8) % 400
      })
    }
    const test = rankSumGreater(
      chance(80, 11).map((value) => value + 25),
      chance(6000, 12),
    )
    expect(test.u).toBe(289_625.5)
    expect(relative(test.pValue, 0.0007315966742543848)).toBeLessThan(1e-9)
  })

  it('Benjamini and Hochberg, as p.adjust', () => {
    const adjusted = [...adjustByBenjaminiHochberg([0.01, 0.02, 0.5, 0.013, 1e-8, 0.9, 0.04])]
    const reference = [0.0303333333333333, 0.035, 0.5833333333333334, 0.0303333333333333, 7e-8, 0.9, 0.056]
    for (const [at, value] of adjusted.entries()) expect(relative(value, reference[at]!)).toBeLessThan(1e-12)
  })

  it('of many tests, only the smallest p-values need be given', () => {
    const every = Array.from({ length: 1000 }, (_, at) => ((at + 1) / 1000) ** 2)
    const all = adjustByBenjaminiHochberg(every)
    const few = adjustByBenjaminiHochberg(every.slice(0, 20), 1000)
    expect([...few]).toEqual([...all.slice(0, 20)])
    expect([...adjustByBenjaminiHochberg([], 1000)]).toEqual([])
  })

  it('Holm and Bonferroni, as p.adjust, and with tests of which only the smallest are given', () => {
    const pValues = [0.01, 0.02, 0.5, 0.013, 1e-8, 0.9, 0.04]
    const holm = [0.06, 0.08, 1, 0.065, 7e-8, 1, 0.12]
    for (const [at, value] of adjustByHolm(pValues).entries()) expect(relative(value, holm[at]!)).toBeLessThan(1e-12)
    const bonferroni = [0.07, 0.14, 1, 0.091, 7e-8, 1, 0.28]
    for (const [at, value] of adjustByBonferroni(pValues).entries())
      expect(relative(value, bonferroni[at]!)).toBeLessThan(1e-12)
    expect([...adjustByHolm([0.001, 0.002], 100)]).toEqual([0.1, 99 * 0.002])
    expect([...adjustByBonferroni([0.001, 0.02], 100)]).toEqual([0.1, 1])
  })
})
