import { SeededRandom } from './seeded-random.ts'

/** Lines of a 10x matrix with its barcodes and features, and of the table of cells. */
export interface SimulatedCells {
  matrix: string[]
  barcodes: string[]
  features: string[]
  cells: string[]
}

const samples = ['sample 1', 'sample 2'] as const
/** Genes that mark each type of cells. */
export const markersPerType = 12
/** Mean count of a gene outside and inside the type that it marks. */
const meanElsewhere = 0.5
const meanInType = 5

/**
 * Cells of planted types: the first `markersPerType` genes mark the first type, the next the second, and so on. Counts fall off as
 * exponentially distributed ones do; nothing else parts the types, and nothing parts the samples.
 */
export const simulateCells = (
  genes: readonly string[],
  types: readonly string[],
  cellsPerType: number,
  seed: number,
): SimulatedCells => {
  const random = new SeededRandom(seed)
  const typeOf = (cell: number): number => cell % types.length
  const barcodes = Array.from({ length: types.length * cellsPerType }, (_, cell) => `CELL${cell + 1}`)
  const rows: string[] = []
  for (const cell of barcodes.keys())
    for (const gene of genes.keys()) {
      const mean = Math.floor(gene / markersPerType) === typeOf(cell) ? meanInType : meanElsewhere
      const count = Math.floor(-Math.log(1 - random.fraction()) * mean)
      if (count > 0) rows.push(`${gene + 1} ${cell + 1} ${count}`)
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
      'cell\tcell type\tsample',
      ...barcodes.map((barcode, cell) => `${barcode}\t${types[typeOf(cell)]}\t${samples[random.between(0, 1)]}`),
    ],
  }
}
