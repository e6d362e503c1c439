import { expect, test } from 'vitest'
import { spreadLabels } from './spread-labels.ts'

test('labels that do not touch stay, those that do are moved apart about their middle', () => {
  expect(spreadLabels([10, 40, 90], 10, 0, 100)).toEqual([10, 40, 90])
  expect(spreadLabels([10, 11, 50], 10, 0, 100)).toEqual([5.5, 15.5, 50])
  expect(spreadLabels([30, 30, 30], 10, 0, 100)).toEqual([20, 30, 40])
})

test('none leaves the line, and of too many all stand evenly', () => {
  expect(spreadLabels([0, 1, 2], 10, 0, 100)).toEqual([0, 10, 20])
  expect(spreadLabels([99, 100], 10, 0, 100)).toEqual([90, 100])
  expect(spreadLabels([5, 5, 5, 5, 5], 30, 0, 100)).toEqual([0, 25, 50, 75, 100])
  expect(spreadLabels([], 10, 0, 100)).toEqual([])
  expect(spreadLabels([7], 10, 0, 100)).toEqual([7])
})

test('a thousand labels of one chromosome keep their order and their distance', () => {
  const wanted = Array.from({ length: 1000 }, (_, at) => (at * 7919) % 5000).sort((a, b) => a - b)
  const indexes = spreadLabels(wanted, 11, 0, 20_000)
  for (let at = 1; at < indexes.length; at += 1)
    expect(indexes[at]! - indexes[at - 1]!).toBeGreaterThanOrEqual(11 - 1e-6)
})
