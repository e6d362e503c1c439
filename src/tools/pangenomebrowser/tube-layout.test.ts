import { expect, test } from 'vitest'
import type { GraphRegion } from '../../bio/graph/variation-graph.ts'
import { groupWalks, layoutTubeMap } from './tube-layout.ts'

const node = (name: string, lengthBp: number, sequence: string | null) => ({ name, lengthBp, sequence })
const walk = (sample: string, nodes: number[]) => ({
  name: sample,
  sample,
  assembly: sample,
  sequence: 'chr',
  start0: 0,
  turned: false,
  steps: nodes.map((one) => ({ node: one, reverse: false })),
})
/** A deletion of 9 kb in one genome, and a base that differs. */
const region = {
  nodes: [node('a', 2500, null), node('b', 9457, null), node('c', 1300, null), node('d', 1, 'G'), node('e', 900, null)],
  walks: [walk('H37Rv', [0, 1, 2, 3, 4]), walk('BCG', [0, 2, 4])],
} as unknown as GraphRegion

const layout = (leastPx?: number) =>
  layoutTubeMap(region, groupWalks(region), { widths: 'compact', ...(leastPx === undefined ? {} : { leastPx }) })

test('a map of few nodes fills the room that it is given; a base that is written stays as wide as it is', () => {
  const [own, wide] = [layout(), layout(1100)]
  expect(own.width).toBeLessThan(700)
  expect(Math.abs(wide.width - 1100)).toBeLessThan(40)
  const widthOf = (map: typeof own, of: number) => map.nodes.find((placed) => placed.node === of)!.width
  expect(widthOf(wide, 1)).toBeGreaterThan(1.4 * widthOf(own, 1))
  expect(widthOf(wide, 3)).toBe(widthOf(own, 3))
  // Never so wide that it would say that much is there.
  expect(layout(9000).width).toBeLessThan(2000)
})
