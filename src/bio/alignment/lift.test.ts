import { describe, expect, test } from 'vitest'
import { align } from '../../testing/alignment.ts'
import { chainAlignments, chainGaps, rankChains } from './alignment-chains.ts'
import {
  type AlignmentPiece,
  composeChains,
  cutAlignment,
  invertPiece,
  liftInterval,
  readChains,
  readSegments,
} from './lift.ts'
import { cigarSpans, type PafRecord, renderCigar } from './paf.ts'

const piecesOf = (records: PafRecord[], pieceBp?: number): AlignmentPiece[] =>
  rankChains(chainAlignments(records)).flatMap((chain) => [
    ...chain.alignments.flatMap((record) => cutAlignment(record, chain.number, chain.score, pieceBp)),
    ...chainGaps(chain, chain.number),
  ])

const lift = (pieces: AlignmentPiece[], start0: number, end0: number) =>
  liftInterval(readChains(pieces, start0, end0), start0, end0)

/** What was lifted, with each base and its partner in place of segments. */
const uncut = ({ loci, ...rest }: ReturnType<typeof lift>) => ({
  ...rest,
  loci: loci.map(({ segments, strand, ...place }) => ({
    ...place,
    strand,
    bases: segments.flatMap(({ source0, other0, lengthBp, equal }) =>
      Array.from({ length: lengthBp }, (_, at) => [
        source0 + at,
        strand === '+' ? other0 + at : other0 + lengthBp - 1 - at,
        equal,
      ]),
    ),
  })),
})

describe('pieces of an alignment', () => {
  test('together they are the alignment, each with aligned bases at its ends', () => {
    for (const strand of ['+', '-'] as const) {
      const record = align(['chr1', 1000], ['ctg', 300], strand, '95=1X30I50=200D10=3I7X120=')
      const pieces = cutAlignment(record, 0, 1, 100)
      expect(pieces.length).toBeGreaterThan(2)
      expect(pieces[0]!.sourceStart0).toBe(1000)
      expect(pieces.at(-1)!.sourceEnd0).toBe(record.targetEnd0)
      for (const [at, piece] of pieces.entries()) {
        const { targetBp, queryBp } = cigarSpans(piece.cigar)
        expect(piece.sourceEnd0 - piece.sourceStart0).toBe(targetBp)
        expect(piece.otherEnd0 - piece.otherStart0).toBe(queryBp)
        expect(renderCigar(piece.cigar)).toMatch(/^\d+[=X].*[=X]$|^\d+[=X]$/)
        const before = pieces[at - 1]
        if (before === undefined) continue
        expect(piece.sourceStart0).toBe(before.sourceEnd0)
        if (strand === '+') expect(piece.otherStart0).toBe(before.otherEnd0)
        else expect(piece.otherEnd0).toBe(before.otherStart0)
      }
    }
  })

  test('asked from the other side, each base has the same partner', () => {
    for (const strand of ['+', '-'] as const) {
      const [piece] = cutAlignment(align(['chr1', 1000], ['ctg', 300], strand, '5=2D4X3I6='), 0, 1)
      const pairs = (of: AlignmentPiece): string[] =>
        readSegments(of, 0, 1e6).flatMap(({ source0, other0, lengthBp }) =>
          Array.from({ length: lengthBp }, (_, at) =>
            [source0 + at, strand === '+' ? other0 + at : other0 + lengthBp - 1 - at].join(),
          ),
        )
      const there = pairs(piece!)
      const back = pairs(invertPiece(piece!)).map((pair) => pair.split(',').reverse().join())
      expect(there.length).toBe(15)
      expect(back.sort()).toEqual([...there].sort())
    }
  })
})

