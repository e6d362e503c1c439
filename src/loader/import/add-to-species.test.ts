import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { listActiveSpecies, rollbackRelease } from '../../database/catalogue.ts'
import type { Database } from '../../database/connect.ts'
import { verifyBundle } from '../../store/bundle.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { loadTestSpecies, makeSpeciesFolder } from '../../testing/species.ts'
import { type AddOptions, addToSpecies, removeFromSpecies, takeBack } from './add-to-species.ts'
import { inAddingTurn, noTurn } from './adding-turn.ts'

let database: Database
let root: string
let dataDir: string
let folder: string
beforeAll(async () => {
  database = await openTestDatabase({ max: 16 })
  root = mkdtempSync(join(tmpdir(), 'novodb-adding-'))
  dataDir = join(root, 'data')
  mkdirSync(join(dataDir, 'bundles'), { recursive: true })
  folder = makeSpeciesFolder(join(root, 'one'))
  const manifest = join(folder, 'species.yaml')
  writeFileSync(manifest, `# Kept by hand.\n${readFileSync(manifest, 'utf8')}`)
  expect(await loadTestSpecies(database, dataDir, folder)).toMatchObject({ ok: true, release: 1 })
})
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

const add = (paths: string[], options: Partial<AddOptions> = {}) =>
  addToSpecies({
    sql: database.sql,
    species: 'testus-minimus',
    turn: noTurn,
    paths,
    dryRun: false,
    language: 'en',
    ask: async ({ fallback }) => fallback,
    signal: AbortSignal.timeout(180_000),
    onProgress: () => undefined,
    ...options,
  })
const given = (name: string, text: string): string => {
  const file = join(root, name)
  writeFileSync(file, text)
  return file
}
const codes = (report: { log: { defects: readonly { code: string }[] } }) => report.log.defects.map(({ code }) => code)
const bundleNow = async () =>
  (await listActiveSpecies(database.sql)).flatMap(({ bundles }) => bundles).find(({ assembly }) => assembly === 'TM1')!
const assemblyOf = (text: string) => parse(text).assemblies[0]

test('a file is told to be of what is loaded without a name, and a dry run writes nothing', async () => {
  const before = readFileSync(join(folder, 'species.yaml'), 'utf8')
  const track = given('peaks.bed', 'chr1\t10\t90\tp1\nchr1\t200\t300\tp2\n')
  const report = await add([track], { species: null, dryRun: true })
  expect(report).toMatchObject({
    home: 'testus-minimus',
    // There is a track of that name already.
    added: [{ assembly: 'TM1', entry: 'tracks', id: 'peaks-2', replaces: false }],
    manifest: { kept: null },
  })
  expect(readFileSync(join(folder, 'species.yaml'), 'utf8')).toBe(before)
})

test('data without a genome are told to need one where nothing is loaded', async () => {
  const empty = await openTestDatabase({ max: 2 })
  const track = given('alone.bed', 'chr1\t10\t90\tp1\n')
  expect(codes(await add([track], { sql: empty.sql, species: null }))).toEqual(['import-no-genome'])
  await empty.close()
})

