// Principal components, neighbours and clusters of cells, where a data set brings none.

import { findModules, type WeightedEdge } from '../statistics/graph-modules.ts'
import { seededRandom } from '../statistics/random.ts'

/** One gene's values in the cells where they are not zero; cells ascending from 0. */
export interface SparseColumn {
  cells: ArrayLike<number>
  values: ArrayLike<number>
}

/** Columns of a rows x width matrix made orthonormal in place (modified Gram-Schmidt, twice for precision); empty ones become 0. */
const orthonormalise = (matrix: Float64Array, rows: number, width: number): void => {
  for (let column = 0; column < width; column += 1) {
    let before = 0
    for (let row = 0; row < rows; row += 1) before += matrix[row * width + column]! ** 2
    for (let round = 0; round < 2; round += 1)
      for (let other = 0; other < column; other += 1) {
        let dot = 0
        for (let row = 0; row < rows; row += 1) dot += matrix[row * width + column]! * matrix[row * width + other]!
        for (let row = 0; row < rows; row += 1) matrix[row * width + column]! -= dot * matrix[row * width + other]!
      }
    let norm = 0
    for (let row = 0; row < rows; row += 1) norm += matrix[row * width + column]! ** 2
    const scale = norm > 1e-20 * before && norm > 0 ? 1 / Math.sqrt(norm) : 0
    for (let row = 0; row < rows; row += 1) matrix[row * width + column]! *= scale
  }
}

/** Eigenvalues and vectors (columns) of a symmetric matrix, by Jacobi's rotations; largest first. */
const eigen = (matrix: Float64Array, size: number): { values: number[]; vectors: Float64Array } => {
  const a = Float64Array.from(matrix)
  const v = new Float64Array(size * size)
  for (let at = 0; at < size; at += 1) v[at * size + at] = 1
  for (let sweep = 0; sweep < 60; sweep += 1) {
    let off = 0
    let all = 0
    for (let p = 0; p < size; p += 1)
      for (let q = 0; q < size; q += 1) {
        all += a[p * size + q]! ** 2
        if (p !== q) off += a[p * size + q]! ** 2
      }
    if (off <= 1e-24 * all) break
    for (let p = 0; p < size; p += 1)
      for (let q = p + 1; q < size; q += 1) {
        const apq = a[p * size + q]!
        if (apq === 0) continue
        const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * apq)
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < size; k += 1) {
          const kp = a[k * size + p]!
          const kq = a[k * size + q]!
          a[k * size + p] = c * kp - s * kq
          a[k * size + q] = s * kp + c * kq
        }
        for (let k = 0; k < size; k += 1) {
          const pk = a[p * size + k]!
          const qk = a[q * size + k]!
          a[p * size + k] = c * pk - s * qk
          a[q * size + k] = s * pk + c * qk
          const vp = v[k * size + p]!
          const vq = v[k * size + q]!
          v[k * size + p] = c * vp - s * vq
          v[k * size + q] = s * vp + c * vq
        }
      }
  }
  const order = Array.from({ length: size }, (_, at) => at).sort((x, y) => a[y * size + y]! - a[x * size + x]!)
  const vectors = new Float64Array(size * size)
  for (const [index, at] of order.entries())
    for (let row = 0; row < size; row += 1) vectors[row * size + index] = v[row * size + at]!
  return { values: order.map((at) => a[at * size + at]!), vectors }
}

/**
 * Further directions beyond those wanted, and rounds of iteration (Halko, Martinsson, Tropp 2011, SIAM Rev 53:217, sections 4.3 to 4.5).
 */
const oversampling = 10
const powerRounds = 6

/**
 * Scores of cells on the principal components of genes that are centred, not scaled: a randomised singular value decomposition that
 * never makes the centred matrix. Row after row, `components` numbers a cell; at most as many as there are cells or genes. `loadings`
 * (`components` numbers a gene) place further cells: the sum over genes of (value - `means`) times the loading.
 *
 * @example principalComponents([{cells: [0, 1], values: [1, -1]}], 2, 1).scores // [1, -1] or [-1, 1]
 */
