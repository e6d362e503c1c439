import { describe, expect, test } from 'vitest'
import { layOutNetwork, networkLayouts } from './network-layout.ts'

// Two complexes of five and one edge between them; the last node is joined to nothing.
const complexes: [number, number, number][] = [[0, 5, 0.5]]
for (const first of [0, 5])
  for (let a = first; a < first + 5; a += 1) for (let b = a + 1; b < first + 5; b += 1) complexes.push([a, b, 0.9])
const request = {
  count: 11,
  edges: complexes,
  groups: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, null],
  shells: [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
  aspect: 1.5,
}
const distance = (positions: Float32Array, a: number, b: number): number =>
  Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!)
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe.each(networkLayouts)('layout %s', (layout) => {
  const positions = layOutNetwork({ ...request, layout })
  test('every node has a place of its own, the same each time', () => {
    expect([...positions].every(Number.isFinite)).toBe(true)
    for (let a = 0; a < 11; a += 1)
      for (let b = a + 1; b < 11; b += 1) expect(distance(positions, a, b)).toBeGreaterThan(8)
    expect(layOutNetwork({ ...request, layout })).toEqual(positions)
  })
  test('a network of one node, and of none, is laid out', () => {
    const one = { ...request, layout, count: 1, edges: [], groups: [null], shells: [0] }
    expect(layOutNetwork(one)).toHaveLength(2)
    expect(layOutNetwork({ ...one, count: 0, groups: [], shells: [] })).toHaveLength(0)
  })
})

test.each(['force', 'groups'] as const)(
  'members of a complex lie nearer to each other than to the other (%s)',
  (layout) => {
    const positions = layOutNetwork({ ...request, layout })
    const within: number[] = []
    const between: number[] = []
    for (let a = 0; a < 10; a += 1)
      for (let b = a + 1; b < 10; b += 1) (a < 5 === b < 5 ? within : between).push(distance(positions, a, b))
    expect(mean(within)).toBeLessThan(0.6 * mean(between))
  },
)

test('the gene asked for is in the middle, its partners on the first ring, theirs on the second', () => {
  const positions = layOutNetwork({ ...request, layout: 'shells' })
  const radius = (node: number): number => Math.hypot(positions[2 * node]!, positions[2 * node + 1]!)
  expect(radius(0)).toBe(0)
  expect(radius(3)).toBeCloseTo(radius(8), 3)
  expect(radius(10)).toBeGreaterThan(radius(8))
})
