import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { makeEngineContext, runEngine } from '../../testing/contexts.ts'
import { openSyntenyPortal } from '../../testing/synteny-portal.ts'
import engine from './engine.ts'

let portal: Awaited<ReturnType<typeof openSyntenyPortal>>
let data: OpenPortalData
beforeAll(async () => {
  portal = await openSyntenyPortal()
  data = await portal.openData()
})
afterAll(() => portal?.close())

const around = (input: object) => runEngine(engine, input, makeEngineContext({ data }))

describe('genes beside a gene, of three assemblies', () => {
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
    expect(result).toMatchObject({ without: [], gaps: [] })
  })

  test('several genes are a track each; an unknown one is named', async () => {
    const result = await around({ genes: ['S1_0', 'S2_13'], besides: 2 })
    expect(result.tracks.map(({ gene, genes }) => [gene, genes.length])).toEqual([
      ['S1_0', 3],
      ['S2_13', 3],
    ])
    await expect(around({ genes: ['nowhere'] })).rejects.toMatchObject({ code: 'UNKNOWN_GENE' })
  })

  test('an assembly that was not compared yet is not said to lack the gene, nor are the others when it is the gene’s own', async () => {
    const state = (await data.getHomology())!
    const after = (missing: string) => ({
      ...data,
      getHomology: async () => ({
        ...state,
        current: false,
        covered: state.covered.filter((id) => id !== missing),
        missing: [missing],
      }),
      listHomologs: async () => [],
    })
    const withoutOf = async (missing: string, input: object) =>
      (await runEngine(engine, input, makeEngineContext({ data: after(missing) }))).without
    expect(await withoutOf('S1', { genes: ['midS1'] })).toEqual([])
    expect(await withoutOf('S3', { genes: ['midS1'], assemblies: ['S2', 'S3'] })).toEqual(['S2'])
  })
})