describe('places in another assembly', () => {
  test('on the forward strand a place moves with the insertion before it', () => {
    const pieces = piecesOf([align(['chr1', 0], ['ctg', 500], '+', '100=10I900=')])
    expect(lift(pieces, 200, 300)).toEqual({
      outcome: 'whole',
      deletedAt: null,
      loci: [
        expect.objectContaining({
          sequence: 'ctg',
          start0: 710,
          end0: 810,
          strand: '+',
          alignedBp: 100,
          identity: 1,
          role: 'best',
        }),
      ],
    })
    // A single base beside the insertion, on either side.
    expect(lift(pieces, 99, 100).loci[0]).toMatchObject({ start0: 599, end0: 600 })
    expect(lift(pieces, 100, 101).loci[0]).toMatchObject({ start0: 610, end0: 611 })
  })

  test('on the reverse strand it counts from the other end', () => {
    // Base 0 of the target stands opposite the last base of the query's segment.
    const pieces = piecesOf([align(['chr1', 0], ['ctg', 500], '-', '1000=')])
    expect(lift(pieces, 0, 10).loci[0]).toMatchObject({ start0: 1490, end0: 1500, strand: '-' })
    expect(lift(pieces, 200, 300).loci[0]).toMatchObject({ start0: 1200, end0: 1300, strand: '-' })
  })

  test('many pieces give what one gives', () => {
    const record = align(['chr1', 0], ['ctg', 500], '-', '333=7I210=12D45X400=')
    // The same bases stand opposite each other; where they are cut depends on the pieces.
    for (const [start0, end0] of [
      [0, 1000],
      [320, 345],
      [540, 560],
      [99, 701],
    ] as const)
      expect(uncut(lift(piecesOf([record], 50), start0, end0))).toEqual(uncut(lift(piecesOf([record]), start0, end0)))
  })

  test('identity counts the aligned bases that differ, and gaps are told beside it', () => {
    const { outcome, loci } = lift(piecesOf([align(['chr1', 0], ['ctg', 0], '+', '80=20X10D5I90=')]), 0, 200)
    expect(outcome).toBe('whole')
    expect(loci[0]).toMatchObject({ alignedBp: 190, missingBp: 10, insertedBp: 5, start0: 0, end0: 195 })
    expect(loci[0]!.identity).toBeCloseTo(170 / 190, 10)
    // "M" does not say whether bases are equal.
    expect(lift(piecesOf([align(['chr1', 0], ['ctg', 0], '+', '100M')]), 0, 50).loci[0]!.identity).toBeNull()
  })

  test('within a deletion there is no place, and where it would be is told', () => {
    const inside = piecesOf([align(['chr1', 0], ['ctg', 100], '+', '1000=6000D1000=')])
    expect(lift(inside, 2000, 3000)).toEqual({
      outcome: 'deleted',
      loci: [],
      deletedAt: { sequence: 'ctg', start0: 1100, end0: 1100, strand: '+' },
    })
    // The same between two alignments of a chain, with 20 other bases there, and with 500.
    const between = piecesOf([
      align(['chr1', 0], ['ctg', 100], '+', '90000='),
      align(['chr1', 96_000], ['ctg', 90_120], '+', '90000='),
    ])
    expect(lift(between, 92_000, 93_000)).toMatchObject({
      outcome: 'deleted',
      deletedAt: { sequence: 'ctg', start0: 90_100, end0: 90_120 },
    })
    const replaced = piecesOf([
      align(['chr1', 0], ['ctg', 100], '+', '90000='),
      align(['chr1', 96_000], ['ctg', 90_600], '+', '90000='),
    ])
    expect(lift(replaced, 92_000, 93_000)).toMatchObject({
      outcome: 'replaced',
      deletedAt: { start0: 90_100, end0: 90_600 },
    })
    // Within one alignment other bases stand beside the deletion, on either side of it.
    for (const cigar of ['1000=500I6000D1000=', '1000=6000D500I1000=', '1000=300I6000D200I1000='])
      for (const strand of ['+', '-'] as const)
        expect(lift(piecesOf([align(['chr1', 0], ['ctg', 100], strand, cigar)]), 2000, 3000)).toMatchObject({
          outcome: 'replaced',
          deletedAt: { start0: 1100, end0: 1600 },
        })
    // A base or two that chance aligns at its edge do not hide them.
    expect(lift(replaced, 89_998, 93_000)).toMatchObject({
      outcome: 'replaced',
      deletedAt: { start0: 90_100, end0: 90_600 },
    })
    const turned = piecesOf([align(['chr1', 0], ['ctg', 100], '-', '1000=6000D1500=')])
    expect(lift(turned, 2000, 3000).deletedAt).toEqual({ sequence: 'ctg', start0: 1600, end0: 1600, strand: '-' })
  })

  test('a gene half of which is deleted is told as a part', () => {
    const pieces = piecesOf([align(['chr1', 0], ['ctg', 0], '+', '1000=6000D1000=')])
    const { outcome, loci } = lift(pieces, 500, 1500)
    expect(outcome).toBe('partial')
    expect(loci).toEqual([
      expect.objectContaining({ start0: 500, end0: 1000, sourceStart0: 500, sourceEnd0: 1000, alignedBp: 500 }),
    ])
  })

  test('a few aligned bases at the edge of a deletion are no place', () => {
    const pieces = piecesOf([align(['chr1', 0], ['ctg', 0], '+', '1000=6000D1000=')])
    expect(lift(pieces, 990, 3000)).toMatchObject({
      outcome: 'deleted',
      loci: [],
      deletedAt: { start0: 1000, end0: 1000 },
    })
    // Where the alignment ends beside them nothing is passed over.
    expect(lift(pieces, 7990, 9000)).toEqual({ outcome: 'unaligned', loci: [], deletedAt: null })
    // Of a short region they are most of it.
    expect(lift(pieces, 990, 1002)).toMatchObject({ outcome: 'whole', loci: [{ start0: 990, end0: 1000 }] })
  })

  test('where nothing is aligned nothing is guessed, however near an alignment ends', () => {
    const pieces = piecesOf([align(['chr1', 1000], ['ctg', 0], '+', '500=')])
    expect(lift(pieces, 990, 1000)).toEqual({ outcome: 'unaligned', loci: [], deletedAt: null })
    expect(lift(pieces, 1500, 1600).outcome).toBe('unaligned')
  })

  test('a region over a breakpoint lies in two places', () => {
    const pieces = piecesOf([
      align(['chr1', 0], ['ctg4', 50_000], '+', '100000='),
      align(['chr1', 100_000], ['ctg9', 10_000], '-', '80000='),
    ])
    const { outcome, loci } = lift(pieces, 99_000, 103_000)
    expect(outcome).toBe('split')
    expect(loci.map(({ sequence, role, alignedBp, strand }) => [sequence, role, alignedBp, strand])).toEqual([
      ['ctg9', 'best', 3000, '-'],
      ['ctg4', 'rest', 1000, '+'],
    ])
  })

  test('what is found only aside from where the neighbours are says so', () => {
    const pieces = piecesOf([
      align(['chr1', 0], ['ctg', 100], '+', '50000=3000D50000='),
      align(['chr1', 51_000], ['far', 7000], '-', '900=30X70='),
    ])
    expect(lift(pieces, 51_000, 52_000)).toMatchObject({
      outcome: 'whole',
      loci: [{ sequence: 'far', strand: '-' }],
      deletedAt: { sequence: 'ctg', start0: 50_100, end0: 50_100 },
    })
    // Where the neighbours go on with it, a copy elsewhere is no more than that.
    expect(lift(pieces, 20_000, 21_000).deletedAt).toBeNull()
  })

  test('what lies among the bases that the neighbours’ alignment passes over is at its place', () => {
    // 4 kb turned round with their genes in it; a copy elsewhere, in an alignment of higher score than the turned piece, is none.
    const turned = piecesOf([
      align(['chr1', 0], ['ctg', 100], '+', '50000='),
      align(['chr1', 54_000], ['ctg', 54_100], '+', '50000='),
      align(['chr1', 50_000], ['ctg', 50_100], '-', '4000='),
      align(['chr1', 51_000], ['far', 7000], '+', '900=20000D20000='),
    ])
    expect(lift(turned, 51_000, 52_000)).toMatchObject({
      outcome: 'whole',
      loci: [
        { sequence: 'ctg', start0: 52_100, end0: 53_100, strand: '-', role: 'best' },
        { sequence: 'far', role: 'copy' },
      ],
      deletedAt: null,
    })
    // 8 kb put in within it: one alignment takes the bases on their one side, and goes on around.
    for (const strand of ['+', '-'] as const)
      expect(
        lift(
          piecesOf([
            align(['chr1', 0], ['ctg', 100], strand, '50000=14000D22000I50000='),
            align(['chr1', 56_000], ['ctg', 55_000], strand, '1500=8000I3000='),
          ]),
          57_000,
          58_200,
        ),
      ).toMatchObject({ outcome: 'whole', loci: [{ sequence: 'ctg', alignedBp: 1200 }], deletedAt: null })
    // Beside the gap, and in the gap of another sequence, it is elsewhere.
    for (const there of [
      ['ctg', 150_000],
      ['ctg2', 51_000],
    ] as const)
      expect(
        lift(
          piecesOf([
            align(['chr1', 0], ['ctg', 100], '+', '50000=4000D4000I50000='),
            align(['chr1', 51_000], [...there], '-', '1000='),
          ]),
          51_000,
          52_000,
        ).deletedAt,
      ).toMatchObject({ start0: 50_100, end0: 54_100 })
  })

  test('a copy that is more alike does not win over the place among its neighbours', () => {
    const pieces = piecesOf([
      align(['chr1', 0], ['ctg1', 0], '+', '50000=900=100X50000='),
      align(['chr1', 50_000], ['ctg2', 7000], '+', '1000='),
    ])
    const { loci } = lift(pieces, 50_000, 51_000)
    expect(loci.map(({ sequence, role }) => [sequence, role])).toEqual([
      ['ctg1', 'best'],
      ['ctg2', 'copy'],
    ])
  })

  test('a gene that was moved is found where it is, not at the edge of its old place', () => {
    const pieces = piecesOf([
      // 30 of its bases still align at the old place.
      align(['chr1', 0], ['ctg1', 0], '+', '50030=970D50000='),
      align(['chr1', 50_000], ['ctg2', 7000], '-', '1000='),
    ])
    const { loci } = lift(pieces, 50_000, 51_000)
    expect(loci[0]).toMatchObject({ sequence: 'ctg2', role: 'best', strand: '-' })
  })
})

