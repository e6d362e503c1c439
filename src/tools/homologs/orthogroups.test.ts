import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PortalBakeContext, ReportedDefect } from '../../kit/loader.ts'
import { matchAsIs } from '../../testing/gene-matches.ts'
import { readGivenGroups } from './orthogroups.ts'
import type { Proteome } from './proteome.ts'
import { numberNames } from './proteome-names.ts'
import { tableFile } from './stored.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'novodb-orthogroups-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const proteome = (id: string): Proteome =>
  ({
    assembly: { id, species: 'alpha' },
    genes: Array.from({ length: 40 }, (_, at) => `${id}_${at}`),
    transcripts: Array.from({ length: 40 }, (_, at) => `${id}_${at}.1`),
  }) as unknown as Proteome

const readNames = async ({ genes, transcripts }: Proteome) =>
  numberNames(
    { genes },
    matchAsIs((name) => genes.find((gene, at) => gene === name || transcripts[at] === name) ?? null),
  )

/** Groups and reports of a table of 40 groups, of whose column A2 only some genes are known. */
const read = async (known: number, columns = ['A1', 'A2']) => {
  const rows = Array.from({ length: 40 }, (_, at) => `OG${at}\tA1_${at}\t${at < known ? `A2_${at}.1` : `old${at}`}\n`)
  writeFileSync(join(directory, tableFile), `Orthogroup\t${columns.join('\t')}\n${rows.join('')}`)
  const defects: ReportedDefect[] = []
  const context = {
    species: [{ fetchFiles: async () => directory, species: 'alpha' }],
    report: (_catalogue: unknown, defect: ReportedDefect) => void defects.push(defect),
    forward: (defect: ReportedDefect) => void defects.push(defect),
  } as unknown as PortalBakeContext
  const groups = await readGivenGroups([proteome('A1'), proteome('A2')], [0, 40], context, readNames)
  return { groups, defects: defects.map(({ code, params }) => ({ code, params })) }
}

test('a column of a table whose genes are nearly all unknown is refused, one with a part of them told', async () => {
  const part = await read(8)
  expect(part.groups[3]?.genes).toEqual([3, 43])
  expect(part.defects).toEqual([
    {
      code: 'genes-unmatched',
      params: { count: 32, total: 40, names: 'old8, old9, old10, old11, old12', percent: 20 },
    },
  ])
  expect((await read(2)).defects).toMatchObject([
    { code: 'genes-unmatched' },
    { code: 'rows-unknown', params: { count: 38, total: 40, example: 'old2' } },
  ])
})

test('columns are the assemblies by the names of their FASTA files, else by the genes in them', async () => {
  const named = await read(40, ['A1.proteins.faa', 'Species_two'])
  expect(named.groups[3]?.genes).toEqual([3, 43])
  expect(named.defects).toEqual([
    { code: 'orthogroup-column-named', params: { column: 'A1.proteins.faa', assembly: 'A1' } },
    { code: 'orthogroup-column-genes', params: { column: 'Species_two', assembly: 'A2', percent: 100 } },
  ])
  // Fewer than half of the genes tell nothing.
  const unclear = await read(15, ['A1', 'Species_two'])
  expect(unclear.groups[3]?.genes).toEqual([3])
  expect(unclear.defects).toEqual([{ code: 'orthogroup-column', params: { column: 'Species_two' } }])
})

test('a table of a bundle that cannot be read is an error, and no table is none', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'novodb-orthogroups-'))
  try {
    const context = {
      species: [{ bundle: 1, species: 'alpha', fetchFiles: async () => empty }],
    } as unknown as PortalBakeContext
    expect(await readGivenGroups([], [], context)).toEqual([])
    writeFileSync(join(empty, tableFile), Buffer.from('\ufeffOrthogroup\tA\nX1\ta\n', 'utf16le'))
    await expect(readGivenGroups([], [], context)).rejects.toThrow('orthogroups of alpha')
  } finally {
    rmSync(empty, { recursive: true, force: true })
  }
})
