import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTenXMatrix, readCellSheet } from '../src/store/cells/cell-text.ts'
import { openValues, surveyValues, writeByGene } from '../src/tools/singlecellexpress/bake-values.ts'
import { findMarkers } from '../src/tools/singlecellexpress/compare.ts'
import { computeFromValues } from '../src/tools/singlecellexpress/compute-embedding.ts'
import { type PlantedType, simulateCells } from './simulated-cells.ts'
import { simulatedStates } from './tuberculosis.ts'

/** Simulated cells through the files as they are loaded: their types and the values gene by gene. */
const load = async (genes: string[], types: readonly PlantedType[], cellsPerType: number, elsewhere: number) => {
  const directory = await mkdtemp(join(tmpdir(), 'cells-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const made = simulateCells(genes, types, { cellsPerType, elsewhere }, 9)
  expect(simulateCells(genes, types, { cellsPerType, elsewhere }, 9)).toEqual(made)
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
  await writeByGene(table, survey, Int32Array.from(genes.keys()), genes.length, true, files, signal)
  const values = await openValues(files)
  onTestFinished(() => values.close())
  return { type, values, signal }
}

const found = async (genes: string[], types: readonly PlantedType[], cellsPerType: number, elsewhere: number) => {
  const { type, values, signal } = await load(genes, types, cellsPerType, elsewhere)
  const sizes = types.map(() => cellsPerType)
  const markers = await findMarkers(values, type.codes, sizes, 'bh', false, () => {}, signal)
  for (const [level, rows] of markers.entries()) {
    const planted = types.find(({ name }) => name === type.levels[level])!.markers
    const first = rows.slice(0, planted.length).map(({ row }) => genes[row]!)
    expect(first.sort()).toEqual([...planted].sort())
  }
  return { type, values, signal }
}

test('the planted markers of every simulated type of cells are found again, from the files as they are loaded', async () => {
  const genes = Array.from({ length: 80 }, (_, at) => `g${at}`)
  const types = ['outer', 'core', 'tip'].map((name, at) => ({ name, markers: genes.slice(at * 12, (at + 1) * 12) }))
  await found(genes, types, 40, 0.5)
})

test('the states planted in the tuberculosis genome are found again: their markers, and as clusters that know nothing of them', async () => {
  const markers = simulatedStates.flatMap((state) => state.markers)
  expect(new Set(markers).size).toBe(48)
  const genes = [...markers, ...Array.from({ length: 3942 }, (_, at) => `other${at}`)]
  const { type, values, signal } = await found(genes, simulatedStates, 60, 0.3)
  const made = await computeFromValues(values, 240, null, { embedding: false, clusters: true }, () => {}, signal)
  const pairs = new Set(made!.clusters!.map((cluster, cell) => `${cluster} ${type.codes[cell]}`))
  expect([...pairs].sort()).toHaveLength(4)
})
