import { expect, test } from 'vitest'
import { makeAssemblySummary } from '../../testing/assembly-summary.ts'
import tool, { countedOf } from './tool.ts'

const [a, b] = [makeAssemblySummary('A', {}), makeAssemblySummary('B', { reference: false })]
const part = makeAssemblySummary('P', { reference: false, partial: { en: 'aligned', zh: '比对' } })
const out = makeAssemblySummary('O', { reference: false, outgroup: true })

test('a species is counted without its outgroup and its partial assemblies, unless there is nothing else', () => {
  expect(countedOf([a, b, part, out])).toEqual([a, b])
  expect(countedOf([a, part, out])).toEqual([a, part])
  expect(countedOf([a, out])).toEqual([a, out])
})

test('the example leaves the outgroup out', () => {
  const assemblies = [a, b, out].map((one) => ({ ...one, dataTypes: { proteins: 1 } }))
  expect(tool.example?.({ assemblies })).toMatchObject({ assemblies: ['A', 'B'] })
})
