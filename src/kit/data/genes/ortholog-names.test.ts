import { expect, test } from 'vitest'
import { resolveByOrthologs } from './ortholog-names.ts'

// Rv0636 has no symbol in H37Rv; another annotation of the strain calls its gene hadB, and a gene without a counterpart newX.
const gene = (assembly: string, id: string, symbol: string | null) =>
  ({
    assembly,
    id,
    symbol,
    description: null,
    biotype: 'protein_coding',
    sequence: 'c',
    start: 1,
    end: 9,
    strand: '+',
  }) as const
const genes = [gene('H37Rv', 'Rv0636', null), gene('Broad', 'RVBD_0636', 'hadB'), gene('Broad', 'RVBD_9', 'newX')]

const data = {
  resolveGenes: async (names: string[], assembly?: string) => {
    const of = (name: string) =>
      genes.find((one) => one.assembly === assembly && (one.id === name || one.symbol === name))
    return {
      found: names.flatMap((query) => {
        const found = of(query)
        return found === undefined ? [] : [{ query, gene: found }]
      }),
      ambiguous: [],
      unknown: names.filter((name) => of(name) === undefined),
    }
  },
  getHomology: async () => ({ covered: ['H37Rv', 'Broad', 'smegmatis'] }),
  listAssemblies: async () =>
    ['H37Rv', 'Broad', 'smegmatis'].map((id) => ({ id, species: 'mtbc', outgroup: id === 'smegmatis' })),
  getAssembly: async (id: string) => ({ id, species: 'mtbc' }),
  getGenes: async (assembly: string, ids: string[]) =>
    genes.filter((one) => one.assembly === assembly && ids.includes(one.id)),
  listHomologs: async (_: string, ids: string[]) =>
    ids.map((id) => ({
      gene: id,
      orthogroup: null,
      homologs: id === 'RVBD_0636' ? [{ assembly: 'H37Rv', gene: 'Rv0636', relation: 'ortholog' }] : [],
    })),
} as unknown as Parameters<typeof resolveByOrthologs>[0]

test('a symbol that only another genome of the species uses leads to its ortholog, and is told as a name to be looked at', async () => {
  const resolved = await resolveByOrthologs(data, ['Rv0636', 'hadB', 'newX', 'nonesuch'], 'H37Rv')
  expect(resolved.found.map(({ query }) => query)).toEqual(['Rv0636'])
  expect(resolved.ambiguous.map(({ query, genes: meant }) => [query, meant.map(({ id }) => id)])).toEqual([
    ['hadB', ['Rv0636']],
  ])
  expect(resolved.unknown).toEqual(['newX', 'nonesuch'])
})

test('an id is of its own assembly: it is unknown in another one, and so is any name where no assembly is asked for', async () => {
  expect((await resolveByOrthologs(data, ['RVBD_0636'], 'H37Rv')).unknown).toEqual(['RVBD_0636'])
  expect((await resolveByOrthologs(data, ['hadB'], undefined)).unknown).toEqual(['hadB'])
})
