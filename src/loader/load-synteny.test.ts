import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database/connect.ts'
import type { OpenPortalData } from '../kit/data/create-portal-data.ts'
import type { Engine, EngineContext, ToolRouteContext } from '../kit/engine.ts'
import geneEngine from '../tools/genesyntenyviewer/engine.ts'
import geneTool from '../tools/genesyntenyviewer/tool.ts'
import { getBlock, getGenePairs } from '../tools/genomesyntenyviewer/endpoints.ts'
import genomeEngine from '../tools/genomesyntenyviewer/engine.ts'
import genomeTool from '../tools/genomesyntenyviewer/tool.ts'
import { makeProtein, mutate, type TestGenome, writeSpecies } from '../tools/homologs/homolog-testbed.ts'
import { type EmptyPortal, openEmptyPortal } from './testing-empty-portal.ts'
import { loadTestSpecies } from './testing-species.ts'

const proteins = Array.from({ length: 14 }, (_, number) => makeProtein(number + 300))

/** Fourteen genes in a row; turned, the whole chromosome reads backwards. */
const genome = (assembly: string, change: number, turned = false): TestGenome => {
  const genes = proteins.map((protein, number) => ({
    id: `${assembly}_${number}`,
    protein: mutate(protein, change, number + 1),
    ...(number === 5 ? { symbol: `mid${assembly}` } : {}),
  }))
  return { assembly, genes: turned ? genes.reverse().map((gene) => ({ ...gene, strand: '-' as const })) : genes }
}

let portal: EmptyPortal
let database: Database
let root: string
let data: OpenPortalData
let defects: { code: string; params: Record<string, string | number> }[]
const signal = new AbortController().signal

beforeAll(async () => {
  portal = await openEmptyPortal('synteny')
  ;({ database, root } = portal)
  const { dataDir } = portal
  data = await portal.openData()
  const anchors = ['###', ...[0, 1, 2, 3].map((at) => `S1_${at}\tS3_${at}\t500`), 'S1_9\tS3_none\t90'].join('\n')
  const folder = writeSpecies(
    join(root, 'species'),
    'alpha',
    [genome('S1', 0), genome('S2', 0.05, true), genome('S3', 0.05)],
    { 'S1.S3.anchors': `${anchors}\n` },
    'synteny:\n  - { file: S1.S3.anchors }\n',
  )
  const report = await loadTestSpecies(database, dataDir, folder, { engines: ['homologs', 'genomesyntenyviewer'] })
  expect(report.ok).toBe(true)
  defects = report.defects as typeof defects
  await portal.hearChanges()
})
afterAll(() => portal?.close())

const contextOf = (): EngineContext => ({
  data,
  signal,
  directory: root,
  runProgram: () => Promise.reject(new Error('no program is needed')),
  progress: () => undefined,
  receipt: { addStep: () => undefined, addData: () => undefined, cite: () => undefined },
})
const compare = async (input: object) =>
  genomeTool.result.parse(await genomeEngine.run(genomeTool.input.parse(input), contextOf()))
const around = async (input: object) =>
  geneTool.result.parse(await geneEngine.run(geneTool.input.parse(input), contextOf()))
const ask = async (engine: Pick<Engine, 'routes'>, path: string, input: object) => {
  const route = engine.routes!.find((one) => one.path === path)!
  const answer = await route.handle(route.input.parse(input) as never, { data, signal } as unknown as ToolRouteContext)
  return 'json' in answer ? answer.json : null
}

