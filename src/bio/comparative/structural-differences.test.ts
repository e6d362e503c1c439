import { describe, expect, test } from 'vitest'
import { findCopied, findGaps, genesIn, longestChain, type OrderedGenes } from './structural-differences.ts'

/** Genes of 900 bp, one each kilobase from 1; `shift` moves those from a place on. */
const genes = (groups: readonly number[], shift = (_at: number): number => 0): OrderedGenes => ({
  sequences: ['chr'],
  sequence: groups.map(() => 0),
  start: groups.map((_, at) => at * 1000 + 1 + shift(at)),
  end: groups.map((_, at) => at * 1000 + 900 + shift(at)),
  group: groups,
})
const none: [Set<number>, Set<number>] = [new Set(), new Set()]
const first = genes([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])

describe('gaps between genes that are neighbours in both genomes', () => {
  test('what was planted is found: genes lost, genes gained, and nothing where both are as far apart', () => {
    // Genes 3, 4 and 5 are gone, and 2 kb more lie before the gene of group 8.
    const second = genes([0, 1, 2, 6, 7, 8, 9], (at) => (at >= 5 ? 2000 : 0))
    const chain = { a: [0, 1, 2, 6, 7, 8, 9], b: [0, 1, 2, 3, 4, 5, 6] }
    const found = findGaps(chain, [first, second], none, 1000)
    expect(found).toMatchObject([
      { kind: 'deletion', sizeBp: 3000, startA: 2901, endA: 6000 },
      { kind: 'insertion', sizeBp: 2000, startB: 4901, endB: 7000 },
    ])
    expect(genesIn(first, 'chr', found[0]!.startA, found[0]!.endA)).toEqual([3, 4, 5])
    expect(findGaps(chain, [first, second], none, 2500)).toHaveLength(1)
  })

  test('a genome that reads backwards has the same deletions', () => {
    const chain = { a: [0, 1, 2, 6, 7, 8, 9], b: [6, 5, 4, 3, 2, 1, 0] }
    const found = findGaps(chain, [first, genes([9, 8, 7, 6, 2, 1, 0])], none, 1000)
    expect(found).toMatchObject([{ kind: 'deletion', sizeBp: 3000, startA: 2901, endA: 6000 }])
  })

  test('genes of a gap that have their counterparts elsewhere are moved, not lost', () => {
    const chain = { a: [0, 1, 2, 6, 7, 8, 9], b: [0, 1, 2, 3, 4, 5, 6] }
    const second = genes([0, 1, 2, 6, 7, 8, 9, 3, 4, 5])
    expect(findGaps(chain, [first, second], [new Set([3, 4, 5]), new Set([7, 8, 9])], 1000)).toEqual([])
  })

  test('of a place that has other genes the net length is told', () => {
    const second = genes([0, 1, 2, 20, 21, 6, 7, 8, 9])
    const chain = { a: [0, 1, 2, 6, 7, 8, 9], b: [0, 1, 2, 5, 6, 7, 8] }
    expect(findGaps(chain, [first, second], none, 1000)).toMatchObject([{ kind: 'deletion', sizeBp: 1000 }])
  })
})

describe('two annotations of one genome', () => {
  // Gene 2 is the second half only, 5 begins 700 bp before, 7 and 8 are one gene, 9 is the first third.
  const second: OrderedGenes = {
    ...genes([0, 1, 2, 3, 4, 5, 6, 7, 9]),
    start: [1, 1001, 2501, 3001, 4001, 4301, 6001, 7001, 9001],
    end: [900, 1900, 2900, 3900, 4900, 5900, 6900, 8900, 9300],
  }
  const chain = { a: [0, 1, 2, 3, 4, 5, 6, 7, 9], b: [0, 1, 2, 3, 4, 5, 6, 7, 8] }

  test('genes that are longer, split or merged in one of them are no differences', () => {
    expect(findGaps(chain, [first, second], none, 300)).toEqual([])
    expect(findGaps({ a: chain.b, b: chain.a }, [second, first], none, 300)).toEqual([])
  })

  test('a loss beside such a gene has its own size', () => {
    const lost = { ...second, start: [...second.start], end: [...second.end] }
    for (let at = 6; at < 9; at += 1) {
      lost.start[at]! -= 1500
      lost.end[at]! -= 1500
    }
    expect(findGaps(chain, [first, lost], none, 300)).toMatchObject([{ kind: 'deletion', sizeBp: 1500 }])
  })
})

describe('circles and copies', () => {
  test('of a place that blocks hold twice the chain goes through one copy, and the other is an insertion', () => {
    const pairs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((gene): [number, number] => [gene, gene < 6 ? gene : gene + 4])
    const chain = longestChain([...pairs, [2, 6], [3, 7], [4, 8], [5, 9]], 1)
    expect(chain.a).toEqual(first.group)
    const second = genes([0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(findGaps(chain, [first, second], none, 1000)).toMatchObject([{ kind: 'insertion', sizeBp: 4000 }])
  })

  test('what a circle has more between its last and its first gene is over the origin, either way round', () => {
    const chain = { a: first.group, b: first.group.map((gene) => gene + 2) }
    const second = genes([20, 21, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(findGaps(chain, [first, second], none, 1000)).toEqual([])
    expect(findGaps(chain, [first, second], none, 1000, [10_000, 12_000])).toMatchObject([
      { kind: 'insertion', sizeBp: 2000, startB: 11_901, endB: 14_000 },
    ])
    const turned = { a: first.group, b: first.group.map((gene) => 9 - gene) }
    const backwards = genes([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 20, 21])
    expect(findGaps(turned, [first, backwards], none, 1000, [10_000, 12_000])).toMatchObject([
      { kind: 'insertion', sizeBp: 2000, startB: 9901, endB: 12_000 },
    ])
  })

  test('what was copied from two places has two parts', () => {
    const own = genes(Array.from({ length: 40 }, (_, at) => at))
    const other = genes([0, 1, 2, 3, 4, 30, 31, 32, 1, 2, 3])
    const inserted = { sequence: 'chr', start: 5001, end: 11_000 }
    expect(findCopied(inserted, other, { sequence: 'chr', position: 5000 }, own)?.parts).toEqual([
      { start: 1001, end: 3900 },
      { start: 30_001, end: 32_900 },
    ])
  })
})

describe('insertions that repeat what lies beside them', () => {
  const second = genes([0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7, 8, 9])

  test('the copy of four genes is found with what it is of', () => {
    const inserted = { sequence: 'chr', start: 6001, end: 10_000 }
    const found = findCopied(inserted, second, { sequence: 'chr', position: 6000 }, first)
    expect(found).toEqual({ parts: [{ start: 2001, end: 5900 }], genes: [2, 3, 4, 5] })
  })

  test('genes of other families, one family over and over, and two genes alone are no copy', () => {
    const place = { sequence: 'chr', position: 6000 }
    const inserted = { sequence: 'chr', start: 6001, end: 10_000 }
    expect(findCopied(inserted, genes([0, 1, 2, 3, 4, 5, 30, 31, 32, 33]), place, first)).toBeNull()
    expect(findCopied(inserted, genes([0, 1, 2, 3, 4, 5, 2, 2, 2, 2]), place, first)).toBeNull()
    expect(findCopied({ ...inserted, end: 8000 }, second, place, first)).toBeNull()
  })
})
