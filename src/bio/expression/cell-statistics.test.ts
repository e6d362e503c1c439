import { describe, expect, test } from 'vitest'
import { studentTwoSided } from '../statistics/distributions.ts'
import { countPair, describeCells, log2FoldChange, rankSumEach, rankSumTest, welchTest } from './cell-statistics.ts'

// Expected numbers: scipy.stats, called on the same values with all their zeros.
const sparse = (values: number[]) => ({ values: values.filter((value) => value !== 0), cells: values.length })
const many = (count: number, ...values: number[]) => [...values, ...Array<number>(count - values.length).fill(0)]
const treated = sparse(
  many(60, 0.3, 1, 0.1, 0.6, 0.8, 1.5, 0.4, 0.1, 1.3, 0.1, 0.2, 0.9, 0.5, 1, 0.9, 0.4, 0.8, 0.5, 0.7, 0.2, 0.3, 1, 1.4),
)
const control = sparse(many(45, 0.1, 1.6, 0.6, 0.2, 0.1, 1.3, 0.1, 0.8, 0.5))

describe('tests of a gene between two groups of cells', () => {
  test('Wilcoxon with many tied zeros is that of scipy', () => {
    const found = rankSumTest(treated, control)!
    expect(found.u).toBe(1613.5)
    expect(found.pValue).toBeCloseTo(0.03658276682862058, 13)
    expect(found.auc).toBeCloseTo(1613.5 / 2700, 14)
    expect(rankSumTest(control, treated)!.z).toBeCloseTo(-found.z, 12)
  })

  test('Wilcoxon ranks zeros between values below and above them', () => {
    const found = rankSumTest(sparse([-1.5, 0, 0, 2, 2, -1.5]), sparse([0, 0, -1, 2, 3]))!
    expect(found.u).toBe(11)
    expect(found.pValue).toBeCloseTo(0.5079870107415523, 13)
  })

  test('each group against the rest gives what testing it by itself gives, negative values and ties with it', () => {
    const cells = [-1.5, 0, 0, 2, 2, -1.5, 0, 0, -1, 2, 3, 0, 0.5, 0, 2]
    const groups = cells.map((_, at) => (at < 6 ? 0 : at < 11 ? 1 : 2))
    const kept = cells.flatMap((value, at) => (value === 0 ? [] : [at]))
    const each = rankSumEach(
      Float32Array.from(kept, (at) => cells[at]!),
      Uint16Array.from(kept, (at) => groups[at]!),
      [6, 5, 4],
    )
    for (const group of [0, 1, 2]) {
      const own = sparse(cells.filter((_, at) => groups[at] === group))
      const rest = sparse(cells.filter((_, at) => groups[at] !== group))
      const alone = rankSumTest(own, rest)!
      expect(each[group]!.u).toBe(alone.u)
      expect(each[group]!.pValue).toBeCloseTo(alone.pValue, 14)
    }
  })

  test('Welch is that of scipy, zeros counted', () => {
    const found = welchTest(describeCells(treated), 60, describeCells(control), 45)!
    expect(found.t).toBeCloseTo(1.8118497090128916, 12)
    expect(found.degrees).toBeCloseTo(102.26801446440686, 9)
    expect(found.pValue).toBeCloseTo(0.07294416043950212, 12)
  })

  test('a gene that no cell expresses, a group without cells or with one, gives no test instead of a number', () => {
    expect(rankSumTest(sparse([0, 0]), sparse([0, 0, 0]))).toBeNull()
    expect(rankSumTest(sparse([]), sparse([1]))).toBeNull()
    expect(welchTest(describeCells(sparse([1])), 1, describeCells(sparse([1, 2])), 2)).toBeNull()
    expect(welchTest(describeCells(sparse([1, 1])), 2, describeCells(sparse([2, 2])), 2)).toBeNull()
  })

  test('p-values of t hold with few and very many cells, and far out', () => {
    for (const [t, degrees, expected] of [
      [2.5, 10, 0.03144684423660882],
      [4, 999.5, 6.801231329525425e-5],
      [2.5, 1500.5, 0.012525367487235428],
      [25, 1200, 2.2145514141307284e-111],
      [30, 2e5, 2.699004422186838e-197],
    ] as const)
      expect(Math.abs(studentTwoSided(t, degrees) / expected - 1)).toBeLessThan(1e-9)
  })

  test('fold change is of the counts behind the logarithms', () => {
    expect(log2FoldChange({ values: [Math.log(8)], cells: 1 }, { values: [], cells: 5 })).toBeCloseTo(3, 12)
    expect(log2FoldChange({ values: [], cells: 0 }, { values: [], cells: 0 })).toBe(0)
  })
})

test('two genes in cells: how many have both, and r as numpy.corrcoef has it', () => {
  const found = countPair([1, 0, 2, 0], [1, 0, 0, 3], null, 0)
  expect(found).toMatchObject({ cells: 4, both: 1, onlyFirst: 1, onlySecond: 1 })
  expect(found.correlation).toBeCloseTo(-0.4923659639173309, 12)
  const large = countPair([1e6 + 1, 1e6 + 2, 1e6 + 4, 9], [3, 1, 2, 9], [0, 0, 0, 1], 0)
  expect(large).toMatchObject({ cells: 3, both: 3 })
  expect(large.correlation).toBeCloseTo(-0.32732683535398854, 9)
  expect(countPair([1, 1], [1, 2], null, 0).correlation).toBeNull()
})
