import { expect, it } from 'vitest'
import { logRatios } from './experiment-sets.ts'

it('compares counts per million, so that a deeper library makes no difference', () => {
  const rows = [
    [100, 200, 100],
    [0, 0, 1000],
    [Number.NaN, 50, 50],
    [1, 2, 9],
  ]
  const sums = [1_000_000, 2_000_000, 1_000_000]
  const ratios = logRatios(rows, 'counts', sums, [true, true, false])
  expect(ratios[0]).toBeCloseTo(0)
  expect(ratios[1]).toBeCloseTo(Math.log2(11 / 1001))
  expect(ratios[2]).toBeCloseTo(Math.log2(26 / 51))
  expect(ratios[3]).toBe(0)
})

it('takes the difference of values that are logarithms, whether or not any is negative', () => {
  const sides = [false, true, null]
  expect(logRatios([[-1, 3, 99]], 'log2ratio', [1, 1, 1], sides)).toEqual([4])
  expect(logRatios([[2, 5, 7]], 'log2', [40, 10, 7], sides)).toEqual([3])
})

it('takes other values as they are loaded', () => {
  expect(logRatios([[31, 63]], 'TPM', [40, 10], [true, false])).toEqual([-1])
})
