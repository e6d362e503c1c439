import { basename } from 'node:path'
import {
  type CellColumn,
  type CellDefectCode,
  type CellEntries,
  CellFileError,
  type CellTable,
  columnOf,
} from '../../bio/expression/cell-table.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { splitCells } from '../../bio/text/table-cells.ts'
import { TableLines } from '../../bio/text/table-lines.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { readDecompressed } from '../decompressed.ts'

/** Values in memory at a time. */
const piece = 1 << 18

/** Throws CellFileError when the file is no text; what was read in another encoding goes to `log`. */
async function* readLines(file: string, log = new DefectLog(), isTable = true): AsyncGenerator<string> {
  let lines: string[] = []
  const name = basename(file)
  const rows = isTable ? new TableLines({ file: name, log, onLine: (line) => void lines.push(line) }) : null
  const onLine = (line: string, number: number) => (rows === null ? void lines.push(line) : rows.addLine(line, number))
  const reader = new LineReader({ file: name, log, onLine })
  const take = (): string[] => {
    const error = log.defects.find(({ severity }) => severity === 'error')
    // Lines and rows are read by readers that report text defects alone.
    if (error) throw new CellFileError(error.code as CellDefectCode, { ...error.params, line: error.line ?? 1 })
    const taken = lines
    lines = []
    return taken
  }
  for await (const bytes of readDecompressed(file)) {
    reader.push(bytes)
    yield* take()
  }
  reader.end()
  rows?.end()
  yield* take()
}

const readAll = async (file: string, log?: DefectLog): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of readLines(file, log)) if (line !== '') lines.push(line)
  return lines
}

