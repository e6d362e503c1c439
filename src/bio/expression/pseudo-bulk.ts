import { type CellColumn, type CellEntries, noLevel } from './cell-table.ts'

/**
 * Cells summed to samples: cells of one replicate and one type make a sample, as tests between conditions need them, for cells of one
 * replicate are no replicates of each other (Crowell et al. 2020, doi:10.1038/s41467-020-19894-4; Squair et al. 2021,
 * doi:10.1038/s41467-021-25960-2).
 */
export interface PseudoBulkPlan {
  /** Names of the columns; `group` is null where cells are summed over all types. */
  replicate: string
  group: string | null
  /** A level for each of the factors in {@link PseudoBulkPlan.factors}, by its name; `''` where nothing is said. */
  samples: { replicate: string; group: string | null; cells: number; factors: Record<string, string> }[]
  factors: string[]
  /** Sample of each cell, -1 of those that are in none. */
  sampleOf: Int32Array
  /** Pairs of a replicate and a type that have too few cells, with how many cells they have together. */
  left: { samples: number; cells: number }
}

type CategoryColumn = Extract<CellColumn, { kind: 'category' }>

/** Names that columns of biological replicates have, the surest first. */
const replicateNames = [
  /^(donor|patient|individual|subject|animal|mouse|plant|specimen|participant)([ ._-]?(id|name|number))?$/i,
  /^(bio(logical)?[ ._-]?)?(replicate|rep|sample)([ ._-]?(id|name))?$/i,
  /^(orig\.ident|library([ ._-]?(id|name))?)$/i,
]
export const replicateLimits = { min: 2, max: 1000 } as const
/** Cells that a sample must have, as muscat has it: sums of fewer are mostly noise. */
export const minCellsOfSample = 10

const isCategory = (column: CellColumn): column is CategoryColumn => column.kind === 'category'

/** The column of biological replicates: the one that is named, else the one whose name says so; null where there is none. */
export const findReplicateColumn = (
  columns: readonly CellColumn[],
  named: string | undefined,
): CategoryColumn | null => {
  const categories = columns.filter(isCategory)
  if (named !== undefined) return categories.find(({ name }) => name === named) ?? null
  const fitting = categories.filter(
    ({ levels }) => levels.length >= replicateLimits.min && levels.length <= replicateLimits.max,
  )
  return (
    replicateNames.map((names) => fitting.find(({ name }) => names.test(name))).find((one) => one !== undefined) ?? null
  )
}

/**
 * Which cells make a sample. Other columns of names are factors of the samples where all cells of each replicate have the same level.
 * Samples are in the order of their first cell's replicate, then type.
 */
export const planPseudoBulk = (
  replicate: CategoryColumn,
  group: CategoryColumn | null,
  columns: readonly CellColumn[],
  minCells = minCellsOfSample,
): PseudoBulkPlan => {
  const cellCount = replicate.codes.length
  const groupCount = group?.levels.length ?? 1
  const counts = new Float64Array(replicate.levels.length * groupCount)
  const pairOf = new Int32Array(cellCount).fill(-1)
  for (let cell = 0; cell < cellCount; cell += 1) {
    const own = replicate.codes[cell]!
    const type = group?.codes[cell] ?? 0
    if (own === noLevel || type === noLevel) continue
    pairOf[cell] = own * groupCount + type
    counts[own * groupCount + type]! += 1
  }
  const factors = columns.filter(isCategory).flatMap((column) => {
    if (column === replicate || column === group) return []
    const levelOf = new Int32Array(replicate.levels.length).fill(-1)
    for (const [cell, level] of column.codes.entries()) {
      const own = replicate.codes[cell]!
      if (own === noLevel || level === noLevel) continue
      if (levelOf[own]! >= 0 && levelOf[own] !== level) return []
      levelOf[own] = level
    }
    // What is the same in all replicates, or another name of each, parts nothing.
    const used = new Set([...levelOf].filter((level) => level >= 0))
    return used.size < 2 ? [] : [{ name: column.name, levels: column.levels, levelOf }]
  })
  const sampleAt = new Int32Array(counts.length).fill(-1)
  const samples: PseudoBulkPlan['samples'] = []
  const left = { samples: 0, cells: 0 }
  for (const [pair, cells] of counts.entries()) {
    if (cells === 0) continue
    if (cells < minCells) {
      left.samples += 1
      left.cells += cells
      continue
    }
    const own = Math.floor(pair / groupCount)
    sampleAt[pair] = samples.length
    samples.push({
      replicate: replicate.levels[own]!,
      group: group === null ? null : group.levels[pair % groupCount]!,
      cells,
      factors: Object.fromEntries(
        factors.map(({ name, levels, levelOf }) => [name, levelOf[own]! < 0 ? '' : levels[levelOf[own]!]!]),
      ),
    })
  }
  return {
    replicate: replicate.name,
    group: group?.name ?? null,
    samples,
    factors: factors.map(({ name }) => name),
    sampleOf: pairOf.map((pair) => (pair < 0 ? -1 : sampleAt[pair]!)),
    left,
  }
}

export interface PseudoBulkSums {
  /** Counts of genes, row after row, a column a sample. */
  values: Float64Array
  /** Of each sample over all genes of the file. */
  sums: Float64Array
}

/** Sums counts over the cells of each sample. `rows` says which row a gene of the file becomes, -1 for none; values that are no finite numbers count as zero. */
export const sumPseudoBulk = async (
  entries: AsyncIterable<CellEntries>,
  { samples, sampleOf }: Pick<PseudoBulkPlan, 'samples' | 'sampleOf'>,
  rows: Int32Array,
  geneCount: number,
  signal: AbortSignal,
): Promise<PseudoBulkSums> => {
  const width = samples.length
  const values = new Float64Array(geneCount * width)
  const sums = new Float64Array(width)
  for await (const { cells, genes, values: found, count } of entries) {
    signal.throwIfAborted()
    for (let at = 0; at < count; at += 1) {
      const sample = sampleOf[cells[at]!]!
      const value = found[at]!
      if (sample < 0 || !Number.isFinite(value)) continue
      sums[sample]! += value
      const row = rows[genes[at]!]!
      if (row >= 0) values[row * width + sample]! += value
    }
  }
  return { values, sums }
}
