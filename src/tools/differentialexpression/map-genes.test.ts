import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openExpression } from '../../kit/data/expression-data.ts'
import { geneIds, moduleOf, openExpressionPortal, values } from '../../testing/expression-portal.ts'
import type { GenesPortal } from '../../testing/genes-portal.ts'
import { mapGenes } from './map-genes.ts'
import tool, { type ComparedGene, mostMapGenes } from './tool.ts'

let portal: GenesPortal
beforeAll(async () => {
  portal = await openExpressionPortal()
})
afterAll(() => portal?.close())

const compared = (id: string, known: Partial<ComparedGene>): ComparedGene => ({
  id,
  symbol: null,
  description: null,
  mean: null,
  log2FoldChange: null,
  shrunken: null,
  standardError: null,
  statistic: null,
  pValue: null,
  adjustedPValue: null,
  sites: null,
  sitesHit: null,
  ...known,
})
const groups = { test: [1, 4, 7, 10, 13], reference: [0, 3, 6, 9, 12] }
const draw = async (genes: ComparedGene[], alpha = 0.05) =>
  mapGenes(
    genes,
    await openExpression(portal.data, portal.assembly, 'series'),
    groups,
    alpha,
    new AbortController().signal,
  )

describe('the genes of the heat map of a comparison', () => {
  test('are those with the smallest adjusted p-values, with the values that were loaded of both groups', async () => {
    const heatMap = await draw(
      geneIds.map((id, at) => compared(id, { adjustedPValue: 0.0001 * (geneIds.length - at) })),
    )
    const surest = geneIds.toReversed().slice(0, mostMapGenes)
    expect(surest.length).toBeLessThan(geneIds.length)
    expect(heatMap!.genes.map(({ id }) => id)).toEqual(surest)
    expect(heatMap!.samples).toEqual([...groups.test, ...groups.reference])
    for (const { id, values: row } of heatMap!.genes)
      expect(row).toEqual(heatMap!.samples.map((at) => values.get(id)![at]))
    expect(heatMap!.sampleTree!.order.toSorted((a, b) => a - b)).toEqual([...heatMap!.samples.keys()])
    // Genes that follow one course stand side by side.
    const modules = heatMap!.geneTree!.order.map((row) => moduleOf(heatMap!.genes[row]!.id)).filter((one) => one < 3)
    expect(modules.filter((one, at) => one !== modules[at - 1]).length).toBeLessThan(8)
  })

  test('are within the significance level; of equal ones the smaller p-value, then the greater change is the first', async () => {
    const heatMap = await draw(
      [
        compared('S_001', { adjustedPValue: 0.03, pValue: 0.02, log2FoldChange: 1 }),
        compared('S_002', { adjustedPValue: 0.03, pValue: 0.02, log2FoldChange: -3 }),
        compared('S_003', { adjustedPValue: 0.03, pValue: 0.01, log2FoldChange: 0.5 }),
        compared('S_004', { adjustedPValue: 0.04, pValue: 0.03 }),
        compared('S_005', { pValue: 1e-9 }),
        compared('S_006', { adjustedPValue: 0.03001, pValue: 1e-9 }),
      ],
      0.03,
    )
    expect(heatMap!.genes.map(({ id }) => id)).toEqual(['S_003', 'S_002', 'S_001'])
  })

  test('make no heat map where there are fewer than two, and earlier results have none', async () => {
    expect(
      await draw([compared('S_001', { adjustedPValue: 0.01 }), compared('S_002', { adjustedPValue: 0.2 })]),
    ).toBeNull()
    expect(tool.result.shape.heatMap.parse(undefined)).toBeNull()
  })
})
