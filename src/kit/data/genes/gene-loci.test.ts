import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GenesPortal, openGenesPortal } from '../../../testing/genes-portal.ts'
import { makeGff3 } from '../../../testing/species.ts'
import { findGeneLocus } from './gene-loci.ts'

let portal: GenesPortal
/** Those of the plasmid, of 600 bp: repW (TM_0004) at 101, three more, and oriX (TM_0005) at 571 over the origin. */
const models = ['C1', 'C2', 'C3'].flatMap((id, at) => {
  const interval = `${200 + at * 100}\t${229 + at * 100}\t.\t+\t.`
  return [
    `pT\tx\tncRNA_gene\t${interval}\tID=${id}`,
    `pT\tx\tncRNA\t${interval}\tID=${id}.1;Parent=${id}`,
    `pT\tx\texon\t${interval}\tParent=${id}.1`,
  ]
})

beforeAll(async () => {
  portal = await openGenesPortal({
    species: 'testus-rings',
    geneIds: [],
    manifest: '',
    files: { 'genes.gff3': makeGff3(models) },
  })
})
afterAll(() => portal.close())

const around = async (gene: string, besides: number) =>
  (await findGeneLocus(portal.data, portal.assembly, gene, besides))?.genes.map(({ id, start, originShift }) => [
    id,
    start,
    originShift,
  ])

test('neighbours on a circular sequence go on across its origin, with their own coordinates and where they are laid', async () => {
  expect(await around('TM_0004', 2)).toEqual([
    ['C3', 400, -600],
    ['TM_0005', 571, -600],
    ['TM_0004', 101, undefined],
    ['C1', 200, undefined],
    ['C2', 300, undefined],
  ])
  expect(await around('TM_0005', 1)).toEqual([
    ['C3', 400, undefined],
    ['TM_0005', 571, undefined],
    ['TM_0004', 101, 600],
  ])
})

test('each gene of a circular sequence stands once, however many are asked for', async () => {
  expect((await around('C2', 99))!.map(([id]) => id)).toEqual(['TM_0004', 'C1', 'C2', 'C3', 'TM_0005'])
})

test('a linear sequence ends where it ends, whatever comes next in the genome', async () => {
  expect(await around('TM_0001', 1)).toEqual([
    ['TM_0001', 101, undefined],
    ['TM_0002', 501, undefined],
  ])
  expect((await around('TM_0003', 5))!.map(([id]) => id)).toEqual(['TM_0001', 'TM_0002', 'TM_0003'])
})

test('there is nothing around a gene that is not there', async () => {
  expect(await around('C9', 3)).toBeUndefined()
})
