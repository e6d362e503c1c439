import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { loadTestSpecies, makeSpeciesFolder } from '../testing/species.ts'
import { findLocus as findOnMap } from '../tools/hicsearch/map/open-map.ts'
import type { BakedContacts } from '../tools/hicsearch/stored.ts'
import { maxNamedFeatures } from '../tools/jbrowse/named-features.ts'

// Named features of tracks are found by the search and taken as places, wherever a region or a gene is taken.

const line = (type: string, start: number, end: number, strand: string, attributes: string): string =>
  `chromosome_1\tx\t${type}\t${start}\t${end}\t.\t${strand}\t.\t${attributes}`

const structural = [
  '##gff-version 3',
  line('centromere', 1501, 1617, '+', 'ID=c:1;Name=centromere'),
  line('origin_of_replication', 901, 960, '-', 'ID=o:1;Name=ORI77;Alias=oriQ,ori%2C77;Note=fires%20early'),
  line('long_terminal_repeat', 2001, 2050, '+', 'ID=ltr:1;Name=delta'),
  line('long_terminal_repeat', 2101, 2150, '-', 'ID=ltr:2;Name=delta'),
  line('long_terminal_repeat', 2110, 2120, '-', 'ID=part:1;Parent=ltr:2;Name=inner'),
].join('\n')

let bed: TestApp
beforeAll(async () => {
  bed = await openTestApp()
  const many = Array.from({ length: maxNamedFeatures + 1 }, (_, n) => `1\t${n % 2000}\t${(n % 2000) + 9}\tread${n}`)
  const folder = makeSpeciesFolder(join(bed.root, 'species'), {
    files: {
      'repeats.gff3': `${structural}\n`,
      'peaks.bed': `1\t700\t790\tsummitQ\t0\t-\npT\t0\t50\t.\n1\t5\t9\t17\n`,
      'reads.bed': `${many.join('\n')}\n`,
    },
    manifest: `  - id: TM-Reads
    genome: genome.fa
    tracks:
      - { id: reads, name: Reads, file: reads.bed }
`,
  })
  const report = await loadTestSpecies(bed.portal.database, bed.dataDir, folder)
  expect(report.ok, JSON.stringify(report)).toBe(true)
  expect(JSON.stringify(report)).toContain('track-names-too-many')
})
afterAll(() => bed.close())

const get = async (url: string) => (await bed.app.inject({ url })).json().data
const post = async (tool: string, payload: object) =>
  (await bed.app.inject({ method: 'POST', url: `/api/tools/${tool}/`, payload })).json()

describe('named features of tracks', () => {
  test('are found by name, alias, type and note, with their place', async () => {
    const found = async (q: string) =>
      (await get(`/api/search/?type=feature&q=${encodeURIComponent(q)}`)).entries.map(
        (entry: { id: string }) => entry.id,
      )
    expect(await found('ORI77')).toEqual(['o:1'])
    expect(await found('oriq')).toEqual(['o:1'])
    expect(await found('fires early')).toEqual(['o:1'])
    expect(await found('CEN1')).toEqual(['c:1'])
    expect(await found('centromere')).toEqual(['c:1'])
    expect((await found('delta')).sort()).toEqual(['ltr:1', 'ltr:2'])
    expect(await found('summitQ')).toEqual(['summitQ'])
    const [entry] = (await get('/api/search/?q=ORI77')).entries
    expect(entry).toMatchObject({
      type: 'feature',
      label: 'ORI77',
      assembly: 'TM1',
      sequence: 'chr1',
      start: 901,
      end: 960,
      strand: '-',
      description: 'origin of replication; fires early',
    })
  })

  test('parts of others, numbers and the names of too many are not entered', async () => {
    for (const q of ['inner', '17', 'read5']) expect((await get(`/api/search/?type=feature&q=${q}`)).total).toBe(0)
  })

  test('are places for sequence fetch, the genome browser, gene search, contacts and the API', async () => {
    const fetched = (await post('sequencefetch', { assembly: 'TM1', sequence: 'oriq' })).data.result.records[0]
    expect(fetched).toMatchObject({ sequence: 'chr1', start: 901, end: 960, strand: '-' })
    const same = (await post('sequencefetch', { assembly: 'TM1', sequence: 'chr1:960..901' })).data.result.records[0]
    expect(fetched.residues).toBe(same.residues)
    const list = await post('sequencefetch', { assembly: 'TM1', regions: 'CEN1\nchr1:5..9' })
    expect(list.data.result.records[0]).toMatchObject({ start: 1501, end: 1617 })
    const browser = (await post('jbrowse', { assembly: 'TM1', loc: 'CEN1' })).data.result
    expect(browser).toMatchObject({ gene: null, highlights: [{ sequence: 'chr1', start: 1501, end: 1617 }] })
    expect(browser.loci[0].start).toBeLessThan(1501)
    const genes = await post('genesearch', {
      assemblies: ['TM1'],
      groups: [{ rows: [{ kind: 'location', region: 'CEN1' }] }],
    })
    const byLocus = await post('genesearch', {
      assemblies: ['TM1'],
      groups: [{ rows: [{ kind: 'location', region: 'chr1:1501..1617' }] }],
    })
    expect(genes.data.result.total).toBe(byLocus.data.result.total)
    const map = {
      id: 'm',
      chromosomes: [{ name: 'chr1', sequence: 'chr1', lengthBp: 3000 }],
    } as unknown as BakedContacts
    expect(await findOnMap(bed.portal.data, 'TM1', 'cen1', map, 'locus')).toMatchObject({ start: 1501, end: 1617 })
  })

  test('of several of one name the ids are told, and each id is one', async () => {
    const refused = await post('sequencefetch', { assembly: 'TM1', sequence: 'delta' })
    expect(refused.details.problems).toEqual([
      { path: ['sequence'], message: expect.stringMatching(/delta.*ltr:1, ltr:2/) },
    ])
    const one = await post('sequencefetch', { assembly: 'TM1', sequence: 'ltr:2' })
    expect(one.data.result.records[0]).toMatchObject({ start: 2101, end: 2150, strand: '-' })
  })
})
