import { describe, expect, test } from 'vitest'
import { makeRandomBelow } from '../../testing/random.ts'
import type { Sql } from '../connect.ts'
import {
  createEntrySets,
  intersectSets,
  listEntries,
  makeEntrySet,
  makePart,
  ofType,
  positionsPerRelevance,
} from './posting-lists.ts'

const random = makeRandomBelow(3)
/** Some entries of a bundle that has `below`: each always of the same relevance. */
const someOf = (below: number, count: number): Int32Array => {
  const numbers = new Set(Array.from({ length: count }, () => random(below)))
  return Int32Array.from(numbers, (number) => ((number * 7) % 10) * positionsPerRelevance + number).sort()
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
        const left = someOf(below, one)
        // Also of sparse lists some are in both.
        const right = Int32Array.from(new Set([...someOf(below, other), ...left.filter(() => random(3) === 0)])).sort()
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
    const reported = ({ parts }: ReturnType<typeof intersectSets>) =>
      [...parts.values()].map(({ bundle, type, positions }) => [bundle, type, ...positions])
    expect(reported(intersectSets([set, other]))).toEqual([
      [2, 'gene', 5, 9],
      [2, 'term', 5, 9, 12],
    ])
    expect(reported(ofType(intersectSets([other, set]), 'gene'))).toEqual([[2, 'gene', 5, 9]])
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

describe('sets that are kept', () => {
  const bundles = [1]
  /** A database that gives so many entries for each word. */
  const database = (sizes: Record<string, number>) => {
    const asked: string[] = []
    const unsafe = async (_: string, [whole, max]: [string, number]) => {
      asked.push(whole)
      if (sizes[whole] === undefined) throw new Error('gone')
      const size = Math.min(sizes[whole], max + 1)
      const positions = Buffer.alloc(size * 4)
      for (let at = 0; at < size; at += 1) positions.writeInt32BE(at * 3, at * 4)
      return [{ bundle: 1, type: 'gene', positions }]
    }
    return { sql: { unsafe } as unknown as Sql, asked }
  }
  const word = (whole: string, count = 3000) => ({ whole, count })

  test('a common word is read at once, a rare one when it is asked for again', async () => {
    const { sql, asked } = database({ common: 3000, rare: 10 })
    const sets = createEntrySets(sql)
    expect(sets.meet(bundles, [word('common'), word('rare', 10)])).toBeNull()
    await sets.settled()
    expect(asked).toEqual(['common'])
    expect(sets.meet(bundles, [word('common'), word('rare', 10)])).toBeNull()
    await sets.settled()
    expect(asked).toEqual(['common', 'rare'])
    expect(sets.meet(bundles, [word('rare', 10), word('common')])).toMatchObject({ size: 10 })
    // Another list of the same bundles is another question.
    expect(sets.meet([1], [word('common')])).toBeNull()
    sets.clear()
    expect(sets.meet(bundles, [word('common')])).toBeNull()
  })

  test('what two words have in common is never taken for a word', async () => {
    const { sql } = database({ "'a'": 9000, "'b'": 6000, "'a' & 'b'": 5000 })
    const sets = createEntrySets(sql)
    const words = [word("'a'"), word("'b'")]
    sets.meet(bundles, words)
    await sets.settled()
    expect(sets.meet(bundles, words)).toMatchObject({ size: 6000 })
    expect(sets.meet(bundles, [...words].reverse())).toBe(sets.meet(bundles, words))
    expect(sets.meet(bundles, [word("'a' & 'b'")])).toBeNull()
    await sets.settled()
    expect(sets.meet(bundles, [word("'a' & 'b'")])).toMatchObject({ size: 5000 })
  })

  test('the one asked for longest ago goes when there is no more room', async () => {
    const names = Array.from({ length: 10 }, (_, number) => `word ${number}`)
    const { sql } = database(Object.fromEntries(names.map((name) => [name, 3000])))
    // Of each 12,000 bytes of positions, 1,128 of bits, and what a set takes besides: room for seven.
    const sets = createEntrySets(sql, 110_000)
    for (const name of names) {
      sets.meet(bundles, [word(name)])
      await sets.settled()
      expect(sets.meet(bundles, [word(names[0]!)])).not.toBeNull()
    }
    const there = names.filter((name) => sets.meet(bundles, [word(name)]) !== null)
    expect(there).toEqual([names[0], ...names.slice(4)])
  })

  test('one that would drive out too many others is not kept, nor read again', async () => {
    const { sql, asked } = database({ large: 100_000 })
    const sets = createEntrySets(sql, 110_000)
    for (let turn = 0; turn < 4; turn += 1) {
      // It has more than was counted: of one type only, or in one of its forms.
      expect(sets.meet(bundles, [word('large', 10)])).toBeNull()
      await sets.settled()
    }
    expect(asked).toEqual(['large'])
  })

  test('a word that cannot be read is left for a while', async () => {
    const { sql, asked } = database({})
    const sets = createEntrySets(sql)
    for (let turn = 0; turn < 3; turn += 1) {
      expect(sets.meet(bundles, [word('absent')])).toBeNull()
      await sets.settled()
    }
    expect(asked).toEqual(['absent'])
  })
})
