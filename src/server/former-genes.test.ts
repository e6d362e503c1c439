import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { getGene, listFormerGenes, resolveGenes } from '../contracts/genes.ts'
import { search } from '../contracts/search.ts'
import { defineTool } from '../contracts/tools/tool.ts'
import { defineEngine, type Engine } from '../kit/engine.ts'
import { runTool } from '../kit/run-tool.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { loadTestSpecies, makeGff3, makeSpeciesFolder } from '../testing/species.ts'

let bed: TestApp
beforeAll(async () => {
  bed = await openTestApp({ species: true })
})
afterAll(() => bed.close())

const get = async (url: string) => {
  const answer = await bed.app.inject({ url })
  return { status: answer.statusCode, body: answer.json().data }
}
const resolve = async (ids: string[]) =>
  resolveGenes.output.parse(
    (await bed.app.inject({ method: 'POST', url: '/api/genes/resolve/', payload: { ids } })).json().data,
  )
const former = async (id: string) => listFormerGenes.output.parse((await get(`/api/genes/${id}/former/`)).body).former
const load = async (genes: string) => {
  const folder = makeSpeciesFolder(join(bed.root, 'species'), { files: { 'genes.gff3': genes } })
  const report = await loadTestSpecies(bed.portal.database, bed.dataDir, folder)
  expect(report.ok).toBe(true)
  return report.assemblies[0]!.followed
}

/** Renames one gene, splits one, leaves one out. */
const second = (id: string): string =>
  makeGff3()
    .replaceAll('TM_0001', id)
    .split('\n')
    .filter((line) => !/TM_000[34]/.test(line))
    .concat(
      ['101\t130\tTM_0041', '131\t160\tTM_0042'].flatMap((one) => {
        const [start, end, name] = one.split('\t')
        const line = (type: string, phase: string, attributes: string): string =>
          ['pT', 'x', type, start, end, '.', '+', phase, attributes].join('\t')
        return [
          line('gene', '.', `ID=${name}`),
          line('mRNA', '.', `ID=${name}.1;Parent=${name}`),
          line('CDS', '0', `ID=${name}.c;Parent=${name}.1`),
        ]
      }),
      '',
    )
    .join('\n')

test('ids of the annotation before lead on: to the gene, to those it was split into, or to where it was', async () => {
  expect(await load(second('NEW_A'))).toEqual({
    same: 2,
    renamed: 1,
    split: 1,
    merged: 0,
    gone: 1,
    elsewhere: 0,
    new: 0,
  })
  expect(getGene.output.parse((await get('/api/genes/TM_0001/')).body).gene).toMatchObject({ id: 'NEW_A' })
  expect(await former('tm_0001')).toMatchObject([
    {
      id: 'TM_0001',
      relation: 'renamed',
      evidence: 'place',
      share: 1,
      genes: [{ id: 'NEW_A' }],
      sequence: 'chr1',
      start: 101,
    },
  ])
  expect(await former('TM_0004')).toMatchObject([{ relation: 'split', genes: [{ id: 'TM_0041' }, { id: 'TM_0042' }] }])
  expect((await get('/api/genes/TM_0003/')).status).toBe(404)
  expect(await former('TM_0003')).toMatchObject([{ relation: 'gone', genes: [], start: 901, end: 980, strand: '+' }])
  expect(await former('TM_0002')).toEqual([])

  // Lists of genes and saved sets: what tools are given.
  const resolved = await resolve(['TM_0001', 'TM_0002', 'TM_0004', 'TM_0003'])
  expect(resolved.found).toMatchObject([
    { query: 'TM_0001', gene: { id: 'NEW_A' }, former: true },
    { query: 'TM_0002', gene: { id: 'TM_0002' } },
  ])
  expect(resolved.found[1]).not.toHaveProperty('former')
  expect(resolved.ambiguous).toMatchObject([{ query: 'TM_0004', genes: [{ id: 'TM_0041' }, { id: 'TM_0042' }] }])
  expect(resolved.unknown).toEqual(['TM_0003'])
  const hits = search.output.parse((await get('/api/search/?q=TM_0001')).body)
  expect(JSON.stringify(hits)).toContain('NEW_A')
})

