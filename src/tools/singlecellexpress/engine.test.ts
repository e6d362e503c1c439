import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeCells, welchTest } from '../../bio/expression/cell-statistics.ts'
import { PortalError } from '../../contracts/errors.ts'
import { askEngine, type GenesPortal, openGenesPortal } from '../../testing/genes-portal.ts'
import { makeRandom } from '../../testing/random.ts'
import engine from './engine.ts'
import { cellsWithin, parseSelection, renderSelection } from './selection.ts'
import tool from './tool.ts'

// Simulated: three types of forty cells, each with ten marker genes of its own among sixty.
const typeNames = ['xylem', 'phloem', 'root hair']
const geneIds = Array.from({ length: 60 }, (_, at) => `S_${String(at + 1).padStart(3, '0')}`)
const typeOf = (cell: number): number => cell % 3
/** Eight samples of unlike sizes, the last the smallest. */
const sampleOf = (cell: number): number => Math.min(7, Math.floor(Math.sqrt(cell / 1.9)))
const isMarker = (gene: number, type: number): boolean => Math.floor(gene / 10) === type
const random = makeRandom(20_261_121)
const cells = Array.from({ length: 120 }, (_, at) => `c${at}`)
const counts = geneIds.map((_, gene) =>
  cells.map((_cell, cell) => Math.floor(-Math.log(1 - random()) * (isMarker(gene, typeOf(cell)) ? 4 : 0.7))),
)
const sums = cells.map((_, cell) => counts.reduce((sum, row) => sum + row[cell]!, 0))

let portal: GenesPortal
beforeAll(async () => {
  portal = await openGenesPortal({
    species: 'testus-cells',
    geneIds,
    manifest: `    singleCell:
      - { id: made, name: Made, file: counts.tsv, metadata: cells.tsv, simulated: true }
      - { id: bare, name: Bare, file: counts.tsv }
`,
    files: {
      'counts.tsv': [
        ['gene', ...cells].join('\t'),
        ...geneIds.map((id, at) => [id, ...counts[at]!].join('\t')),
        '',
      ].join('\n'),
      'cells.tsv': [
        'cell\tcell type\tsample',
        ...cells.map((cell, at) => `${cell}\t${typeNames[typeOf(at)]}\tleaf${sampleOf(at)}`),
        '',
      ].join('\n'),
    },
  })
})
afterAll(() => portal?.close())

const ask = (input: object) => askEngine(portal, tool, engine, input)

