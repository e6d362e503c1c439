import { describe, expect, test } from 'vitest'
import { Coverage } from './alignment-chains.ts'
import { createDensity, joinPieces, noteUnknownBases, type SmallVariant } from './density.ts'
import type { AlignmentPiece } from './lift.ts'
import { parseCigar } from './paf.ts'

const piece = (sourceStart0: number, cigar: string, about: Partial<AlignmentPiece> = {}): AlignmentPiece => {
  const operations = parseCigar(cigar)
  let [source, other] = [0, 0]
  for (const entry of operations) {
    const length = Math.floor(entry / 16)
    if ((entry & 15) !== 1) source += length
    if ((entry & 15) !== 2) other += length
  }
  const otherStart0 = about.otherStart0 ?? sourceStart0
  return {
    source: 'chr',
    sourceStart0,
    sourceEnd0: sourceStart0 + source,
    other: 'other',
    otherEnd0: otherStart0 + other,
    strand: '+',
    chain: 0,
    chainScore: 100,
    mapq: 60,
    gap: false,
    cigar: operations,
    ...about,
    otherStart0,
  }
}

const hearVariants = () => {
  const told: string[] = []
  const onVariant = (one: SmallVariant): void => {
    told.push(`${one.sourceStart0}-${one.sourceEnd0} ${one.otherStart0}-${one.otherEnd0} ${one.strand}`)
  }
  return { told, onVariant }
}

describe('small variants along an alignment', () => {
  test('substitutions and indels fall into the windows where they are', () => {
    const density = createDensity(30, 10)
    density.add([piece(0, '4=1X4=2X4=1D4=2I10=')])
    const { windows, toldApart } = density.finish()
    expect(toldApart).toBe(true)
    expect(windows).toEqual([
      { comparedBp: 10, substitutions: 2, insertions: 0, deletions: 0 },
      { comparedBp: 9, substitutions: 1, insertions: 0, deletions: 1 },
      { comparedBp: 10, substitutions: 0, insertions: 1, deletions: 0 },
    ])
  })

  test('a base of two alignments is counted once, in the better chain', () => {
    const density = createDensity(20, 20)
    density.add([piece(5, '1X14=', { chainScore: 50, chain: 1 }), piece(0, '10=')])
    expect(density.finish().windows).toEqual([{ comparedBp: 20, substitutions: 0, insertions: 0, deletions: 0 }])
  })

  test('variants are told with their bases on both sides, also where the strands are opposite, and none of bases that are counted already', () => {
    const { told, onVariant } = hearVariants()
    const density = createDensity(40, 40, { onVariant })
    density.add([piece(0, '4=1X2=2D3I2=', { chainScore: 200 })])
    expect(told.splice(0)).toEqual(['4-5 4-5 +', '7-9 7-7 +', '9-9 7-10 +'])
    density.add([piece(20, '4=1X2=2D3I2=', { strand: '-', otherStart0: 0 })])
    expect(told.splice(0)).toEqual(['24-25 7-8 -', '27-29 5-5 -', '29-29 2-5 -'])
    density.add([piece(10, '2X3=', { chainScore: 10 })])
    expect(told).toEqual(['11-12 11-12 +'])
  })

  test('what could lie elsewhere as well, gaps of chains and structural variants are not counted', () => {
    const density = createDensity(200, 200)
    density.add([piece(0, '10=60D10=60I10='), piece(150, '1X9=', { mapq: 0 }), piece(170, '10D', { gap: true })])
    expect(density.finish().windows).toEqual([{ comparedBp: 30, substitutions: 0, insertions: 0, deletions: 0 }])
  })

  test.each(['+', '-'] as const)(
    'unknown bases of either genome on strand %s are neither compared nor told as SNPs or indels',
    (strand) => {
      const unknown = { source: new Coverage(), other: new Coverage() }
      unknown.source.add('chr', 2, 4)
      // Of the other: two bases that are written as mismatches, and those inserted; on its reverse strand they lie from the end.
      const length = 23
      for (const [from, to] of [
        [8, 10],
        [15, 18],
      ] as const)
        unknown.other.add('other', strand === '+' ? from : length - to, strand === '+' ? to : length - from)
      const { told, onVariant } = hearVariants()
      const density = createDensity(20, 20, { unknown, onVariant })
      density.add([piece(0, '2=2X4=2X2=1X2=3I5=', { strand })])
      expect(density.finish().windows).toEqual([{ comparedBp: 16, substitutions: 1, insertions: 0, deletions: 0 }])
      expect(told).toEqual([strand === '+' ? '12-13 12-13 +' : '12-13 10-11 -'])
    },
  )

  test.each(['+', '-'] as const)(
    'bases beside unknown ones of the same mismatches are told on strand %s, deletions that hold unknown ones are not',
    (strand) => {
      const unknown = { source: new Coverage(), other: new Coverage() }
      unknown.source.add('chr', 11, 12)
      const length = 17
      const [from, to] = strand === '+' ? [3, 4] : [length - 4, length - 3]
      unknown.other.add('other', from, to)
      const { told, onVariant } = hearVariants()
      const density = createDensity(20, 20, { unknown, onVariant })
      density.add([piece(0, '2=5X3=3D7=', { strand })])
      expect(density.finish().windows).toEqual([{ comparedBp: 16, substitutions: 4, insertions: 0, deletions: 0 }])
      expect(told).toEqual(strand === '+' ? ['2-3 2-3 +', '4-7 4-7 +'] : ['2-3 14-15 -', '4-7 10-13 -'])
    },
  )

  test('unknown bases are found over the borders of pieces', async () => {
    const unknown = new Coverage()
    await noteUnknownBases(
      unknown,
      'chr',
      (async function* () {
        yield 'acNN'
        yield 'NGRT'
      })(),
    )
    expect(unknown.intervals('chr')).toEqual([
      [2, 5],
      [6, 7],
    ])
  })

  test('an alignment that does not tell mismatches says so', () => {
    const density = createDensity(20, 20)
    density.add([piece(0, '20M')])
    expect(density.finish()).toMatchObject({ toldApart: false, windows: [{ comparedBp: 20, substitutions: 0 }] })
  })
})

describe('segments of chains', () => {
  test('pieces of a chain are joined, over a short gap, and not over a long one', () => {
    const pieces = [piece(0, '100='), piece(100, '100='), piece(250, '100='), piece(900, '100=')]
    expect(joinPieces(pieces, 60, 50)).toMatchObject([
      { start: 1, end: 350, otherStart: 1, otherEnd: 350 },
      { start: 901, end: 1000 },
    ])
  })

  test('an inverted chain goes backwards along the other sequence', () => {
    const pieces = [
      piece(0, '100=', { strand: '-', otherStart0: 900 }),
      piece(100, '100=', { strand: '-', otherStart0: 800 }),
    ]
    expect(joinPieces(pieces, 10, 50)).toEqual([
      { source: 'chr', start: 1, end: 200, other: 'other', otherStart: 801, otherEnd: 1000, strand: '-' },
    ])
  })
})
