import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileTau } from '../../bio/expression/expression-profile.ts'
import { geneIds, openExpressionPortal, organs, sampleCount, values } from '../../testing/expression-portal.ts'
import type { GenesPortal } from '../../testing/genes-portal.ts'
import engine from './engine.ts'
import tool from './tool.ts'

let portal: GenesPortal
beforeAll(async () => {
  portal = await openExpressionPortal()
})
afterAll(() => portal?.close())

describe('gene search by expression', () => {
  const search = async (row: object, more: object = {}) => {
    const input = { assemblies: ['X1'], groups: [{ rows: [{ kind: 'expression', ...row }] }], pageSize: 100, ...more }
    const { genes, readings } = tool.result.parse(await engine.run(tool.input.parse(input), portal.context()))
    return { ids: genes.map(({ id }) => id), readings: readings.map(({ message }) => message) }
  }
  const meanIn = (gene: string, organ: string | null): number => {
    const own = values.get(gene)!.filter((_, at) => organ === null || organs[at % 3] === organ)
    return own.reduce((sum, value) => sum + value, 0) / own.length
  }

  test('above and below a mean of all samples, or of one organ; the rest pass the “not”', async () => {
    const { ids, readings } = await search({ minimum: 80 })
    expect(ids).toEqual(geneIds.filter((gene) => meanIn(gene, null) >= 80))
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.length).toBeLessThan(geneIds.length)
    expect(readings).toEqual(['reading.expression'])
    // The genome has genes besides, of which the data set says nothing.
    const others = (await search({ minimum: 80, not: true })).ids
    expect(others.filter((gene) => gene.startsWith('S_'))).toEqual(geneIds.filter((gene) => !ids.includes(gene)))
    expect(others.filter((gene) => gene.startsWith('TM_'))).toHaveLength(5)
    const leaf = await search({ dataset: 'series', level: 'leaf', minimum: 50, maximum: 90 })
    expect(leaf.ids).toEqual(geneIds.filter((gene) => meanIn(gene, 'leaf') >= 50 && meanIn(gene, 'leaf') <= 90))
  })

  test('tau is that of the heat map', async () => {
    const groups = Array.from({ length: sampleCount }, (_, at) => organs[at % 3]!)
    const sums = groups.map((_, at) => geneIds.reduce((sum, gene) => sum + values.get(gene)![at]!, 0))
    const tauOf = (gene: string): number => profileTau(values.get(gene)!, 'TPM', sums, groups)!
    expect((await search({ measure: 'tau', minimum: 0.1 })).ids).toEqual(geneIds.filter((gene) => tauOf(gene) >= 0.1))
    expect(await search({ dataset: 'gaps', measure: 'tau', minimum: 0 })).toEqual({
      ids: [],
      readings: ['reading.no-values'],
    })
  })

  test('a comparison is a criterion by its fold change and adjusted p-value, and a column', async () => {
    const high = await search({ measure: 'log2FoldChange', minimum: 1 })
    expect(high).toEqual({ ids: ['S_001'], readings: ['reading.expression'] })
    expect((await search({ measure: 'log2FoldChange', contrast: 'one', maximum: -1 })).ids).toEqual(['S_002'])
    // Without an adjusted p-value a gene does not hold.
    expect((await search({ measure: 'adjustedPValue', maximum: 1 })).ids).toEqual(['S_001'])
    for (const row of [{ contrast: 'two' }, { dataset: 'gaps' }])
      expect(await search({ measure: 'adjustedPValue', ...row })).toEqual({
        ids: [],
        readings: ['reading.no-comparison'],
      })
    const input = { assemblies: ['X1'], comparisons: ['series/one', 'gaps/none'], pageSize: 100 }
    const { genes } = tool.result.parse(await engine.run(tool.input.parse(input), portal.context()))
    const of = (id: string) => genes.find((gene) => gene.id === id)!.comparisons
    expect(of('S_001')).toEqual({ 'series/one': { log2FoldChange: 2, pValue: 1e-20, adjustedPValue: 1e-18 } })
    expect(of('S_003')).toEqual({})
  })

  test('genes without values, unknown data sets and unknown samples find nothing, and why is told', async () => {
    expect((await search({ dataset: 'gaps', minimum: 1 })).ids).toEqual(['S_001', 'S_002', 'S_003', 'S_004'])
    for (const row of [{ dataset: 'other' }, { level: 'seed' }])
      expect(await search(row)).toEqual({ ids: [], readings: ['reading.no-expression'] })
    expect((await search({})).readings).toContain('reading.no-bounds')
    expect((await search({ minimum: 5, maximum: 1 })).readings).toContain('reading.empty-range')
  })
})
