import { expect, it } from 'vitest'
import { pColumn } from './parts.tsx'

it('a column of p-values gives p-values to files and filters, not their -log10', () => {
  const { value, kind } = pColumn('P', (row: { logP: number | null }) => row.logP)
  expect(kind).toBe('pValue')
  expect(value({ logP: 2 })).toBeCloseTo(0.01, 12)
  expect(value({ logP: 26.07 })).toBeCloseTo(8.51e-27, 29)
  expect(value({ logP: null })).toBeNull()
})
