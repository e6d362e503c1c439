import { expect, test } from 'vitest'
import type { GeneColumnContext } from '../../kit/gene-columns.ts'
import columnsOf from './gene-columns.ts'

// plcA and dnaA of H37Rv: BCG has lost plcA, and its plcD resembles it most; the outgroup, which is not compared by DNA, has dnaA alone.
const hit = (assembly: string, gene: string) => ({ assembly, gene, relation: 'ortholog' })
const homologs: Record<string, object[]> = {
  plcA: [hit('BCG', 'plcD'), hit('Broad', 'plcA_B')],
  dnaA: [hit('BCG', 'dnaA_G'), hit('Broad', 'dnaA_B'), hit('smegmatis', 'dnaA_S')],
}
const data = {
  getHomology: async () => ({ covered: ['H37Rv', 'BCG', 'Broad', 'smegmatis'] }),
  listAssemblies: async () =>
    ['H37Rv', 'BCG', 'Broad', 'smegmatis'].map((id) => ({ id, name: id, outgroup: id === 'smegmatis' })),
  listHomologs: async (_: string, genes: string[]) =>
    genes.map((gene) => ({ gene, orthogroup: `OG-${gene}`, homologs: homologs[gene] ?? [] })),
  presence: {
    genes: async () => ({ id: ['dnaA', 'plcA'] }),
    states: async (_: string, other: string) =>
      other === 'smegmatis' ? null : { states: ['intact', other === 'BCG' ? 'paralog' : 'intact'] },
  },
}

test('a genome that lacks a gene by its DNA has no ortholog of it, whatever its protein resembles; outgroups stand first', async () => {
  const { columns } = await columnsOf({
    data,
    assembly: 'H37Rv',
    genes: [{ id: 'plcA' }, { id: 'dnaA' }],
    signal: AbortSignal.timeout(1000),
  } as unknown as GeneColumnContext)
  expect(columns.map(({ key, hidden, values }) => [key, hidden ?? false, values])).toEqual([
    ['genomes', false, [1, 3]],
    ['family', true, ['OG-plcA', 'OG-dnaA']],
    ['in.smegmatis', false, [null, 'dnaA_S']],
    ['in.BCG', true, [null, 'dnaA_G']],
    ['in.Broad', true, ['plcA_B', 'dnaA_B']],
  ])
})
