import { UMAP } from 'umap-js'
import {
  clusterCells,
  findNeighbours,
  type Neighbours,
  principalComponents,
  type SparseColumn,
} from '../../bio/expression/cell-embedding.ts'
import { indexPoints, neighbourFinder, neighbourWeights } from '../../bio/expression/cell-projection.ts'
import type { CellCoordinates } from '../../bio/expression/cell-table.ts'
import { seededRandom } from '../../bio/statistics/random.ts'
import type { ValueFiles } from './bake-values.ts'

/**
 * Beyond this many cells a map and clusters are computed of so many, taken by chance, and the others are placed beside them: an exact
 * search of neighbours grows with the square of the cells, and UMAP of 30,000 cells takes minutes.
 */
const maxComputedCells = 20_000
export const minComputedCells = 10
/** As scanpy's tutorials have them. */
export const computed = { genes: 2000, components: 30, neighbours: 15, minDist: 0.3 }

/** Rows of the genes whose values vary most over the cells, of those that three cells express. */
const variableGenes = async (values: ValueFiles, cellCount: number, signal: AbortSignal): Promise<number[]> => {
  const spread: { row: number; variance: number }[] = []
  for (let row = 0; row < values.starts.length - 1; row += 1) {
    signal.throwIfAborted()
    if (values.starts[row + 1]! - values.starts[row]! < 3) continue
    const { values: found } = await values.read(row)
    let sum = 0
    let squares = 0
    for (const value of found) {
      sum += value
      squares += value * value
    }
    spread.push({ row, variance: squares / cellCount - (sum / cellCount) ** 2 })
  }
  spread.sort((a, b) => b.variance - a.variance || a.row - b.row)
  return spread.slice(0, computed.genes).map(({ row }) => row)
}

/** Cells taken by chance, ascending, the same each time; all when they are few enough. */
const sampleCells = (cellCount: number, max: number): Uint32Array => {
  const kept = Math.min(cellCount, max)
  const random = seededRandom(20_260_104)
  const sample = new Uint32Array(kept)
  // Knuth's algorithm S (The Art of Computer Programming, vol. 2, section 3.4.2).
  for (let cell = 0, taken = 0; taken < kept; cell += 1)
    if ((cellCount - cell) * random() < kept - taken) {
      sample[taken] = cell
      taken += 1
    }
  return sample
}

/** A gene's values in the sampled cells, which are numbered anew; `places` has -1 for the others. */
const sampleColumn = ({ cells, values }: SparseColumn, places: Int32Array): SparseColumn => {
  const own: number[] = []
  const kept: number[] = []
  for (let at = 0; at < cells.length; at += 1) {
    const index = places[cells[at]!]!
    if (index < 0) continue
    own.push(index)
    kept.push(values[at]!)
  }
  return { cells: own, values: kept }
}

/** Every cell on the principal components: those of the file, else computed of the sampled cells, on which the others are then placed. */
const findComponents = async (
  values: ValueFiles,
  cellCount: number,
  known: CellCoordinates | null,
  sample: Uint32Array,
  signal: AbortSignal,
): Promise<{ points: Float32Array; width: number } | null> => {
  if (known !== null) {
    const width = Math.min(known.width, computed.components)
    const points = new Float32Array(cellCount * width)
    for (let cell = 0; cell < cellCount; cell += 1)
      for (let at = 0; at < width; at += 1) {
        const value = known.values[cell * known.width + at]!
        points[cell * width + at] = Number.isFinite(value) ? value : 0
      }
    return { points, width }
  }
  const rows = await variableGenes(values, cellCount, signal)
  if (rows.length < 2) return null
  const places = new Int32Array(cellCount).fill(-1)
  for (const [index, cell] of sample.entries()) places[cell] = index
  const genes: SparseColumn[] = []
  for (const row of rows) {
    signal.throwIfAborted()
    genes.push(sampleColumn(await values.read(row), places))
  }
  const { scores, components, means, loadings } = principalComponents(genes, sample.length, computed.components)
  if (sample.length === cellCount) return { points: scores, width: components }
  const points = new Float32Array(cellCount * components)
  const shift = Float64Array.from({ length: components }, (_, k) =>
    means.reduce((sum, mean, gene) => sum - mean * loadings[gene * components + k]!, 0),
  )
  for (let cell = 0; cell < cellCount; cell += 1) points.set(shift, cell * components)
  for (const [gene, row] of rows.entries()) {
    signal.throwIfAborted()
    const own = await values.read(row)
    for (let at = 0; at < own.cells.length; at += 1) {
      const from = own.cells[at]! * components
      for (let k = 0; k < components; k += 1) points[from + k]! += own.values[at]! * loadings[gene * components + k]!
    }
  }
  return { points, width: components }
}

