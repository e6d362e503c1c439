import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActiveSpecies } from '../../database/catalogue.ts'
import type { Database } from '../../database/connect.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import {
  type AssociationPlot,
  type BakedAssociationSet,
  listAssociationSets,
  readAssociationPlot,
  readAssociationPoints,
  readAssociations,
} from './stored.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string

beforeAll(async () => {
  portal = await openEmptyPortal('gwas')
  ;({ database, root, dataDir } = portal)
})
afterAll(() => portal?.close())

const makeFolder = (name: string, files: Record<string, string | Buffer>, entries: string[]): string => {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'genome.fa'), `>chrI\n${'ACGTTGCAAC'.repeat(500)}\n>chrII\n${'GATTACAGAT'.repeat(300)}\n`)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  writeFileSync(
    join(folder, 'species.yaml'),
    [
      ...['novodb: 1', `species: ${name}`, 'name: Made up', 'assemblies:', `  - id: ${name}`, '    genome: genome.fa'],
      ...['    gwas:', ...entries.map((entry) => `      - ${entry}`), ''],
    ].join('\n'),
  )
  return folder
}

const recordsOf = async <T>(assembly: string, kind: string): Promise<T[]> => {
  const bundle = (await listActiveSpecies(database.sql))
    .flatMap((species) => species.bundles)
    .find((one) => one.assembly === assembly)
  const { sql } = database
  const rows = await sql<{ data: T }[]>`
    select data from ${sql(`records_${bundle!.bundle}`)} where kind = ${kind} order by position`
  return rows.map(({ data }) => data)
}

describe('tables of associations', () => {
  test('are sorted and indexed, with lambda, threshold and hits of each trait; names of chromosomes are those of the genome', async () => {
    // Rows by falling position, one of them a covariate's, one of a failed test, one beyond the end, one elsewhere.
    const plink = [' CHR SNP BP A1 TEST NMISS BETA STAT P']
    for (let at = 200; at >= 1; at -= 1)
      plink.push(` ${at % 2 === 0 ? '1' : '2'} s${at} ${at * 10} A ADD 90 0.1 2 ${at === 77 ? '1e-320' : at / 201}`)
    plink.push('1 s1 10 A COV1 90 1 1 1e-9', '1 f 11 A ADD 90 NA NA NA', '2 g 3001 A ADD 90 1 1 0.5')
    plink.push('plasmid h 5 A ADD 90 1 1 0.5', '1 i 12 A ADD 90 1 1 x')
    const traits = ['chr\tpos\tmarker\tphenotype\tpvalue', 'chrI\t50\ta\theight\t1e-7', 'chrI\t60\tb\theight\t1e-8']
    traits.push('chrII\t70\tc\tyield, dry\t1e-6')
    const folder = makeFolder(
      'scans',
      { 'scan.linear': plink.join('\n'), 'hits.tsv.gz': gzipSync(traits.join('\r\n')) },
      ['{ id: scan, name: One scan, file: scan.linear, trait: colour }', '{ id: hits, name: Hits, file: hits.tsv.gz }'],
    )
    const report = await loadTestSpecies(database, dataDir, folder)
    expect(report.ok).toBe(true)
    expect(report.defects.map(({ code, params, line }) => ({ code, params, line }))).toEqual(
      expect.arrayContaining([
        { code: 'gwas-sequence-renamed', params: { from: '2', to: 'chrII' }, line: null },
        { code: 'gwas-missing', params: { count: 1, total: 204 }, line: 203 },
        { code: 'gwas-unreadable', params: { count: 1, total: 204 }, line: 206 },
        { code: 'gwas-outside', params: { count: 1, total: 204 }, line: 204 },
        { code: 'gwas-sequence-unknown', params: { count: 1, total: 204, names: 'plasmid' }, line: 205 },
        { code: 'gwas-hits-only', params: { count: 2, total: 2 }, line: null },
      ]),
    )
    const [scan, hits] = await recordsOf<BakedAssociationSet>('scans', 'gwas')
    expect(scan).toMatchObject({ id: 'scan', format: 'plink', rows: 200 })
    const [colour] = scan!.traits
    expect(colour).toMatchObject({ id: 'colour', count: 200, complete: true, threshold: 0.05 / 200, significant: 1 })
    expect(colour!.best).toMatchObject({ sequence: 'chrII', position: 770, id: 's77', logP: 320 })
    // p-values as they would be by chance, but for one.
    expect(colour!.lambda).toBeCloseTo(1.01, 1)
    expect(
      hits!.traits.map(({ id, count, complete, lambda, threshold }) => [id, count, complete, lambda, threshold]),
    ).toEqual([
      ['height', 2, false, null, null],
      ['yield, dry', 1, false, null, null],
    ])
    const plots = await recordsOf<AssociationPlot>('scans', 'gwas-plot')
    expect(plots.map(({ trait, hits: own, quantiles }) => [trait, own.length, quantiles.length > 0])).toEqual([
      ['colour', 200, true],
      ['height', 2, false],
      ['yield, dry', 1, false],
    ])
    expect(await recordsOf('scans', 'track')).toMatchObject([{ id: 'gwas-scan', type: 'bed' }, { id: 'gwas-hits' }])

    const data = await portal.openData()
    try {
      const sets = await listAssociationSets(data, 'scans')
      const lines = gunzipSync(readFileSync(sets[0]!.path)).toString().trimEnd().split('\n').slice(1)
      const indexes = lines
        .map((line) => line.split('\t'))
        .map(([name, , end]) => (name === 'chrI' ? 0 : 1e6) + Number(end))
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b))
      const rows = []
      for await (const row of readAssociations(sets[1]!.path, { sequence: 'chrI', start1: 1, end1: 55 }, 'height'))
        rows.push(row)
      expect(rows).toMatchObject([{ sequence: 'chrI', position: 50, id: 'a', logP: 7, trait: 'height' }])
      // Points for a figure are positions and p-values of the same rows.
      const whole = { sequence: 'chrII', start1: 1, end1: 3000 }
      const tests: number[][] = []
      for await (const { position, logP } of readAssociations(sets[0]!.path, whole, 'colour'))
        tests.push([position, logP])
      const points: number[][] = []
      const count = await readAssociationPoints(sets[0]!.path, whole, 'colour', (...point) => points.push(point))
      expect(tests).toHaveLength(100)
      expect([points, count]).toEqual([tests, 100])
      expect(await readAssociationPoints(sets[1]!.path, whole, 'height', () => undefined)).toBe(0)
      expect((await readAssociationPlot(data, sets[1]!, 'yield, dry'))?.hits).toMatchObject([{ id: 'c' }])
    } finally {
      await data.close()
    }
  })
})
