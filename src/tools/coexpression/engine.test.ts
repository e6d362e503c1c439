import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findModules } from '../../bio/statistics/graph-modules.ts'
import { answerJson, askRoute } from '../../testing/contexts.ts'
import { geneIds, logs, moduleOf, moduleSize, openExpressionPortal } from '../../testing/expression-portal.ts'
import { failure } from '../../testing/failure.ts'
import { askEngine, type GenesPortal } from '../../testing/genes-portal.ts'
import engine from './engine.ts'
import tool from './tool.ts'

let portal: GenesPortal
beforeAll(async () => {
  portal = await openExpressionPortal()
})
afterAll(() => portal?.close())

const correlate = (input: object) => askEngine(portal, tool, engine, input)

const pearson = (x: number[], y: number[]): number => {
  const mean = (list: number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length
  const [mx, my] = [mean(x), mean(y)]
  const product = (a: number[], b: number[], ma: number, mb: number): number =>
    a.reduce((sum, value, at) => sum + (value - ma) * (b[at]! - mb), 0)
  return product(x, y, mx, my) / Math.sqrt(product(x, x, mx, mx) * product(y, y, my, my))
}
const plain = (a: string, b: string): number => pearson(logs.get(a)!, logs.get(b)!)

describe('co-expression over a simulated series with three planted modules', () => {
  test('a gene finds the other genes of its module first, with coefficients as reckoned by definition to 1e-6', async () => {
    for (const gene of ['S_003', 'S_015', 'S_030']) {
      const { rows, tested, sampleCount: count } = await correlate({ genes: gene, top: 59 })
      expect([tested, count]).toEqual([59, 30])
      expect(rows.slice(0, moduleSize - 1).map(({ id }) => moduleOf(id))).toEqual(
        Array.from({ length: moduleSize - 1 }, () => moduleOf(gene)),
      )
      for (const row of rows) {
        expect(Math.abs(row.correlation - plain(gene, row.id))).toBeLessThan(1e-6)
        expect(row.each).toEqual([row.correlation])
      }
      expect(rows[0]!.adjustedPValue).toBeLessThan(1e-8)
      expect(rows[0]!.adjustedPValue).toBeGreaterThan(rows[0]!.pValue!)
    }
  })

  test('chosen samples alone count', async () => {
    const { rows, sampleCount: count } = await correlate({
      genes: 'S_001',
      group: 'organ',
      levels: ['root', 'leaf'],
      top: 5,
    })
    expect(count).toBe(20)
    const some = (gene: string): number[] => logs.get(gene)!.filter((_, at) => at % 3 !== 2)
    for (const { id, correlation } of rows) expect(correlation).toBeCloseTo(pearson(some('S_001'), some(id)), 6)
  })

  test('mutual ranks are those of all genes against all, and said to be complete', async () => {
    const { rows, completeTo } = await correlate({ genes: 'S_020', measure: 'mutualRank', top: 59 })
    expect(completeTo).toBeNull()
    const place = (from: string, to: string): number =>
      1 + geneIds.filter((other) => other !== from && other !== to && plain(from, other) > plain(from, to)).length
    for (const { id, mutualRank } of rows)
      expect(mutualRank).toBeCloseTo(Math.sqrt(place('S_020', id) * place(id, 'S_020')), 9)
    expect(moduleOf(rows[0]!.id)).toBe(1)
    const ranks = rows.map(({ mutualRank }) => mutualRank!)
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
  })

  test('several genes are taken by their mean, or by the best of them', async () => {
    const genes = ['S_001', 'S_002']
    const mean = await correlate({ genes, top: 10 })
    expect(mean.rows.every(({ id }) => moduleOf(id) === 0)).toBe(true)
    const [first] = mean.rows
    expect(first!.correlation).toBeCloseTo((plain('S_001', first!.id) + plain('S_002', first!.id)) / 2, 6)
    expect(first!.pValue).toBeNull()
    const best = await correlate({ genes: ['S_001', 'S_013'], combine: 'best', top: 22 })
    expect(new Set(best.rows.map(({ id }) => moduleOf(id)))).toEqual(new Set([0, 1]))
  })

  test('a threshold keeps all that reach it; negative correlations are asked for as such', async () => {
    const { rows, total } = await correlate({ genes: 'S_001', keep: 'threshold', threshold: 0.8 })
    const expected = geneIds.filter((gene) => gene !== 'S_001' && plain('S_001', gene) >= 0.8)
    expect(rows.map(({ id }) => id).sort()).toEqual(expected)
    expect(total).toBe(expected.length)
    const negative = await correlate({ genes: 'S_001', direction: 'negative', top: 3 })
    expect(negative.rows[0]!.correlation).toBeCloseTo(
      Math.min(...geneIds.filter((gene) => gene !== 'S_001').map((gene) => plain('S_001', gene))),
      6,
    )
  })

  test('the network among all genes falls into the planted modules', async () => {
    const { network } = await correlate({ genes: geneIds.slice(0, 36), combine: 'among' })
    expect(network.nodes).toHaveLength(36)
    const edges = network.pairs.filter(([, , r]) => r >= 0.7)
    const modules = findModules(36, edges)
    for (const [a, gene] of network.nodes.entries())
      for (const [b, other] of network.nodes.entries())
        expect(modules[a] === modules[b]).toBe(moduleOf(gene) === moduleOf(other))
  })

  test('gaps leave out samples pair by pair; constant genes and pairs with too few samples have none', async () => {
    const { rows } = await correlate({ dataset: 'gaps', genes: 'S_001', minimumPairs: 3 })
    expect(rows.map(({ id, pairs }) => [id, pairs])).toEqual([['S_002', 5]])
    expect(rows[0]!.correlation).toBeCloseTo(pearson([1, 2, 4, 6, 7], [1, 2, 4, 6, 8]), 6)
    const ranks = await correlate({ dataset: 'gaps', genes: 'S_001', minimumPairs: 3, measure: 'spearman' })
    expect(ranks.rows[0]!.correlation).toBeCloseTo(1, 9)
  })

  test('what cannot be answered is told beside its field', async () => {
    expect((await failure(correlate({ genes: 'nobody' }))).messageId).toBe('problem.noGeneFound')
    expect((await failure(correlate({ genes: 'TM_0001' }))).messageId).toBe('problem.noGeneFound')
    expect((await failure(correlate({ genes: 'S_001', dataset: 'none' }))).problems[0]!.path).toEqual(['dataset'])
    expect((await failure(correlate({ genes: 'S_001', levels: ['petal'] }))).problems[0]!.path).toEqual(['levels'])
    expect((await failure(correlate({ genes: 'S_001', minimumPairs: 31 }))).messageId).toBe('problem.fewSamples')
    expect((await failure(correlate({ genes: 'S_001', group: 'moon' }))).problems[0]!.path).toEqual(['group'])
    expect((await failure(correlate({ genes: 'S_001', combine: 'among' }))).messageId).toBe('problem.oneGene')
    expect((await failure(correlate({ assembly: 'Z9', genes: 'S_001' }))).code).toBe('UNKNOWN_ASSEMBLY')
    expect(tool.input.safeParse({ assembly: 'X1', genes: 'S_001 '.repeat(10) + 'x '.repeat(5) }).success).toBe(true)
    const paste = Array.from({ length: 1_000_000 }, (_, at) => `gene${at}`).join('\n')
    expect(tool.input.safeParse({ assembly: 'X1', genes: paste }).success).toBe(false)
    expect(tool.input.safeParse({ assembly: 'X1', genes: '' }).success).toBe(false)
    const some = await correlate({ genes: ['S_001', 'nobody', 'TM_0001'] })
    expect([some.unknown, some.absent]).toEqual([['nobody'], ['TM_0001']])
  })
})

test('the example of co-expression is a gene of a planted module, not one that follows none', async () => {
  const { gene } = answerJson<{ gene: string }>(
    await askRoute(engine, 'example/', { assembly: 'X1' }, { data: portal.data }),
  )
  expect(moduleOf(gene)).toBeLessThan(3)
})
