import { expect, test } from 'vitest'
import { type AssemblySummary, assemblySummarySchema } from '../../contracts/species.ts'
import tool from './tool.ts'

const assemblyOf = (
  id: string,
  reference: boolean,
  lengthBp: number,
  dataTypes: Record<string, number>,
): AssemblySummary =>
  assemblySummarySchema.parse({
    id,
    name: id,
    species: 'tb',
    speciesName: 'Mycobacterium tuberculosis',
    bundle: id,
    reference,
    dataTypes,
    strain: null,
    accession: null,
    description: null,
    partial: null,
    simulated: false,
    source: null,
    licence: null,
    checksum: '0'.repeat(64),
    loadedAt: '2026-01-01T00:00:00.000Z',
    gcFraction: 0.5,
    sequences: [],
    lengthBp,
    n50Bp: lengthBp,
    gapBp: 0,
    sequenceCount: 1,
    geneCount: 1,
    codingGeneCount: 1,
    transcriptCount: 1,
    sequenceRoles: {},
    exampleGenes: [
      { id: 'g1', symbol: 'esxA', description: null, sequence: 'chr', start: 1001, end: 1288, strand: '+' },
    ],
  })

test('where variants are few, the example takes some from beside its gene; where they are many, the gene alone', () => {
  expect(tool.example({ assemblies: [assemblyOf('H37Rv', true, 4_411_532, { variants: 3002 })] })).toMatchObject({
    assembly: 'H37Rv',
    genes: ['g1'],
    flankBp: 8000,
  })
  expect(tool.example({ assemblies: [assemblyOf('R64', true, 12_157_105, { variants: 168_833 })] })).toMatchObject({
    flankBp: 0,
  })
  expect(tool.example({ assemblies: [assemblyOf('BCG', true, 4_374_522, {})] })).toBeNull()
})
