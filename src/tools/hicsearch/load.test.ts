import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActiveSpecies } from '../../database/catalogue.ts'
import type { Database } from '../../database/connect.ts'
import { type MadeCooler, writeCooler } from '../../testing/cooler.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { checkTestSpecies, loadTestSpecies } from '../../testing/species.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string

beforeAll(async () => {
  portal = await openEmptyPortal('contacts')
  ;({ database, root, dataDir } = portal)
})
afterAll(() => portal?.close())

const genome = (names: string[]): string => names.map((name) => `>${name}\n${'ACGTTGCAAC'.repeat(25)}\n`).join('')

/** A folder with two chromosomes of 250 bases and a map whose chromosomes have other names. */
const makeFolder = async (
  name: string,
  map: Partial<MadeCooler>,
  features: Record<string, string> = {},
): Promise<string> => {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'genome.fa'), genome(['chrI', 'chrII']))
  await writeCooler(join(folder, 'map.cool'), {
    chromosomes: [
      { name: '1', lengthBp: 250 },
      { name: '2', lengthBp: 243 },
      { name: 'plasmid', lengthBp: 90 },
    ],
    binBp: 100,
    pixels: [
      [0, 0, 5],
      [0, 4, 2],
    ],
    ...map,
  })
  for (const [kind, text] of Object.entries(features)) writeFileSync(join(folder, kind), text)
  const named = Object.keys(features).map((kind) => `, ${kind}: ${kind}`)
  writeFileSync(
    join(folder, 'species.yaml'),
    [
      'novodb: 1',
      `species: ${name}`,
      'name: Made up',
      'assemblies:',
      `  - id: ${name}`,
      '    genome: genome.fa',
      '    licence: CC0-1.0',
      '    contacts:',
      `      - { id: hic, name: { en: Hi-C, zh: 染色质互作 }, file: map.cool${named.join('')} }`,
      '',
    ].join('\n'),
  )
  return folder
}

describe('contact maps', () => {
  test('are offered as they came, with the sequence that each of their chromosomes is', async () => {
    const folder = await makeFolder('fitting', {})
    const report = await loadTestSpecies(database, dataDir, folder)
    expect(report.ok).toBe(true)
    expect(report.defects.map(({ code, severity, params }) => ({ code, severity, params }))).toEqual(
      expect.arrayContaining([
        { code: 'contacts-sequence-renamed', severity: 'repair', params: { from: '1', to: 'chrI' } },
        { code: 'contacts-length-near', severity: 'warning', params: { name: '2', found: 243, expected: 250 } },
        { code: 'contacts-sequence-unknown', severity: 'warning', params: { name: 'plasmid' } },
      ]),
    )
    const bundles = (await listActiveSpecies(database.sql)).flatMap((species) => species.bundles)
    const bundle = bundles.find(({ assembly }) => assembly === 'fitting')
    const { sql } = database
    const [row] = await sql<{ data: object }[]>`
      select data from ${sql(`records_${bundle!.bundle}`)} where kind = 'contacts'`
    expect(row?.data).toMatchObject({
      id: 'hic',
      format: 'cool',
      file: 'contacts/hic.cool',
      resolutions: [{ binBp: 100, bins: 7, pixels: 2, normalizations: [] }],
      chromosomes: [
        { name: '1', sequence: 'chrI', lengthBp: 250 },
        { name: '2', sequence: 'chrII', lengthBp: 243 },
        { name: 'plasmid', sequence: null, lengthBp: 90 },
      ],
    })
    const kept = join(dataDir, 'bundles', bundle!.uid, 'contacts/hic.cool')
    expect(readFileSync(kept)).toEqual(readFileSync(join(folder, 'map.cool')))
    expect(bundle!.summary.dataTypes).toMatchObject({ contacts: 1 })
    expect(bundle!.summary.files.find(({ path }) => path === 'contacts/hic.cool')?.download).toMatchObject({
      title: { en: 'Hi-C', zh: '染色质互作' },
      licence: 'CC0-1.0',
    })
  })

  test('of another assembly are refused, and nothing is loaded', async () => {
    for (const [name, chromosomes, code] of [
      ['too-long', [{ name: 'chrI', lengthBp: 450 }], 'contacts-length-far'],
      ['unknown', [{ name: 'scaffold_77', lengthBp: 250 }], 'contacts-sequences-all-unknown'],
    ] as const) {
      const report = await loadTestSpecies(
        database,
        dataDir,
        await makeFolder(name, { chromosomes: [...chromosomes], pixels: [[0, 1, 1]] }),
      )
      expect(report.ok).toBe(false)
      expect(report.defects.filter(({ severity }) => severity === 'error').map((defect) => defect.code)).toEqual([code])
    }
    expect((await listActiveSpecies(database.sql)).map(({ id }) => id)).toEqual(['fitting'])
  })

  test('with features that mostly lie elsewhere, or whose values are none, are refused by the check, file by file', async () => {
    const rows = (row: (at: number) => string): string => Array.from({ length: 40 }, (_, at) => `${row(at)}\n`).join('')
    const errorsOf = async (name: string, features: Record<string, string>) =>
      (await checkTestSpecies(await makeFolder(name, {}, features))).flatMap(({ severity, code, file, line }) =>
        severity === 'error' ? [`${code} ${file}:${line}`] : [],
      )
    const own = (known: number) => (at: number) => (at < known ? '1' : `ctg${at % 3}`)
    expect(
      await errorsOf('features-elsewhere', {
        tads: rows((at) => `${own(2)(at)}\t${at}\t${at + 50}`),
        loops: rows((at) => `1\t${at}\t${at + 5}\t${own(3)(at)}\t${at + 90}\t${at + 99}`),
        compartments: rows((at) => `ctg1\t${at * 10}\t${at * 10 + 10}\t0.5`),
      }),
    ).toEqual(['rows-unknown tads:3', 'rows-unknown loops:4', 'track-sequences-all-unknown compartments:null'])
    expect(await errorsOf('features-part', { tads: rows((at) => `${own(4)(at)}\t${at}\t${at + 50}`) })).toEqual([])
    const values = (value: (at: number) => string) => rows((at) => `1\t${at * 5}\t${at * 5 + 5}\t${value(at)}`)
    expect(await errorsOf('features-words', { compartments: values((at) => (at < 6 ? 'high' : '0.5')) })).toEqual([
      'rows-unusable compartments:1',
    ])
    expect(await errorsOf('features-comma', { compartments: values((at) => (at === 9 ? '0,5' : '0.5')) })).toEqual([
      'phenotype-decimal-comma compartments:10',
    ])
    expect(await errorsOf('features-beyond', { tads: '1\t0\t90\n2\t250\t260\n' })).toEqual([
      'track-beyond-sequence tads:2',
    ])
  })

  test('of another assembly, or cut off, are told by the check of a folder as well', async () => {
    const codesOf = async (folder: string) =>
      (await checkTestSpecies(folder)).filter(({ severity }) => severity === 'error')
    const long = await makeFolder('longer', { chromosomes: [{ name: 'chrI', lengthBp: 450 }], pixels: [[0, 1, 1]] })
    expect(await codesOf(long)).toMatchObject([{ code: 'contacts-length-far', file: 'map.cool' }])
    const file = join(await makeFolder('cut-off', {}), 'map.cool')
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length - 200))
    expect(await codesOf(dirname(file))).toMatchObject([
      {
        code: 'file-damaged',
        file: 'map.cool',
        params: { reason: `it ends after ${whole.length - 200} of ${whole.length} bytes` },
      },
    ])
  })
})
