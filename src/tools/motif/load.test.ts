import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BakeContext } from '../../kit/loader.ts'
import { type BakedParts, makeBakeContext } from '../../testing/contexts.ts'
import toolDefects from './defects.ts'
import loader from './load.ts'
import { collectionKind, matricesKind } from './stored.ts'

let scratch: string
let context: BakeContext
let baked: BakedParts

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'novodb-motif-load-'))
  mkdirSync(join(scratch, 'bundle'))
  ;({ context, baked } = makeBakeContext({
    directory: join(scratch, 'bundle'),
    licence: 'CC-BY-4.0',
    resolveFile: async (path) => join(scratch, path),
  }))
})
afterEach(() => rmSync(scratch, { recursive: true, force: true }))

const jaspar = '>MA1 GCN4\nA [0 0 9]\nC [0 0 0]\nG [0 9 0]\nT [9 0 0]\n'

const bake = (value: unknown) => loader.bake(loader.schema!.parse(value), context)

test('collections become records of the species, named by their files, and files to download', async () => {
  writeFileSync(join(scratch, 'own.motifs.pfm.gz'), gzipSync(jaspar))
  writeFileSync(
    join(scratch, 'b.meme'),
    'MEME version 4\nMOTIF b1 B\nletter-probability matrix: alength= 4 w= 1 nsites= 3\n1 0 0 0\n',
  )
  const counts = await bake([
    'own.motifs.pfm.gz',
    { file: 'b.meme', id: 'second', title: { en: 'B', zh: '乙' }, licence: 'MIT' },
  ])
  expect(counts).toEqual({ motifs: 2 })
  expect(baked.defects).toEqual([])
  expect(baked.records).toEqual([
    {
      kind: collectionKind,
      id: 'own.motifs',
      data: { title: 'own.motifs', source: null, licence: 'CC-BY-4.0', motifCount: 1 },
    },
    {
      kind: matricesKind,
      id: 'own.motifs',
      data: [
        {
          id: 'MA1',
          name: 'GCN4',
          sites: 9,
          rows: [
            [0, 0, 0, 1],
            [0, 0, 1, 0],
            [1, 0, 0, 0],
          ],
        },
      ],
    },
    {
      kind: collectionKind,
      id: 'second',
      data: { title: { en: 'B', zh: '乙' }, source: null, licence: 'MIT', motifCount: 1 },
    },
    { kind: matricesKind, id: 'second', data: [{ id: 'b1', name: 'B', sites: 3, rows: [[1, 0, 0, 0]] }] },
  ])
  expect(baked.files).toEqual(['motifs/own.motifs.pfm.gz', 'motifs/b.meme'])
  expect(await readFile(join(scratch, 'bundle/motifs/b.meme'), 'utf8')).toContain('MOTIF b1')
})

test('a file without a motif is refused, a motif that cannot be read is left out with its line', async () => {
  writeFileSync(join(scratch, 'none.txt'), 'no motif at all')
  writeFileSync(join(scratch, 'half.txt'), `>broken\nA [1 x]\n${jaspar}`)
  expect(await bake(['none.txt', 'half.txt'])).toEqual({ motifs: 1 })
  expect(
    baked.defects.map(({ code, line }) => [toolDefects[code as keyof typeof toolDefects].severity, code, line]),
  ).toEqual([
    ['error', 'motif-file', null],
    ['warning', 'motif-matrix', 2],
  ])
})

test('files of one name in different folders are both kept to be downloaded', async () => {
  mkdirSync(join(scratch, 'other'), { recursive: true })
  writeFileSync(join(scratch, 'same.pfm'), jaspar)
  writeFileSync(join(scratch, 'other/same.pfm'), jaspar.replace('GCN4', 'GAL4'))
  await bake(['same.pfm', { file: 'other/same.pfm', id: 'other' }])
  expect(baked.files).toEqual(['motifs/same.pfm', 'motifs/2-same.pfm'])
  expect(await readFile(join(scratch, 'bundle/motifs/same.pfm'), 'utf8')).toContain('GCN4')
  expect(await readFile(join(scratch, 'bundle/motifs/2-same.pfm'), 'utf8')).toContain('GAL4')
})

test('two collections of one id are refused; a species without motifs brings nothing', async () => {
  writeFileSync(join(scratch, 'a.pfm'), jaspar)
  await bake(['a.pfm', { file: 'a.pfm', id: 'a' }])
  expect(baked.defects.map(({ code }) => code)).toEqual(['motif-collection-repeated'])
  expect(await loader.bake(null, context)).toEqual({})
})
