import { expect, it } from 'vitest'
import { median, quantile } from './quantile.ts'

it('gives quantiles as R does by default, at the ends too', () => {
  // R: quantile(c(1, 2, 4, 8, 16), c(0, 0.1, 0.25, 0.9, 1))
  expect([0, 0.1, 0.25, 0.9, 1].map((share) => quantile([1, 2, 4, 8, 16], share))).toEqual([1, 1.4, 2, 12.8, 16])
  expect(quantile([7], 0.3)).toBe(7)
  expect(quantile([], 0.5)).toBeNaN()
})

it('takes the middle of values in any order, and the mean of two', () => {
  expect(median([9, -1, 4])).toBe(4)
  expect(median(Float32Array.of(10, 2, 4, 3))).toBe(3.5)
  expect(median([])).toBeNaN()
})
