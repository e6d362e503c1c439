import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerJson, askRoute } from '../../testing/contexts.ts'
import { logs, openExpressionPortal } from '../../testing/expression-portal.ts'
import { failure } from '../../testing/failure.ts'
import { type GenesPortal, openGenesPortal } from '../../testing/genes-portal.ts'
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

describe('a pathway coloured by Tn-seq', () => {
  let libraries: GenesPortal
  beforeAll(async () => {
    libraries = await openGenesPortal({
      species: 'testus-tn',
      geneIds: ['T_1', 'T_2', 'T_3'],
      manifest: `    expression:
      - { id: tn, name: Libraries, file: tn.tsv, unit: counts, measure: { en: insertions, zh: 插入 }, samples: sheet.tsv, differential: [{ id: one, name: One, file: de.csv }] }
    pathways:
      - { file: sets.gmt, source: Made }
`,
      files: {
        // T_1 takes no insertion on either medium, T_2 as many on both, T_3 on one alone.
        'tn.tsv': 'gene\ta\tb\tc\td\nT_1\t0\t0\t0\t0\nT_2\t50\t50\t50\t50\nT_3\t50\t50\t0\t0\n',
        'sheet.tsv': 'sample\tmedium\na\tglycerol\nb\tglycerol\nc\tcholesterol\nd\tcholesterol\n',
        'sets.gmt': 'P1\tCycle\tT_1\tT_2\tT_3\n',
        'de.csv': ',baseMean,log2FoldChange,lfcSE,stat,pvalue,padj\nT_1,0,0,0,0,1,1\nT_2,50,0.5,0.1,1,0.5,0.5\n',
      },
    })
  })
  afterAll(() => libraries?.close())

  test.each([{ contrast: 'one' }, { level: 'glycerol' }])(
    'tells the gene that has no insertion at all from one that does not change: %j',
    async (compared) => {
      const assembly = (await libraries.data.listAssemblies())[0]!.id
      const answer = answerJson<{ uncounted: string[]; counted: string; values: { gene: string }[] }>(
        await askRoute(
          engine,
          'values/',
          { assembly, source: 'Made', id: 'P1', dataset: 'tn', ...compared },
          { data: libraries.data },
        ),
      )
      expect(answer).toMatchObject({ uncounted: ['T_1'], counted: 'insertions' })
      expect(answer.values.map(({ gene }) => gene)).not.toContain('T_1')
      expect(answer.values.map(({ gene }) => gene)).toContain('T_2')
    },
  )
})