describe('cells of three planted types', () => {
  test('each type is marked by its own ten genes', async () => {
    const { markers, group, genes } = await ask({ task: 'markers' })
    // Shown beside the map: the first of each group that are significant.
    const first = markers!.flatMap(({ rows }) => rows.filter((row) => row.adjustedPValue < 0.05).slice(0, 3))
    expect(genes!.map(({ id }) => id)).toEqual([...new Set(first.map(({ id }) => id))])
    expect(genes!.length).toBeGreaterThan(0)
    expect(group!.levels).toEqual(typeNames.map((name) => ({ name, cells: 40 })))
    for (const { level, rows, total } of markers!) {
      expect(total).toBeGreaterThanOrEqual(10)
      const first = rows.slice(0, 10).map(({ id }) => geneIds.indexOf(id))
      expect(first.every((gene) => isMarker(gene, level))).toBe(true)
      expect(rows[0]!.auc).toBeGreaterThan(0.7)
      expect(rows[0]!.log2FoldChange).toBeGreaterThan(1)
    }
  })

  test('Bonferroni by choice: each p-value times the number of genes tested, as Seurat has it', async () => {
    const input = { task: 'compare', first: 'cell type=xylem', second: 'cell type=phloem' }
    const [bh, strict] = [await ask(input), await ask({ ...input, correction: 'bonferroni' })]
    const { rows, tested } = strict.comparison!
    expect(rows.map(({ pValue }) => pValue)).toEqual(bh.comparison!.rows.map(({ pValue }) => pValue))
    for (const row of rows) expect(row.adjustedPValue).toBeCloseTo(Math.min(1, row.pValue * tested), 12)
    expect(strict.comparison!.significant).toBeLessThanOrEqual(bh.comparison!.significant)
    const markers = await ask({ task: 'markers', correction: 'bonferroni' })
    const before = (await ask({ task: 'markers' })).markers!
    for (const [at, { rows: own }] of markers.markers!.entries())
      for (const [number, row] of own.entries()) {
        expect(row.pValue).toBe(before[at]!.rows[number]!.pValue)
        expect(row.adjustedPValue).toBeGreaterThanOrEqual(before[at]!.rows[number]!.adjustedPValue)
      }
  })

  test('without types the clusters that are computed are the types, and a map is made', async () => {
    const { dataset } = await ask({ dataset: 'bare', task: 'markers' })
    expect(dataset.embeddings).toEqual([{ name: 'UMAP', file: 0, computed: true, sampled: null }])
    expect(dataset.columns[0]!.levels!.map(({ cells: size }) => size)).toEqual([40, 40, 40])
  })

  test('Welch between two types is that of the values themselves; shared cells are left out and told', async () => {
    const answer = await ask({
      task: 'compare',
      test: 'welch',
      first: 'cell type=xylem',
      second: 'cell type=phloem',
    })
    const { comparison } = answer
    expect(comparison).toMatchObject({ first: 40, second: 40, shared: 0 })
    for (const row of comparison!.rows.slice(0, 5)) {
      const gene = geneIds.indexOf(row.id)
      const valuesOf = (type: number): number[] =>
        cells.flatMap((_, cell) =>
          typeOf(cell) === type ? [Math.fround(Math.log1p((counts[gene]![cell]! * 10_000) / sums[cell]!))] : [],
        )
      const sparse = (type: number) =>
        describeCells({ values: valuesOf(type).filter((value) => value !== 0), cells: 40 })
      expect(row.pValue).toBeCloseTo(welchTest(sparse(0), 40, sparse(1), 40)!.pValue, 10)
    }
    const shared = await ask({ task: 'compare', first: 'cell type=xylem|phloem', second: 'cell type=phloem|root hair' })
    expect(shared.comparison).toMatchObject({ first: 40, second: 40, shared: 40 })
    const rest = await ask({ task: 'compare', first: 'cell type=xylem' })
    expect(rest.comparison).toMatchObject({ first: 40, second: 80 })
  })

  test('genes by group: means, shares and histograms over all cells; names that mean nothing are told', async () => {
    const { genes, unknown } = await ask({ genes: 'S_001 nothing abcA', task: 'genes' })
    expect(unknown).toEqual(['nothing'])
    expect(genes).toHaveLength(1)
    for (const { histogram } of genes![0]!.groups) expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(40)
    const xylem = cells.flatMap((_, cell) => (typeOf(cell) === 0 ? [counts[0]![cell]!] : []))
    expect(genes![0]!.groups[0]!.percent).toBeCloseTo((100 * xylem.filter((count) => count > 0).length) / 40, 4)
  })

  test('groups divided by a second column: its six largest levels, whose parts add up to what they hold of the group', async () => {
    const { genes, split } = await ask({ genes: 'S_001', task: 'genes', split: 'sample' })
    const count = (sample: number) => cells.filter((_, cell) => sampleOf(cell) === sample).length
    const kept = [...Array(8).keys()]
      .sort((a, b) => count(b) - count(a))
      .slice(0, 6)
      .sort((a, b) => a - b)
    expect(split).toEqual({
      name: 'sample',
      total: 8,
      levels: expect.arrayContaining(kept.map((sample) => ({ name: `leaf${sample}`, cells: count(sample) }))),
    })
    for (const [type, { parts }] of genes![0]!.groups.entries())
      for (const [part, { name }] of split!.levels.entries()) {
        const own = cells.flatMap((_, cell) =>
          typeOf(cell) === type && `leaf${sampleOf(cell)}` === name
            ? [Math.log1p((counts[0]![cell]! * 10_000) / sums[cell]!)]
            : [],
        )
        expect(parts![part]!.cells).toBe(own.length)
        expect(parts![part]!.mean).toBeCloseTo(own.reduce((sum, value) => sum + value, 0) / own.length, 4)
        expect(parts![part]!.histogram.reduce((sum, value) => sum + value, 0)).toBe(own.length)
      }
  })

  test.each([
    [{ task: 'genes', genes: 'S_001', split: 'age' }, 'problem.unknownGroup'],
    [{ task: 'genes' }, 'problem.genesNeeded'],
    [{ task: 'genes', genes: 'nothing' }, 'problem.noGeneFound'],
    [{ task: 'markers', group: 'age' }, 'problem.unknownGroup'],
    [{ task: 'compare' }, 'problem.firstNeeded'],
    [{ task: 'compare', first: 'everything' }, 'problem.selection'],
    [{ task: 'compare', first: 'cell type=cortex' }, 'problem.unknownLevel'],
    [{ task: 'compare', first: '@7:0,0 1,1 0,1' }, 'problem.selection'],
    [{ task: 'compare', first: '@0:900,900 901,901 900,901' }, 'problem.noCell'],
    [{ dataset: 'other', task: 'markers' }, 'problem.unknownDataset'],
  ])('%j is refused with %s', async (input, message) => {
    const failure = await ask(input).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PortalError)
    expect((failure as PortalError).messageId).toBe(message)
  })
})

test('ten million letters pasted for genes or for a selection are refused at their field', () => {
  const paste = 'AbCdE'.repeat(2_000_000)
  for (const field of ['first', 'second', 'genes']) {
    const { error } = tool.input.safeParse({ assembly: 'X1', [field]: paste })
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
  }
})

test('a line drawn around cells is read back from its text and holds what lies within, corners inwards too', () => {
  const points: [number, number][] = [
    [0, 0],
    [4, 0],
    [4, 4],
    [2, 1],
    [0, 4],
  ]
  const text = renderSelection({ kind: 'lasso', map: 1, points })
  expect(parseSelection(text)).toEqual({ kind: 'lasso', map: 1, points })
  expect([...cellsWithin(points, Float32Array.of(1, 1, 2, 3, 3.9, 3, 5, 1, Number.NaN, 0))]).toEqual([1, 0, 1, 0, 0])
  expect(parseSelection('@0:1,1 2,2')).toBeNull()
  expect(parseSelection('@0:1,1 2,2 x,3')).toBeNull()
  expect(parseSelection('cell type=')).toBeNull()
})
