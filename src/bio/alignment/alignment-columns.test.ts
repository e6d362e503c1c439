import { expect, test } from 'vitest'
import { alignCodons, findKeptColumns, keepColumns, summarizeColumns } from './alignment-columns.ts'

test('columns with too many gaps go, codons as a whole', () => {
  expect(findKeptColumns(['AC-', 'A--'], 0.5)).toEqual([0, 1])
  expect(findKeptColumns(['AC-', 'A--'], 0)).toEqual([0])
  expect(findKeptColumns(['ATG---AAA', 'ATGCCC--A', 'ATGCCCAAA'], 0.25, 3)).toEqual([0, 1, 2, 6, 7, 8])
  expect(keepColumns(['ACGT', 'TGCA'], [0, 3])).toEqual(['AT', 'TA'])
})

test('the consensus is the commonest sign, and conservation is its share of all rows', () => {
  const { consensus, conservation } = summarizeColumns(['ac-', 'AG-', 'ACT'])
  expect(consensus).toBe('AC-')
  expect([...conservation].map((share) => share.toFixed(2))).toEqual(['1.00', '0.67', '0.00'])
})

test('codons follow the aligned protein, the stop codon stays out', () => {
  expect(alignCodons('M-K', 'ATGAAATAA')).toBe('ATG---AAA')
  expect(() => alignCodons('MKK', 'ATGAAA')).toThrow(RangeError)
})
