import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { listActiveSpecies } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { keptInputFiles } from '../store/kept-inputs.ts'
import { openLocalFiles, type PortalFiles } from '../store/portal-files.ts'
import { openTestDatabase } from '../testing/database.ts'
import { readProducts } from '../testing/products.ts'
import { loadTestSpecies, makeGff3, makeSpeciesFolder } from '../testing/species.ts'
import { choosePlaces, type ExportOptions, type ExportReport, exportSpecies } from './export-species.ts'

interface Portal {
  database: Database
  dataDir: string
  files: PortalFiles
}

const quantification = (tpm: number): string =>
  `Name\tLength\tEffectiveLength\tTPM\tNumReads\nTM_0001.1\t120\t100\t${tpm}\t7\nTM_0002.1\t150\t130\t1\t2\n`

let root: string
let here: Portal
let elsewhere: Portal

const openPortal = async (name: string): Promise<Portal> => {
  const dataDir = join(root, name)
  mkdirSync(join(dataDir, 'bundles'), { recursive: true })
  return { dataDir, database: await openTestDatabase({ max: 16 }), files: openLocalFiles(dataDir) }
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'novodb-export-'))
  here = await openPortal('here')
  elsewhere = await openPortal('elsewhere')
})
afterAll(async () => {
  await here.database.close()
  await elsewhere.database.close()
  rmSync(root, { recursive: true, force: true })
})

const runExport = (folder: string, more: Partial<ExportOptions> = {}): Promise<ExportReport> =>
  exportSpecies({
    sql: here.database.sql,
    files: here.files,
    species: 'testus-minimus',
    folder,
    signal: AbortSignal.timeout(60_000),
    onProgress: () => undefined,
    ...more,
  })

