import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import { expressionFiles } from '../../kit/data/expression-data.ts'
import { openMatrix } from '../../store/npy-matrix.ts'
import { makeBakeContext } from '../../testing/contexts.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { openValues } from './bake-values.ts'
import loader from './load.ts'
import { type CellDataset, cellFiles, singleCellData } from './stored.ts'

const root = mkdtempSync(join(tmpdir(), 'novodb-cells-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const golden = join(import.meta.dirname, '../../store/golden')

let number = 0
/** Bakes an entry of species.yaml outside a bundle; genes are known by `findGene`. */
const bake = async (entry: Record<string, unknown>, findGene: (name: string) => string | null) => {
  number += 1
  const directory = mkdtempSync(join(root, `bundle${number}-`))
  const { context, baked: given } = makeBakeContext({
    directory,
    findFile: async (path) => (existsSync(path) ? path : null),
    findGene,
  })
  const value = loader.schema!.parse([{ id: 'made', name: 'Made', ...entry }])
  const counts = await loader.bake(value, context)
  for (const path of given.files) expect(existsSync(join(directory, path)) && !isAbsolute(path)).toBe(true)
  const baked = cellFiles('made')
  const at = (path: string): string => join(directory, path)
  return {
    counts,
    codes: given.defects.map(({ code }) => code).sort(),
    dataset: given.records.find(({ kind }) => kind === singleCellData)?.data as CellDataset | undefined,
    records: given.records,
    directory,
    genes: () => readFileSync(at(baked.genes), 'utf8').split('\n').slice(0, -1),
    values: () => openValues({ values: at(baked.values), cells: at(baked.cells), starts: at(baked.starts) }),
    column: async (file: number) => {
      const matrix = await openMatrix(at(baked.column(file)), '<u2')
      const cells = await matrix.readCells(0, matrix.rows)
      await matrix.close()
      return cells
    },
  }
}

describe('loading cells', () => {
  test('counts become logarithms per ten thousand of the cell, all genes in the sum; values are kept gene by gene', async () => {
    const made = await bake({ file: join(golden, 'cells-csc.h5ad') }, (name) =>
      /^S([0-9]|10)$/.test(name) ? name : null,
    )
    expect(made.counts).toEqual({ [singleCellData]: 1 })
    expect(made.codes).toEqual(['cells-columns-left', 'cells-genes-unknown'])
    expect(made.dataset).toMatchObject({ cellCount: 30, geneCount: 11, values: 'normalised', group: 'cell_type' })
    expect(made.dataset!.columns.find(({ name }) => name === 'cell_type')).toMatchObject({ missing: 1 })
    expect(
      made.dataset!.columns.find(({ name }) => name === 'cell_type')!.levels!.map(({ name }) => name),
    ).not.toContain('unused')
    expect(made.genes()[9]).toBe('S9')
    const values = await made.values()
    const { cells, values: found } = await values.read(9)
    // c1: 5 of a sum of 9, one of which is of the gene that is not known.
    expect(found[cells.indexOf(1)]).toBeCloseTo(Math.log1p((5 * 10_000) / 9), 5)
    expect([...cells]).toEqual([...cells].sort((a, b) => a - b))
    await values.close()
  })

  test('scaled values give way to raw ones', async () => {
    const made = await bake({ file: join(golden, 'cells-dense.h5ad') }, (name) => name)
    expect(made.codes).toContain('cells-raw-used')
    expect(made.dataset).toMatchObject({ values: 'normalised', valueCount: 203 })
  })

  test('genes of another species, a file that is none, and a sheet of other cells load nothing and say why', async () => {
    const csc = join(golden, 'cells-csc.h5ad')
    expect(await bake({ file: csc }, () => null)).toMatchObject({ counts: {}, codes: ['cells-no-genes'] })
    const one = await bake({ file: csc }, (name) => (name === 'S1' ? name : null))
    expect(one).toMatchObject({ counts: {}, codes: ['cells-genes-unknown', 'rows-unknown'] })
    expect(await bake({ file: import.meta.filename }, () => null)).toMatchObject({ counts: {} })
    const other = await bake({ file: csc, metadata: join(golden, 'tabix-1.16.txt') }, (name) => name)
    expect(other.counts).toEqual({})
  })
})

describe('pseudo-bulk samples', () => {
  // 48 cells of four donors, two a condition; gene b of the type root is twice as high in the treated ones.
  const donorOf = (cell: number): string => `d${(cell % 4) + 1}`
  const typeOf = (cell: number): string => (cell < 47 ? (cell % 8 < 4 ? 'leaf, young' : 'root') : 'rare')
  const cells = Array.from({ length: 48 }, (_, cell) => cell)
  const countOf = (gene: number, cell: number): number => (cell % 3) + (gene === 1 && cell % 4 > 1 ? 5 : gene)
  const matrix = join(root, 'pseudo.tsv')
  const sheet = join(root, 'pseudo-cells.tsv')
  const lines = (rows: (string | number)[][]): string => rows.map((row) => `${row.join('\t')}\n`).join('')
  writeFileSync(
    matrix,
    lines([
      ['gene', ...cells.map((cell) => `c${cell}`)],
      ...['a', 'b', 'other'].map((name, gene) => [name, ...cells.map((cell) => countOf(gene, cell))]),
    ]),
  )
  writeFileSync(
    sheet,
    lines([
      ['cell', 'cell type', 'donor', 'treatment', 'phase'],
      ...cells.map((cell) => [`c${cell}`, typeOf(cell), donorOf(cell), cell % 4 > 1 ? 'salt' : 'mock', `p${cell % 3}`]),
    ]),
  )
  const find = (name: string): string | null => (name === 'other' ? null : name)

  test('are sums over the cells of each donor and type; what is the same in a donor is a factor of it', async () => {
    const made = await bake({ file: matrix, metadata: sheet, pseudobulk: { minCells: 5 } }, find)
    expect(made.counts).toEqual({ [singleCellData]: 1, expression: 1 })
    expect(made.codes).toContain('cells-pseudobulk-made')
    const record = made.records.find(({ kind }) => kind === 'expression')!
    const dataset = record.data as ExpressionDataset
    expect(dataset).toMatchObject({ id: 'made+pseudobulk', unit: 'counts', geneCount: 2, group: 'cell type' })
    expect(dataset.factors.map(({ name }) => name)).toEqual(['treatment', 'cell type', 'donor'])
    // A name with a comma could not be typed in a list of samples.
    expect(dataset.samples.map(({ id }) => id)).toEqual([
      'd1 / leaf young',
      'd1 / root',
      'd2 / leaf young',
      'd2 / root',
      'd3 / leaf young',
      'd3 / root',
      'd4 / leaf young',
      'd4 / root',
    ])
    const wanted = dataset.samples.map(({ factors }) => {
      const own = cells.filter((cell) => donorOf(cell) === factors.donor && typeOf(cell) === factors['cell type'])
      const sum = (genes: number[]) =>
        own.reduce((total, cell) => total + genes.reduce((of, gene) => of + countOf(gene, cell), 0), 0)
      return {
        values: [sum([0]), sum([1])],
        sum: sum([0, 1, 2]),
        treatment: /[34]/.test(factors.donor!) ? 'salt' : 'mock',
      }
    })
    expect(dataset.samples.map(({ sum }) => sum)).toEqual(wanted.map(({ sum }) => sum))
    expect(dataset.samples.map(({ factors }) => factors.treatment)).toEqual(wanted.map(({ treatment }) => treatment))
    const values = await openMatrix(join(made.directory, expressionFiles(dataset.id).values), '<f4')
    expect([...(await values.readRows([0]))[0]!]).toEqual(wanted.map((one) => one.values[0]))
    expect([...(await values.readRows([1]))[0]!]).toEqual(wanted.map((one) => one.values[1]))
    await values.close()
    expect(
      readFileSync(join(made.directory, 'expression/made+pseudobulk/made+pseudobulk.matrix.tsv'), 'utf8'),
    ).toContain('gene\td1 / leaf young\t')
  })

  test('are not made where nobody wants them, and where they cannot be, that is said to those who asked', async () => {
    expect((await bake({ file: matrix, metadata: sheet, pseudobulk: false }, find)).counts).toEqual({
      [singleCellData]: 1,
    })
    const without = await bake({ file: matrix, metadata: sheet, pseudobulk: { replicate: 'plot' } }, find)
    expect(without.codes).toContain('cells-pseudobulk-column')
    const few = await bake({ file: matrix, metadata: sheet, pseudobulk: { minCells: 40 } }, find)
    expect(few.codes).toContain('cells-pseudobulk-few')
    expect(few.counts).toEqual({ [singleCellData]: 1 })
    const logged = await bake({ file: matrix, metadata: sheet, values: 'log', pseudobulk: { minCells: 5 } }, find)
    expect(logged.codes).toContain('cells-pseudobulk-counts')
  })
})

describe.skipIf(!hasRealData)('loading real cells', () => {
  test('yeast: 127 cells without a map or clusters get both, alike each time', async () => {
    const entry = {
      file: join(realData, 'yeast/singlecell/nadal_ribelles2019_rawCounts.tab.gz'),
      geneColumn: 'geneName',
    }
    const orf = (name: string): string | null => (/^Y[A-P][LR]\d{3}[CW](-[A-Z])?$/.test(name) ? name : null)
    const made = await bake(entry, orf)
    expect(made.codes).toEqual([
      'cells-clusters-computed',
      'cells-genes-repeated',
      'cells-genes-unknown',
      'cells-map-computed',
    ])
    expect(made.dataset).toMatchObject({ cellCount: 127, values: 'normalised', group: 'Louvain' })
    expect(made.dataset!.geneCount).toBeGreaterThan(5000)
    expect(made.dataset!.embeddings).toEqual([{ name: 'UMAP', file: 0, computed: true, sampled: null }])
    const [column] = made.dataset!.columns
    expect(column).toMatchObject({ name: 'Louvain', computed: true })
    expect(column!.levels!.length).toBeGreaterThan(1)
    const again = await bake(entry, orf)
    expect(await again.column(0)).toEqual(await made.column(0))
  })

  test('mouse dentate gyrus: sums of a layer of counts by age and cluster are those of scipy', async () => {
    const made = await bake(
      {
        file: join(realData, 'formats/singlecell/cellrank_adata_100.h5ad'),
        layer: 'spliced',
        values: 'counts',
        pseudobulk: { replicate: 'age(days)', group: 'clusters', minCells: 3 },
      },
      (name) => name,
    )
    const dataset = made.records.find(({ kind }) => kind === 'expression')!.data as ExpressionDataset
    const found = Object.fromEntries(dataset.samples.map(({ id, sum }) => [id, sum]))
    // By scipy.sparse on the file's CSR arrays: the sum of all genes of each pair of at least three cells.
    const wanted = {
      '12 / Astrocytes': 1315.836,
      '12 / Granule immature': 6928.705,
      '12 / Neuroblast': 4585.97,
      '35 / Granule immature': 7194.716,
      '35 / Granule mature': 14532.462,
      '35 / OL': 940.474,
    }
    expect(Object.keys(found).sort()).toEqual(Object.keys(wanted).sort())
    for (const [id, sum] of Object.entries(wanted)) expect(found[id]).toBeCloseTo(sum, 2)
  })

  test('the oldest AnnData: its own maps and clusters are kept, missing values are told', async () => {
    const made = await bake({ file: join(realData, 'formats/singlecell/cellxgene_nan.h5ad') }, (name) => name)
    expect(made.codes).toContain('cells-values-missing')
    expect(made.dataset!.embeddings.map(({ name, computed }) => [name, computed])).toEqual([
      ['UMAP', false],
      ['t-SNE', false],
    ])
    expect(made.dataset!.group).toBe('louvain')
  })
})
