import { describe, expect, test } from 'vitest'
import { createDensity, joinPieces } from './density.ts'
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
    const told: string[] = []
    const density = createDensity(40, 40, (one) =>
      told.push(`${one.sourceStart0}-${one.sourceEnd0} ${one.otherStart0}-${one.otherEnd0} ${one.strand}`),
    )
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