const run = async (names: string[]) => {
  const { data } = bed.portal
  const engine = defineEngine({
    tool: defineTool({
      id: 'testing',
      route: '/tools/Testing',
      category: 'find',
      order: 99,
      icon: 'flask-conical',
      mode: 'answer',
      version: 1,
      input: z.object({}),
      result: z.object({ gene: z.string() }),
      limits: {},
      needs: [],
      example: () => null,
    }),
    programs: [],
    run: async (_, { data }) => ({ gene: (await data.resolveGenes(names)).found[0]!.gene.id }),
  })
  return runTool(engine as unknown as Engine, {
    input: {},
    data,
    directory: bed.root,
    dataDir: bed.dataDir,
    searchPath: '/usr/bin',
    programs: [],
    portalVersion: '1',
    signal: AbortSignal.timeout(60_000),
    bounds: { timeoutMs: 1000, memoryBytes: 1e9, outputBytes: 1e6 },
    onProgress: () => undefined,
  })
}

test('a tool takes an old id, and its receipt says which gene that is', async () => {
  const { receipt, result } = await run(['TM_0001', 'TM_0002'])
  expect(result).toEqual({ gene: 'NEW_A' })
  expect(receipt.steps.at(-1)?.formula).toContain('TM_0001 → NEW_A')
})

test('through two annotations, and the table of all is there to be downloaded', async () => {
  expect(await load(second('NEWER_A'))).toMatchObject({ renamed: 1, gone: 0 })
  expect(await former('TM_0001')).toMatchObject([{ relation: 'renamed', genes: [{ id: 'NEWER_A' }] }])
  expect(await former('NEW_A')).toMatchObject([{ relation: 'renamed', genes: [{ id: 'NEWER_A' }] }])
  expect(getGene.output.parse((await get('/api/genes/TM_0001/')).body).gene.id).toBe('NEWER_A')
  const [entry] = (await bed.portal.data.snapshot()).active
  const bundle = entry!.bundles.find(({ assembly }) => assembly === 'TM1')!
  const table = readFileSync(join(bed.dataDir, 'bundles', bundle.uid, 'former-genes.tsv'), 'utf8')
  expect(table.split('\n').map((line) => line.split('\t').slice(0, 3).join(' '))).toEqual(
    expect.arrayContaining(['TM_0001 renamed NEWER_A', 'TM_0004 split TM_0041,TM_0042', 'TM_0003 gone ']),
  )
})

test('the annotation of before, loaded again, knows the ids of the one between', async () => {
  await load(makeGff3())
  expect(await former('NEWER_A')).toMatchObject([{ relation: 'renamed', genes: [{ id: 'TM_0001' }] }])
  await load(second('NEWER_A'))
  expect(await former('TM_0001')).toMatchObject([{ relation: 'renamed', genes: [{ id: 'NEWER_A' }] }])
})

test('where other data are loaded with the same genes, what was known of former ones stays', async () => {
  const manifest = join(bed.root, 'species', 'species.yaml')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('Peaks', 'Summits'))
  const report = await loadTestSpecies(bed.portal.database, bed.dataDir, join(bed.root, 'species'))
  expect(report.assemblies[0]).toMatchObject({ reused: false })
  expect(report.assemblies[0]).not.toHaveProperty('followed')
  expect(await former('TM_0001')).toMatchObject([{ relation: 'renamed', genes: [{ id: 'NEWER_A' }] }])
})

test('an id that is used for another gene is no successor, and who gives it is told', async () => {
  const coding = (id: string): string[] =>
    ['gene', 'mRNA', 'CDS'].map((type, depth) => {
      const attributes = [`ID=${id}`, `ID=${id}.1;Parent=${id}`, `ID=${id}.c;Parent=${id}.1`][depth]
      return ['chr1', 'x', type, 2001, 2060, '.', '+', type === 'CDS' ? 0 : '.', attributes].join('\t')
    })
  const lines = second('NEWER_A').split('\n')
  const third = [...lines.filter((line) => !line.includes('NEWER_A')), ...coding('NEWER_A'), ''].join('\n')
  expect(await load(third)).toMatchObject({ elsewhere: 1 })
  expect(await former('NEWER_A')).toMatchObject([{ relation: 'elsewhere', start: 101 }])
  expect(await former('TM_0001')).toMatchObject([{ relation: 'gone', genes: [] }])
  const { found, unknown } = await resolve(['newer_a', 'TM_0002', 'TM_0001'])
  expect(found).toMatchObject([{ query: 'newer_a', gene: { id: 'NEWER_A' }, elsewhere: true }, { query: 'TM_0002' }])
  expect(found[1]).not.toHaveProperty('elsewhere')
  expect(unknown).toEqual(['TM_0001'])
  expect((await run(['NEWER_A'])).receipt.steps.at(-1)?.formula).toMatch(/another gene.*NEWER_A/)
  // It stays true with the next annotation.
  await load(third.replaceAll('TM_0041', 'TM_0051'))
  expect(await former('NEWER_A')).toMatchObject([{ relation: 'elsewhere' }])
})
