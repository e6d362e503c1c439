import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { CellTable } from '../../bio/expression/cell-table.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { openCellHdf5 } from './cell-hdf5.ts'
import { openCellText, openTenXMatrix, readCellSheet } from './cell-text.ts'

// golden/cells-*.h5ad: written by anndata 0.8.0 with h5py 3.7.0, 30 cells x 12 genes of numpy.random.RandomState(3).poisson(0.8):
// CSC in X; a dense scaled X with a CSR raw; CSR packed by LZF. cells-10x-v2.h5: the same counts by h5py in Cell Ranger 2's layout
// (scipy.sparse.csc_matrix of genes x cells in a group named by its genome). Expected numbers are numpy's.
const golden = (name: string): string => join(import.meta.dirname, '../golden', name)
const shared = join(realData, 'formats/singlecell')
const root = mkdtempSync(join(tmpdir(), 'novodb-cells-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const total = async (
  table: CellTable,
): Promise<{ sum: number; count: number; unreadable: number; rows: number[][] }> => {
  const rows = table.cells.map(() => table.genes.map(() => 0))
  let sum = 0
  let found = 0
  let unreadable = 0
  for await (const { cells, genes, values, count } of table.scan())
    for (let at = 0; at < count; at += 1) {
      if (!Number.isFinite(values[at]!)) unreadable += 1
      else {
        sum += values[at]!
        found += 1
        rows[cells[at]!]![genes[at]!] = values[at]!
      }
    }
  return { sum, count: found, unreadable, rows }
}

describe('AnnData', () => {
  test('compressed by gene: values, categories with a missing and an unused one, numbers, truth values, nullable numbers', async () => {
    const table = await openCellHdf5(golden('cells-csc.h5ad'))
    expect(table).toMatchObject({ layout: 'AnnData CSC', left: ['barcode'], layers: [] })
    expect(table.cells.slice(0, 2)).toEqual(['c0', 'c1'])
    expect(table.genes[11]).toEqual(['G11', 'S11'])
    expect(table.coordinates.map(({ name, width }) => [name, width])).toEqual([['X_umap', 2]])
    const { sum, count, rows } = await total(table)
    expect([sum, count]).toEqual([285, 203])
    expect(rows[1]).toEqual([1, 0, 0, 1, 0, 1, 0, 0, 0, 5, 0, 1])
    const column = (name: string) => table.columns.find((one) => one.name === name)!
    const type = column('cell_type')
    expect(type.kind === 'category' && [...type.codes.subarray(0, 6)].map((code) => type.levels[code])).toEqual([
      'phloem',
      'phloem',
      'xylem',
      'xylem',
      undefined,
      'root hair',
    ])
    const good = column('good')
    expect(good.kind === 'category' && good.levels[good.codes[1]!]).toBe('true')
    const batch = column('batch')
    expect(batch.kind === 'number' && [...batch.values.subarray(0, 3)]).toEqual([1, 2, Number.NaN])
    table.close()
  })

  test('dense, and raw beside it', async () => {
    const scaled = await openCellHdf5(golden('cells-dense.h5ad'))
    expect(scaled.layers).toEqual(['raw'])
    const { sum, count } = await total(scaled)
    expect(Math.abs(sum)).toBeLessThan(1e-4)
    expect(count).toBe(360)
    scaled.close()
    const raw = await openCellHdf5(golden('cells-dense.h5ad'), 'raw')
    expect((await total(raw)).sum).toBe(285)
    raw.close()
  })

  test('a filter that cannot be undone is named, instead of reading garbage', async () => {
    await expect(openCellHdf5(golden('cells-lzf.h5ad'))).rejects.toMatchObject({ code: 'cells-filter' })
  })

  test('a file cut off anywhere, as by a full disc, is told: it neither hangs nor gives garbage', async () => {
    const whole = readFileSync(golden('cells-csc.h5ad'))
    for (const part of [0.999, 0.75, 0.5, 0.2, 0.02]) {
      const file = join(root, `cut-${part}.h5ad`)
      writeFileSync(file, whole.subarray(0, Math.floor(whole.length * part)))
      await expect(openCellHdf5(file).then(total), String(part)).rejects.toMatchObject({ code: 'truncated' })
    }
  })

  test('what is no HDF5, and a layer that is not there, are told', async () => {
    writeFileSync(join(root, 'no.h5ad'), 'cell,gene\n')
    await expect(openCellHdf5(join(root, 'no.h5ad'))).rejects.toMatchObject({ code: 'cells-format' })
    await expect(openCellHdf5(golden('cells-csc.h5ad'), 'counts')).rejects.toMatchObject({
      code: 'cells-part-missing',
      params: { part: 'layers/counts' },
    })
  })
})

test('10x Genomics’ HDF5 of version 2: a group named by the genome, genes by id and symbol', async () => {
  const table = await openCellHdf5(golden('cells-10x-v2.h5'))
  expect(table).toMatchObject({ layout: '10x HDF5', left: [], coordinates: [] })
  expect([table.cells[1], table.genes[11]]).toEqual(['C1-1', ['G11', 'S11']])
  const { sum, count, rows } = await total(table)
  expect([sum, count]).toEqual([285, 203])
  expect(rows[1]).toEqual([1, 0, 0, 1, 0, 1, 0, 0, 0, 5, 0, 1])
  table.close()
})

describe.skipIf(!hasRealData)('files of other programs', () => {
  test('AnnData 0.7 of mouse dentate gyrus: categories kept aside, three layers, 12 cell types', async () => {
    const table = await openCellHdf5(join(shared, 'cellrank_adata_100.h5ad'))
    expect([table.cells.length, table.genes.length]).toEqual([100, 278])
    const clusters = table.columns.find(({ name }) => name === 'clusters')!
    expect(clusters.kind === 'category' && clusters.levels).toHaveLength(12)
    expect(table.coordinates.map(({ name }) => name).sort()).toEqual(['X_diffmap', 'X_pca', 'X_umap'])
    expect((await total(table)).count).toBe(12_602)
    table.close()
  })

  test('the oldest layout of AnnData, tables in one piece, with genes whose numbers are missing', async () => {
    const table = await openCellHdf5(join(shared, 'cellxgene_nan.h5ad'))
    expect(table.cells[0]).toBe('AAACATACAACCAC-1')
    expect(table.coordinates.map(({ name, width }) => [name, width])).toEqual([
      ['X_pca', 50],
      ['X_tsne', 2],
      ['X_umap', 2],
    ])
    const louvain = table.columns.find(({ name }) => name === 'louvain')!
    expect(louvain.kind === 'category' && louvain.levels).toHaveLength(8)
    expect((await total(table)).unreadable).toBeGreaterThan(0)
    table.close()
  })

  test('10x Genomics’ HDF5 of version 3', async () => {
    const table = await openCellHdf5(join(shared, 'scanpy_10x_v3_filtered_feature_bc_matrix.h5'))
    expect(table.layout).toBe('10x HDF5')
    expect(table.cells).toHaveLength(1107)
    expect((await total(table)).count).toBe(23_866)
    table.close()
  })
})

describe('texts', () => {
  const write = (name: string, text: string): string => {
    writeFileSync(join(root, name), name.endsWith('.gz') ? gzipSync(text) : text)
    return join(root, name)
  }
  const beside = {
    barcodes: write('barcodes.tsv.gz', 'AAA-1\nCCC-1\n'),
    features: write(
      'features.tsv',
      'g1\tabcA\tGene Expression\ng2\tkinB\tGene Expression\nCD3\tCD3\tAntibody Capture\n',
    ),
  }

  test('a 10x folder: genes by id and symbol, antibodies without a name, cells in any order', async () => {
    const matrix = write(
      'matrix.mtx.gz',
      '%%MatrixMarket matrix coordinate integer general\n%made\n3 2 3\n1 2 5\n1 1 4\n3 1 9\n',
    )
    const table = await openTenXMatrix(matrix, beside)
    expect(table.genes).toEqual([['g1', 'abcA'], ['g2', 'kinB'], []])
    expect((await total(table)).rows).toEqual([
      [4, 0, 9],
      [5, 0, 0],
    ])
  })

  test('a matrix of another size, with a gene beyond it, or cut off, is refused', async () => {
    const head = '%%MatrixMarket matrix coordinate integer general\n'
    for (const body of ['3 3 1\n1 1 1\n', '3 2 1\n4 1 1\n', '3 2 2\n1 1 1\n'])
      await expect(total(await openTenXMatrix(write('bad.mtx', head + body), beside))).rejects.toMatchObject({
        code: 'cells-inconsistent',
      })
  })

  test('a table of genes and cells, and a sheet of its cells', async () => {
    const file = write('table.tsv', 'ID\tgene\tcommon\tc1\tc2\n1\tg1\tabcA\t0\t3\n2\tg2\tkinB\tNA\t1.5\n')
    const table = await openCellText(file, 'gene', null)
    expect(table.cells).toEqual(['c1', 'c2'])
    expect(table.genes).toEqual([['g1'], ['g2']])
    expect(await total(table)).toMatchObject({ sum: 4.5, unreadable: 1 })
    const sheet = await readCellSheet(write('cells.csv', 'cell,type,cluster,depth\nc2,xylem,1,0.5\nc9,phloem,2,1\n'))
    const reported = sheet.columnsFor(table.cells)
    expect([reported.unknown, reported.without]).toEqual([1, 1])
    expect(reported.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ['type', 'category'],
      ['cluster', 'category'],
      ['depth', 'number'],
    ])
    const broken = write('broken.tsv', 'gene\tc1\ng1\t1\ng2\tmuch\n')
    await expect(total(await openCellText(broken, undefined, null))).rejects.toMatchObject({ code: 'cells-value' })
  })
})
