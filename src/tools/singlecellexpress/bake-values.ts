import type { CellTable } from '../../bio/expression/cell-table.ts'
import { createColumn, type MatrixFile, openMatrix, writeMatrix } from '../../store/npy-matrix.ts'

/** Counts are made counts per this many of their cell before the logarithm, as scanpy's tutorials and Seurat have it. */
export const perCell = 10_000
/** Memory for values on their way from the cells' order to the genes'. */
const bufferBytes = 96 << 20

export interface Survey {
  /** Sum of all genes in each cell. */
  sums: Float64Array
  /** Values of each gene of the file that are not zero. */
  counts: Float64Array
  whole: boolean
  negative: boolean
  max: number
  /** Values that are no finite number; they count as zero. */
  unreadable: number
}

/** Goes through all values once. */
export const surveyValues = async (table: CellTable, signal: AbortSignal): Promise<Survey> => {
  const survey: Survey = {
    sums: new Float64Array(table.cells.length),
    counts: new Float64Array(table.genes.length),
    whole: true,
    negative: false,
    max: 0,
    unreadable: 0,
  }
  for await (const { cells, genes, values, count } of table.scan()) {
    signal.throwIfAborted()
    for (let at = 0; at < count; at += 1) {
      const value = values[at]!
      if (!Number.isFinite(value)) survey.unreadable += 1
      else if (value !== 0) {
        survey.sums[cells[at]!]! += value
        survey.counts[genes[at]!]! += 1
        if (value < 0) survey.negative = true
        if (value > survey.max) survey.max = value
        if (survey.whole && !Number.isInteger(value)) survey.whole = false
      }
    }
  }
  return survey
}

/**
 * Writes values gene by gene, whatever order the file has them in: each gene's place is known from the survey, and small buffers are
 * written there as they fill, so that memory stays the same for any number of cells. `rows` says which row a gene of the file becomes,
 * -1 for none. Gives the number of values.
 */
export const writeByGene = async (
  table: CellTable,
  survey: Survey,
  rows: Int32Array,
  geneCount: number,
  normalise: boolean,
  files: { values: string; cells: string; starts: string },
  signal: AbortSignal,
): Promise<number> => {
  const starts = new Float64Array(geneCount + 1)
  for (const [gene, row] of rows.entries()) if (row >= 0) starts[row + 1] = survey.counts[gene]!
  for (let row = 0; row < geneCount; row += 1) starts[row + 1]! += starts[row]!
  const total = starts[geneCount]!
  await writeMatrix(files.starts, '<f8', geneCount + 1, 1, (row, into) => {
    into[0] = starts[row]!
  })
  const slots = Math.max(8, Math.min(4096, Math.floor(bufferBytes / 8 / Math.max(1, geneCount))))
  const cellBuffer = new Uint32Array(geneCount * slots)
  const valueBuffer = new Float32Array(geneCount * slots)
  const filled = new Uint16Array(geneCount)
  const written = Float64Array.from(starts.subarray(0, geneCount))
  const lastCell = new Float64Array(geneCount).fill(-1)
  const unsorted = new Set<number>()
  const cellColumn = createColumn(files.cells, '<u4', total)
  const valueColumn = createColumn(files.values, '<f4', total)
  const flush = (row: number): void => {
    const from = row * slots
    const to = from + filled[row]!
    cellColumn.write(cellBuffer.subarray(from, to), written[row]!)
    valueColumn.write(valueBuffer.subarray(from, to), written[row]!)
    written[row]! += filled[row]!
    filled[row] = 0
  }
  try {
    for await (const { cells, genes, values, count } of table.scan()) {
      signal.throwIfAborted()
      for (let at = 0; at < count; at += 1) {
        const row = rows[genes[at]!]!
        const value = values[at]!
        if (row < 0 || value === 0 || !Number.isFinite(value)) continue
        const cell = cells[at]!
        if (cell < lastCell[row]!) unsorted.add(row)
        lastCell[row] = cell
        const sum = survey.sums[cell]!
        const index = row * slots + filled[row]!
        cellBuffer[index] = cell
        valueBuffer[index] = normalise ? Math.log1p((value * perCell) / sum) : value
        filled[row]! += 1
        if (filled[row] === slots) flush(row)
      }
    }
    for (let row = 0; row < geneCount; row += 1) if (filled[row]! > 0) flush(row)
    if (unsorted.size > 0) {
      const cellFile = await openMatrix(files.cells, '<u4')
      const valueFile = await openMatrix(files.values, '<f4')
      try {
        for (const row of unsorted) {
          const count = starts[row + 1]! - starts[row]!
          const cells = await cellFile.readCells(starts[row]!, count)
          const values = await valueFile.readCells(starts[row]!, count)
          const order = Uint32Array.from({ length: count }, (_, at) => at).sort((a, b) => cells[a]! - cells[b]!)
          cellColumn.write(
            Uint32Array.from(order, (at) => cells[at]!),
            starts[row]!,
          )
          valueColumn.write(
            Float32Array.from(order, (at) => values[at]!),
            starts[row]!,
          )
        }
      } finally {
        await cellFile.close()
        await valueFile.close()
      }
    }
  } finally {
    cellColumn.close()
    valueColumn.close()
  }
  return total
}

export interface GeneValues {
  cells: Uint32Array
  values: Float32Array
}

export interface ValueFiles {
  starts: Float64Array
  read(row: number): Promise<GeneValues>
  close(): Promise<void>
}

/** Opens what `writeByGene` wrote; only the genes asked for are read. */
export const openValues = async (files: { values: string; cells: string; starts: string }): Promise<ValueFiles> => {
  const opened: MatrixFile[] = []
  try {
    const startFile = await openMatrix(files.starts, '<f8')
    opened.push(startFile)
    const starts = await startFile.readCells(0, startFile.rows)
    const cells = await openMatrix(files.cells, '<u4')
    opened.push(cells)
    const values = await openMatrix(files.values, '<f4')
    opened.push(values)
    return {
      starts,
      read: async (row) => {
        const count = starts[row + 1]! - starts[row]!
        return {
          cells: await cells.readCells(starts[row]!, count),
          values: await values.readCells(starts[row]!, count),
        }
      },
      close: async () => {
        for (const file of opened) await file.close()
      },
    }
  } catch (error) {
    for (const file of opened) await file.close()
    throw error
  }
}