export const principalComponents = (
  genes: readonly SparseColumn[],
  cells: number,
  components: number,
): { scores: Float32Array; components: number; variances: number[]; means: number[]; loadings: Float64Array } => {
  const width = Math.min(components + oversampling, genes.length, cells)
  const kept = Math.min(components, width)
  const means = genes.map(({ values }) => {
    let sum = 0
    for (let at = 0; at < values.length; at += 1) sum += values[at]!
    return sum / cells
  })
  const times = (right: Float64Array): Float64Array => {
    const out = new Float64Array(cells * width)
    const shift = new Float64Array(width)
    for (const [gene, { cells: at, values }] of genes.entries()) {
      for (let k = 0; k < width; k += 1) shift[k]! += means[gene]! * right[gene * width + k]!
      for (let e = 0; e < at.length; e += 1) {
        const row = at[e]! * width
        const value = values[e]!
        for (let k = 0; k < width; k += 1) out[row + k]! += value * right[gene * width + k]!
      }
    }
    for (let cell = 0; cell < cells; cell += 1) for (let k = 0; k < width; k += 1) out[cell * width + k]! -= shift[k]!
    return out
  }
  const transposedTimes = (left: Float64Array): Float64Array => {
    const out = new Float64Array(genes.length * width)
    const sums = new Float64Array(width)
    for (let cell = 0; cell < cells; cell += 1) for (let k = 0; k < width; k += 1) sums[k]! += left[cell * width + k]!
    for (const [gene, { cells: at, values }] of genes.entries()) {
      const row = gene * width
      for (let k = 0; k < width; k += 1) out[row + k] = -means[gene]! * sums[k]!
      for (let e = 0; e < at.length; e += 1) {
        const cell = at[e]! * width
        const value = values[e]!
        for (let k = 0; k < width; k += 1) out[row + k]! += value * left[cell + k]!
      }
    }
    return out
  }
  const random = seededRandom(20_260_101)
  // Box and Muller's normal numbers.
  let basis = times(
    Float64Array.from(
      { length: genes.length * width },
      () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    ),
  )
  orthonormalise(basis, cells, width)
  for (let round = 0; round < powerRounds; round += 1) {
    const back = transposedTimes(basis)
    orthonormalise(back, genes.length, width)
    basis = times(back)
    orthonormalise(basis, cells, width)
  }
  const small = transposedTimes(basis)
  const square = new Float64Array(width * width)
  for (let gene = 0; gene < genes.length; gene += 1)
    for (let p = 0; p < width; p += 1)
      for (let q = 0; q < width; q += 1) square[p * width + q]! += small[gene * width + p]! * small[gene * width + q]!
  const { values, vectors } = eigen(square, width)
  const scores = new Float32Array(cells * kept)
  for (let cell = 0; cell < cells; cell += 1)
    for (let index = 0; index < kept; index += 1) {
      let dot = 0
      for (let k = 0; k < width; k += 1) dot += basis[cell * width + k]! * vectors[k * width + index]!
      scores[cell * kept + index] = dot * Math.sqrt(Math.max(0, values[index]!))
    }
  const loadings = new Float64Array(genes.length * kept)
  for (let index = 0; index < kept; index += 1) {
    const singular = Math.sqrt(Math.max(0, values[index]!))
    if (singular === 0) continue
    for (let gene = 0; gene < genes.length; gene += 1) {
      let dot = 0
      for (let k = 0; k < width; k += 1) dot += small[gene * width + k]! * vectors[k * width + index]!
      loadings[gene * kept + index] = dot / singular
    }
  }
  return {
    scores,
    means,
    loadings,
    components: kept,
    variances: values.slice(0, kept).map((value) => Math.max(0, value) / Math.max(1, cells - 1)),
  }
}

export interface Neighbours {
  /** Neighbours of each, itself first, nearest first. */
  indexes: number[][]
  distances: number[][]
}

/**
 * The `count` nearest of each point by Euclidean distance, itself among them and first: exact, each pair is measured. `points` holds
 * `width` numbers a point. `onPiece` is awaited now and then with the share done.
 */
export const findNeighbours = async (
  points: Float32Array,
  width: number,
  count: number,
  onPiece: (share: number) => Promise<void> = async () => {},
): Promise<Neighbours> => {
  const all = points.length / width
  const kept = Math.min(count, all)
  const indexes: number[][] = []
  const distances: number[][] = []
  const near = new Float64Array(kept)
  const who = new Int32Array(kept)
  for (let from = 0; from < all; from += 1) {
    near.fill(Number.POSITIVE_INFINITY)
    // Itself is nearer than its own copies.
    near[0] = -1
    who[0] = from
    let worst = kept === 1 ? -1 : near[kept - 1]!
    const a = from * width
    for (let to = 0; to < all; to += 1) {
      if (to === from) continue
      const b = to * width
      let sum = 0
      for (let k = 0; k < width && sum < worst; k += 1) {
        const apart = points[a + k]! - points[b + k]!
        sum += apart * apart
      }
      if (!(sum < worst)) continue
      let index = kept - 1
      for (; near[index - 1]! > sum; index -= 1) {
        near[index] = near[index - 1]!
        who[index] = who[index - 1]!
      }
      near[index] = sum
      who[index] = to
      worst = near[kept - 1]!
    }
    indexes.push([...who])
    distances.push(Array.from(near, (square) => Math.sqrt(Math.max(0, square))))
    if (from % 256 === 255) await onPiece((from + 1) / all)
  }
  return { indexes, distances }
}

/** Edges of neighbourhoods that share less are not drawn (Seurat's pruning of its graph of shared neighbours, 1/15). */
const minShared = 1 / 15

/**
 * Clusters of cells: modules (Louvain) of the graph in which two cells are joined by the share of neighbours they have in common
 * (Jaccard). Cluster of each cell from 0, the largest first.
 */
export const clusterCells = ({ indexes }: Neighbours): number[] => {
  const sets = indexes.map((row) => new Set(row))
  const edges: WeightedEdge[] = []
  for (const [cell, row] of indexes.entries())
    for (const other of row) {
      // A pair that are neighbours of each other is met twice.
      if (other === cell || (other < cell && sets[other]!.has(cell))) continue
      let shared = 0
      for (const one of sets[other]!) if (sets[cell]!.has(one)) shared += 1
      const weight = shared / (sets[cell]!.size + sets[other]!.size - shared)
      if (weight >= minShared) edges.push([cell, other, weight])
    }
  return findModules(indexes.length, edges)
}