/** What the file lacks: a map of the cells, clusters, or both. Null when no gene varies. `sampled`: how many cells it was computed of. */
export const computeFromValues = async (
  values: ValueFiles,
  cellCount: number,
  known: CellCoordinates | null,
  wanted: { embedding: boolean; clusters: boolean },
  onShare: (share: number) => void,
  signal: AbortSignal,
  maxCells = maxComputedCells,
): Promise<{ embedding: Float32Array | null; clusters: number[] | null; sampled: number } | null> => {
  const sample = sampleCells(cellCount, maxCells)
  const found = await findComponents(values, cellCount, known, sample, signal)
  if (found === null) return null
  const { points, width } = found
  const own = new Float32Array(sample.length * width)
  for (const [index, cell] of sample.entries())
    own.set(points.subarray(cell * width, (cell + 1) * width), index * width)
  const pause = async (share: number): Promise<void> => {
    signal.throwIfAborted()
    onShare(share)
    await new Promise((resume) => setImmediate(resume))
  }
  const near = await findNeighbours(own, width, Math.min(computed.neighbours, sample.length - 1), (share) =>
    pause(share * 0.3),
  )
  const clusters = wanted.clusters ? clusterCells(near) : null
  const embedding = wanted.embedding ? await embed(own, width, near, (share) => pause(0.3 + 0.5 * share)) : null
  if (sample.length === cellCount) return { embedding, clusters, sampled: cellCount }
  return {
    ...(await placeOthers(points, width, own, { embedding, clusters }, (share) => pause(0.8 + 0.2 * share))),
    sampled: sample.length,
  }
}

/** Places every cell by its nearest among the sampled: at their weighted mean on the map, and in the cluster that most of them are in. */
const placeOthers = async (
  points: Float32Array,
  width: number,
  sampled: Float32Array,
  { embedding, clusters }: { embedding: Float32Array | null; clusters: number[] | null },
  pause: (share: number) => Promise<void>,
): Promise<{ embedding: Float32Array | null; clusters: number[] | null }> => {
  const cellCount = points.length / width
  const find = neighbourFinder(indexPoints(sampled, width), computed.neighbours)
  const placed = embedding === null ? null : new Float32Array(2 * cellCount)
  const chosen = clusters === null ? null : new Array<number>(cellCount).fill(0)
  const weights = new Float64Array(computed.neighbours)
  const votes = new Float64Array(clusters === null ? 0 : clusters.reduce((a, b) => Math.max(a, b), 0) + 1)
  for (let cell = 0; cell < cellCount; cell += 1) {
    const near = find(points, cell * width)
    neighbourWeights(near, weights)
    if (clusters !== null) {
      votes.fill(0)
      for (let one = 0; one < near.count; one += 1) votes[clusters[near.indexes[one]!]!]! += weights[one]!
      chosen![cell] = votes.indexOf(Math.max(...votes))
    }
    if (embedding !== null) {
      let [x, y, sum] = [0, 0, 0]
      for (let one = 0; one < near.count; one += 1) {
        const index = 2 * near.indexes[one]!
        x += weights[one]! * embedding[index]!
        y += weights[one]! * embedding[index + 1]!
        sum += weights[one]!
      }
      placed![2 * cell] = x / sum
      placed![2 * cell + 1] = y / sum
    }
    if (cell % 4096 === 4095) await pause(cell / cellCount)
  }
  return { embedding: placed, clusters: chosen }
}

/** UMAP (McInnes et al. 2018, arXiv:1802.03426) by umap-js, from the neighbours that are known. */
const embed = async (
  points: Float32Array,
  width: number,
  near: Neighbours,
  pause: (share: number) => Promise<void>,
): Promise<Float32Array> => {
  const umap = new UMAP({
    nComponents: 2,
    nNeighbors: near.indexes[0]!.length,
    minDist: computed.minDist,
    random: seededRandom(20_260_102),
  })
  umap.setPrecomputedKNN(near.indexes, near.distances)
  const rows = near.indexes.map((_, cell) => [...points.subarray(cell * width, (cell + 1) * width)])
  const epochs = umap.initializeFit(rows)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    umap.step()
    if (epoch % 5 === 0) await pause(epoch / epochs)
  }
  const embedding = new Float32Array(near.indexes.length * 2)
  for (const [cell, [x, y]] of umap.getEmbedding().entries()) embedding.set([x!, y!], cell * 2)
  return embedding
}
