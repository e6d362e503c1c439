import { expect, test } from 'vitest'
import { makeRandom } from '../../testing/random.ts'
import { type FollowedGene, followGenes } from './gene-succession.ts'

const random = makeRandom(5)
const residues = 'ACDEFGHIKLMNPQRSTVWY'
const protein = (length: number): string =>
  Array.from({ length }, () => residues[Math.floor(random() * residues.length)]).join('')

const gene = (id: string, start1: number, end1: number, more: Partial<FollowedGene> = {}): FollowedGene => ({
  id,
  sequence: 'chr1',
  start1,
  end1,
  strand: '+',
  parts: [{ start1, end1, frame: start1 % 3 }],
  coding: true,
  product: protein((end1 - start1 + 1) / 3),
  ...more,
})
const brief = (before: FollowedGene[], after: FollowedGene[], same: (name: string) => string | null) =>
  Object.fromEntries(
    followGenes(before, after, same).map(({ old, relation, genes, by }) => [old, [relation, by, ...genes]]),
  )

test('on the same sequence the place decides, in the frame that is read', () => {
  const before = [
    gene('kept', 100, 399),
    gene('renamed', 1000, 1299),
    gene('split', 2000, 2899),
    gene('one', 4000, 4299),
    gene('two', 4501, 4800),
    gene('gone', 6000, 6299),
    gene('frame', 7000, 7299),
    gene('reverse', 8000, 8299),
    gene('reused', 9000, 9299),
  ]
  const after = [
    gene('kept', 130, 399),
    gene('n1', 1000, 1299),
    gene('n2', 2000, 2299),
    gene('n3', 2501, 2899 + 1),
    gene('n4', 4000, 4800, {
      parts: [
        { start1: 4000, end1: 4299, frame: 1 },
        { start1: 4501, end1: 4800, frame: 1 },
      ],
    }),
    gene('n5', 7001, 7300),
    gene('n6', 8000, 8299, { strand: '-' }),
    gene('reused', 12000, 12299),
  ]
  expect(brief(before, after, (name) => name)).toEqual({
    kept: ['same', 'place', 'kept'],
    renamed: ['renamed', 'place', 'n1'],
    split: ['split', 'place', 'n2', 'n3'],
    one: ['merged', 'place', 'n4'],
    two: ['merged', 'place', 'n4'],
    gone: ['gone', null],
    frame: ['gone', null],
    reverse: ['gone', null],
    reused: ['elsewhere', 'id', 'reused'],
  })
})

test('a gene that is there whole is not split by what lies inside it', () => {
  const old = gene('X', 1000, 1899)
  const fragment = gene('F', 1300, 1599)
  expect(brief([old], [gene('X', 1000, 1899), fragment], (name) => name)).toEqual({ X: ['same', 'place', 'X'] })
  expect(brief([old], [gene('Y', 1000, 1899), fragment], (name) => name)).toEqual({ X: ['renamed', 'place', 'Y'] })
  // Shorter than before, with a fragment inside: one of the two is part of the other.
  expect(brief([old], [gene('Y', 1000, 1719), fragment], (name) => name)).toEqual({ X: ['renamed', 'place', 'Y'] })
  const pair = [gene('big', 1000, 1899), gene('small', 1300, 1599)]
  expect(brief(pair, pair, (name) => name)).toEqual({
    big: ['same', 'place', 'big'],
    small: ['same', 'place', 'small'],
  })
  expect(brief(pair, [gene('B', 1000, 1899), gene('S', 1300, 1599)], (name) => name)).toEqual({
    big: ['renamed', 'place', 'B'],
    small: ['renamed', 'place', 'S'],
  })
  // A fragment beside true parts is none of them.
  const parts = [gene('n1', 1000, 1449), gene('n2', 1450, 1899), gene('n3', 1003, 1032)]
  expect(brief([old], parts, (name) => name)).toEqual({ X: ['split', 'place', 'n1', 'n2'] })
})

test('on another sequence the protein decides, and the order between equal ones', () => {
  const copy = protein(200)
  const mutate = (text: string): string => [...text].map((one, at) => (at % 25 === 7 ? 'W' : one)).join('')
  const [a, b, c, d, e] = [protein(150), protein(180), protein(300), protein(160), protein(160)]
  const at = (id: string, place: number, product: string | null, more: Partial<FollowedGene> = {}) =>
    gene(id, place, place + 299, { sequence: 'old', product, ...more })
  const to = (id: string, place: number, product: string | null, more: Partial<FollowedGene> = {}) =>
    gene(id, place, place + 299, { sequence: 'new', product, ...more })
  const before = [
    at('a', 1000, a),
    at('copy1', 2000, copy),
    at('b', 3000, b),
    at('similar', 4000, c),
    at('split', 5000, d + e),
    at('copy2', 6000, copy),
    at('gone', 7000, protein(200)),
    at('part1', 8000, protein(150)),
    at('part2', 9000, protein(150)),
    at('trna', 9500, 'ACGTACGTAC', { coding: false }),
  ]
  const after = [
    to('A', 1500, a),
    to('C1', 2500, copy),
    to('B', 3500, b),
    to('S', 4500, mutate(c)),
    to('D', 5500, d),
    to('E', 5900, e),
    to('C2', 6500, copy),
    to('P', 8500, before[7]!.product! + before[8]!.product!),
    to('T', 9900, 'ACGTACGTAC', { coding: false }),
  ]
  expect(brief(before, after, () => null)).toEqual({
    a: ['renamed', 'product', 'A'],
    copy1: ['renamed', 'order', 'C1'],
    b: ['renamed', 'product', 'B'],
    similar: ['renamed', 'product', 'S'],
    split: ['split', 'product', 'D', 'E'],
    copy2: ['renamed', 'order', 'C2'],
    gone: ['gone', null],
    part1: ['merged', 'product', 'P'],
    part2: ['merged', 'product', 'P'],
    trna: ['renamed', 'product', 'T'],
  })
})
