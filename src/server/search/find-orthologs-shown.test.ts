import { expect, test } from 'vitest'
import type { SearchEntry } from '../../contracts/search.ts'
import type { GeneHomologs } from '../../kit/data/portal-data.ts'
import { findOrthologsShown } from './find-orthologs-shown.ts'

const entry = (assembly: string | null, id: string, species = 'tb'): SearchEntry => ({
  type: assembly === null ? 'term' : 'gene',
  id,
  label: id,
  description: null,
  species,
  assembly,
  sequence: null,
  start: null,
  end: null,
  strand: null,
})

/** Two copies of one family in each of three assemblies; a1, b1, c1 are orthologs, and a2, b2. */
const orthologs = [
  ['A/a1', 'B/b1', 'C/c1'],
  ['A/a2', 'B/b2'],
]
const data = {
  listOrthogroups: async (_: string, genes: string[]) =>
    new Map(genes.filter((id) => id !== 'x').map((id) => [id, 'OG1'])),
  listHomologs: async (assembly: string, genes: string[]) =>
    genes.map((gene) => ({
      gene,
      orthogroup: 'OG1',
      homologs: orthologs.flat().flatMap((name) => {
        const [other, id] = name.split('/')
        const same = orthologs.some((group) => group.includes(name) && group.includes(`${assembly}/${gene}`))
        return [{ assembly: other, gene: id, relation: same ? 'ortholog' : 'member' }]
      }),
    })) as unknown as GeneHomologs[],
}

test('genes of other assemblies are shown with their ortholog, and paralogs by themselves', async () => {
  const entries = [
    ...[entry('A', 'a1'), entry('B', 'b1'), entry('A', 'a2'), entry(null, 'GO:1'), entry('C', 'c1'), entry('B', 'b2')],
    ...[entry('C', 'c3'), entry('B', 'x')],
  ]
  expect(await findOrthologsShown(data, entries)).toEqual([null, 0, null, null, 0, 2, null, null])
})

test('another species is another answer, and a page of one assembly asks for nothing', async () => {
  expect(await findOrthologsShown(data, [entry('A', 'a1'), entry('B', 'b1', 'yeast')])).toEqual([null, null])
  const none = () => Promise.reject(new Error('asked'))
  expect(
    await findOrthologsShown({ listHomologs: none, listOrthogroups: none }, [entry('A', 'a1'), entry('A', 'a2')]),
  ).toEqual([null, null])
})
