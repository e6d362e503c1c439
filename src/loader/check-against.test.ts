import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActiveSpecies } from '../database/catalogue.ts'
import { openEmptyPortal } from '../testing/empty-portal.ts'
import { loadTestSpecies, makeGenome, makeSpeciesFolder } from '../testing/species.ts'
import { checkSpecies } from './check-species.ts'

let root: string
let folders = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-against-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const big = 'ACGTTGCA'.repeat(2500)
const check = async (rows: (string | number)[][]) => {
  folders += 1
  const folder = makeSpeciesFolder(join(root, `s${folders}`), {
    manifest: `  - id: TM2\n    genome: other.fa\nsynteny:\n  - { file: two.paf, assemblies: [TM2, TM1] }\n`,
    files: {
      'genome.fa': `>chr1\n${makeGenome().chr1}\n>pT\n${makeGenome().pT}\n>big\n${big}\n`,
      'other.fa': `>ctg1\n${big}\n`,
      'two.paf': `${rows.map((row) => row.join('\t')).join('\n')}\n`,
    },
  })
  const { log } = await checkSpecies(folder, AbortSignal.timeout(60_000))
  return log.defects
    .filter(({ file }) => file === 'two.paf')
    .map(({ code, line, severity }) => `${severity} ${code}@${line}`)
}
const row = (change: Record<number, string | number> = {}) =>
  Object.assign(['ctg1', 20_000, 0, 9000, '+', 'big', 20_000, 100, 9100, 8000, 9000, 60], change) as (string | number)[]

test('the blocks of a PAF are held to both genomes, by lines', async () => {
  expect(await check([row(), row({ 0: 'CTG1' })])).toEqual([])
  // A place beyond the end, a negative one, and a start behind its end are no PAF at all.
  expect(await check([row(), row({ 3: 20_001 })])).toEqual(['error collinear-file@2'])
  expect(await check([row(), row({ 2: -5 })])).toEqual(['error collinear-file@2'])
  expect(await check([row(), row({ 7: 9200 })])).toEqual(['error collinear-file@2'])
  // Lengths of another release, on either side.
  expect(await check([row(), row({ 1: 21_000 })])).toEqual(['error alignment-other-length@2'])
  expect(await check([row({ 6: 30_000 }), row({ 6: 30_000 })])).toEqual(['error alignment-other-length@1'])
  // A name that is not known is told; a file of nothing else is refused.
  expect(await check([row(), row({ 5: 'chr77' })])).toEqual(['warning collinear-name@2'])
  expect(await check([row({ 0: 'x' }), row({ 0: 'y' })])).toEqual([
    'warning collinear-name@1',
    'error collinear-file@1',
  ])
})

test('a load refuses such a PAF as the check does, and what serves stays', async () => {
  const portal = await openEmptyPortal('against')
  try {
    const folderWith = (name: string, rows: (string | number)[][]): string =>
      makeSpeciesFolder(join(root, name), {
        species: 'against',
        manifest: `  - id: TM2\n    genome: other.fa\nsynteny:\n  - { file: two.paf, assemblies: [TM2, TM1] }\n`,
        files: {
          'genome.fa': `>chr1\n${makeGenome().chr1}\n>pT\n${makeGenome().pT}\n>big\n${big}\n`,
          'other.fa': `>ctg1\n${big}\n`,
          'two.paf': `${rows.map((one) => one.join('\t')).join('\n')}\n`,
        },
      })
    const load = (folder: string) => loadTestSpecies(portal.database, portal.dataDir, folder)
    const served = await load(folderWith('good', [row()]))
    expect([served.ok, served.release]).toEqual([true, 1])
    for (const [name, change, code] of [
      ['beyond', { 3: 20_001 }, 'collinear-file'],
      ['longer', { 1: 21_000 }, 'alignment-other-length'],
    ] as const) {
      const refused = await load(folderWith(name, [row(), row(change)]))
      expect(refused.ok).toBe(false)
      expect(refused.defects.filter(({ severity }) => severity === 'error')).toMatchObject([
        { code, file: 'two.paf', line: 2 },
      ])
    }
    const [active] = await listActiveSpecies(portal.database.sql)
    expect(active!.releaseNumber).toBe(1)
  } finally {
    await portal.close()
  }
})