describe('collinear blocks of three assemblies', () => {
  test('a chromosome that reads backwards as a whole is one syntenic block turned round', async () => {
    const result = await compare({ assemblies: ['S1', 'S2'] })
    expect(result.current).toBe(true)
    expect(result.comparisons).toEqual([
      { first: 0, second: 1, file: null, blocks: 1, pairs: 14, genesA: 14, genesB: 14 },
    ])
    expect(result.blocks).toMatchObject([{ kind: 'syntenic', orientation: -1, pairs: 14, score: 700 }])
    const [there] = (await compare({ assemblies: ['S2', 'S1'] })).blocks
    const [here] = result.blocks
    expect([there!.startA, there!.endA, there!.startB, there!.endB]).toEqual([
      here!.startB,
      here!.endB,
      here!.startA,
      here!.endA,
    ])
  })

  test('a lab’s own blocks stand in place of the computed ones, and what they name wrongly is told', async () => {
    const result = await compare({ assemblies: ['S1', 'S3'], minimumGenes: 2 })
    expect(result.comparisons).toMatchObject([{ file: 'S1.S3.anchors', blocks: 1, pairs: 4 }])
    expect(result.blocks).toMatchObject([{ orientation: 1, score: null, evalue: null }])
    expect((await compare({ assemblies: ['S1', 'S3'] })).total).toBe(0)
    expect(defects.find(({ code }) => code === 'collinear-name')?.params).toMatchObject({
      count: 1,
      example: 'S3_none',
    })
  })

  test('one genome alone is compared with itself: nothing is there twice', async () => {
    const result = await compare({ assemblies: ['S1'] })
    expect(result.comparisons).toMatchObject([{ first: 0, second: 0, blocks: 0 }])
  })

  test('the pairs of a block come with Ka and Ks, and with their places for drawing', async () => {
    const detail = getBlock.output.parse(await ask(genomeEngine, 'block/', { first: 'S1', second: 'S2', number: '0' }))
    expect(detail.total).toBe(14)
    expect(detail.rows[0]).toMatchObject({ geneA: 'S1_0', geneB: 'S2_0', strandA: 1, strandB: -1, codons: 150 })
    // Residues were changed one for another: differences are nonsynonymous nearly all.
    expect(detail.medianKa).toBeGreaterThan(0.02)
    expect(detail.medianKa).toBeLessThan(0.2)
    const pairs = getGenePairs.output.parse(await ask(genomeEngine, 'pairs/', { first: 'S1', second: 'S2' }))
    expect(pairs.a.map((a, at) => [pairs.genesA.id[a], pairs.genesB.id[pairs.b[at]!]])).toContainEqual(['S1_7', 'S2_7'])
    await expect(ask(genomeEngine, 'block/', { first: 'S1', second: 'S2', number: '7' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('the distribution of Ks holds the Ks of every pair of the blocks, ascending, and says how many could not be told', async () => {
    const detail = getBlock.output.parse(await ask(genomeEngine, 'block/', { first: 'S1', second: 'S2', number: '0' }))
    const reported = detail.rows.flatMap(({ ks }) => ks ?? []).sort((a, b) => a - b)
    expect(reported.length).toBeGreaterThan(10)
    const [own] = (await compare({ assemblies: ['S1', 'S2'], ksDistribution: true })).ks!
    expect(own).toEqual({ first: 0, second: 1, pairs: 14, measured: 14, values: reported })
    const [turned] = (await compare({ assemblies: ['S2', 'S1'], ksDistribution: true })).ks!
    expect(turned!.values).toEqual(reported)
    const every = await compare({
      assemblies: ['S1', 'S2', 'S3'],
      compare: 'all',
      minimumGenes: 2,
      ksDistribution: true,
    })
    expect(every.ks!.map(({ first, second, pairs }) => [first, second, pairs])).toEqual([
      [0, 1, 14],
      [0, 2, 4],
      [1, 2, 14],
    ])
    expect((await compare({ assemblies: ['S1', 'S2'] })).ks).toBeNull()
  })

  test('wrong input is told: an assembly twice, one that is not there, none', async () => {
    await expect(compare({ assemblies: ['S1', 'S1'] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(compare({ assemblies: ['S9'] })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
    expect(genomeTool.input.safeParse({ assemblies: [] }).success).toBe(false)
    expect(genomeTool.input.safeParse({ assemblies: Array.from({ length: 13 }, (_, at) => `S${at}`) }).success).toBe(
      false,
    )
  })

  test('the neighbours of a gene beside those of its partners, by symbol; blocks name the partner', async () => {
    const result = await around({ genes: ['midS1'], besides: 3 })
    expect(result.tracks.map(({ assembly, gene, genes }) => [assembly, gene, genes.length])).toEqual([
      ['S1', 'S1_5', 7],
      ['S2', 'S2_5', 7],
      ['S3', 'S3_5', 7],
    ])
    expect(result.tracks.slice(1)).toMatchObject([
      { relation: 'ortholog', shared: 6, neighbours: 6 },
      { relation: 'ortholog', shared: 6, neighbours: 6 },
    ])
    expect(result.blocks).toMatchObject([{ otherAssembly: 'S2', partner: 'S2_5', orientation: -1, pairs: 14 }])
    expect(result.without).toEqual([])
  })

  test('several genes are a track each; an unknown one is named', async () => {
    const result = await around({ genes: ['S1_0', 'S2_13'], besides: 2 })
    expect(result.tracks.map(({ gene, genes }) => [gene, genes.length])).toEqual([
      ['S1_0', 3],
      ['S2_13', 3],
    ])
    await expect(around({ genes: ['nowhere'] })).rejects.toMatchObject({ code: 'UNKNOWN_GENE' })
  })
})