describe('from one assembly to a third through the reference', () => {
  const direct = (record: PafRecord): AlignmentPiece[] => piecesOf([record])

  test('strands multiply, and each base arrives where two steps bring it', () => {
    for (const first of ['+', '-'] as const)
      for (const second of ['+', '-'] as const) {
        const toReference = direct(align(['chr1', 1000], ['a', 200], first, '300=5I200=8D300=')).map(invertPiece)
        const onward = direct(align(['chr1', 900], ['b', 50], second, '250=4I400=6D500='))
        const [start0, end0] = [320, 700]
        const [one] = readChains(toReference, start0, end0)
        const [two] = readChains(onward, 0, 1e6)
        const composed = composeChains(one!, two!)
        expect(composed.strand).toBe(first === second ? '+' : '-')
        const follow = (position0: number): number | null => {
          const step = lift(toReference, position0, position0 + 1).loci[0]
          const next = step === undefined ? undefined : lift(onward, step.start0, step.end0).loci[0]
          return next === undefined ? null : next.start0
        }
        const all = new Map<number, number>()
        for (const { source0, other0, lengthBp } of composed.segments)
          for (let at = 0; at < lengthBp; at += 1)
            all.set(source0 + at, composed.strand === '+' ? other0 + at : other0 + lengthBp - 1 - at)
        for (let position0 = start0; position0 < end0; position0 += 1)
          expect(all.get(position0) ?? null).toBe(follow(position0))
      }
  })

  test('where both differ from the reference nothing is said of their identity', () => {
    const toReference = direct(align(['chr1', 0], ['a', 0], '+', '10=2X10=')).map(invertPiece)
    const onward = direct(align(['chr1', 0], ['b', 0], '+', '10=1X1X5=5X'))
    const composed = composeChains(readChains(toReference, 0, 22)[0]!, readChains(onward, 0, 22)[0]!)
    expect(liftInterval([composed], 0, 22).loci[0]).toMatchObject({ alignedBp: 22, identity: 15 / 20 })
  })
})
