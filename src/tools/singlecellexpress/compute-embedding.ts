import { UMAP } from 'umap-js'
import {
  clusterCells,
  findNeighbours,
  type Neighbours,
  principalComponents,
  type SparseColumn,
  seededRandom,
} from '../../bio/cell-embedding.ts'
import type { CellCoordinates } from '../../bio/cell-table.ts'
import type { ValueFiles } from './bake-values.ts'

/** Beyond this many cells the exact search of neighbours takes longer than a load should. */
export const mostComputedCells = 50_000
export const fewestComputedCells = 10
/** As scanpy's tutorials have them. */
export const computed = { genes: 2000, components: 30, neighbours: 15, minDist: 0.3 }

/** The genes whose values vary most over the cells, of those that three cells express. */
const variableGenes = async (values: ValueFiles, cellCount: number): Promise<SparseColumn[]> => {
  const spread: { row: number; variance: number }[] = []
  for (let row = 0; row < values.starts.length - 1; row += 1) {
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
  const chosen: SparseColumn[] = []
  for (const { row } of spread.slice(0, computed.genes)) chosen.push(await values.read(row))
  return chosen
}

/** What the file lacks: a map of the cells, clusters, or both. Null when no gene varies. */
export const computeFromValues = async (
  values: ValueFiles,
  cellCount: number,
  known: CellCoordinates | null,
  wanted: { embedding: boolean; clusters: boolean },
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<{ embedding: Float32Array | null; clusters: number[] | null } | null> => {
  let points: Float32Array
  let width: number
  if (known !== null) {
    width = Math.min(known.width, computed.components)
    points = new Float32Array(cellCount * width)
    for (let cell = 0; cell < cellCount; cell += 1)
      for (let at = 0; at < width; at += 1) {
        const value = known.values[cell * known.width + at]!
        points[cell * width + at] = Number.isFinite(value) ? value : 0
      }
  } else {
    const genes = await variableGenes(values, cellCount)
    if (genes.length < 2) return null
    const found = principalComponents(genes, cellCount, computed.components)
    points = found.scores
    width = found.components
  }
  const pause = async (share: number): Promise<void> => {
    signal.throwIfAborted()
    onShare(share)
    await new Promise((resume) => setImmediate(resume))
  }
  const near = await findNeighbours(points, width, Math.min(computed.neighbours, cellCount - 1), (share) =>
    pause(share * 0.5),
  )
  const clusters = wanted.clusters ? clusterCells(near) : null
  const embedding = wanted.embedding ? await embed(points, width, near, pause) : null
  return { embedding, clusters }
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
    if (epoch % 5 === 0) await pause(0.5 + (0.5 * epoch) / epochs)
  }
  const embedding = new Float32Array(near.indexes.length * 2)
  for (const [cell, [x, y]] of umap.getEmbedding().entries()) embedding.set([x!, y!], cell * 2)
  return embedding
}
