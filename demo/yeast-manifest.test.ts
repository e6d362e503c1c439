import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { assemblyManifestSchema, speciesManifestSchema } from '../src/contracts/manifest.ts'
import { hasRealData, realData } from '../src/testing/real-data.ts'
import type { SpeciesFolder } from './species-folder.ts'
import { makeYeastFolder } from './yeast-manifest.ts'

describe.skipIf(!hasRealData)('the yeast folder over the shared data', () => {
  let directory = ''
  let manifest: SpeciesFolder
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'yeast-'))
    await makeYeastFolder(realData, directory)
    manifest = parse(await readFile(join(directory, 'species.yaml'), 'utf8')) as SpeciesFolder
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('R64 and seven strain assemblies pass the loader’s schema', () => {
    // Entries of tools have schemas of their own.
    const own = (entries: object, schema: { shape: object }) =>
      Object.fromEntries(Object.entries(entries).filter(([name]) => Object.hasOwn(schema.shape, name)))
    const parsed = speciesManifestSchema.parse({
      ...own(manifest, speciesManifestSchema),
      assemblies: manifest.assemblies.map((assembly) => own(assembly, assemblyManifestSchema)),
    })
    expect(parsed.assemblies.map(({ id }) => id)).toEqual([
      'R64',
      'S288C-PacBio',
      'SK1',
      'Y12',
      'YPS128',
      'DBVPG6044',
      'UWOPS034614',
      'CBS432',
    ])
    expect(parsed.assemblies[0]!.sequences!.at(-1)).toMatchObject({ name: 'chrmt', geneticCode: 3, circular: true })
  })

  test('every file that the manifest names is there', async () => {
    const files = [
      ...manifest.references!,
      ...manifest.transcriptionFactors!.profiles,
      ...manifest.ontologies!.map(({ file }) => file),
    ]
    for (const {
      genome,
      genes,
      annotation,
      tracks,
      contacts,
      transposableElements,
      expression,
      pathways,
      singleCell,
      interactions,
      downloads,
    } of manifest.assemblies)
      files.push(
        ...[genome, genes!].flat(),
        ...(pathways ?? []).flatMap(({ file }) => file ?? []),
        ...(annotation ?? []).map(({ file }) => file),
        ...(tracks ?? []).flatMap(({ file, index }) => (index ? [file, index] : [file])),
        ...(contacts ?? []).map(({ file }) => file),
        ...(singleCell ?? []).map(({ file }) => file),
        ...(interactions ?? []).map(({ file }) => file),
        ...(expression ?? []).flatMap(({ file, samples, differential }) => [
          ...[file].flat(),
          ...(samples === undefined ? [] : [samples]),
          ...(differential ?? []).flatMap((one) => one.file ?? []),
        ]),
        ...[transposableElements?.file, transposableElements?.library?.file].filter((file) => file !== undefined),
        ...(downloads ?? []).map(({ file }) => file),
      )
    expect(files.length).toBeGreaterThan(40)
    for (const file of files) expect((await stat(resolve(directory, file))).size).toBeGreaterThan(100)
  })

  test('converted tables have the source’s rows without its empty ones', async () => {
    const rowsOf = async (file: string) =>
      (await readFile(join(directory, file), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.split('\t'))
    const go = await rowsOf('go.tsv')
    expect(go.every(([gene, term]) => /^\S+$/.test(gene!) && /^GO:\d{7}$/.test(term!))).toBe(true)
    expect(new Set(go.map(([gene]) => gene)).size).toBe(6218)
    expect(new Set(go.map(([, term]) => term)).size).toBe(5344)
    expect(go.find(([gene, term]) => gene === 'YHR055C' && term === 'GO:0004784')![2]).toBe(
      'superoxide dismutase activity',
    )
    const domains = await rowsOf('interpro.tsv')
    expect(new Set(domains.map(([gene]) => gene)).size).toBe(5168)
    expect(new Set(domains.map(([, domain]) => domain)).size).toBe(5301)
  })

  test('a subset keeps the reference', async () => {
    const small = join(directory, 'small')
    await makeYeastFolder(realData, small, { assemblies: ['SK1'] })
    const { assemblies } = parse(await readFile(join(small, 'species.yaml'), 'utf8')) as SpeciesFolder
    expect(assemblies.map(({ id }) => id)).toEqual(['R64', 'SK1'])
  })
})
