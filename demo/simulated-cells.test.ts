import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTenXMatrix, readCellSheet } from '../src/store/cells/cell-text.ts'
import { openValues, surveyValues, writeByGene } from '../src/tools/singlecellexpress/bake-values.ts'
import { findMarkers } from '../src/tools/singlecellexpress/compare.ts'
import { computeFromValues } from '../src/tools/singlecellexpress/compute-embedding.ts'
import { type PlantedTime, type PlantedType, simulateCells } from './simulated-cells.ts'
import { simulatedCourse, simulatedStates } from './tuberculosis.ts'

interface Made {
  cells: number
  elsewhere: number
  times?: readonly PlantedTime[]
}

/** Simulated cells through the files as they are loaded: their types and the values gene by gene. */
const load = async (genes: string[], types: readonly PlantedType[], options: Made) => {
  const directory = await mkdtemp(join(tmpdir(), 'cells-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const made = simulateCells(genes, types, options, 9)
  const at = (name: string): string => join(directory, name)
  for (const [name, lines] of Object.entries(made)) await writeFile(at(name), `${lines.join('\n')}\n`)
  const table = await openTenXMatrix(at('matrix'), { barcodes: at('barcodes'), features: at('features') })
  const { columns, unknown, without } = (await readCellSheet(at('cells'))).columnsFor(table.cells)
  expect([unknown, without]).toEqual([0, 0])
  const categoryOf = (name: string) => {
    const column = columns.find((one) => one.name === name)
    return column?.kind === 'category' ? column : null
  }
  const { signal } = new AbortController()
  const survey = await surveyValues(table, signal)
  const files = { values: at('values.npy'), cells: at('cells.npy'), starts: at('starts.npy') }
  await writeByGene(table, survey, Int32Array.from(genes.keys()), genes.length, true, files, signal)
  const values = await openValues(files)
  onTestFinished(() => values.close())
  return { type: categoryOf('cell type')!, time: categoryOf('time'), values, signal }
}

const find = async (genes: string[], types: readonly PlantedType[], options: Made) => {
  const loaded = await load(genes, types, options)
  const { type, values, signal } = loaded
  const sizes = type.levels.map((_, level) => type.codes.filter((code) => code === level).length)
  const markers = await findMarkers(values, type.codes, sizes, 'bh', false, () => {}, signal)
  for (const [level, rows] of markers.entries()) {
    const planted = types.find(({ name }) => name === type.levels[level])!.markers
    const first = rows.slice(0, planted.length).map(({ row }) => genes[row]!)
    expect(first.sort()).toEqual([...planted].sort())
  }
  return loaded
}

test('the planted markers of every simulated type of cells are found again, from the files as they are loaded', async () => {
  const genes = Array.from({ length: 80 }, (_, at) => `g${at}`)
  const types = ['outer', 'core', 'tip'].map((name, at) => ({ name, markers: genes.slice(at * 12, (at + 1) * 12) }))
  const options = { cells: 120, elsewhere: 0.5 }
  expect(simulateCells(genes, types, options, 9)).toEqual(simulateCells(genes, types, options, 9))
  await find(genes, types, options)
})

test('the states planted in the tuberculosis genome are found again: their markers, as clusters that know nothing of them, and in time', async () => {
  const markers = simulatedStates.flatMap((state) => state.markers)
  expect(new Set(markers).size).toBe(48)
  const genes = [...markers, ...Array.from({ length: 1952 }, (_, at) => `other${at}`)]
  const cells = 600
  const { type, time, values, signal } = await find(genes, simulatedStates, { ...simulatedCourse, cells })
  const made = await computeFromValues(values, cells, null, { embedding: false, clusters: true }, () => {}, signal)
  // Cells of a cluster are of one state, save few.
  const counts = new Map<number, number[]>()
  for (const [cell, cluster] of made!.clusters!.entries()) {
    const own = counts.get(cluster) ?? type.levels.map(() => 0)
    own[type.codes[cell]!]! += 1
    counts.set(cluster, own)
  }
  const pure = [...counts.values()].reduce((sum, own) => sum + Math.max(...own), 0)
  expect(pure / cells).toBeGreaterThan(0.95)
  const growing = (name: string): number => {
    const own = [...time!.codes.keys()].filter((cell) => time!.levels[time!.codes[cell]!] === name)
    return own.filter((cell) => type.levels[type.codes[cell]!] === 'growing').length / own.length
  }
  expect(growing('0 h')).toBeGreaterThan(0.85)
  expect(growing('72 h')).toBeLessThan(0.2)
})
