import { describe, expect, test } from 'vitest'
import { findCutoff, isBeyond, mergeWindows, shareAtOrBelow } from './sweep-regions.ts'

const hundred = Float64Array.from({ length: 100 }, (_, at) => 100 - at)

describe('windows that stand out', () => {
  test('are the outermost share of those with a value, with those equal to the last', () => {
    expect(findCutoff(hundred, 0.05, 'high')).toBe(96)
    expect(findCutoff(hundred, 0.01, 'low')).toBe(1)
    expect(findCutoff([Number.NaN, 3, Number.NaN, 3, 1], 0.01, 'high')).toBe(3)
    expect(findCutoff([Number.NaN], 0.05, 'high')).toBeNull()
    expect([...hundred].filter((value) => isBeyond(value, 96, 'high'))).toHaveLength(5)
  })

  test('stand at a share of the genome', () => {
    const sorted = Float64Array.of(1, 2, 2, 4)
    expect([0, 1, 2, 3.9, 4].map((value) => shareAtOrBelow(sorted, value))).toEqual([0, 0.25, 0.75, 0.75, 1])
  })

  test('are joined within a sequence where no more bases than the gap lie between them', () => {
    const loci = {
      sequence: [0, 0, 0, 0, 1],
      start1: [1, 11, 31, 36, 41],
      end1: [10, 20, 40, 45, 50],
    }
    const values = [5, 7, 6, 9, 1]
    const merge = (gapBp: number) => mergeWindows(loci, [0, 1, 2, 3, 4], gapBp, (window) => values[window]!)
    expect(merge(9)).toEqual([
      { sequence: 0, start1: 1, end1: 20, windows: 2, peak: 1 },
      { sequence: 0, start1: 31, end1: 45, windows: 2, peak: 3 },
      { sequence: 1, start1: 41, end1: 50, windows: 1, peak: 4 },
    ])
    expect(merge(10).map(({ start1, end1 }) => [start1, end1])).toEqual([
      [1, 45],
      [41, 50],
    ])
  })
})
