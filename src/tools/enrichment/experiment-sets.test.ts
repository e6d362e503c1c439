import { expect, it } from 'vitest'
import { logRatios } from './experiment-sets.ts'

it('compares conditions by sums per million, so that a deeper library makes no difference', () => {
  const rows = [
    [100, 200, 100],
    [0, 0, 1000],
    [Number.NaN, 50, 50],
  ]
  const sums = [1_000_000, 2_000_000, 1_000_000]
  const ratios = logRatios(rows, sums, [true, true, false])
  expect(ratios[0]).toBeCloseTo(0)
  expect(ratios[1]).toBeCloseTo(Math.log2(10 / 1010))
  expect(ratios[2]).toBeCloseTo(Math.log2(35 / 60))
})

it('takes the difference of values that are logarithms, and nothing from samples on neither side', () => {
  expect(logRatios([[-1, 3, 99]], [1, 1, 1], [false, true, null])).toEqual([4])
})
