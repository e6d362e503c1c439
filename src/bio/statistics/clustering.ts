// Hierarchical clustering of the rows of a matrix.

import { multiplyRows } from './correlation.ts'

export const linkages = ['average', 'complete', 'ward'] as const
export type Linkage = (typeof linkages)[number]
export const clusterDistances = ['correlation', 'euclidean'] as const
export type ClusterDistance = (typeof clusterDistances)[number]

export interface Dendrogram {
  /** Rows in the order in which the tree's leaves stand. */
  order: number[]
  /** Merges by rising height: two nodes (a row, or rows + the number of a merge before) and the height. */
  merges: [left: number, right: number, height: number][]
}

/**
 * Distances of all pairs of rows, as scipy's pdist orders them: row 0 with 1, 2 …, then 1 with 2 …. Pairs are judged by the columns in
 * which both have values; Euclidean distances are then scaled up to all columns, as R's dist does. Correlation is 1 - r; rows that are
 * constant, or share fewer than two columns, are 1 apart. NaN in `values` is missing.
 */
export const pairDistances = (
  values: ArrayLike<number>,
  rows: number,
  columns: number,
  kind: ClusterDistance,
): Float64Array => {
  const out = new Float64Array((rows * (rows - 1)) / 2)
  const work = Float64Array.from({ length: rows * columns }, (_, at) => values[at]!)
  const complete = new Uint8Array(rows)
  for (let row = 0; row < rows; row += 1) {
    const start = row * columns
    let sum = 0
    let n = 0
    for (let at = 0; at < columns; at += 1)
      if (!Number.isNaN(work[start + at]!)) {
        sum += work[start + at]!
        n += 1
      }
    complete[row] = n === columns ? 1 : 0
    if (kind === 'correlation') {
      // Rows without gaps become unit vectors about their mean: their correlation is a product.
      const mean = n === 0 ? 0 : sum / n
      let squares = 0
      let raw = 0
      for (let at = 0; at < columns; at += 1) {
        const value = work[start + at]!
        if (Number.isNaN(value)) continue
        raw += value * value
        work[start + at] = value - mean
        squares += (value - mean) ** 2
      }
      const scale = squares <= 1e-24 * raw || squares === 0 ? 0 : 1 / Math.sqrt(squares)
      for (let at = 0; at < columns; at += 1) work[start + at]! *= scale
    }
  }
  let index = 0
  const products = new Float64Array(rows)
  for (let i = 0; i < rows; i += 1) {
    const a = i * columns
    if (kind === 'correlation' && complete[i] === 1) multiplyRows(work, a, work, i + 1, rows, columns, products)
    for (let j = i + 1; j < rows; j += 1) {
      const b = j * columns
      let distance = 0
      if (kind === 'correlation') {
        distance = 1 - (complete[i] === 1 && complete[j] === 1 ? products[j]! : pairwise(work, a, b, columns))
        if (distance < 1e-15) distance = 0
      } else {
        let sum = 0
        let n = 0
        for (let at = 0; at < columns; at += 1) {
          const d = work[a + at]! - work[b + at]!
          if (Number.isNaN(d)) continue
          sum += d * d
          n += 1
        }
        distance = n === 0 ? Number.NaN : Math.sqrt((sum * columns) / n)
      }
      out[index] = distance
      index += 1
    }
  }
  if (kind === 'euclidean') {
    // Rows that share no column are as far apart as the farthest that do.
    let max = 0
    for (const distance of out) if (distance > max) max = distance
    for (let at = 0; at < out.length; at += 1) if (Number.isNaN(out[at]!)) out[at] = max
  }
  return out
}

const pairwise = (work: Float64Array, a: number, b: number, columns: number): number => {
  let n = 0
  let [sumX, sumY, squareX, squareY, product] = [0, 0, 0, 0, 0]
  for (let at = 0; at < columns; at += 1) {
    const x = work[a + at]!
    const y = work[b + at]!
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    n += 1
    sumX += x
    sumY += y
    squareX += x * x
    squareY += y * y
    product += x * y
  }
  const spreadX = squareX - (sumX * sumX) / n
  const spreadY = squareY - (sumY * sumY) / n
  if (n < 2 || spreadX <= 1e-12 * squareX || spreadY <= 1e-12 * squareY) return 0
  return Math.max(-1, Math.min(1, (product - (sumX * sumY) / n) / Math.sqrt(spreadX * spreadY)))
}

