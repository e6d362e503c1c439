import { describe, expect, test } from 'vitest'
import type { NotebookSet, NotebookStep } from '../../../contracts/notebooks.ts'
import { combineGenes, liveSets } from './combine-sets.ts'

const step = (id: string, set: Partial<NotebookSet>): NotebookStep => ({
  id,
  title: id,
  note: '',
  createdAt: '',
  run: null,
  set: { assembly: 'A', genes: [], made: null, ...set },
})

describe('sets of genes', () => {
  test('are combined by and, or and minus', () => {
    const lists = [
      ['a', 'b', 'c'],
      ['b', 'c', 'd'],
      ['c', 'e'],
    ]
    expect(combineGenes('and', lists)).toEqual(['c'])
    expect(combineGenes('or', lists)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(combineGenes('minus', lists)).toEqual(['a'])
  })

  test('follow the sets that they are made of, also those made of others', () => {
    const steps = [
      step('difference', { genes: ['old'], made: { operation: 'minus', of: ['both', 'c'] } }),
      step('a', { genes: ['x', 'y', 'z'] }),
      step('b', { genes: ['y', 'z'], assembly: 'B' }),
      step('both', { made: { operation: 'and', of: ['a', 'b'] } }),
      step('c', { genes: ['z'] }),
    ]
    expect(liveSets(steps).map(({ step: id, genes, broken }) => [id, genes.join(''), broken])).toEqual([
      ['difference', 'y', false],
      ['a', 'xyz', false],
      ['b', 'yz', false],
      ['both', 'yz', false],
      ['c', 'z', false],
    ])
    expect(liveSets(steps)[3]!.assembly).toBeNull()
  })

  test('keep their genes where a part is gone, or where they are made of themselves', () => {
    const [gone, ring] = liveSets([
      step('gone', { genes: ['old'], made: { operation: 'and', of: ['no', 'more'] } }),
      step('ring', { genes: ['own'], made: { operation: 'or', of: ['ring', 'gone'] } }),
    ])
    expect([gone!.genes, gone!.broken]).toEqual([['old'], true])
    expect([ring!.genes, ring!.broken]).toEqual([['own'], true])
  })
})
