import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { search, suggest } from '../contracts/search.ts'
import { listMergedTables, maxOwnTables } from '../database/search/merged-tables.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { loadTestSpecies, makeGff3, makeSpeciesFolder } from '../testing/species.ts'

// A species of so many strains that its load merges their search tables.

const strains = maxOwnTables + 1
const gene = (start1: number, id: string, symbol: string): string =>
  `chr1\tx\tgene\t${start1}\t${start1 + 59}\t.\t+\t.\tID=${id};Name=${symbol};description=zinc kinase`

describe('a load of many assemblies', () => {
  let bed: TestApp
  beforeAll(async () => {
    bed = await openTestApp()
    const names = Array.from({ length: strains }, (_, number) => `strain${number + 1}`)
    const folder = makeSpeciesFolder(join(bed.root, 'species'), {
      files: { 'genes.gff3': makeGff3([gene(1001, 'TM_0101', 'esxG')]) },
      manifest: names
        .map((name) => `  - { id: ${name}, genome: genome.fa, genes: ${name}.gff3, geneticCode: 11 }\n`)
        .join(''),
    })
    for (const name of names)
      writeFileSync(join(folder, `${name}.gff3`), `##gff-version 3\n${gene(1001, `${name}_0101`, 'esxG')}\n`)
    const report = await loadTestSpecies(bed.portal.database, bed.dataDir, folder)
    expect(report.ok, JSON.stringify(report)).toBe(true)
  }, 300_000)
  afterAll(() => bed?.close())

  test('merges their search tables, and all are found, the reference first', async () => {
    const [merged, ...others] = await listMergedTables(bed.portal.database.sql)
    expect(others).toEqual([])
    expect(merged!.bundles.size).toBeGreaterThan(strains)
    const answer = await bed.app.inject({ url: '/api/search/?q=esxG&pageSize=50' })
    const { entries, total } = search.output.parse(answer.json().data)
    expect(total).toBe(strains + 1)
    expect(entries[0]!.id).toBe('TM_0101')
    expect(new Set(entries.map(({ assembly }) => assembly)).size).toBe(strains + 1)
    const suggested = await bed.app.inject({ url: '/api/search/suggest/?q=strain7_' })
    expect(suggest.output.parse(suggested.json().data).entries.map(({ id }) => id)).toEqual(['strain7_0101'])
    const found = await bed.app.inject({ url: '/api/genes/strain9_0101/' })
    expect(found.json().data.gene).toMatchObject({ assembly: 'strain9', symbol: 'esxG' })
  })
})