/**
 * Clusters `rows` things by the distances of all pairs (`pairDistances`), by chains of nearest neighbours (Müllner 2011, arXiv:1109.2378),
 * in the square of their number. Heights are those of scipy's linkage and, for Ward's method over Euclidean distances, R's ward.D2. At
 * each merge the tighter side stands first. `distances` is used up.
 *
 * @example clusterRows(Float64Array.of(1, 5, 4), 3, 'average').merges // [[0, 1, 1], [2, 3, 4.5]]
 */
export const clusterRows = (distances: Float64Array, rows: number, linkage: Linkage): Dendrogram => {
  if (rows === 1) return { order: [0], merges: [] }
  const at = (i: number, j: number): number =>
    i < j ? i * rows - (i * (i + 1)) / 2 + j - i - 1 : j * rows - (j * (j + 1)) / 2 + i - j - 1
  const size = new Uint32Array(rows).fill(1)
  const alive = new Uint8Array(rows).fill(1)
  const raw: [number, number, number][] = []
  const chain: number[] = []
  let first = 0
  for (let merge = 0; merge < rows - 1; merge += 1) {
    if (chain.length === 0) {
      while (alive[first] === 0) first += 1
      chain.push(first)
    }
    for (;;) {
      const here = chain.at(-1)!
      const before = chain.length > 1 ? chain.at(-2)! : -1
      let nearest = before
      let min = before < 0 ? Number.POSITIVE_INFINITY : distances[at(here, before)]!
      for (let other = 0; other < rows; other += 1) {
        if (alive[other] === 0 || other === here) continue
        const distance = distances[at(here, other)]!
        if (distance < min) {
          min = distance
          nearest = other
        }
      }
      if (nearest !== before) {
        chain.push(nearest)
        continue
      }
      chain.length -= 2
      const [gone, kept] = here < before ? [here, before] : [before, here]
      raw.push([gone, kept, min])
      const [ni, nj] = [size[gone]!, size[kept]!]
      for (let other = 0; other < rows; other += 1) {
        if (alive[other] === 0 || other === gone || other === kept) continue
        const di = distances[at(gone, other)]!
        const dj = distances[at(kept, other)]!
        const nk = size[other]!
        // Lance and Williams 1967.
        distances[at(kept, other)] =
          linkage === 'complete'
            ? Math.max(di, dj)
            : linkage === 'average'
              ? (ni * di + nj * dj) / (ni + nj)
              : Math.sqrt(Math.max(0, ((ni + nk) * di * di + (nj + nk) * dj * dj - nk * min * min) / (ni + nj + nk)))
      }
      alive[gone] = 0
      size[kept] = ni + nj
      break
    }
  }
  return arrange(raw, rows)
}

/** Merges of representatives, in any order, as a tree: sorted by height, its nodes numbered as they come to be. */
const arrange = (raw: [number, number, number][], rows: number): Dendrogram => {
  const sorted = raw
    .map((merge, index) => ({ merge, index: index }))
    .sort((a, b) => a.merge[2] - b.merge[2] || a.index - b.index)
  const parent = Int32Array.from({ length: rows }, (_, at) => at)
  const node = Int32Array.from({ length: rows }, (_, at) => at)
  const find = (row: number): number => {
    let root = row
    while (parent[root] !== root) root = parent[root]!
    for (let on = row; on !== root; ) {
      const next = parent[on]!
      parent[on] = root
      on = next
    }
    return root
  }
  const merges: Dendrogram['merges'] = []
  const heightOf = (one: number): number => (one < rows ? -1 : merges[one - rows]![2])
  for (const { merge } of sorted) {
    const [a, b] = [find(merge[0]), find(merge[1])]
    const [x, y] = [node[a]!, node[b]!]
    const swap = heightOf(x) > heightOf(y) || (heightOf(x) === heightOf(y) && x > y)
    merges.push(swap ? [y, x, merge[2]] : [x, y, merge[2]])
    parent[a] = b
    node[b] = rows + merges.length - 1
  }
  const order: number[] = []
  const stack = [rows + merges.length - 1]
  while (stack.length > 0) {
    const one = stack.pop()!
    if (one < rows) order.push(one)
    else {
      const [left, right] = merges[one - rows]!
      stack.push(right, left)
    }
  }
  return { order, merges }
}
