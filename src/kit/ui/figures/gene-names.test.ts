import { expect, test } from 'vitest'
import { geneNameWidth, placeGeneNames } from './gene-names.ts'

const marks = (apart: number, names: readonly string[]) =>
  names.map((name, at) => ({ name, at: at * apart, rank: name === 'esxA' ? 0 : 1 }))

test('names that fit side by side are level, and each is written', () => {
  const { slanted, written } = placeGeneNames(marks(80, ['MSMEG_0065', 'esxA', 'MSMEG_0067']))
  expect(slanted).toBe(false)
  expect(written).toEqual([true, true, true])
})

test('names that do not fit side by side are slanted, and none is lost', () => {
  const { slanted, height, written } = placeGeneNames(marks(30, ['MSMEG_0065', 'MSMEG_0066', 'MSMEG_0067']))
  expect(slanted).toBe(true)
  expect(height).toBeGreaterThan(geneNameWidth('MSMEG_0065') / 2)
  expect(written.every(Boolean)).toBe(true)
})

test('of genes too near for slanted names the one that was asked for has its name', () => {
  expect(placeGeneNames(marks(8, ['Rv3874', 'esxA', 'Rv3876'])).written).toEqual([false, true, false])
})
