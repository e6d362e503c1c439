import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
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
    dataset: given.records[0]?.data as CellDataset | undefined,
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
