import { describe, expect, test } from 'vitest'
import {
  chooseCopies,
  type ElementHit,
  isMobileElementGene,
  nameInsertionSequence,
  representInsertionSequences,
} from './insertion-sequences.ts'

const hit = (family: string, start: number, end: number, about: Partial<ElementHit> = {}): ElementHit => ({
  family,
  genome: 'g',
  sequence: 'chr',
  start,
  end,
  strand: '+',
  identity: 1,
  coverage: 1,
  bits: end - start,
  ...about,
})

describe('insertion sequences', () => {
  test.each([
    ['Putative transposase for insertion sequence element IS6110 (fragment)', 'IS6110'],
    ['Transposase of insertion element ISMt12', 'ISMt12'],
    ['IS3-like element IS987 family transposase', 'IS987'],
    ['transposase for ISL3', 'ISL3'],
    // A family has many members, of which none is meant.
    ['IS256 family transposase', null],
    ['DNA gyrase', null],
    ['ISO14001 protein', null],
    ['Probable transposase', null],
    [null, null],
  ])('%s names %s', (product, name) => expect(nameInsertionSequence(product)).toBe(name))

  test('genes of mobile elements are known by their products, also where no element is named', () => {
    expect(
      ['PROBABLE TRANSPOSASE', 'retrotransposon TYA Gag gene', 'IS1081 transposase'].every(isMobileElementGene),
    ).toBe(true)
    expect(['PPE FAMILY PROTEIN', 'Probable phiRv1 integrase', null].some(isMobileElementGene)).toBe(false)
  })

  test('the two reading frames of a copy are one place, and the longest copy stands for all', () => {
    const product = 'transposase of IS6110'
    const gene = (start: number, end: number, strand = '+') => ({ product, sequence: 'chr', start, end, strand })
    const found = representInsertionSequences([gene(100, 300), gene(1000, 1330), gene(1280, 2270), gene(9000, 9400)])
    expect(found.get('IS6110')).toEqual({ sequence: 'chr', start: 1000, end: 2270, strand: '+' })
  })

  test('fragments and relatives are no copies, and a place is a copy of one family', () => {
    const copies = chooseCopies([
      hit('IS1', 1, 1000),
      hit('IS2', 20, 900, { identity: 0.93 }),
      hit('IS1', 5000, 5600, { coverage: 0.6 }),
      hit('IS2', 7000, 7900, { identity: 0.85 }),
      hit('IS2', 9000, 9900),
    ])
    expect(copies.map(({ family, start }) => [family, start])).toEqual([
      ['IS1', 1],
      ['IS2', 9000],
    ])
  })
})
