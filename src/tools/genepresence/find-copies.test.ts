import { expect, test } from 'vitest'
import { leftBetween } from './find-copies.ts'

test('what alignments leave of a sequence: before, between and behind them, where it is long enough', () => {
  expect(
    leftBetween(
      [
        [700, 800],
        [100, 300],
        [250, 400],
        [405, 500],
      ],
      1000,
      50,
    ),
  ).toEqual([
    [0, 100],
    [500, 700],
    [800, 1000],
  ])
  expect(leftBetween([], 60, 50)).toEqual([[0, 60]])
  expect(leftBetween([[0, 60]], 60, 1)).toEqual([])
})
