import { describe, expect, it } from 'vitest'
import { adjustPValues, hypergeometricTail, normalTail, rankSumGreater } from './set-tests.ts'

// Reference values: scipy 1.10.1 (stats.hypergeom.sf, norm.sf, mannwhitneyu) and R 4.2.2 (p.adjust, phyper, wilcox.test).

const relative = (value: number, reference: number): number => Math.abs(value / reference - 1)

describe('tests of a set against a background give what scipy and R give', () => {
  it.each([
    [4, 5, 6, 20, 0.01393188854489164],
    [12, 80, 300, 6000, 0.0005521952191522379],
    [37, 40, 5000, 6000, 0.0804311929463838],
    [55, 120, 400, 6500, 1.218055839105941e-35],
  ])('hypergeometric: at least %i of %i drawn, %i marked of %i', (found, drawn, marked, total, reference) => {
    expect(relative(hypergeometricTail({ found, drawn, marked, total }), reference)).toBeLessThan(1e-9)
  })

  it('hypergeometric at its ends: nothing needed is certain, the impossible has probability 0', () => {
    expect(hypergeometricTail({ found: 0, drawn: 5, marked: 6, total: 20 })).toBe(1)
    expect(hypergeometricTail({ found: 1, drawn: 10, marked: 0, total: 50 })).toBe(0)
    expect(hypergeometricTail({ found: 20, drawn: 20, marked: 20, total: 20 })).toBe(1)
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
    const adjusted = [...adjustPValues([0.01, 0.02, 0.5, 0.013, 1e-8, 0.9, 0.04])]
    const reference = [0.0303333333333333, 0.035, 0.5833333333333334, 0.0303333333333333, 7e-8, 0.9, 0.056]
    for (const [at, value] of adjusted.entries()) expect(relative(value, reference[at]!)).toBeLessThan(1e-12)
  })

  it('of many tests, only the smallest p-values need be given', () => {
    const every = Array.from({ length: 1000 }, (_, at) => ((at + 1) / 1000) ** 2)
    const all = adjustPValues(every)
    const few = adjustPValues(every.slice(0, 20), 1000)
    expect([...few]).toEqual([...all.slice(0, 20)])
    expect([...adjustPValues([], 1000)]).toEqual([])
  })
})
