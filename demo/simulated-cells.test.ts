import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTenXMatrix, readCellSheet } from '../src/store/cell-text.ts'
import { openValues, surveyValues, writeByGene } from '../src/tools/singlecellexpress/bake-values.ts'
import { findMarkers } from '../src/tools/singlecellexpress/compare.ts'
import { markersPerType, simulateCells } from './simulated-cells.ts'

test('the planted markers of every simulated type of cells are found again, from the files as they are loaded', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cells-'))
  try {
    const genes = Array.from({ length: 80 }, (_, at) => `g${at}`)
    const types = ['outer', 'core', 'tip']
    const made = simulateCells(genes, types, 40, 9)
    expect(simulateCells(genes, types, 40, 9)).toEqual(made)
    const at = (name: string): string => join(directory, name)
    for (const [name, lines] of Object.entries(made)) await writeFile(at(name), `${lines.join('\n')}\n`)
    const table = await openTenXMatrix(at('matrix'), { barcodes: at('barcodes'), features: at('features') })
    const { columns, unknown, without } = (await readCellSheet(at('cells'))).columnsFor(table.cells)
    expect([unknown, without]).toEqual([0, 0])
    const type = columns.find(({ name }) => name === 'cell type')!
    if (type.kind !== 'category') throw new Error('types are names')
    const { signal } = new AbortController()
    const survey = await surveyValues(table, signal)
    const files = { values: at('values.npy'), cells: at('cells.npy'), starts: at('starts.npy') }
    const rows = Int32Array.from(genes.keys())
    await writeByGene(table, survey, rows, genes.length, true, files, signal)
    const values = await openValues(files)
    const markers = await findMarkers(values, type.codes, [40, 40, 40], false, () => {}, signal)
    await values.close()
    for (const [level, found] of markers.entries()) {
      const planted = types.indexOf(type.levels[level]!)
      const first = found.slice(0, markersPerType).map(({ row }) => row)
      expect(first.sort((a, b) => a - b)).toEqual(
        Array.from({ length: markersPerType }, (_, gene) => planted * markersPerType + gene),
      )
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
