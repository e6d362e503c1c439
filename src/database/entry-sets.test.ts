import { describe, expect, test } from 'vitest'
import { intersectSets, listEntries, makeEntrySet, makePart, ofType, positionsPerWorth } from './entry-sets.ts'

/** A small generator with a seed (Numerical Recipes' LCG constants). */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const random = randomFrom(3)
/** Some entries of a bundle that has `below`: each always of the same worth. */
const someOf = (below: number, count: number): Int32Array => {
  const numbers = new Set(Array.from({ length: count }, () => random(below)))
  return Int32Array.from(numbers, (number) => ((number * 7) % 10) * positionsPerWorth + number).sort()
}

describe('sets of entries', () => {
  test('rising numbers that two lists have, however different their lengths', () => {
    for (const [below, one, other] of [
      [10, 0, 5],
      [10, 5, 5],
      [100, 50, 60],
      [5000, 3, 4000],
      [100_000_000, 2000, 2000],
      [40_000, 3000, 100],
    ] as const) {
      for (let turn = 0; turn < 50; turn += 1) {
        const [left, right] = [someOf(below, one), someOf(below, other)]
        const both = [...left].filter((value) => right.includes(value))
        const sets = [left, right].map((positions) => makeEntrySet([makePart(1, 'gene', positions)]))
        for (const order of [sets, [...sets].reverse()])
          expect([...(intersectSets(order).parts.get('1 gene')?.positions ?? [])]).toEqual(both)
      }
    }
  })

  test('entries of a bundle and of a type meet only their own kind', () => {
    const [genes, others] = [Int32Array.of(1, 5, 9), Int32Array.of(5, 9, 12)]
    const set = makeEntrySet([makePart(1, 'gene', genes), makePart(2, 'gene', genes), makePart(2, 'term', others)])
    const other = makeEntrySet([makePart(2, 'gene', others), makePart(2, 'term', others), makePart(3, 'gene', others)])
    const told = ({ parts }: ReturnType<typeof intersectSets>) =>
      [...parts.values()].map(({ bundle, type, positions }) => [bundle, type, ...positions])
    expect(told(intersectSets([set, other]))).toEqual([
      [2, 'gene', 5, 9],
      [2, 'term', 5, 9, 12],
    ])
    expect(told(ofType(intersectSets([other, set]), 'gene'))).toEqual([[2, 'gene', 5, 9]])
    expect(intersectSets([set, other, makeEntrySet([])])).toMatchObject({ size: 0 })
  })

  test('pages by position, then bundle, follow one another without what is left out', () => {
    const parts = [3, 1, 2].flatMap((bundle) =>
      ['gene', 'term'].map((type, number) =>
        // Of one bundle every position is different.
        makePart(
          bundle,
          type,
          someOf(400, 60).map((position) => position + number * 1000),
        ),
      ),
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