test('an expression table is added: its entry is written, the genome is not computed again, and it can be taken out', async () => {
  const first = await bundleNow()
  const before = readFileSync(join(folder, 'species.yaml'), 'utf8')
  const table = given('leaf.tsv', 'gene\tleaf_1\tleaf_2\nTM_0001\t5.5\t6\nTM_0002\t1\t0\nTM_0003\t2\t3\n')
  const report = await add([table])
  expect(codes(report)).toEqual([])
  expect(report.added).toMatchObject([{ assembly: 'TM1', entry: 'expression', replaces: false }])
  const { text, kept } = report.manifest!
  expect(text).toMatch(/^# Kept by hand\./)
  expect(readFileSync(kept!, 'utf8')).toBe(before)
  expect(assemblyOf(text).expression.at(-1)).toMatchObject({ id: 'leaf', file: '../leaf.tsv' })
  const { expression, ...rest } = assemblyOf(text)
  const { expression: earlier, ...restBefore } = assemblyOf(before)
  expect(rest).toEqual(restBefore)
  expect(expression).toHaveLength((earlier?.length ?? 0) + 1)

  const loaded = await loadTestSpecies(database, dataDir, folder)
  expect(loaded).toMatchObject({ ok: true, release: 2 })
  const { kept: parts } = loaded.assemblies[0]!
  expect(parts).toEqual(expect.arrayContaining(['genome', 'products', 'overview', 'jbrowse-tracks']))
  expect(parts).not.toContain('geneexpression-expression')
  const second = await bundleNow()
  expect(await verifyBundle(join(dataDir, 'bundles', second.uid))).toEqual([])
  expect(second.summary.dataTypes.tracks).toBe(first.summary.dataTypes.tracks)
  // Inputs of before are links, and cost no space.
  const keptInputs = first.summary.files.filter(({ path }) => /^inputs\/\w{64}/.test(path))
  expect(keptInputs.length).toBeGreaterThan(0)
  for (const { path } of keptInputs)
    expect(statSync(join(dataDir, 'bundles', second.uid, path)).ino).toBe(
      statSync(join(dataDir, 'bundles', first.uid, path)).ino,
    )

  // The same as if it had been loaded at once: files, rows, and what is told.
  const fresh = join(root, 'fresh')
  mkdirSync(join(fresh, 'bundles'), { recursive: true })
  const { sql } = database
  const rowsOf = (of: typeof sql, bundle: number) =>
    Promise.all([
      of.unsafe(`select kind, id, position, data from records_${bundle} order by position, kind, id`),
      of.unsafe(`select position, type, id, names from search_entries_${bundle} order by position`),
      of.unsafe(`select word, entry_count from search_vocabulary_${bundle} order by word`),
      of.unsafe(`select gene, source, term from gene_terms_${bundle} order by gene, source, term`),
    ])
  const other = await openTestDatabase({ max: 16 })
  try {
    const anew = await loadTestSpecies(other, fresh, folder)
    expect(anew.assemblies[0]!.kept).toEqual([])
    expect(anew.totals).toEqual(loaded.totals)
    const bundle = (await listActiveSpecies(other.sql)).flatMap(({ bundles }) => bundles).at(-1)!
    const products = (of: typeof bundle) =>
      of.summary.files.filter(({ kind }) => kind !== 'part').map(({ path, sha256 }) => [path, sha256])
    expect(products(second)).toEqual(products(bundle))
    expect(second.summary.dataTypes).toEqual(bundle.summary.dataTypes)
    expect(await rowsOf(sql, second.bundle)).toEqual(await rowsOf(other.sql, bundle.bundle))
  } finally {
    await other.close()
  }

  const taken = await removeFromSpecies({
    sql,
    species: 'testus-minimus',
    entry: 'TM1/expression/leaf',
    dryRun: false,
    turn: noTurn,
  })
  expect(codes(taken)).toEqual([])
  expect(parse(taken.manifest!.text)).toEqual(parse(before))
  // What it was before is there still: nothing is baked.
  expect(await loadTestSpecies(database, dataDir, folder)).toMatchObject({ assemblies: [{ reused: true }] })
  expect((await bundleNow()).uid).toBe(first.uid)
}, 300_000)

test('an item without an id is named by its file, and taken out by it alone', async () => {
  const terms = given('terms.tsv', 'TM_0001\tGO:0000002\nTM_0002\tGO:0000003\nTM_0003\tGO:0000003\n')
  const before = readFileSync(join(folder, 'species.yaml'), 'utf8')
  const report = await add([terms])
  expect(report.added).toMatchObject([{ assembly: 'TM1', entry: 'annotation', id: '../terms.tsv' }])
  const entry = 'TM1/annotation/../terms.tsv'
  const taken = await removeFromSpecies({
    sql: database.sql,
    species: 'testus-minimus',
    entry,
    dryRun: false,
    turn: noTurn,
  })
  expect(parse(taken.manifest!.text)).toEqual(parse(before))
  await takeBack(report.manifest!)
})

test('gene models of the same genome take the place of those before', async () => {
  const models = given(
    'again.gff3',
    '##gff-version 3\nchr1\tx\tgene\t101\t400\t.\t+\t.\tID=NEW_1\nchr1\tx\tmRNA\t101\t400\t.\t+\t.\tID=NEW_1.1;Parent=NEW_1\nchr1\tx\tCDS\t101\t400\t.\t+\t0\tID=NEW_1.c;Parent=NEW_1.1\n',
  )
  const report = await add([models], { dryRun: true })
  expect(report.added).toContainEqual({ assembly: 'TM1', entry: 'genes', id: null, replaces: true })
  expect(assemblyOf(report.manifest!.text).genes).toBe('../again.gff3')
})

test('what fits nothing, a genome, and an unknown species or entry are refused in words', async () => {
  const foreign = given('foreign.bed', 'scaffold_9\t1\t5\tx\n')
  expect(codes(await add([foreign]))).toContain('import-add-nothing')
  const genome = given('genome2.fa', '>chr1\nACGTACGTACGTACGTACGT\n')
  expect(codes(await add([genome]))).toContain('import-add-genome')
  expect(codes(await add([foreign], { species: 'nobody' }))).toEqual(['import-add-unknown-species'])
  const { log } = await removeFromSpecies({
    sql: database.sql,
    species: 'testus-minimus',
    entry: 'TM1/genome',
    dryRun: true,
    turn: noTurn,
  })
  expect(log.defects.map(({ code }) => code)).toEqual(['import-add-entry-unknown'])
})

test('a species that was not named is changed only by a yes', async () => {
  const track = given('asked.bed', 'chr1\t10\t90\tp1\n')
  const before = readFileSync(join(folder, 'species.yaml'), 'utf8')
  const asked: string[] = []
  const answer =
    (value: string | null) =>
    async ({ id, fallback }: { id: string; fallback: string | null }) => {
      asked.push(id)
      return id === 'home' ? value : fallback
    }
  expect(await add([track], { species: null, ask: answer('no') })).toMatchObject({ manifest: null, added: [] })
  const open = await add([track], { species: null, ask: answer(null) })
  expect(open).toMatchObject({ open: [{ id: 'home' }], manifest: { kept: null } })
  expect(asked.filter((id) => id === 'home')).toHaveLength(2)
  expect(readFileSync(join(folder, 'species.yaml'), 'utf8')).toBe(before)
})

test('what somebody else wrote meanwhile is neither overwritten nor taken back', async () => {
  const file = join(folder, 'species.yaml')
  const before = readFileSync(file, 'utf8')
  const report = await add([given('mine.bed', 'chr1\t10\t90\tp1\n')])
  const others = `${report.manifest!.text}# Somebody else.\n`
  writeFileSync(file, others)
  expect(await takeBack(report.manifest!)).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe(others)
  writeFileSync(file, before)
})

test('of two additions at once the second waits for the load of the first, and loads beside it', async () => {
  const file = join(folder, 'species.yaml')
  const before = readFileSync(file, 'utf8')
  const waited: string[] = []
  const signal = AbortSignal.timeout(180_000)
  const addAndLoad = (name: string) =>
    inAddingTurn({ database, signal, onWaiting: () => waited.push(name) }, async (turn) => {
      const report = await add([given(`${name}.bed`, 'chr1\t10\t90\tp1\n')], { turn })
      expect([codes(report), report.manifest?.kept]).toEqual([[], expect.any(String)])
      return loadTestSpecies(database, dataDir, folder)
    })
  const loads = await Promise.all(['left', 'right'].map(addAndLoad))
  expect(loads.map(({ ok }) => ok)).toEqual([true, true])
  expect(new Set(waited).size).toBe(1)
  const ids = (of: string): string[] => assemblyOf(of).tracks.map(({ id }: { id: string }) => id)
  expect(ids(readFileSync(file, 'utf8'))).toEqual(expect.arrayContaining([...ids(before), 'left', 'right']))
  writeFileSync(file, before)
  expect(await loadTestSpecies(database, dataDir, folder)).toMatchObject({ ok: true })
}, 200_000)

test('a table whose first genes no gene models have is known by those further on', async () => {
  const rna = Array.from({ length: 2000 }, (_, at) => `tRNA_${at}\t1\t2`)
  const known = Array.from({ length: 6000 }, (_, at) => `TM_000${1 + (at % 3)}\t${at}\t2`)
  const text = ['gene\troot_1\troot_2', ...rna, ...known, ''].join('\n')
  for (const name of ['root.tsv', 'root.tsv.gz']) {
    const table = join(root, name)
    writeFileSync(table, name.endsWith('.gz') ? gzipSync(text) : text)
    const report = await add([table], { dryRun: true })
    expect([name, report.added]).toMatchObject([name, [{ assembly: 'TM1', entry: 'expression', id: 'root' }]])
  }
  const foreign = await add([given('stem.tsv', ['gene\ta\tb', ...rna, ''].join('\n'))], { dryRun: true })
  expect(foreign.added).toEqual([])
})

test('a folder of that path on another host is not taken for the one that was loaded', async () => {
  const { sql } = database
  const file = join(folder, 'species.yaml')
  const before = readFileSync(file, 'utf8')
  const track = given('host.bed', 'chr1\t10\t90\tp1\n')
  const rows = await sql<{ id: number; host: string }[]>`select id, host from loads`
  await sql`update loads set host = 'elsewhere'`
  // Containers have another name at each start: the same manifest is the same folder.
  expect(codes(await add([track], { dryRun: true }))).toEqual([])
  writeFileSync(file, before.replace('Peaks', 'Summits'))
  expect(codes(await add([track]))).toEqual(['import-add-other-host'])
  for (const { id, host } of rows) await sql`update loads set host = ${host} where id = ${id}`
  expect(readFileSync(file, 'utf8')).not.toContain('host.bed')
  writeFileSync(file, before)
})

test('where the folder is gone, that is said; a manifest is put back after a load that was refused', async () => {
  const track = given('more.bed', 'chr1\t10\t90\tp1\n')
  const before = readFileSync(join(folder, 'species.yaml'), 'utf8')
  const report = await add([track])
  expect(readFileSync(join(folder, 'species.yaml'), 'utf8')).not.toBe(before)
  await takeBack(report.manifest!)
  expect(readFileSync(join(folder, 'species.yaml'), 'utf8')).toBe(before)
  expect(readdirSync(folder).filter((name) => name.includes('novodb-part'))).toEqual([])
  renameSync(folder, `${folder}-away`)
  const gone = await add([track])
  renameSync(`${folder}-away`, folder)
  expect(gone.manifest).toBeNull()
  expect(gone.log.defects).toMatchObject([{ code: 'import-add-folder-gone', params: { folder } }])
})

test('an assembly in service that species.yaml has no more is told', async () => {
  const file = join(folder, 'species.yaml')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, before.replace('id: TM1', 'id: TM7'))
  const report = await add([given('gone.bed', 'chr1\t10\t90\tp1\n')])
  expect(codes(report)).toContain('import-add-assembly-gone')
  expect(report.manifest).toBeNull()
  writeFileSync(file, before)
})

test('where the load of another folder was undone, what is added goes to the folder that serves again', async () => {
  const other = makeSpeciesFolder(join(root, 'other'), { assembly: 'TM9' })
  expect(await loadTestSpecies(database, dataDir, other)).toMatchObject({ ok: true })
  const track = given('again.bed', 'chr1\t10\t90\tp1\n')
  expect((await add([track], { dryRun: true })).manifest!.folder).toBe(other)
  await rollbackRelease(database.sql, 'testus-minimus')
  const report = await add([track], { dryRun: true })
  expect([codes(report), report.manifest!.folder]).toEqual([[], folder])
})
