import { expect, test } from 'vitest'
import { listGeneChoices } from './gene-choices.ts'
import type { TermResult } from './tool.ts'

const term = (id: string, adjustedPValue: number, genes: number[]): TermResult => ({
  collection: 0,
  id,
  name: null,
  setCount: genes.length,
  backgroundCount: 10,
  fold: 1,
  oddsRatio: 1,
  pValue: adjustedPValue,
  adjustedPValue,
  genes,
})
const genes = ['g0', 'g1', 'g2', 'g3'].map((id) => ({ id, symbol: null }))
const [sure, other, not] = [term('a', 0.01, [2, 0]), term('b', 0.05, [2, 1]), term('c', 0.2, [3])] as const

test('the genes of a result are those of selected terms, of significant terms and of the whole list, each once', () => {
  expect(listGeneChoices({ genes, terms: [sure, other, not] }, 0.05, [not, sure])).toEqual([
    { kind: 'selected', ids: ['g0', 'g2', 'g3'] },
    { kind: 'significant', ids: ['g0', 'g1', 'g2'] },
    { kind: 'all', ids: ['g0', 'g1', 'g2', 'g3'] },
  ])
})

test('nothing selected and nothing significant leaves the whole list', () => {
  expect(listGeneChoices({ genes, terms: [not] }, 0.05, []).map(({ kind }) => kind)).toEqual(['all'])
})
