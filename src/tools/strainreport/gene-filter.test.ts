import { expect, test } from 'vitest'
import { filterGenes } from './gene-filter.ts'
import type { StrainReport } from './tool.ts'

const report = {
  genes: {
    rows: [
      { id: 'Rv3875', symbol: 'esxA' },
      { id: 'Rv2351c', symbol: null },
    ],
  },
  proteinVariants: { rows: [{ gene: 'Rv2043c', symbol: 'pncA' }] },
} as unknown as StrainReport

test('genes are found by the beginning of their symbol or locus tag, in any case, one of several words being enough', () => {
  const found = (typed: string): string[] =>
    ['Rv3875', 'Rv2351c', 'Rv2043c'].filter((gene) => filterGenes(typed, report)([gene]))
  expect(found('ESX')).toEqual(['Rv3875'])
  expect(found('rv2351c, pncA')).toEqual(['Rv2351c', 'Rv2043c'])
  expect(found('A')).toEqual([])
  expect(found(' ')).toEqual(['Rv3875', 'Rv2351c', 'Rv2043c'])
})

test('of a difference any of its genes is enough', () => {
  expect(filterGenes('esxA', report)(['Rv3874', 'Rv3875'])).toBe(true)
  expect(filterGenes('esxA', report)([])).toBe(false)
})
