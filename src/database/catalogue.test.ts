import { expect, test } from 'vitest'
import { speciesManifestSchema } from '../contracts/manifest.ts'
import { makeAssemblySummary } from '../testing/assembly-summary.ts'
import { speciesSummary } from './catalogue.ts'

/** The summary of one assembly with these entries of tools in its manifest. */
const summaryWith = (entries: Record<string, unknown>) => {
  const made = makeAssemblySummary('H37Rv', {})
  const manifest = speciesManifestSchema.parse({
    novodb: 1,
    species: 'tb',
    name: 'Mycobacterium tuberculosis',
    assemblies: [{ id: 'H37Rv', genome: 'genome.fa' }],
  })
  Object.assign(manifest.assemblies[0]!, entries)
  const bundle = { bundle: 1, uid: 'one', species: 'tb', assembly: 'H37Rv', fingerprint: '', checksum: made.checksum }
  return speciesSummary({
    id: 'tb',
    release: 1,
    releaseNumber: 1,
    manifest,
    loadedAt: new Date(0),
    bundles: [{ ...bundle, summary: { ...made, longestGeneBp: 1, files: [] } }],
  }).assemblies[0]!.simulatedTypes
}

test('data of a kind count as simulated when all of its data sets are, one measured among them makes them real', () => {
  expect(
    summaryWith({
      expression: [
        { id: 'seq', file: 'seq.tsv' },
        { id: 'made', file: 'made.tsv', simulated: true },
      ],
      singleCell: [{ id: 'cells', file: 'cells.h5ad', simulated: true }],
      contacts: { id: 'map', file: 'map.cool', simulated: true },
      variants: [],
    }),
  ).toEqual(['singleCell', 'contacts'])
})
