import { expect, test } from 'vitest'
import { seededRandom } from '../statistics/random.ts'
import { findNeighbours, principalComponents } from './cell-embedding.ts'
import { indexPoints, neighbourFinder, neighbourWeights } from './cell-projection.ts'

const width = 12
/** Points of eight kinds that lie apart less than they spread. */
const makePoints = (count: number, seed: number): Float32Array => {
  const random = seededRandom(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const kinds = seededRandom(3)
  const middles = Array.from({ length: 8 * width }, () => 4 * kinds())
  return Float32Array.from({ length: count * width }, (_, at) => {
    const point = Math.floor(at / width)
    return middles[(point % 8) * width + (at % width)]! + 0.7 * normal()
  })
}

test('of the neighbours found by lists, at least 95 of 100 are those of measuring every pair', async () => {
  const points = makePoints(3000, 5)
  const find = neighbourFinder(indexPoints(points, width), 15)
  const exact = await findNeighbours(points, width, 15)
  let right = 0
  for (let point = 0; point < 3000; point += 10) {
    const { indexes, distances, count } = find(points, point * width)
    expect(count).toBe(15)
    expect(indexes[0]).toBe(point)
    expect(distances[0]).toBe(0)
    const wanted = new Set(exact.indexes[point])
    right += [...indexes].filter((one) => wanted.has(one)).length
  }
  expect(right / (300 * 15)).toBeGreaterThan(0.95)
})

test('fewer points than neighbours are asked for are all found', () => {
  const { count, indexes } = neighbourFinder(indexPoints(Float32Array.of(0, 5, 9), 1), 8)(Float32Array.of(6), 0)
  expect([...indexes.subarray(0, count)]).toEqual([1, 2, 0])
})

test('the nearest weighs one, all the same where all are as near', () => {
  const of = (distances: number[]): number[] => [
    ...neighbourWeights(
      { indexes: new Int32Array(3), distances: Float64Array.from(distances), count: 3 },
      new Float64Array(3),
    ),
  ]
  expect(of([1, 2, 3])).toEqual([1, Math.exp(-1), Math.exp(-2)])
  expect(of([2, 2, 2])).toEqual([1, 1, 1])
})

test('cells placed by the loadings lie where the components have them', () => {
  const random = seededRandom(9)
  const genes = Array.from({ length: 40 }, (_, gene) => {
    const values = Array.from({ length: 90 }, (_cell, cell) =>
      random() < 0.5 ? 0 : random() + (cell % 3 === gene % 3 ? 2 : 0),
    )
    const cells = values.flatMap((value, at) => (value === 0 ? [] : [at]))
    return { cells, values: cells.map((at) => values[at]!) }
  })
  const { scores, components, means, loadings } = principalComponents(genes, 90, 2)
  for (const cell of [0, 17, 89])
    for (let k = 0; k < components; k += 1) {
      let score = 0
      for (const [gene, { cells, values }] of genes.entries()) {
        const at = cells.indexOf(cell)
        score += ((at < 0 ? 0 : values[at]!) - means[gene]!) * loadings[gene * components + k]!
      }
      expect(score).toBeCloseTo(scores[cell * components + k]!, 2)
    }
})
