import { describe, expect, it } from 'vitest'
import { codingSequence, readingPieces } from './coding-sequence.ts'

const sequence = 'AAACATGGGTTTCCCAAATTT'
const sequenceOf = (start1: number, end1: number) => sequence.slice(start1 - 1, end1)

describe('codingSequence', () => {
  it('joins parts in the direction of the strand', () => {
    const cds = [
      { start1: 1, end1: 3, phase: 0 as const },
      { start1: 4, end1: 6, phase: 0 as const },
    ]
    expect(codingSequence({ cds }, '+', sequenceOf).sequence).toBe('AAACAT')
    expect(codingSequence({ cds }, '-', sequenceOf).sequence).toBe('ATGTTT')
    expect(codingSequence({ cds }, '.', sequenceOf).sequence).toBe('AAACAT')
  })
  it('gives the phase of the part that is read first', () => {
    const cds = [
      { start1: 1, end1: 3, phase: 2 as const },
      { start1: 4, end1: 6, phase: 1 as const },
    ]
    expect(codingSequence({ cds }, '+', sequenceOf).phase).toBe(2)
    expect(codingSequence({ cds }, '-', sequenceOf).phase).toBe(1)
    expect(codingSequence({ cds: [] }, '+', sequenceOf)).toEqual({ sequence: '', phase: 0 })
  })
  it('follows the reading order of a trans-spliced gene over both strands', () => {
    const transcript = {
      cds: [
        { start1: 4, end1: 6, phase: 0 as const },
        { start1: 10, end1: 12, phase: 0 as const },
      ],
      readingOrder: [
        { start1: 10, end1: 12, strand: '+' as const },
        { start1: 4, end1: 6, strand: '-' as const },
      ],
    }
    expect(codingSequence(transcript, '+', sequenceOf).sequence).toBe('TTTATG')
  })
})

describe('readingPieces', () => {
  it('reads the last part first on the reverse strand', () => {
    const cds = [
      { start1: 1, end1: 9, phase: 0 as const },
      { start1: 21, end1: 29, phase: 0 as const },
    ]
    expect(readingPieces({ cds }, '-').map(({ start1 }) => start1)).toEqual([21, 1])
  })
})
