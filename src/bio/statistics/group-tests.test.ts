import { expect, test } from 'vitest'
import {
  analyseVariance,
  chiSquareTail,
  densityOf,
  fTail,
  histogramOf,
  kruskalWallis,
  shapiroWilk,
  testTable,
} from './group-tests.ts'

const a = [5.1, 4.9, 6.2, 5.5]
const b = [6.8, 7.1, 6.2, 7.9, 6.6]
const c = [5.0, 5.9, 5.5]
/** Relative difference. */
const near = (found: number, expected: number, share = 1e-10): void =>
  expect(Math.abs(found / expected - 1)).toBeLessThan(share)

// Numbers of R 4.2: pf, pchisq, anova(lm()), kruskal.test, shapiro.test, chisq.test, density.
test('tails of F and chi-square agree with R', () => {
  near(fTail(4.5, 2, 12), 0.0348154255454785)
  near(fTail(0.3, 5, 400), 0.912746575288352)
  near(fTail(60, 3, 2000), 3.86294502724577e-37, 1e-8)
  near(chiSquareTail(7.815, 3), 0.0499939029748839)
  near(chiSquareTail(0.4, 5), 0.995329593235871)
  near(chiSquareTail(120, 12), 6.1802235808116e-20)
  near(chiSquareTail(1000, 900), 0.0109946089421359)
})

test('analysis of variance and Kruskal-Wallis of three populations agree with R', () => {
  const variance = analyseVariance([a, b, c])!
  near(variance.statistic, 9.48045000827221)
  near(variance.pValue, 0.00608991362621104)
  expect([variance.degrees, variance.residualDegrees]).toEqual([2, 9])
  near(variance.effect, 6.367 / (6.367 + 3.022166666667))
  const ranks = kruskalWallis([a, b, c])!
  near(ranks.statistic, 7.6793427230047)
  near(ranks.pValue, 0.0215006661307618)
})

test('they say nothing of one group, or of values that are all the same', () => {
  expect(analyseVariance([a])).toBeNull()
  expect(kruskalWallis([a, []])).toBeNull()
  expect(
    kruskalWallis([
      [1, 1],
      [1, 1],
    ]),
  ).toBeNull()
  expect(analyseVariance([[1], [2]])).toBeNull()
  // An F without bound is no number, in JSON either: it would make the whole answer fail.
  const apart = [
    [1, 1],
    [2, 2, 2],
  ]
  expect(analyseVariance(apart)).toBeNull()
})

test('levels by populations are tested as chisq.test does, with a word on small expectations', () => {
  const found = testTable([
    [12, 3, 5, 0],
    [4, 9, 8, 0],
  ])!
  near(found.statistic, 7.6724816849816859)
  near(found.pValue, 0.0215745512343502)
  expect(found.degrees).toBe(2)
  expect(found.fewExpected).toBe(0)
  expect(testTable([[3, 4]])).toBeNull()
})

test('Shapiro and Wilk’s test agrees with R from three values to thousands', () => {
  const cases: [number[], number, number][] = [
    [[1, 2, 4], 0.964285714285714, 0.636886845028963],
    [[1, 2, 4, 9, 11], 0.900096371662192, 0.410418400474355],
    [[2, 4, 4, 5, 5, 6, 8, 14], 0.838151393340259, 0.072095703539195],
    [Array.from({ length: 40 }, (_, at) => (((at + 1) * 17) % 41) ** 1.5), 0.9327535481069664, 0.0198276678743607],
    [Array.from({ length: 3000 }, (_, at) => ((at + 1) * 1237) % 3001), 0.954887883755353, 1.65157175052177e-29],
  ]
  for (const [values, w, p] of cases) {
    const found = shapiroWilk(values)!
    near(found.w, w, 1e-7)
    near(found.pValue, p, 1e-4)
  }
  expect(shapiroWilk([1, 1, 1])).toBeNull()
})

test('a histogram counts every value once; a density is R’s', () => {
  const sorted = [...a, ...b, ...c].sort((x, y) => x - y)
  const { edges, counts } = histogramOf(sorted)
  expect(edges).toEqual([4, 5, 6, 7, 8])
  expect(counts).toEqual([1, 5, 4, 2])
  expect(histogramOf([3, 3]).counts).toEqual([2])
  const points = densityOf(sorted, 1024)
  const at = (x: number) => points.reduce((best, one) => (Math.abs(one.x - x) < Math.abs(best.x - x) ? one : best)).y
  expect(at(5)).toBeCloseTo(0.297388160424745, 2)
  expect(at(6)).toBeCloseTo(0.353547471330737, 2)
  const area = points.reduce((sum, { y }) => sum + y, 0) * (points[1]!.x - points[0]!.x)
  expect(area).toBeCloseTo(1, 2)
})
