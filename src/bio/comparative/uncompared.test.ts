import { expect, test } from 'vitest'
import { isCurrentFor, listUncompared } from './uncompared.ts'

const assemblies = [
  { id: 'Col-0', species: 'thaliana' },
  { id: 'Ler', species: 'thaliana' },
  { id: 'K12', species: 'coli' },
  { id: 'O157', species: 'coli' },
]
const missing = ['K12', 'O157']

test('an assembly that was not compared is told where it was looked at, and nowhere else', () => {
  expect(listUncompared(missing, { own: ['Col-0'], chosen: [] }, assemblies)).toEqual([])
  expect(listUncompared(missing, { own: ['Col-0'], chosen: ['Ler'] }, assemblies)).toEqual([])
  expect(listUncompared(missing, { own: ['Col-0'], chosen: ['K12'] }, assemblies)).toEqual(['K12'])
  expect(listUncompared(missing, { own: ['K12'], chosen: ['Col-0'] }, assemblies)).toEqual(['K12'])
})

test('where none was chosen, the species of the gene is looked at, and of a sequence everything', () => {
  expect(listUncompared(['O157'], { own: ['K12'], chosen: [] }, assemblies)).toEqual(['O157'])
  expect(listUncompared(missing, { own: [], chosen: [] }, assemblies)).toEqual(missing)
})

test('homologs are out of date for a result that is about what was not compared, or where an assembly was removed', () => {
  const state = { current: false, missing }
  expect(isCurrentFor(state, { own: ['Col-0'], chosen: [] }, assemblies)).toBe(true)
  expect(isCurrentFor(state, { own: ['K12'], chosen: [] }, assemblies)).toBe(false)
  expect(isCurrentFor({ current: false, missing: [] }, { own: ['Col-0'], chosen: [] }, assemblies)).toBe(false)
})
