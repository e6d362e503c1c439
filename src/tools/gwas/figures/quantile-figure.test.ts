import { expect, test } from 'vitest'
import { countAbove } from './quantile-figure.tsx'

test('tests above the axis are counted by their ranks, since not all of them have a point', () => {
  const points = [1, 2, 3, 205, 210].map((rank) => ({ rank }))
  expect(countAbove(points, 2)).toEqual({ count: 2, exact: true })
  expect(countAbove(points, 4)).toEqual({ count: 205, exact: false })
  expect(countAbove(points, 5)).toEqual({ count: 210, exact: true })
})
