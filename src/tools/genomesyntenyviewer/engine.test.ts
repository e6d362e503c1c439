import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { answerJson, askRoute, makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { openSyntenyPortal } from '../../testing/synteny-portal.ts'
import { getBlock, getGenePairs } from './endpoints.ts'
import engine from './engine.ts'
import tool from './tool.ts'

let portal: Awaited<ReturnType<typeof openSyntenyPortal>>
let data: OpenPortalData
beforeAll(async () => {
  portal = await openSyntenyPortal()
  data = await portal.openData()
})
afterAll(() => portal?.close())

const compare = (input: object) => runEngine(engine, input, makeEngineContext({ data }))
const ask = async (path: string, input: object) => answerJson(await askRoute(engine, path, input, { data }))

describe('collinear blocks of three assemblies', () => {
  test('a chromosome that reads backwards as a whole is one syntenic block turned round', async () => {
    const result = await compare({ assemblies: ['S1', 'S2'] })
    expect(result.current).toBe(true)
    expect(result.comparisons).toMatchObject([
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
    expect(portal.defects.find(({ code }) => code === 'collinear-name')?.params).toMatchObject({
      count: 1,
      example: 'S3_none',
    })
  })

  test('one genome alone is compared with itself: nothing is there twice', async () => {
    const result = await compare({ assemblies: ['S1'] })
    expect(result.comparisons).toMatchObject([{ first: 0, second: 0, blocks: 0 }])
  })

  test('the pairs of a block come with Ka and Ks, and with their places for drawing', async () => {
    const detail = getBlock.output.parse(await ask('block/', { first: 'S1', second: 'S2', number: '0' }))
    expect(detail.total).toBe(14)
    expect(detail.rows[0]).toMatchObject({ geneA: 'S1_0', geneB: 'S2_0', strandA: 1, strandB: -1, codons: 150 })
    // Residues were changed one for another: differences are nonsynonymous nearly all.
    expect(detail.medianKa).toBeGreaterThan(0.02)
    expect(detail.medianKa).toBeLessThan(0.2)
    const pairs = getGenePairs.output.parse(await ask('pairs/', { first: 'S1', second: 'S2' }))
    expect(pairs.a.map((a, at) => [pairs.genesA.id[a], pairs.genesB.id[pairs.b[at]!]])).toContainEqual(['S1_7', 'S2_7'])
    await expect(ask('block/', { first: 'S1', second: 'S2', number: '7' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('the distribution of Ks holds the Ks of every pair of the blocks, ascending, and says how many could not be told', async () => {
    const detail = getBlock.output.parse(await ask('block/', { first: 'S1', second: 'S2', number: '0' }))
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
    const star = await compare({ assemblies: ['S2', 'S1', 'S3'], compare: 'first', minimumGenes: 2 })
    expect(star.comparisons.map(({ first, second }) => [first, second])).toEqual([
      [0, 1],
      [0, 2],
    ])
  })

  test('wrong input is told: an assembly twice, one that is not there, none', async () => {
    await expect(compare({ assemblies: ['S1', 'S1'] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(compare({ assemblies: ['S9'] })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
    expect(tool.input.safeParse({ assemblies: [] }).success).toBe(false)
    expect(tool.input.safeParse({ assemblies: Array.from({ length: 13 }, (_, at) => `S${at}`) }).success).toBe(false)
  })
})
