import { expect, test } from 'vitest'
import { dnaChange } from './dna-change.ts'

test('bases that both alleles share are left out, and indels are written as such', () => {
  const written = (start: number, from: string, to: string): string =>
    dnaChange({ start, end: start + from.length - 1, from, to })
  expect(written(12, 'A', 'G')).toBe('12A>G')
  expect(written(12, 'AT', 'A')).toBe('13del')
  expect(written(12, 'ATGC', 'A')).toBe('13_15del')
  expect(written(12, 'A', 'AT')).toBe('12_13insT')
  expect(written(13, '', 'T')).toBe('12_13insT')
  expect(written(12, 'AC', 'GT')).toBe('12_13delinsGT')
  expect(dnaChange({ start: 12, end: 101, from: `${'A'.repeat(60)}…`, to: '' })).toBe('12_101del')
})
