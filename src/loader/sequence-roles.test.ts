import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { listActiveSpecies, speciesSummary } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { openTestDatabase } from '../testing/database.ts'
import { loadTestSpecies } from '../testing/species.ts'

let database: Database
let root: string

beforeAll(async () => {
  database = await openTestDatabase({ max: 16 })
  root = mkdtempSync(join(tmpdir(), 'novodb-roles-'))
  mkdirSync(join(root, 'data/bundles'), { recursive: true })
})
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

test('what a sequence is reaches every reader, also of a plasmid shorter than eighty scaffolds', async () => {
  const folder = join(root, 'draft')
  mkdirSync(folder)
  const scaffolds = Array.from({ length: 80 }, (_, at) => ({ name: `ctg_${at + 1}`, bases: 'ACGTTGCA'.repeat(250) }))
  const small = ['pSmall', 'mini_3', 'mt'].map((name) => ({ name, bases: 'GGCATTAC'.repeat(20) }))
  writeFileSync(
    join(folder, 'genome.fa'),
    [...scaffolds, ...small].map(({ name, bases }) => `>${name}\n${bases}\n`).join(''),
  )
  const manifest = {
    novodb: 1,
    species: 'draft',
    name: 'Testus fragmentatus',
    geneticCode: 11,
    licence: 'CC0-1.0',
    assemblies: [
      {
        id: 'DR1',
        reference: true,
        genome: 'genome.fa',
        sequences: [
          { name: 'pSmall', role: 'plasmid' },
          { name: 'mini_3', role: 'accessory' },
          { name: 'mt', role: 'organelle' },
          { name: 'ctg_7', role: 'scaffold' },
        ],
      },
    ],
  }
  writeFileSync(join(folder, 'species.yaml'), stringify(manifest))
  const report = await loadTestSpecies(database, join(root, 'data'), folder)
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])

  const active = (await listActiveSpecies(database.sql)).find(({ id }) => id === 'draft')!
  const [assembly] = speciesSummary(active).assemblies
  expect(assembly!.sequences.map(({ name }) => name)).not.toContain('pSmall')
  expect(assembly!.sequenceRoles).toEqual({ pSmall: 'plasmid', mini_3: 'accessory', mt: 'organelle' })

  // A bundle of before roles were kept for all sequences still tells those of its longest.
  const bundle = active.bundles.find((one) => one.assembly === 'DR1')!
  const { sequenceRoles: _, ...before } = bundle.summary
  before.sequences[0]!.role = 'accessory'
  const old = speciesSummary({ ...active, bundles: [{ ...bundle, summary: before }] })
  expect(old.assemblies[0]!.sequenceRoles).toEqual({ [before.sequences[0]!.name]: 'accessory' })
})