const separatorOf = (line: string): string => (line.includes('\t') ? '\t' : ',')
const cellsOf = (line: string, separator: string): string[] =>
  splitCells(line, separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

const collect = (): { entries: CellEntries; add(cell: number, gene: number, value: number): boolean } => {
  const entries: CellEntries = {
    cells: new Uint32Array(piece),
    genes: new Uint32Array(piece),
    values: new Float64Array(piece),
    count: 0,
  }
  return {
    entries,
    add: (cell, gene, value) => {
      entries.cells[entries.count] = cell
      entries.genes[entries.count] = gene
      entries.values[entries.count] = value
      entries.count += 1
      return entries.count === piece
    },
  }
}

/** Matrix Market, coordinate format (math.nist.gov/MatrixMarket/formats.html): one-based row (gene), column (cell), value. */
async function* scanMarket(file: string, cells: number, genes: number): AsyncGenerator<CellEntries> {
  const { entries, add } = collect()
  let size: [number, number, number] | null = null
  let found = 0
  let number = 0
  for await (const line of readLines(file, undefined, false)) {
    number += 1
    if (number === 1 && !/^%%MatrixMarket matrix coordinate (real|integer) general/i.test(line))
      throw new CellFileError('cells-format', { format: line.slice(0, 60) })
    if (line === '' || line[0] === '%') continue
    const [row, column, value] = line.trim().split(/\s+/).map(Number)
    if (size === null) {
      size = [row!, column!, value!]
      if (row !== genes || column !== cells)
        throw new CellFileError('cells-inconsistent', {
          part: 'matrix.mtx',
          found: `${row} × ${column}`,
          expected: `${genes} × ${cells}`,
        })
      continue
    }
    if (!(row! >= 1 && row! <= genes && column! >= 1 && column! <= cells) || value === undefined)
      throw new CellFileError('cells-inconsistent', {
        part: `matrix.mtx:${number}`,
        found: line.slice(0, 40),
        expected: `1–${genes} 1–${cells}`,
      })
    found += 1
    if (value !== 0 && add(column! - 1, row! - 1, value)) {
      yield entries
      entries.count = 0
    }
  }
  if (size === null || found !== size[2])
    throw new CellFileError('cells-inconsistent', { part: 'matrix.mtx', found, expected: size?.[2] ?? '?' })
  yield entries
}

/** Opens 10x Genomics' matrix.mtx with its barcodes.tsv and features.tsv (or genes.tsv), gzipped or not. */
export const openTenXMatrix = async (
  matrix: string,
  beside: { barcodes: string; features: string },
): Promise<CellTable> => {
  const cells = (await readAll(beside.barcodes)).map((line) => line.split('\t')[0]!)
  const features = (await readAll(beside.features)).map((line) => line.split('\t'))
  return {
    layout: '10x MTX',
    cells,
    genes: features.map(([id, name, type]) =>
      type === undefined || type === 'Gene Expression' ? [id!, ...(name === undefined ? [] : [name])] : [],
    ),
    columns: [],
    left: [],
    coordinates: [],
    layers: [],
    scan: () => scanMarket(matrix, cells.length, features.length),
    close: () => {},
  }
}

async function* scanTable(file: string, indexes: readonly number[], separator: string): AsyncGenerator<CellEntries> {
  const { entries, add } = collect()
  let row = -1
  for await (const line of readLines(file)) {
    if (line === '') continue
    row += 1
    if (row === 0) continue
    const cells = cellsOf(line, separator)
    for (const [cell, index] of indexes.entries()) {
      const text = cells[index] ?? ''
      const value = text === '' || /^na$/i.test(text) ? Number.NaN : Number(text)
      if (Number.isNaN(value) && !/^(na|nan)?$/i.test(text))
        throw new CellFileError('cells-value', { value: text.slice(0, 40), line: row + 1 })
      if (value !== 0 && add(cell, row - 1, value)) {
        yield entries
        entries.count = 0
      }
    }
  }
  yield entries
}

/**
 * Opens a table of genes (rows) and cells (columns). Genes are named by the column `geneColumn`, the first when absent; cells are the
 * columns in `known`, or else all columns whose first value is a number.
 */
export const openCellText = async (
  file: string,
  geneColumn: string | undefined,
  known: ReadonlySet<string> | null,
  log?: DefectLog,
): Promise<CellTable> => {
  const names: string[] = []
  let heading: string[] = []
  let first: string[] | null = null
  let separator = '\t'
  let at = 0
  for await (const line of readLines(file, log)) {
    if (line === '') continue
    if (heading.length === 0) {
      separator = separatorOf(line)
      heading = cellsOf(line, separator)
      if (geneColumn !== undefined && !heading.includes(geneColumn))
        throw new CellFileError('cells-part-missing', { part: geneColumn })
      continue
    }
    const cells = cellsOf(line, separator)
    if (first === null) {
      first = cells
      // R writes no heading above the names of rows.
      if (heading.length === cells.length - 1) heading = ['', ...heading]
      at = geneColumn === undefined ? 0 : heading.indexOf(geneColumn)
    }
    if (cells.length !== heading.length)
      throw new CellFileError('cells-inconsistent', {
        part: `row ${names.length + 2}`,
        found: cells.length,
        expected: heading.length,
      })
    names.push(cells[at]!)
  }
  if (first === null) throw new CellFileError('cells-format', { format: 'TSV' })
  const values = first
  const indexes = [...heading.keys()].filter(
    (index) => index > at && (known === null ? Number.isFinite(Number(values[index])) : known.has(heading[index]!)),
  )
  return {
    layout: 'TSV',
    cells: indexes.map((index) => heading[index]!),
    genes: names.map((name) => [name]),
    columns: [],
    left: [],
    coordinates: [],
    layers: [],
    scan: () => scanTable(file, indexes, separator),
    close: () => {},
  }
}

/** A table of cells: its first column names them. Columns in the order of `cells`; `unknown` counts rows of other cells. */
export interface CellSheet {
  names: string[]
  /** `unknown` rows name no cell of these, `without` cells have no row. */
  columnsFor(cells: readonly string[]): { columns: CellColumn[]; left: string[]; unknown: number; without: number }
}

export const readCellSheet = async (file: string, log?: DefectLog): Promise<CellSheet> => {
  const lines = await readAll(file, log)
  const separator = separatorOf(lines[0] ?? '')
  const rows = lines.map((line) => cellsOf(line, separator))
  const heading = rows.shift() ?? []
  if (rows.length === 0) throw new CellFileError('cells-format', { format: 'TSV' })
  if (heading.length === rows[0]!.length - 1) heading.unshift('')
  const byName = new Map(rows.map((row) => [row[0]!, row]))
  return {
    names: [...byName.keys()],
    columnsFor: (cells) => {
      const columns: CellColumn[] = []
      const left: string[] = []
      for (const [index, name] of heading.entries()) {
        if (index === 0) continue
        const column = columnOf(
          name,
          cells.map((cell) => byName.get(cell)?.[index] ?? ''),
        )
        if (column === null) left.push(name)
        else columns.push(column)
      }
      const known = new Set(cells)
      return {
        columns,
        left,
        unknown: [...byName.keys()].filter((name) => !known.has(name)).length,
        without: cells.filter((cell) => !byName.has(cell)).length,
      }
    },
  }
}
