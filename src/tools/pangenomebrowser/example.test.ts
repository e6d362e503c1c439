import { expect, test } from 'vitest'
import { makeAssemblySummary } from '../../testing/assembly-summary.ts'
import tool from './tool.ts'

test('a genome alone, without a graph of its own, has nothing to browse: no example is made of it', () => {
  const alone = makeAssemblySummary('H37Rv', { lengthBp: 4_411_532, dataTypes: { genes: 1 } })
  expect(tool.example({ assemblies: [alone] })).toBeNull()
  expect(
    tool.example({
      assemblies: [
        alone,
        makeAssemblySummary('BCG', { reference: false, lengthBp: 4_374_522, dataTypes: { genes: 1 } }),
      ],
    }),
  ).toMatchObject({
    assembly: 'H37Rv',
    locus: 'g1',
  })
  expect(
    tool.example({
      assemblies: [makeAssemblySummary('R64', { lengthBp: 12_157_105, dataTypes: { genes: 1, graphs: 1 } })],
    }),
  ).toMatchObject({
    assembly: 'R64',
  })
})
