import { expect, test } from 'vitest'
import { seededRandom } from '../statistics/random.ts'
import { clusterCells, findNeighbours, principalComponents, type SparseColumn } from './cell-embedding.ts'

const sparse = (values: number[]): SparseColumn => {
  const cells = values.flatMap((value, at) => (value === 0 ? [] : [at]))
  return { cells, values: cells.map((at) => values[at]!) }
}

test('variances of the principal components of genes are those of numpy.linalg.svd', () => {
  const genes = [
    [0, 0.12, 0, 0.97, 0, 0, 0.16, 0, 0, 0, 0, 0.66],
    [0.56, 0, 0.89, 0.41, 0.13, 0.73, 0.05, 0, 0, 0, 0.3, 0],
    [0, 0.73, 0, 0, 0.96, 0, 0, 0, 0.39, 0.83, 0.49, 0.78],
    [0.6, 0, 0.33, 0.3, 0.53, 0, 0, 0, 0, 0, 0.51, 0.2],
    [0.34, 0.36, 0.06, 0, 0, 0.11, 0, 0, 0.89, 0.87, 0.83, 0],
    [0, 0, 0, 0.16, 0.93, 0.15, 0.51, 0, 0.82, 0.72, 0, 0],
  ]
  const expected = [0.29208321226706196, 0.14194211493539577, 0.09067436426584942, 0.07914667493347308]
  const { scores, components, variances } = principalComponents(genes.map(sparse), 12, 4)
  expect(components).toBe(4)
  for (const [at, value] of expected.entries()) expect(variances[at]).toBeCloseTo(value, 10)
  for (const [component, value] of expected.entries()) {
    let squares = 0
    for (let cell = 0; cell < 12; cell += 1) squares += scores[cell * 4 + component]! ** 2
    expect(squares / 11).toBeCloseTo(value, 6)
  }
})

test('neighbours are those of measuring each pair, itself first even among copies', async () => {
  const random = seededRandom(5)
  const points = Float32Array.from({ length: 3 * 80 }, random)
  points.copyWithin(30, 0, 3)
  const { indexes, distances } = await findNeighbours(points, 3, 7)
  for (let from = 0; from < 80; from += 1) {
    const measured = Array.from({ length: 80 }, (_, to) =>
      Math.hypot(...[0, 1, 2].map((k) => points[from * 3 + k]! - points[to * 3 + k]!)),
    ).sort((a, b) => a - b)
    expect(indexes[from]![0]).toBe(from)
    for (const [at, distance] of distances[from]!.entries()) expect(distance).toBeCloseTo(measured[at]!, 9)
  }
})

test('three planted kinds of cells are found again as clusters', async () => {
  const random = seededRandom(11)
  const kinds = Array.from({ length: 240 }, (_, at) => at % 3)
  const genes = Array.from({ length: 60 }, (_, gene) =>
    sparse(kinds.map((kind) => (random() < (gene % 3 === kind ? 0.8 : 0.15) ? 1 + random() : 0))),
  )
  const { scores, components } = principalComponents(genes, kinds.length, 10)
  const clusters = clusterCells(await findNeighbours(scores, components, 15))
  expect(new Set(clusters).size).toBe(3)
  for (const kind of [0, 1, 2]) {
    const own = clusters.filter((_, at) => kinds[at] === kind)
    expect(new Set(own).size).toBe(1)
  }
})