describe('what was loaded, exported and loaded elsewhere', () => {
  let source: string
  let target: string
  let given: Map<string, Buffer>
  beforeAll(async () => {
    source = makeSpeciesFolder(join(root, 'given/species'), {
      files: {
        'genes.gff3': null,
        'genes/models.gff3': makeGff3(),
        '../shared/terms.obo': readFileSync(join(makeSpeciesFolder(join(root, 'other')), 'terms.obo')),
        'terms.obo': null,
        '../quant/leaf/quant.sf': quantification(5),
        '../quant/root/quant.sf': quantification(9),
        '../quant/root/notes.log': 'no part of the results',
      },
    })
    // Named from the root, by the parent folder, and twice.
    const file = join(source, 'species.yaml')
    const manifest = parse(readFileSync(file, 'utf8'))
    manifest.ontologies = [{ file: '../shared/terms.obo' }]
    const [assembly] = manifest.assemblies
    assembly.genes = './genes/models.gff3'
    writeFileSync(join(root, 'given/far.bed'), 'chr1\t10\t20\tfar\n')
    assembly.tracks.push({ id: 'far', name: 'Far', file: join(root, 'given/far.bed') })
    assembly.downloads.push({ file: 'genome.fa', title: 'The genome as it was given' })
    assembly.expression = [{ id: 'organs', name: 'Organs', folder: join(root, 'given/quant'), unit: 'TPM' }]
    writeFileSync(file, stringify(manifest))
    given = new Map(
      ['genome.fa', 'genes/models.gff3', 'go.tsv', 'peaks.bed', 'snps.vcf', 'notes.txt', 'papers.bib'].map((name) => [
        name,
        readFileSync(join(source, name)),
      ]),
    )
    expect((await loadTestSpecies(here.database, here.dataDir, source)).ok).toBe(true)
    rmSync(join(root, 'given'), { recursive: true })
    target = join(root, 'exported')
    const report = await runExport(target)
    expect(report.log.defects).toEqual([])
  }, 300_000)

  test('the files are those that were given, though the originals are gone', () => {
    for (const [name, content] of given) expect(readFileSync(join(target, name)).equals(content), name).toBe(true)
  })

  test('the manifest begins as a person would begin it', () => {
    const text = readFileSync(join(target, 'species.yaml'), 'utf8')
    expect(text).toMatch(/^novodb: 1\nspecies: testus-minimus\nname: Testus minimus\n/)
    expect(text.indexOf('\nassemblies:')).toBeGreaterThan(text.indexOf('\nontologies:'))
  })

  test('files from outside of the folder lie inside, and nothing else is there', () => {
    const names = readdirSync(target, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1))
    expect(names.sort()).toEqual(
      [
        ...given.keys(),
        'outside/far.bed',
        'outside/quant/leaf/quant.sf',
        'outside/quant/root/quant.sf',
        'outside/up1/shared/terms.obo',
        'repeats.gff3',
        'species.yaml',
      ].sort(),
    )
  })

  test('a file that is a product as well is kept once', async () => {
    const bundle = (await readProducts(here.database.sql, 'testus-minimus')).find(({ assembly }) => assembly !== null)!
    const uid = (await listActiveSpecies(here.database.sql))[0]!.bundles.find(({ assembly }) => assembly !== null)!.uid
    const list = JSON.parse(readFileSync(join(here.dataDir, 'bundles', uid, keptInputFiles.list), 'utf8'))
    const notes = list.files.find(({ name }: { name: string }) => name === 'notes.txt')
    expect(bundle.files.map(({ path }) => path)).toContain(notes.stored.product)
  })

  test('loaded into a fresh portal, all products have the same checksums', async () => {
    expect((await loadTestSpecies(elsewhere.database, elsewhere.dataDir, target)).ok).toBe(true)
    expect(await readProducts(elsewhere.database.sql, 'testus-minimus')).toEqual(
      await readProducts(here.database.sql, 'testus-minimus'),
    )
  }, 300_000)

  test('an export of what was exported is the same to the letter', async () => {
    const again = join(root, 'again')
    const [species] = await listActiveSpecies(elsewhere.database.sql)
    await runExport(again, { sql: elsewhere.database.sql, files: elsewhere.files, species: species!.id })
    for (const name of ['species.yaml', 'outside/far.bed'])
      expect(readFileSync(join(again, name)).equals(readFileSync(join(target, name))), name).toBe(true)
  })

  test('a folder that is not empty is refused and left as it is', async () => {
    const folder = join(root, 'taken')
    mkdirSync(folder)
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    const { log } = await runExport(folder)
    expect(log.defects.map(({ code }) => code)).toEqual(['export-folder-taken'])
    expect(readdirSync(folder)).toEqual(['mine.txt'])
    const whole = await runExport(target)
    expect(whole.log.defects.map(({ code }) => code)).toEqual(['export-folder-taken'])
  })

  test('stopped at any file, it goes on where it was', async () => {
    const folder = join(root, 'stopped')
    for (let files = 1; files <= 4; files += 1) {
      const controller = new AbortController()
      let heard = 0
      const stop = (): void => {
        heard += 1
        if (heard === 2) controller.abort(new Error('stopped'))
      }
      await expect(runExport(folder, { signal: controller.signal, onProgress: stop })).rejects.toThrow()
      expect(existsSync(join(folder, 'species.yaml'))).toBe(false)
    }
    expect((await runExport(folder)).log.defects).toEqual([])
    for (const [name, content] of given) expect(readFileSync(join(folder, name)).equals(content), name).toBe(true)
    expect(readdirSync(folder).filter((name) => name.includes('novodb'))).toEqual([])
  })

  test('with an object store nothing is opened that was not fetched', async () => {
    const cache = join(root, 'cache')
    const portalFiles: PortalFiles = {
      ...here.files,
      fetch: async (uid, files) => {
        const from = await here.files.fetch(uid, files)
        for (const { path } of files) {
          mkdirSync(dirname(join(cache, uid, path)), { recursive: true })
          copyFileSync(join(from, path), join(cache, uid, path))
        }
        return join(cache, uid)
      },
    }
    const folder = join(root, 'from-store')
    expect((await runExport(folder, { files: portalFiles })).log.defects).toEqual([])
    for (const [name, content] of given) expect(readFileSync(join(folder, name)).equals(content), name).toBe(true)
  })

  test('damage of what was kept is told, and no wrong file gets its name', async () => {
    const portalFiles: PortalFiles = {
      ...here.files,
      fetch: async (uid, files) => {
        const from = await here.files.fetch(uid, files)
        const path = files[0]?.path ?? ''
        if (!/^inputs\/\w{64}/.test(path)) return from
        const copy = join(root, 'damaged', path)
        mkdirSync(dirname(copy), { recursive: true })
        const bytes = Buffer.from(readFileSync(join(from, path)))
        bytes.fill(0, 0, Math.min(bytes.length, 200))
        writeFileSync(copy, bytes)
        return join(root, 'damaged')
      },
    }
    const { log } = await runExport(join(root, 'from-damaged'), { files: portalFiles })
    expect(log.defects.map(({ code }) => code)).toEqual(['export-file-damaged'])
    expect(existsSync(join(root, 'from-damaged', log.defects[0]!.file))).toBe(false)
  })

  test('a species that is not there is told with those that are', async () => {
    const { log } = await runExport(join(root, 'none'), { species: 'nobody' })
    expect(log.defects[0]).toMatchObject({ code: 'export-species-unknown', params: { known: 'testus-minimus' } })
    expect(existsSync(join(root, 'none'))).toBe(false)
  })
})

test('files from outside keep what they share, and folders their files', () => {
  const files = ['./a.fa', '/data/q/s1/quant.sf', '/data/x.bam', '/data/x.bam.bai', '../../b.obo']
  const place = choosePlaces(files, ['/data/q'])
  expect([...files, '/data/q'].map(place)).toEqual([
    'a.fa',
    'outside/q/s1/quant.sf',
    'outside/x.bam',
    'outside/x.bam.bai',
    'outside/up2/b.obo',
    'outside/q',
  ])
  expect(choosePlaces(['/data/q/s1/quant.sf'], ['/data/q'])('/data/q/s1/quant.sf')).toBe('outside/q/s1/quant.sf')
})

test('no two files from outside get one place, nor that of one within', () => {
  const places = (files: string[]) => files.map(choosePlaces(files, []))
  expect(places(['outside/x.bam', '/data/x.bam', '../x.bam'])).toEqual([
    'outside/x.bam',
    'outside-2/x.bam',
    'outside-2/up1/x.bam',
  ])
  expect(places(['/data/up1/x.bam', '/data/y.bam', '../x.bam'])).toEqual([
    'outside/up1/x.bam',
    'outside/y.bam',
    'outside/up1-2/x.bam',
  ])
})
