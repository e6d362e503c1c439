import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerJson, askRoute } from '../../testing/contexts.ts'
import { logs, openExpressionPortal } from '../../testing/expression-portal.ts'
import { failure } from '../../testing/failure.ts'
import type { GenesPortal } from '../../testing/genes-portal.ts'
import engine from './engine.ts'

let portal: GenesPortal
beforeAll(async () => {
  portal = await openExpressionPortal()
})
afterAll(() => portal?.close())

describe('a pathway coloured by expression', () => {
  const ask = async (input: object) =>
    answerJson<{ simulated: boolean; values: { gene: string; value: number }[] }>(
      await askRoute(
        engine,
        'values/',
        { assembly: 'X1', source: 'Made', id: 'P1', dataset: 'series', ...input },
        { data: portal.data },
      ),
    )

  test('by a comparison: its log2 fold changes; by a group of samples: its mean above that of all others', async () => {
    expect(await ask({ contrast: 'one' })).toMatchObject({
      simulated: true,
      values: [
        { gene: 'S_001', value: 2 },
        { gene: 'S_002', value: -1 },
      ],
    })
    const { values: found } = await ask({ level: 'leaf' })
    const mean = (list: number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length
    const expected = (gene: string): number =>
      mean(logs.get(gene)!.filter((_, at) => at % 3 === 1)) - mean(logs.get(gene)!.filter((_, at) => at % 3 !== 1))
    expect(found.map(({ gene }) => gene).sort()).toEqual(['S_001', 'S_002', 'S_040'])
    for (const { gene, value } of found) expect(value).toBeCloseTo(expected(gene), 4)
  })

  test.each([
    [{ dataset: 'other' }, 'problem.unknownDataset'],
    [{ contrast: 'two' }, 'problem.unknownContrast'],
    [{ level: 'seed' }, 'problem.unknownLevel'],
    [{ id: 'P9', level: 'leaf' }, 'map.unknown'],
  ])('%j is refused with %s', async (input, message) => {
    expect((await failure(ask(input))).messageId).toBe(message)
  })
})
