import { describe, expect, it } from 'vitest'
import { exonParts } from './gene-structure.tsx'

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
