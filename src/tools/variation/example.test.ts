import { expect, test } from 'vitest'
import { makeAssemblySummary } from '../../testing/assembly-summary.ts'
import tool from './tool.ts'

test('where variants are few, the example takes some from beside its gene; where they are many, the gene alone', () => {
  expect(
    tool.example({
      assemblies: [makeAssemblySummary('H37Rv', { lengthBp: 4_411_532, dataTypes: { variants: 3002 } })],
    }),
  ).toMatchObject({
    assembly: 'H37Rv',
    genes: ['g1'],
    flankBp: 8000,
  })
  expect(
    tool.example({
      assemblies: [makeAssemblySummary('R64', { lengthBp: 12_157_105, dataTypes: { variants: 168_833 } })],
    }),
  ).toMatchObject({
    flankBp: 0,
  })
  expect(tool.example({ assemblies: [makeAssemblySummary('BCG', { lengthBp: 4_374_522, dataTypes: {} })] })).toBeNull()
})
