import { describe, expect, test } from 'vitest'
import { baseCode, findDiagnosticSnps, findGroupSegments, findVariableSites } from './discriminating-sites.ts'

const whole = { spans: [{ start: 1, end: 1000, state: 'aligned' as const }] }
const without = (start: number, end: number, state: 'deleted' | 'replaced' = 'deleted') => ({
  spans: [
    { start: 1, end: start - 1, state: 'aligned' as const },
    { start, end, state },
    { start: end + 1, end: 1000, state: 'aligned' as const },
  ],
})
const range = { start1: 1, end1: 1000 }
const rule = { minBp: 40, joinBp: 20 }

describe('segments that one group of genomes has and the other lacks', () => {
  test('are those that every spared genome lacks, whatever the ends of each deletion', () => {
    expect(findGroupSegments([whole, whole], [without(300, 600), without(400, 700)], range, rule)).toEqual([
      { start1: 400, end1: 600, certain: true },
    ])
  })

  test('are none where a genome to be amplified lacks them too', () => {
    expect(findGroupSegments([whole, without(250, 650)], [without(300, 600)], range, rule)).toEqual([])
  })

  test('are told not to be certain where a spared genome is not aligned', () => {
    const unknown = { spans: [{ start: 1, end: 299, state: 'aligned' as const }] }
    expect(findGroupSegments([whole], [unknown, without(300, 600)], range, rule)).toEqual([
      { start1: 300, end1: 600, certain: false },
    ])
  })

  test('go on over a few bases that match by chance, and the longest comes first', () => {
    const broken = {
      spans: [
        { start: 1, end: 99, state: 'aligned' as const },
        { start: 100, end: 150, state: 'deleted' as const },
        { start: 151, end: 399, state: 'aligned' as const },
        { start: 400, end: 499, state: 'replaced' as const },
        { start: 500, end: 509, state: 'aligned' as const },
        { start: 510, end: 600, state: 'deleted' as const },
        { start: 601, end: 1000, state: 'aligned' as const },
      ],
    }
    expect(findGroupSegments([whole], [broken], range, rule)).toEqual([
      { start1: 400, end1: 600, certain: true },
      { start1: 100, end1: 150, certain: true },
    ])
  })

  test('are none between genomes that have the same, and none without a group to spare', () => {
    expect(findGroupSegments([whole], [whole], range, rule)).toEqual([])
    expect(findGroupSegments([whole], [], range, rule)).toEqual([])
  })
})

const bases = (text: string) => Uint8Array.from(text, baseCode)

describe('diagnostic single-base differences', () => {
  test('have one base in all genomes of a group and another in all of the other', () => {
    expect(findDiagnosticSnps([bases('ACGTA'), bases('ACGTC')], [bases('ACTTA'), bases('ACTTA')])).toEqual([
      { offset0: 2, target: 'G', spare: 'T' },
    ])
  })

  test('are ruled out by a genome that is not aligned there or that has the base of the other group', () => {
    expect(findDiagnosticSnps([bases('ACGT')], [bases('ACTT'), bases('ACNT')])).toEqual([])
    expect(findDiagnosticSnps([bases('ACGT')], [bases('ACTT'), bases('ACGT')])).toEqual([])
  })

  test('sites that vary in any genome are told, so that primers are kept off them', () => {
    expect([...findVariableSites(bases('ACGTA'), [bases('ACGTC'), bases('NCGTA')])]).toEqual([1, 0, 0, 0, 1])
  })
})
