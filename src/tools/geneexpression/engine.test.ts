import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerJson, askRoute } from '../../testing/contexts.ts'
import { geneIds, logs, moduleOf, openExpressionPortal, sampleCount, values } from '../../testing/expression-portal.ts'
import { failure } from '../../testing/failure.ts'
import { askEngine, type GenesPortal } from '../../testing/genes-portal.ts'
import engine from './engine.ts'
import tool from './tool.ts'

let portal: GenesPortal
beforeAll(async () => {
  portal = await openExpressionPortal()
})
afterAll(() => portal?.close())

const show = (input: object) => askEngine(portal, tool, engine, input)

describe('gene expression over the same series', () => {
  test('clustering lays the genes of a module side by side, and values come as they were loaded', async () => {
    const { expression: found, dataset } = await show({ genes: geneIds })
    expect(dataset.simulated).toBe(true)
    expect(found!.genes[4]!.values).toEqual(values.get('S_005'))
    const modules = found!.geneTree!.order.map((row) => moduleOf(found!.genes[row]!.id)).filter((one) => one < 3)
    expect(modules.filter((one, at) => one !== modules[at - 1])).toHaveLength(3)
    expect(found!.sampleTree!.order).toHaveLength(sampleCount)
    expect(found!.genes[0]!.tau).toBeGreaterThan(0)
  })

  test('the most variable genes are those with the greatest variance of their logarithms', async () => {
    const { expression: found } = await show({ by: 'variable', top: 5, cluster: 'none' })
    const variance = (row: number[]): number => {
      const mean = row.reduce((sum, value) => sum + value, 0) / row.length
      return row.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    }
    const expected = [...logs].sort((a, b) => variance(b[1]) - variance(a[1])).slice(0, 5)
    expect(found!.genes.map(({ id }) => id)).toEqual(expected.map(([gene]) => gene))
    expect([found!.geneTree, found!.sampleTree]).toEqual([null, null])
  })

  test('samples are chosen by a factor; names without values are told', async () => {
    const { expression: found } = await show({ genes: 'S_001,nobody,TM_0001', group: 'organ', levels: ['flower'] })
    expect(found!.samples).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29])
    expect([found!.unknown, found!.absent]).toEqual([['nobody'], ['TM_0001']])
    expect(found!.geneTree).toBeNull()
  })

  test('a comparison is given as it was loaded, NA as nothing', async () => {
    const { differential } = await show({ task: 'differential' })
    expect(differential!.contrast.program).toBe('DESeq2')
    expect(
      differential!.points.map(({ id, mean, log2FoldChange, pValue, adjustedPValue }) => [
        id,
        mean,
        log2FoldChange,
        pValue,
        adjustedPValue,
      ]),
    ).toEqual([
      ['S_001', 50, 2, 1e-20, 1e-18],
      ['S_002', 40, -1, 0.5, null],
    ])
    expect((await failure(show({ task: 'differential', dataset: 'gaps' }))).messageId).toBe('problem.noContrast')
    expect((await failure(show({ task: 'differential', contrast: 'two' }))).messageId).toBe('problem.unknownContrast')
  })

  test('what cannot be shown is told beside its field', async () => {
    expect((await failure(show({}))).messageId).toBe('problem.noGene')
    expect((await failure(show({ genes: 'nobody' }))).messageId).toBe('problem.noGeneFound')
    expect((await failure(show({ genes: 'S_001', levels: ['petal'] }))).messageId).toBe('problem.noSample')
    expect((await failure(show({ dataset: 'gaps', by: 'variable', levels: ['a'] }))).messageId).toBe(
      'problem.nothingVaries',
    )
  })

  test('a gene’s page is given its profile in every data set that has it', async () => {
    const { profiles } = answerJson<{
      profiles: {
        dataset: { id: string }
        values: (number | null)[]
        tau: number | null
        comparisons: object[]
      }[]
    }>(await askRoute(engine, 'gene/', { assembly: 'X1', gene: 'S_002' }, { data: portal.data }))
    expect(profiles.map(({ dataset }) => dataset.id)).toEqual(['series', 'gaps'])
    expect(profiles.map(({ comparisons }) => comparisons)).toEqual([
      [{ contrast: 'one', log2FoldChange: -1, pValue: 0.5, adjustedPValue: null }],
      [],
    ])
    expect(profiles[1]!.values).toEqual([1, 2, null, 4, null, 6, 8])
    // Ratios have no zero to count specificity from.
    expect(profiles[1]!.tau).toBeNull()
  })
})
