import { expect, test } from 'vitest'
import { seededRandom } from '../../bio/statistics/random.ts'
import type { ValueFiles } from './bake-values.ts'
import { computeFromValues } from './compute-embedding.ts'

// Simulated: three types of cells, each with twenty marker genes of its own among sixty.
const cellCount = 900
const geneCount = 60
const typeOf = (cell: number): number => (cell * 7) % 3
const random = seededRandom(20_261_121)
const columns = Array.from({ length: geneCount }, (_, gene) => {
  const cells: number[] = []
  const values: number[] = []
  for (let cell = 0; cell < cellCount; cell += 1) {
    if (random() > (gene % 3 === typeOf(cell) ? 0.8 : 0.15)) continue
    cells.push(cell)
    values.push(1 + random())
  }
  return { cells: Uint32Array.from(cells), values: Float32Array.from(values) }
})
const starts = new Float64Array(geneCount + 1)
for (const [gene, { cells }] of columns.entries()) starts[gene + 1] = starts[gene]! + cells.length
const values: ValueFiles = { starts, read: async (row) => columns[row]!, close: async () => {} }
const compute = (maxCells: number, signal = new AbortController().signal, onShare = (_: number): void => {}) =>
  computeFromValues(values, cellCount, null, { embedding: true, clusters: true }, onShare, signal, maxCells)

test('of more cells than are computed, the others come to their own type, on the map and among the clusters', async () => {
  const shares: number[] = []
  const made = (await compute(300, undefined, (share) => shares.push(share)))!
  expect(made.sampled).toBe(300)
  expect(shares).toEqual([...shares].sort((a, b) => a - b))
  expect(new Set(made.clusters).size).toBe(3)
  const clusterOf = new Map(
    [0, 1, 2].map((type) => [type, made.clusters![[...Array(9).keys()].find((cell) => typeOf(cell) === type)!]]),
  )
  expect(new Set(clusterOf.values()).size).toBe(3)
  const right = made.clusters!.filter((cluster, cell) => cluster === clusterOf.get(typeOf(cell))).length
  expect(right / cellCount).toBeGreaterThan(0.98)
  // On the map a cell lies nearer to the middle of its own type than to the others'.
  const middles = [0, 1, 2].map((type) => {
    const own = Array.from({ length: cellCount }, (_, cell) => cell).filter((cell) => typeOf(cell) === type)
    return [0, 1].map((axis) => own.reduce((sum, cell) => sum + made.embedding![2 * cell + axis]!, 0) / own.length)
  })
  const near = Array.from({ length: cellCount }, (_, cell) => {
    const apart = middles.map(([x, y]) =>
      Math.hypot(made.embedding![2 * cell]! - x!, made.embedding![2 * cell + 1]! - y!),
    )
    return apart.indexOf(Math.min(...apart)) === typeOf(cell)
  })
  expect(near.filter(Boolean).length / cellCount).toBeGreaterThan(0.98)
})

test('all cells are computed where they are few enough, and a load that is stopped stops it', async () => {
  expect((await compute(cellCount))!.sampled).toBe(cellCount)
  const stop = new AbortController()
  const stopped = compute(cellCount, stop.signal, () => stop.abort())
  await expect(stopped).rejects.toThrow()
})
