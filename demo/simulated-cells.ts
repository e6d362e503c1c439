import { SeededRandom } from './seeded-random.ts'

/** Lines of a 10x matrix with its barcodes and features, and of the table of cells. */
export interface SimulatedCells {
  matrix: string[]
  barcodes: string[]
  features: string[]
  cells: string[]
}

const samples = ['sample 1', 'sample 2', 'sample 3'] as const
/** A planted type of cells, and the genes that mark it. */
export interface PlantedType {
  name: string
  markers: readonly string[]
}

/** Mean count of a gene in the type that it marks. */
const meanInType = 5

/** A time at which cells were taken, and the share of each type at it. */
export interface PlantedTime {
  name: string
  shares: readonly number[]
}

/** Of the way from the first type to its own, a cell of another one has gone this much at least. */
const leastProgress = 0.6
/** Standard deviation of the logarithm of a cell's depth. */
const depthSpread = 0.2

/**
 * Cells of planted types. Counts fall off as exponentially distributed ones do, with mean `elsewhere` for a gene in cells that it does
 * not mark; nothing else parts the types, and nothing parts the samples. With `times`, cells of the other types come from the first one:
 * each has gone a part of the way, by which its own markers rise and those of the first type fall. The same in every run.
 */
export const simulateCells = (
  genes: readonly string[],
  types: readonly PlantedType[],
  { cells, elsewhere, times }: { cells: number; elsewhere: number; times?: readonly PlantedTime[] },
  seed: number,
): SimulatedCells => {
  const random = new SeededRandom(seed)
  const barcodes = Array.from({ length: cells }, (_, cell) => `CELL${cell + 1}`)
  const planted = barcodes.map((_, cell) => {
    if (times === undefined) return { type: cell % types.length, progress: 1, depth: 1, time: null }
    const time = times[cell % times.length]!
    const type = random.pickWeighted([...types.keys()], time.shares)
    const progress = type === 0 ? 1 : leastProgress + (1 - leastProgress) * random.fraction()
    return { type, progress, depth: Math.exp(depthSpread * random.normal()), time: time.name }
  })
  const marks = genes.map((gene) => types.findIndex(({ markers }) => markers.includes(gene)))
  const meanOf = (marked: number, { type, progress }: (typeof planted)[number]): number =>
    Math.max(elsewhere, marked === type ? meanInType * progress : marked === 0 ? meanInType * (1 - progress) : 0)
  const rows: string[] = []
  for (const [cell, one] of planted.entries())
    for (const [at, marked] of marks.entries()) {
      const mean = one.depth * (marked < 0 ? elsewhere : meanOf(marked, one))
      const count = Math.floor(-Math.log(1 - random.fraction()) * mean)
      if (count > 0) rows.push(`${at + 1} ${cell + 1} ${count}`)
    }
  return {
    matrix: [
      '%%MatrixMarket matrix coordinate integer general',
      '%simulated',
      `${genes.length} ${barcodes.length} ${rows.length}`,
      ...rows,
    ],
    barcodes,
    features: genes.map((gene) => `${gene}\t${gene}\tGene Expression`),
    cells: [
      ['cell', 'cell type', ...(times === undefined ? [] : ['time']), 'sample'].join('\t'),
      ...barcodes.map((barcode, cell) => {
        const { type, time } = planted[cell]!
        // Cells of one time come from its own samples.
        const sample = [...(time === null ? [] : [time]), samples[random.between(0, samples.length - 1)]].join(', ')
        return [barcode, types[type]!.name, ...(time === null ? [] : [time]), sample].join('\t')
      }),
    ],
  }
}
