import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { runCommand } from './portal-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-load-'))
const bases = 'ATGGCATTAGCCTGA'
const species = 'loaded-while-serving'

const writeSpecies = (genome: string): void => {
  writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
  writeFileSync(join(folder, 'genes.gff3'), '##gff-version 3\nchr1\t.\tCDS\t1\t15\t.\t+\t0\tID=lwsA\n')
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1\nspecies: ${species}\nname: Loaded late\nassemblies:\n  - { id: LWS1, genome: genome.fa, genes: genes.gff3 }\n`,
  )
}

const fetchCds = async (): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${inject('portalUrl')}/api/tools/sequenceextraction/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ genes: ['lwsA'], assembly: 'LWS1', part: 'cds' }),
  })
  return { status: answer.status, text: await answer.text() }
}

afterAll(async () => {
  await runCommand(['remove', species], inject('dataDir'))
  rmSync(folder, { recursive: true, force: true })
})

test('a species that is loaded while the portal serves is cut at once by tools that have answered and idled before', async () => {
  // The process that answers knows what was loaded then, and sleeps.
  expect(await fetchCds()).toMatchObject({ status: 404 })
  writeSpecies(bases)
  await runCommand(['load', folder], inject('dataDir'))
  const first = await fetchCds()
  expect(first.status).toBe(200)
  expect(first.text).toContain(bases)
  writeSpecies(bases.replace('GCATTA', 'TGGCCC'))
  await runCommand(['load', folder], inject('dataDir'))
  expect((await fetchCds()).text).toContain('ATGTGGCCCGCCTGA')
})
