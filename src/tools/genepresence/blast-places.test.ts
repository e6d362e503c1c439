import { expect, test } from 'vitest'
import { type BlastHit, placesOf, placesOfProtein, readBtop } from './blast-places.ts'

const hit = (change: Partial<BlastHit>): BlastHit => ({
  query: 0,
  sequence: 'chr1',
  queryStart0: 0,
  queryEnd0: 100,
  start0: 1000,
  end0: 1100,
  strand: '+',
  identity: 1,
  bits: 180,
  btop: '100',
  ...change,
})

test('the bases of a hit stand opposite each other on both strands', () => {
  // Two equal, one that differs, one base of the gene without a partner, one more in the genome, three equal.
  const btop = '2AGC--T3'
  expect(readBtop(hit({ btop, queryEnd0: 7, end0: 1007 }))).toEqual([
    { source0: 0, other0: 1000, lengthBp: 2, equal: true },
    { source0: 2, other0: 1002, lengthBp: 1, equal: false },
    { source0: 4, other0: 1004, lengthBp: 3, equal: true },
  ])
  expect(readBtop(hit({ btop, queryEnd0: 7, end0: 1007, strand: '-' }))).toEqual([
    { source0: 0, other0: 1005, lengthBp: 2, equal: true },
    { source0: 2, other0: 1004, lengthBp: 1, equal: false },
    { source0: 4, other0: 1000, lengthBp: 3, equal: true },
  ])
})

test('halves that follow one another are one place, with what is inserted between them; elsewhere is another', () => {
  const [place, other] = placesOf(
    [
      hit({}),
      hit({ queryStart0: 90, queryEnd0: 200, start0: 2400, end0: 2510, btop: '110', bits: 190 }),
      hit({ sequence: 'chr2', btop: '50', queryEnd0: 50, end0: 1050, bits: 90 }),
    ],
    { start: 501, end: 700 },
  )
  // Of the ten bases that both have the one that comes first in the gene keeps them.
  expect(place).toMatchObject({
    sequence: 'chr1',
    start: 1001,
    end: 2510,
    alignedBp: 200,
    insertedBp: 1310,
    identity: 1,
  })
  expect(place!.segments.map(({ source0 }) => source0)).toEqual([500, 600])
  expect(other).toMatchObject({ sequence: 'chr2', alignedBp: 50 })
})

test('a stop within what is like a protein is told by its residue', () => {
  const [place] = placesOfProtein([hit({ btop: '30Q*20KR48', queryEnd0: 100 })], { start: 1, end: 300 })
  expect(place).toMatchObject({ residues: 100, stop1: 31 })
  expect(place!.identity).toBeCloseTo(0.98)
})
