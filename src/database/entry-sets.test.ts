import { describe, expect, test } from 'vitest'
import { intersectNumbers, intersectSets, listEntries, makeEntrySet } from './entry-sets.ts'

/** A small generator with a seed (Numerical Recipes' LCG constants). */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const random = randomFrom(3)
const someOf = (below: number, count: number): Int32Array =>
  Int32Array.from(new Set(Array.from({ length: count }, () => random(below)))).sort()

describe('sets of entries', () => {
  test('rising numbers that two lists have, however different their lengths', () => {
    for (const [below, one, other] of [
      [10, 0, 5],
      [10, 5, 5],
      [100, 50, 60],
      [5000, 3, 4000],
      [2 ** 31, 2000, 2000],
    ] as const) {
      for (let turn = 0; turn < 50; turn += 1) {
        const [left, right] = [someOf(below, one), someOf(below, other)]
        const both = [...left].filter((value) => right.includes(value))
        expect([...intersectNumbers(left, right)]).toEqual(both)
        expect([...intersectNumbers(right, left)]).toEqual(both)
      }
    }
    expect([...intersectNumbers(Int32Array.of(7), Int32Array.of(7))]).toEqual([7])
  })

  test('entries of a bundle and of a type meet only their own kind', () => {
    const [genes, others] = [Int32Array.of(1, 5, 9), Int32Array.of(5, 9, 12)]
    const set = makeEntrySet([
      { bundle: 1, type: 'gene', positions: genes },
      { bundle: 2, type: 'gene', positions: genes },
      { bundle: 2, type: 'term', positions: others },
    ])
    const other = makeEntrySet([
      { bundle: 2, type: 'gene', positions: others },
      { bundle: 2, type: 'term', positions: others },
      { bundle: 3, type: 'gene', positions: others },
    ])
    const told = ({ parts }: ReturnType<typeof intersectSets>) =>
      [...parts.values()].map(({ bundle, type, positions }) => [bundle, type, ...positions])
    expect(told(intersectSets([set, other]))).toEqual([
      [2, 'gene', 5, 9],
      [2, 'term', 5, 9, 12],
    ])
    expect(told(intersectSets([other, set], 'gene'))).toEqual([[2, 'gene', 5, 9]])
    expect(intersectSets([set, other, makeEntrySet([])])).toMatchObject({ size: 0 })
  })

  test('pages by position, then bundle, follow one another without what is left out', () => {
    const parts = [3, 1, 2].flatMap((bundle) =>
      ['gene', 'term'].map((type, number) => ({
        bundle,
        type,
        // Of one bundle every position is different.
        positions: someOf(400, 60).map((position) => position * 2 + number),
      })),
    )
    const set = makeEntrySet(parts)
    const leftOut = [2, 9].map((at) => ({ bundle: 1, position: parts[2]!.positions[at]! }))
    const all = parts
      .flatMap(({ bundle, positions }) => Array.from(positions, (position) => ({ bundle, position })))
      .filter(({ bundle, position }) => !leftOut.some((one) => one.bundle === bundle && one.position === position))
      .sort((a, b) => a.position - b.position || a.bundle - b.bundle)
    const paged = []
    for (let offset = 0; offset < all.length; offset += 17) paged.push(...listEntries(set, offset, 17, leftOut))
    expect(paged).toEqual(all)
    expect(listEntries(set, all.length, 17, leftOut)).toEqual([])
  })
})
