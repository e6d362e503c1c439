import { describe, expect, it } from 'vitest'
import { exonParts, positionOnCircle, strandOfPart } from './gene-structure.tsx'

describe('the parts of exons', () => {
  it('split where coding begins and ends', () => {
    expect(
      exonParts({
        exons: [
          { start: 1, end: 100 },
          { start: 200, end: 300 },
        ],
        cds: [
          { start: 51, end: 100, phase: 0 },
          { start: 200, end: 250, phase: 1 },
        ],
      }),
    ).toEqual([
      { start: 1, end: 50, coding: false },
      { start: 51, end: 100, coding: true },
      { start: 200, end: 250, coding: true },
      { start: 251, end: 300, coding: false },
    ])
  })

  it('show both sides of a frameshift inside one exon', () => {
    expect(
      exonParts({
        exons: [{ start: 1, end: 90 }],
        cds: [
          { start: 1, end: 40, phase: 0 },
          { start: 40, end: 90, phase: 0 },
        ],
      }),
    ).toEqual([
      { start: 1, end: 40, coding: true },
      { start: 40, end: 90, coding: true },
    ])
  })

  it('of a non-coding transcript are whole', () => {
    expect(exonParts({ exons: [{ start: 5, end: 9 }], cds: [] })).toEqual([{ start: 5, end: 9, coding: false }])
  })
})

describe('a gene of a chloroplast', () => {
  it('has the strand of each part as rps12 is read: its first exon in reverse, the others forward', () => {
    const readingOrder = [
      { start: 4400, end: 4513, strand: '-' as const },
      { start: 1001, end: 1232, strand: '+' as const },
      { start: 1800, end: 1825, strand: '+' as const },
    ]
    const strands = [1001, 1800, 4400].map((start) => strandOfPart({ readingOrder }, { start, end: start + 20 }, '-'))
    expect(strands).toEqual(['+', '+', '-'])
    expect(strandOfPart({}, { start: 1, end: 9 }, '-')).toBe('-')
  })
  it('is numbered from the first base again behind the origin', () => {
    expect([5900, 6000, 6001, 6250].map((position) => positionOnCircle(position, 6000))).toEqual([5900, 6000, 1, 250])
    expect(positionOnCircle(6250, null)).toBe(6250)
  })
})
