import { describe, expect, test } from 'vitest'
import { findCopied, findGaps, genesIn, type OrderedGenes } from './structural-differences.ts'

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

describe('insertions that repeat what lies beside them', () => {
  const second = genes([0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6, 7, 8, 9])

  test('the copy of four genes is found with what it is of', () => {
    const inserted = { sequence: 'chr', start: 6001, end: 10_000 }
    const found = findCopied(inserted, second, { sequence: 'chr', position: 6000 }, first)
    expect(found).toEqual({ start: 2001, end: 5900, genes: [2, 3, 4, 5] })
  })

  test('genes of other families, one family over and over, and two genes alone are no copy', () => {
    const place = { sequence: 'chr', position: 6000 }
    const inserted = { sequence: 'chr', start: 6001, end: 10_000 }
    expect(findCopied(inserted, genes([0, 1, 2, 3, 4, 5, 30, 31, 32, 33]), place, first)).toBeNull()
    expect(findCopied(inserted, genes([0, 1, 2, 3, 4, 5, 2, 2, 2, 2]), place, first)).toBeNull()
    expect(findCopied({ ...inserted, end: 8000 }, second, place, first)).toBeNull()
  })
})
