import { SeededRandom } from './seeded-random.ts'

/** Lines of a 10x matrix with its barcodes and features, and of the table of cells. */
export interface SimulatedCells {
  matrix: string[]
  barcodes: string[]
  features: string[]
  cells: string[]
}

const samples = ['sample 1', 'sample 2'] as const
/** A planted type of cells, and the genes that mark it. */
export interface PlantedType {
  name: string
  markers: readonly string[]
}

/** Mean count of a gene in the type that it marks. */
const meanInType = 5

/**
 * Cells of planted types. Counts fall off as exponentially distributed ones do, with mean `elsewhere` for a gene in cells that it does
 * not mark; nothing else parts the types, and nothing parts the samples. The same in every run.
 */
export const simulateCells = (
  genes: readonly string[],
  types: readonly PlantedType[],
  { cellsPerType, elsewhere }: { cellsPerType: number; elsewhere: number },
  seed: number,
): SimulatedCells => {
  const random = new SeededRandom(seed)
  const typeOf = (cell: number): number => cell % types.length
  const barcodes = Array.from({ length: types.length * cellsPerType }, (_, cell) => `CELL${cell + 1}`)
  const marked = types.map(({ markers }) => new Set(markers))
  const rows: string[] = []
  for (const cell of barcodes.keys())
    for (const [at, gene] of genes.entries()) {
      const mean = marked[typeOf(cell)]!.has(gene) ? meanInType : elsewhere
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
      'cell\tcell type\tsample',
      ...barcodes.map((barcode, cell) => `${barcode}\t${types[typeOf(cell)]!.name}\t${samples[random.between(0, 1)]}`),
    ],
  }
}
