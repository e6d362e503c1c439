import { join } from 'node:path'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { readGeneList } from '../../kit/data/genes/gene-list.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { openMatrix } from '../../store/npy-matrix.ts'
import { openValues, type ValueFiles } from './bake-values.ts'
import { cellsWithin, parseSelection } from './selection.ts'
import { type BakedColumn, type CellDataset, cellFiles, singleCellData } from './stored.ts'

export const listCells = async (data: PortalData, assembly: string): Promise<CellDataset[]> =>
  (await data.listRecords<CellDataset>(singleCellData, { assembly })).map((record) => record.data)

export interface OpenCells {
  dataset: CellDataset
  genes: string[]
  rows: ReadonlyMap<string, number>
  file(path: string): string
  openValues(): Promise<ValueFiles>
  readCodes(column: BakedColumn): Promise<Uint16Array>
  readMap(map: number): Promise<Float32Array>
}

/** A data set of cells; the first when none is named. Rejects with NOT_FOUND when there is none, or none of that name. */
export const openCells = async (data: PortalData, assembly: string, asked: string | undefined): Promise<OpenCells> => {
  await data.getAssembly(assembly)
  const all = await listCells(data, assembly)
  if (all.length === 0) throw new PortalError('NOT_FOUND', { message: 'problem.noCells', params: { assembly } })
  const dataset = asked === undefined ? all[0] : all.find(({ id }) => id === asked)
  if (dataset === undefined) {
    const params = { dataset: asked!, names: all.map(({ id }) => id).join(', ') }
    throw new PortalError('NOT_FOUND', {
      message: 'problem.unknownDataset',
      params,
      problems: [{ path: ['dataset'], message: 'problem.unknownDataset', params }],
    })
  }
  const files = cellFiles(dataset.id)
  const directory = await data.bundleFiles(assembly, `${files.folder}/`)
  const file = (path: string): string => join(directory, path)
  const { genes, rows } = await readGeneList(file(files.genes))
  return {
    dataset,
    genes,
    rows,
    file,
    openValues: () => openValues({ values: file(files.values), cells: file(files.cells), starts: file(files.starts) }),
    readCodes: async (column) => {
      const matrix = await openMatrix(file(files.column(column.file)), '<u2')
      try {
        return await matrix.readCells(0, matrix.rows)
      } finally {
        await matrix.close()
      }
    },
    readMap: async (map) => {
      const matrix = await openMatrix(file(files.embedding(map)), '<f4')
      try {
        return await matrix.readCells(0, 2 * matrix.rows)
      } finally {
        await matrix.close()
      }
    },
  }
}

/** The column of names by which cells are grouped; the data set's own when none is named. */
export const chooseGroup = (
  dataset: CellDataset,
  asked: string | undefined,
  field: 'group' | 'split' = 'group',
): BakedColumn & { levels: object } => {
  const name = asked ?? dataset.group
  const column = dataset.columns.find((one) => one.name === name && one.levels !== null)
  if (column === undefined)
    throw fieldError([field], 'problem.unknownGroup', {
      group: name ?? '',
      names: dataset.columns
        .filter(({ levels }) => levels !== null)
        .map((one) => one.name)
        .join(', '),
    })
  return column as BakedColumn & { levels: object }
}

/** 1 for each cell of a selection. Rejects at the field when it cannot be read, names nothing there is, or holds no cell. */
export const readSelection = async (cells: OpenCells, field: string, text: string): Promise<Uint8Array> => {
  const { dataset } = cells
  const selection = parseSelection(text)
  if (selection === null) throw fieldError([field], 'problem.selection')
  let chosen: Uint8Array
  if (selection.kind === 'lasso') {
    if (selection.map >= dataset.embeddings.length) throw fieldError([field], 'problem.selection')
    chosen = cellsWithin(selection.points, await cells.readMap(selection.map))
  } else {
    const column = dataset.columns.find((one) => one.name === selection.column && one.levels !== null)
    const indexes = selection.levels.map((level) => column?.levels?.findIndex(({ name }) => name === level) ?? -1)
    if (column === undefined || indexes.includes(-1))
      throw fieldError([field], 'problem.unknownLevel', { text: text.slice(0, 80) })
    const wanted = new Set(indexes)
    chosen = Uint8Array.from(await cells.readCodes(column), (code) => (wanted.has(code) ? 1 : 0))
  }
  if (!chosen.includes(1)) throw fieldError([field], 'problem.noCell')
  return chosen
}
