import { expect, test } from 'vitest'
import type { AssemblySummary } from '../../contracts/species.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { choosePublications, describePublications, findPublications } from './find-publications.ts'
import type { BakedReference } from './stored.ts'
import tool, { type searchFields } from './tool.ts'

const reference = (key: string, rest: Partial<BakedReference> = {}): BakedReference => ({
  key,
  type: 'article',
  title: null,
  authors: ['Doe, J.'],
  year: 2020,
  journal: null,
  volume: null,
  issue: null,
  pages: null,
  publisher: null,
  doi: null,
  pubmedId: null,
  url: null,
  keywords: [],
  abstract: null,
  line: 1,
  genes: [],
  assemblies: null,
  ...rest,
})

const files: Record<string, BakedReference[]> = {
  smut: [
    reference('doe2020', { doi: '10.1000/ABC', title: 'Two fungi', genes: ['um1'], assemblies: ['S1'] }),
    reference('only', { title: 'A smut' }),
  ],
  blotch: [
    reference('fungi', { doi: 'https://doi.org/10.1000/abc', title: 'Two fungi', genes: ['zt1'], assemblies: ['B1'] }),
  ],
}
const assemblyOf = (species: string, id: string) =>
  ({
    id,
    species,
    name: id,
    strain: null,
    accession: null,
    source: null,
    description: null,
    reference: true,
    simulated: false,
  }) as AssemblySummary
const data = {
  listSpecies: async () => [
    { id: 'smut', name: 'Smut' },
    { id: 'blotch', name: 'Blotch' },
  ],
  speciesBundleNumber: async (species: string) => (species === 'smut' ? 9001 : 9002),
  listRecords: async (type: string, { species }: { species: string }) =>
    type === 'reference' ? files[species]!.map((one) => ({ assembly: null, data: one })) : [],
  listAssemblies: async () => [assemblyOf('smut', 'S1'), assemblyOf('blotch', 'B1')],
  resolveGenes: async (names: string[], assembly?: string) => ({
    found: names.flatMap((query) =>
      (assembly === 'S1' && query === 'um1') || (assembly === 'B1' && query === 'zt1')
        ? [{ query, gene: { id: query, symbol: null, assembly } }]
        : [],
    ),
    ambiguous: [],
    unknown: [],
  }),
} as unknown as PortalData
const asked = (search: Partial<Record<keyof typeof searchFields, unknown>>) => tool.input.parse(search)

test('what two species load is one publication, with the genes and data sets of both', async () => {
  const { found, loaded, library, facets } = await findPublications(asked({ sort: 'title' }), data)
  const [smut, both] = await describePublications(found, library, data)
  expect([found.length, loaded]).toEqual([2, 2])
  expect(smut!.records).toEqual([{ species: 'smut', key: 'only' }])
  expect(both!.records).toEqual([
    { species: 'smut', key: 'doe2020' },
    { species: 'blotch', key: 'fungi' },
  ])
  expect(both!.dataSets.map(({ id }) => id)).toEqual(['S1', 'B1'])
  expect(both!.genes.map(({ name, genes }) => [name, genes.map(({ assembly }) => assembly)])).toEqual([
    ['um1', ['S1']],
    ['zt1', ['B1']],
  ])
  expect(facets.years).toEqual([{ year: 2020, count: 2 }])
  expect(facets.species.map(({ species, count }) => [species, count])).toEqual([
    ['smut', 2],
    ['blotch', 1],
  ])
  // Of one of them what it has alone; by either key the same one.
  const own = await findPublications(asked({ species: 'blotch' }), data)
  expect((await describePublications(own.found, library, data))[0]!.dataSets.map(({ id }) => id)).toEqual(['B1'])
  const keys = [
    { species: 'blotch', key: 'fungi' },
    { species: 'smut', key: 'doe2020' },
  ]
  expect(choosePublications(library.publications, keys)).toHaveLength(1)
})
