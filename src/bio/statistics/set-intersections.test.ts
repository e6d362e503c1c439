import { expect, test } from 'vitest'
import { listIntersections } from './set-intersections.ts'

test('every member is counted once, in the group of exactly its sets', () => {
  const sets = [
    ['a', 'b', 'c', 'c'],
    ['b', 'c', 'd'],
    ['c', 'e', 'f'],
  ]
  expect(listIntersections(sets)).toEqual([
    { at: [2], members: ['e', 'f'] },
    { at: [0], members: ['a'] },
    { at: [1], members: ['d'] },
    { at: [0, 1], members: ['b'] },
    { at: [0, 1, 2], members: ['c'] },
  ])
})
