import { expect, test } from 'vitest'
import { listOverlaps, listRepresentatives } from './term-network.ts'

const term = (collection: number, ...genes: number[]) => ({ collection, genes })

test('a term is represented by the first that shares most of its genes, never by one that is represented itself', () => {
  const terms = [
    term(0, 1, 2, 3, 4),
    // Half of the first, wholly in it: 0.75.
    term(0, 1, 2),
    // Alike to the one before, which stands for nothing, and not to the first: (1/5 + 1/2) / 2.
    term(0, 1, 9),
    // The same genes in another collection.
    term(1, 1, 2, 3, 4),
    term(0),
  ]
  expect(listRepresentatives(terms)).toEqual([0, 0, 2, 3, 4])
  expect(listOverlaps(terms, 0.7).links.map(({ from, to, similarity }) => [from, to, similarity])).toEqual([
    [0, 1, 0.75],
    [0, 3, 1],
    [1, 3, 0.75],
  ])
})
