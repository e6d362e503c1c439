import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DefectLog } from '../bio/text/defects.ts'
import { listActiveSpecies } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { verifyBundle } from '../store/bundle.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { openTestDatabase } from '../testing/database.ts'
import { loadTestSpecies, makeGff3, makeSpeciesFolder } from '../testing/species.ts'
import { KeptParts } from './kept-parts.ts'

let database: Database
let root: string
let dataDir: string
let folder: string
const path = (name: string): string => join(folder, name)
const change = (name: string, from: string, to: string): void => {
  const text = readFileSync(path(name), 'utf8')
  expect(text).toContain(from)
  writeFileSync(path(name), text.replace(from, to))
}
const load = async (): Promise<string[]> => {
  const report = await loadTestSpecies(database, dataDir, folder)
  expect(report).toMatchObject({ ok: true, assemblies: [{ reused: false }] })
  return report.assemblies[0]!.kept
}
const now = async () =>
  (await listActiveSpecies(database.sql)).flatMap(({ bundles }) => bundles).find(({ assembly }) => assembly === 'TM1')!
const tracks = 'jbrowse-tracks'
const downloads = 'download-downloads'
/** Reads the terms of the genes. */
const families = 'transcriptionfactors-transcriptionFactors'

beforeAll(async () => {
  database = await openTestDatabase({ max: 16 })
  root = mkdtempSync(join(tmpdir(), 'novodb-kept-parts-'))
  dataDir = join(root, 'data')
  mkdirSync(join(dataDir, 'bundles'), { recursive: true })
  folder = makeSpeciesFolder(join(root, 'one'))
  expect(await load()).toEqual([])
}, 120_000)
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

test.each([
  {
    what: 'gene models',
    act: () =>
      writeFileSync(
        path('genes.gff3'),
        makeGff3(['chr1\tx\tncRNA_gene\t1001\t1080\t.\t+\t.\tID=TM_0006;biotype=tRNA']),
      ),
    anew: ['products', 'overview', tracks, downloads],
    kept: ['genome'],
  },
  {
    what: 'the genetic code',
    act: () => change('species.yaml', 'geneticCode: 11', 'geneticCode: 1'),
    anew: ['products', tracks],
    kept: ['genome'],
  },
  {
    what: 'the licence',
    act: () => change('species.yaml', 'licence: CC0-1.0', 'licence: CC-BY-4.0'),
    anew: ['genome', 'products', tracks, downloads],
    kept: [],
  },
  {
    what: 'the file of an entry',
    act: () => writeFileSync(path('peaks.bed'), 'chr1\t10\t90\tother\n'),
    anew: [tracks],
    kept: ['genome', 'products', downloads, families],
  },
  {
    what: 'the annotation',
    act: () => change('go.tsv', 'oldB\tGO:0000003', 'oldB\tGO:0000002'),
    anew: [families],
    kept: ['genome', 'products', tracks, downloads],
  },
  {
    what: 'an ontology',
    act: () => change('terms.obo', 'name: proton transport', 'name: transport of protons'),
    anew: [families],
    kept: ['genome', 'products', tracks, downloads],
  },
])(
  'what $what decides is made anew when it changes',
  async ({ act, anew, kept }) => {
    act()
    const taken = await load()
    for (const part of anew) expect(taken).not.toContain(part)
    expect(taken).toEqual(expect.arrayContaining(kept))
    expect(await verifyBundle(join(dataDir, 'bundles', (await now()).uid))).toEqual([])
  },
  120_000,
)

test('a part whose files are gone is made anew, and the load ends', async () => {
  const { uid, summary } = await now()
  const { path: genome } = summary.files.find(({ kind }) => kind === 'genome')!
  rmSync(join(dataDir, 'bundles', uid, genome))
  change('species.yaml', 'title: { en: Notes', 'title: { en: Remarks')
  const taken = await load()
  expect(taken).not.toContain(downloads)
  expect(await verifyBundle(join(dataDir, 'bundles', (await now()).uid))).toEqual([])
}, 120_000)

test('where all that was in service is gone, that is said and everything made anew', async () => {
  rmSync(join(dataDir, 'bundles'), { recursive: true })
  mkdirSync(join(dataDir, 'bundles'))
  const report = await loadTestSpecies(database, dataDir, folder)
  expect(report).toMatchObject({ ok: true, assemblies: [{ reused: false, kept: [] }] })
  expect(report.totals).toContainEqual(expect.objectContaining({ code: 'former-genes-unknown' }))
  expect(await verifyBundle(join(dataDir, 'bundles', (await now()).uid))).toEqual([])
}, 120_000)

test('a file that no checksum was taken of cannot decide over a part', async () => {
  const parts = new KeptParts({ files: openLocalFiles(dataDir), earlier: [], digests: new Map(), programs: [] })
  const bundle = { directory: root, scratch: root, add: () => undefined }
  const log = new DefectLog()
  const made = parts.run({ name: 'x', inputs: null, files: ['/one'], log, bundle }, async () => null, bundle.add)
  await expect(made).rejects.toThrow('/one, which is not among the inputs')
})
