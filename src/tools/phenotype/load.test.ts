import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../database/connect.ts'
import { listAccessions } from '../../kit/data/accession-data.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { listPhenotypeSets, readTrait } from '../../kit/data/phenotype-data.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { loadTestSpecies, makeSpeciesFolder } from '../../testing/species.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData
beforeAll(async () => {
  portal = await openEmptyPortal('phenotypes')
  ;({ database, root, dataDir } = portal)
  data = await portal.openData()
})
afterAll(() => portal?.close())

const entry = `accessions: { file: accessions.tsv, licence: CC0-1.0 }
phenotypes:
  - id: field
    name: { en: Field, zh: 田间 }
    file: field.csv
    traits: traits.tsv
    simulated: true
`
const files = {
  'accessions.tsv':
    'accession\tpopulation\tlatitude\tlongitude\tploidy\nA\teast\t31\t121\t2\nB\teast\t40\t116\t2\nC\twest\t52\t13\t4\n',
  'field.csv':
    'line,location,height,resistant\nA,Beijing,10,1\nB,Beijing,12,0\nC,Beijing,,1\nA,Sanya,14,1\nB,Sanya,15,NA\nC,Sanya,20,0\nX,Sanya,13,0\n',
  'traits.tsv': 'trait\tname\tname_zh\tunit\nheight\tHeight\t株高\tcm\nresistant\tResistance\t抗性\t\n',
}
let number = 0
const load = async (change: Record<string, string> = {}) => {
  number += 1
  const species = `testus-${number}`
  const folder = makeSpeciesFolder(join(root, `folder${number}`), {
    species,
    assembly: `P${number}`,
    manifest: entry,
    files: { ...files, ...change },
  })
  const report = await loadTestSpecies(database, dataDir, folder)
  await portal.hearChanges()
  return { report, species, folder }
}
const ours = (report: Awaited<ReturnType<typeof load>>['report']) =>
  report.defects
    .filter(({ code }) => /^(accession|phenotype)-/.test(code))
    .map(({ code, line, params }) => ({ code, line, params }))

test('accessions and traits are baked and read again by accession; an accession without a description is told', async () => {
  const { report, species } = await load()
  expect(report.failure).toBeNull()
  expect(ours(report)).toEqual([
    { code: 'phenotype-undescribed', line: null, params: { count: 1, total: 4, names: 'X' } },
  ])
  const { accessions, groupings, licence, simulated } = await listAccessions(data, species)
  expect({ groupings, licence, simulated }).toEqual({
    groupings: ['population', 'ploidy'],
    licence: 'CC0-1.0',
    simulated: false,
  })
  expect(accessions.map(({ id, population, attributes }) => [id, population, attributes])).toEqual([
    ['A', 'east', { ploidy: 2 }],
    ['B', 'east', { ploidy: 2 }],
    ['C', 'west', { ploidy: 4 }],
  ])
  const [set] = await listPhenotypeSets(data, species)
  expect(set).toMatchObject({ id: 'field', simulated: true, accessionCount: 4, undescribed: 1 })
  expect(set!.traits.map(({ id, name, type, method, accessions: n }) => ({ id, name, type, method, n }))).toEqual([
    { id: 'height', name: { en: 'Height', zh: '株高' }, type: 'quantitative', method: 'blue', n: 4 },
    { id: 'resistant', name: { en: 'Resistance', zh: '抗性' }, type: 'binary', method: 'majority', n: 4 },
  ])
  const height = await readTrait(data, species, 'field', 'height')
  expect(height.trait).toMatchObject({ unit: 'cm', model: 'value ~ accession + environment' })
  // lm(height ~ line + location): the environments differ by 3.5 (A 4, B 3); C and X were seen in Sanya alone.
  expect(height.values.map(({ accession, value }) => [accession, value])).toEqual([
    ['A', 12],
    ['B', 13.5],
    ['C', 18.25],
    ['X', 11.25],
  ])
  expect(height.observations).toHaveLength(6)
  expect(height.observations[0]).toEqual({
    accession: 'A',
    environment: 'Beijing',
    replicate: null,
    value: 10,
    level: null,
  })
  const resistant = await readTrait(data, species, 'field', 'resistant')
  expect(resistant.values.map(({ accession, value, level }) => [accession, value, level])).toEqual([
    ['A', 1, '1'],
    ['B', 0, '0'],
    ['C', 0, '0'],
    ['X', 0, '0'],
  ])
  await expect(readTrait(data, species, 'field', 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a decimal comma refuses the load with file and line, as does a repeated accession', async () => {
  const commas = await load({ 'field.csv': 'line;location;height\nA;Beijing;10,5\nB;Beijing;12\n' })
  expect(commas.report.release).toBeNull()
  expect(ours(commas.report)).toEqual([
    { code: 'phenotype-traits-absent', line: null, params: { count: 1, names: 'resistant' } },
    { code: 'phenotype-decimal-comma', line: 2, params: { value: '10,5', column: 'height' } },
  ])
  const twice = await load({ 'accessions.tsv': 'accession\tpopulation\nA\teast\nA\twest\n' })
  expect(twice.report.release).toBeNull()
  expect(ours(twice.report).map(({ code, line }) => [code, line])).toEqual([['accession-repeated', 3]])
})

test('a species without them has none', async () => {
  expect(await listPhenotypeSets(data, 'nobody')).toEqual([])
  expect((await listAccessions(data, 'nobody')).accessions).toEqual([])
})
