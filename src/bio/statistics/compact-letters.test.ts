import { expect, it } from 'vitest'
import { lettersOf } from './compact-letters.ts'
import { exactTable } from './exact-table.ts'
import { compareWithin, welchVariance } from './group-tests.ts'

it('groups share a letter exactly when they do not differ', () => {
  expect(lettersOf(3, [[0, 2]])).toEqual(['a', 'ab', 'b'])
  expect(lettersOf(3, [])).toEqual(['a', 'a', 'a'])
  expect(lettersOf(0, [])).toEqual([])
  const different: [number, number][] = [
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 4],
    [2, 4],
  ]
  const letters = lettersOf(5, different)
  for (let a = 0; a < 5; a += 1)
    for (let b = a + 1; b < 5; b += 1)
      expect(
        [...letters[a]!].some((letter) => letters[b]!.includes(letter)),
        `${a} ${b} ${letters}`,
      ).toBe(!different.some(([x, y]) => x === a && y === b))
})

it('beyond the small letters come capitals, and beyond these no letters', () => {
  const everyPair = (groups: number): [number, number][] =>
    Array.from({ length: groups }, (_, a) => a).flatMap((a) =>
      Array.from({ length: groups - a - 1 }, (_, behind): [number, number] => [a, a + 1 + behind]),
    )
  expect(lettersOf(28, everyPair(28)).slice(24)).toEqual(['y', 'z', 'A', 'B'])
  expect(new Set(lettersOf(60, everyPair(60)))).toEqual(new Set(['']))
})

it('a table of hundreds of haplotypes and many levels has no exact test', () => {
  const table = Array.from({ length: 200 }, (_, row) =>
    Array.from({ length: 60 }, (_, column) => ((row * 7 + column) % 3 === 0 ? 1 : 0)),
  )
  expect(exactTable(table)).toBeNull()
})

it('the exact test of a table is R’s fisher.test', () => {
  expect(
    exactTable([
      [3, 1],
      [1, 3],
    ])!,
  ).toBeCloseTo(0.485714285714286, 12)
  // fisher.test(matrix(c(2, 3, 4, 1), nrow = 2, byrow = TRUE))$p.value; a row without counts is none.
  expect(
    exactTable([
      [2, 3],
      [0, 0],
      [4, 1],
    ])!,
  ).toBeCloseTo(0.523809523809524, 12)
  expect(
    exactTable([
      [5, 5],
      [0, 0],
    ]),
  ).toBeNull()
  expect(exactTable(Array.from({ length: 8 }, () => Array.from({ length: 8 }, () => 40)))).toBeNull()
})

it('Welch’s analysis of two groups is the square of his t, and none where a group does not vary', () => {
  expect(
    welchVariance([
      [1, 2, 3],
      [2, 4, 6],
    ])!.statistic,
  ).toBeCloseTo(2.4, 12)
  expect(
    welchVariance([
      [1, 1, 1],
      [2, 4, 6],
    ]),
  ).toBeNull()
})

it('groups are compared within strata, and not at all where each stratum has one', () => {
  const effect = [0, 3]
  const rows = Array.from({ length: 40 }, (_, at) => {
    const [group, stratum] = [at % 2, Math.floor(at / 20)]
    return { value: 10 * stratum + effect[group]! + ((at * 7) % 5) / 5, group, stratum }
  })
  const found = compareWithin(rows)!
  expect([found.degrees, found.residualDegrees]).toEqual([1, 37])
  expect(found.pValue).toBeLessThan(1e-15)
  // The strata's own difference of ten is none of the groups'.
  expect(compareWithin(rows.map((one) => ({ ...one, group: one.stratum })))).toBeNull()
})
