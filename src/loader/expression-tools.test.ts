import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findModules } from '../bio/statistics/graph-modules.ts'
import { PortalError } from '../contracts/errors.ts'
import coexpression from '../tools/coexpression/engine.ts'
import coexpressionTool from '../tools/coexpression/tool.ts'
import expression from '../tools/geneexpression/engine.ts'
import expressionTool from '../tools/geneexpression/tool.ts'
import geneSearch from '../tools/genesearch/engine.ts'
import geneSearchTool from '../tools/genesearch/tool.ts'
import pathway from '../tools/pathway/engine.ts'
import { askEngine, type GenesPortal, makeRandom, openGenesPortal } from './testing-genes-portal.ts'

// A simulated series: three modules of twelve genes that follow a course of their own each, and 24 genes that follow none.
const moduleSize = 12
const sampleCount = 30
const geneIds = Array.from({ length: 3 * moduleSize + 24 }, (_, at) => `S_${String(at + 1).padStart(3, '0')}`)
const moduleOf = (gene: string): number => Math.min(3, Math.floor((Number(gene.slice(2)) - 1) / moduleSize))

const random = makeRandom(20_261_121)
const noise = (): number => random() + random() + random() - 1.5
const courses = Array.from({ length: 3 }, () => Array.from({ length: sampleCount }, () => 2 * noise()))
const values = new Map(
  geneIds.map((gene) => [
    gene,
    Array.from({ length: sampleCount }, (_, at) => {
      const course = moduleOf(gene) < 3 ? courses[moduleOf(gene)]![at]! : 2 * noise()
      return Number((2 ** (6 + course + 0.5 * noise())).toFixed(3))
    }),
  ]),
)
const samples = Array.from({ length: sampleCount }, (_, at) => `x${at + 1}`)
const organs = ['root', 'leaf', 'flower']

let portal: GenesPortal
beforeAll(async () => {
  const rows = geneIds.map((gene) => [gene, ...values.get(gene)!].join('\t'))
  portal = await openGenesPortal({
    species: 'testus-series',
    geneIds,
    manifest: `    expression:
      - { id: series, name: Series, file: series.tsv, unit: TPM, samples: sheet.tsv, simulated: true, differential: [{ id: one, name: One, file: de.csv, columns: { baseMean: [baseMean, baseMean] } }] }
      - { id: gaps, name: Gaps, file: gaps.tsv, unit: log2ratio }
    pathways:
      - { file: sets.gmt, source: Made }
`,
    files: {
      'series.tsv': [['gene', ...samples].join('\t'), ...rows, ''].join('\n'),
      'sheet.tsv': ['sample\torgan\tminutes', ...samples.map((id, at) => `${id}\t${organs[at % 3]}\t${at}`), ''].join(
        '\n',
      ),
      'gaps.tsv':
        'gene\ta\tb\tc\td\te\tf\tg\nS_001\t1\t2\t3\t4\t5\t6\t7\nS_002\t1\t2\tNA\t4\tNA\t6\t8\nS_003\t1\t1\t1\t1\t1\t1\t1\nS_004\tNA\tNA\tNA\tNA\tNA\t1\t2\n',
      'sets.gmt': `P1\tBurning\tS_001\tS_002\tS_040\n`,
      'de.csv':
        ',baseMean,log2FoldChange,lfcSE,stat,pvalue,padj\nS_001,50,2,0.1,9,1e-20,1e-18\nS_002,40,-1,0.1,9,0.5,NA\n',
    },
  })
})
afterAll(() => portal?.close())

const correlate = (input: object) => askEngine(portal, coexpressionTool, coexpression, input)
const show = (input: object) => askEngine(portal, expressionTool, expression, input)
const failure = async (promise: Promise<unknown>): Promise<PortalError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(PortalError)
  return error as PortalError
}

const logs = new Map([...values].map(([gene, row]) => [gene, row.map((value) => Math.log2(value + 1))]))
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
    expect(
      coexpressionTool.input.safeParse({ assembly: 'X1', genes: 'S_001 '.repeat(10) + 'x '.repeat(5) }).success,
    ).toBe(true)
    const paste = Array.from({ length: 1_000_000 }, (_, at) => `gene${at}`).join('\n')
    expect(coexpressionTool.input.safeParse({ assembly: 'X1', genes: paste }).success).toBe(false)
    expect(coexpressionTool.input.safeParse({ assembly: 'X1', genes: '' }).success).toBe(false)
    const some = await correlate({ genes: ['S_001', 'nobody', 'TM_0001'] })
    expect([some.unknown, some.absent]).toEqual([['nobody'], ['TM_0001']])
  })
})

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
    const route = expression.routes!.find(({ path }) => path === 'gene/')!
    const answer = (await route.handle({ assembly: 'X1', gene: 'S_002' }, { data: portal.data } as never)) as {
      json: { profiles: { dataset: { id: string }; values: (number | null)[]; tau: number | null }[] }
    }
    expect(answer.json.profiles.map(({ dataset }) => dataset.id)).toEqual(['series', 'gaps'])
    expect(answer.json.profiles[1]!.values).toEqual([1, 2, null, 4, null, 6, 8])
    // Ratios have no zero to count specificity from.
    expect(answer.json.profiles[1]!.tau).toBeNull()
  })
})

test('the example of co-expression is a gene of a planted module, not one that follows none', async () => {
  const route = coexpression.routes!.find(({ path }) => path === 'example/')!
  const { json } = (await route.handle({ assembly: 'X1' }, { data: portal.data } as never)) as {
    json: { gene: string }
  }
  expect(moduleOf(json.gene)).toBeLessThan(3)
})

describe('a pathway coloured by expression', () => {
  const route = pathway.routes!.find(({ path }) => path === 'values')!
  const ask = async (input: object) => {
    const asked = route.input.parse({ assembly: 'X1', source: 'Made', id: 'P1', dataset: 'series', ...input })
    const { json } = (await route.handle(asked, { data: portal.data } as never)) as {
      json: { simulated: boolean; values: { gene: string; value: number }[] }
    }
    return json
  }

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

describe('gene search by expression', () => {
  const search = async (row: object, more: object = {}) => {
    const input = { assemblies: ['X1'], groups: [{ rows: [{ kind: 'expression', ...row }] }], pageSize: 100, ...more }
    const { genes, readings } = geneSearchTool.result.parse(
      await geneSearch.run(geneSearchTool.input.parse(input), portal.context()),
    )
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
    const { expression: shown } = await show({ genes: geneIds.join(' '), dataset: 'series' })
    const specific = shown!.genes.filter(({ tau }) => tau! >= 0.1).map(({ id }) => id)
    expect((await search({ measure: 'tau', minimum: 0.1 })).ids).toEqual(
      geneIds.filter((gene) => specific.includes(gene)),
    )
    expect(await search({ dataset: 'gaps', measure: 'tau', minimum: 0 })).toEqual({
      ids: [],
      readings: ['reading.no-values'],
    })
  })

  test('genes without values, unknown data sets and unknown samples find nothing, and why is told', async () => {
    expect((await search({ dataset: 'gaps', minimum: 1 })).ids).toEqual(['S_001', 'S_002', 'S_003', 'S_004'])
    for (const row of [{ dataset: 'other' }, { level: 'seed' }])
      expect(await search(row)).toEqual({ ids: [], readings: ['reading.no-expression'] })
    expect((await search({})).readings).toContain('reading.no-bounds')
    expect((await search({ minimum: 5, maximum: 1 })).readings).toContain('reading.empty-range')
  })
})
