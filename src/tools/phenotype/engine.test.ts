import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerJson, askRoute } from '../../testing/contexts.ts'
import { failure } from '../../testing/failure.ts'
import { askEngine, type GenesPortal, openGenesPortal } from '../../testing/genes-portal.ts'
import engine from './engine.ts'
import tool from './tool.ts'

// The trial of bio/phenotype/field-trial.test.ts, with a second trait and three populations.
const trial = readFileSync(new URL('../../bio/phenotype/fixtures/field-trial.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const populations = { A1: 'east', A2: 'east', A3: 'east', A4: 'west', A5: 'west', A6: 'west', A7: 'south', A8: 'south' }
const second: Record<string, number> = { A1: 3, A2: 1, A3: 4, A4: 1, A5: 5, A6: 9, A7: 2, A8: 6, A9: 5 }

let portal: GenesPortal
beforeAll(async () => {
  portal = await openGenesPortal({
    species: 'testus-traits',
    geneIds: ['T_1', 'T_2'],
    manifest: `accessions: { file: accessions.csv }
phenotypes:
  - { id: field, name: { en: Field, zh: 田间 }, file: trial.txt, traits: traits.tsv, simulated: true }
  - { id: once, name: Once, file: once.tsv }
  - { id: looks, name: Looks, file: looks.tsv, traits: looks-traits.tsv }
`,
    files: {
      'accessions.csv': [
        'accession,population,country,latitude,longitude',
        ...Object.entries(populations).map(([id, population], at) => `${id},${population},X,${at * 5},${at * 10}`),
        'A9,south,X,,',
        '',
      ].join('\n'),
      'trial.txt': `${trial.join('\n')}\n`,
      'traits.tsv': 'trait\tname\tname_zh\tunit\ny\tYield\t产量\tt/ha\n',
      'looks.tsv': [
        'accession\ta\tb\tc',
        ...Object.values(second).map(
          (value, at) => `L${at + 1}\t${value}\t${at}\t${['red', 'white', 'green'][at % 3]}`,
        ),
        '',
      ].join('\n'),
      'looks-traits.tsv': 'trait\tname\tname_zh\na\tLength\t长度\nb\tWidth\t宽度\nc\tColour\t颜色\n',
      'once.tsv': [
        'accession\tyield\tother\tawns',
        // One value an accession: what R estimates from the trial.
        ...Object.entries({
          A1: 19.271172814908,
          A2: 22.863333333333,
          A3: 17.319283242881,
          A4: 20.668410724,
          A5: 25.083194333751,
          A6: 20.348333333333,
          A7: 20.006666666667,
          A8: 20.719590844687,
          A9: 19.763333333333,
        }).map(([id, value], at) => `${id}\t${value}\t${second[id]}\t${at % 2 === 0 ? 'yes' : 'no'}`),
        'B1\tNA\t7\tno',
        '',
      ].join('\n'),
    },
  })
})
afterAll(() => portal?.close())

const ask = (input: object) => askEngine(portal, tool, engine, input)
const route = (path: string, input: object) =>
  askRoute(engine, path, input, { data: portal.data, describeReceipt: async () => ['made for a test'] })
const json = async (path: string, input: object) => answerJson<never>(await route(path, input))
describe('one trait', () => {
  test('without any choice is the first of the first set, estimated from the trial as R does', async () => {
    const { species, dataset, trait: report } = await ask({})
    expect(species).toBe('testus-traits')
    expect(dataset).toMatchObject({ id: 'field', simulated: true, accessionCount: 9, undescribed: 0 })
    expect(report!.trait).toMatchObject({ id: 'y', unit: 't/ha', method: 'blue', observations: 45 })
    expect(report!.trait.model).toBe('value ~ accession + environment:replicate')
    const row = report!.rows.find(({ accession }) => accession === 'A5')!
    expect(row).toMatchObject({ group: 'west', count: 3, latitude: 20, percentile: 100 - 50 / 9 })
    expect(row.value).toBeCloseTo(25.083194333751, 9)
    expect(row.error).toBeCloseTo(0.71482703289204, 9)
    expect(report!.environments.map(({ name, count }) => [name, count])).toEqual([
      ['E1', 14],
      ['E2', 15],
      ['E3', 16],
    ])
  })

  test('compares populations with the numbers of R’s anova, kruskal.test, t.test, wilcox.test and shapiro.test', async () => {
    const { trait: report } = await ask({ dataset: 'once', trait: 'yield' })
    expect(report!.groupings).toEqual(['population'])
    expect(report!.variance!.pValue).toBeCloseTo(0.475497755414, 9)
    expect(report!.ranks!.statistic).toBeCloseTo(1.866666667, 8)
    expect(report!.ranks!.pValue).toBeCloseTo(0.393240720869, 10)
    const pair = report!.pairs.find((one) => one.first === 'east' && one.second === 'west')!
    expect(pair.welch!.t).toBeCloseTo(-0.9937259008, 9)
    expect(pair.welch!.degrees).toBeCloseTo(3.985273078, 8)
    expect(pair.welch!.pValue).toBeCloseTo(0.376796305448, 9)
    expect(pair.ranks!.pValue).toBeCloseTo(0.382733088885, 9)
    expect(report!.normality!.w).toBeCloseTo(0.9230948366, 8)
    expect(report!.normality!.pValue).toBeCloseTo(0.418477151, 5)
  })

  test('of levels is counted by population and tested by chi-square, with a word on small expectations', async () => {
    const { trait: report } = await ask({ dataset: 'once', trait: 'awns' })
    expect(report!.trait).toMatchObject({ type: 'binary', levels: ['no', 'yes'], levelCounts: [5, 5] })
    expect(report!.groups.map(({ name, levelCounts }) => [name, levelCounts])).toEqual([
      ['east', [1, 2]],
      ['south', [1, 2]],
      ['west', [2, 1]],
    ])
    expect(report!.table).toMatchObject({ degrees: 2, fewExpected: 1 })
    expect([report!.variance, report!.pairs]).toEqual([null, []])
    expect(report!.ungrouped).toBe(1)
  })
})

describe('correlations', () => {
  test('are R’s cor and cor.test over the accessions with both traits', async () => {
    const { correlation } = await ask({ task: 'correlation', dataset: 'once' })
    expect(correlation!.traits.map(({ id }) => id)).toEqual(['yield', 'other', 'awns'])
    expect(correlation!.n).toEqual([9, 9, 10])
    expect(correlation!.leftOut).toEqual([])
    // What no number stands for is named as readers know it.
    const looks = await ask({ task: 'correlation', dataset: 'looks' })
    expect(looks.correlation!.leftOut).toEqual([{ id: 'c', name: { en: 'Colour', zh: '颜色' } }])
    expect(correlation!.r[0]).toBeCloseTo(-0.0404478209664, 10)
    expect(correlation!.pValue[0]).toBeCloseTo(0.91771263302, 9)
    const ranked = await ask({ task: 'correlation', dataset: 'once', method: 'spearman', traits: 'yield,other' })
    expect(ranked.correlation!.r[0]).toBeCloseTo(0, 12)
  })

  test('of two traits come as points with the line of least squares', async () => {
    const pair = (await json('pair/', {
      species: 'testus-traits',
      dataset: 'once',
      x: 'yield',
      y: 'other',
    })) as { points: { group: string | null }[]; slope: number; intercept: number; pearson: number }
    expect(pair.points).toHaveLength(9)
    expect(pair.points[3]!.group).toBe('west')
    expect(pair.slope).toBeCloseTo(-0.0476933783784, 10)
    expect(pair.intercept).toBeCloseTo(4.9858927100051, 9)
  })
})

test('an accession tells its traits with their places among all; one without a description has its traits', async () => {
  const record = (id: string) =>
    json('accession/', { species: 'testus-traits', id }) as Promise<{
      accession: object | null
      traits: {
        dataset: string
        trait: { id: string }
        value: number | null
        level: string | null
        percentile: number | null
      }[]
    }>
  const { accession, traits } = await record('A5')
  expect(accession).toMatchObject({ population: 'west', latitude: 20 })
  expect(traits.map(({ dataset, trait, level, percentile }) => [dataset, trait.id, level, percentile])).toEqual([
    ['field', 'y', null, 100 - 50 / 9],
    ['once', 'yield', null, 100 - 50 / 9],
    ['once', 'other', null, 60],
    ['once', 'awns', 'yes', null],
  ])
  expect(await record('B1')).toMatchObject({
    accession: null,
    traits: [{ trait: { id: 'other' } }, { trait: { id: 'awns' } }],
  })
  expect((await failure(record('nobody'))).code).toBe('NOT_FOUND')
})

test('a set is downloaded as one table, an accession a row, with its receipt', async () => {
  const answer = await route('file', { species: 'testus-traits', dataset: 'once' })
  if (!('body' in answer) || typeof answer.body === 'string' || answer.body instanceof Uint8Array)
    throw new Error('no file')
  let text = ''
  for await (const piece of answer.body) text += piece
  const lines = text.trim().split('\n')
  expect(lines[0]).toBe('# made for a test')
  expect(lines[1]).toBe('accession\tyield\tother\tawns')
  expect(lines).toHaveLength(12)
  expect(lines.at(-1)).toBe('B1\tNA\t7\tno')
})

test.each([
  [{ species: 'nobody' }, 'problem.noSpecies', 'species'],
  [{ dataset: 'nothing' }, 'problem.noDataset', 'dataset'],
  [{ trait: 'z' }, 'problem.noTrait', 'trait'],
  [{ group: 'altitude' }, 'problem.noGroup', 'group'],
  [{ task: 'correlation' }, 'problem.fewTraits', 'traits'],
  [{ task: 'correlation', dataset: 'once', traits: ['yield', 'z'] }, 'problem.noTrait', 'trait'],
])('%j is refused with %s', async (input, message, field) => {
  const error = await failure(ask(input))
  expect(error.messageId).toBe(message)
  expect(error.problems.map(({ path }) => path[0])).toEqual([field])
})
