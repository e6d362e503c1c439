// Cells placed beside others whose map and clusters are known.

import { seededRandom } from '../statistics/random.ts'

/** Rounds of moving the middles (Lloyd 1982, IEEE Trans Inf Theory 28:129): lists of like lengths are enough. */
const rounds = 4
/** Lists looked through for a point, of the square root of all that there are. */
const probes = 8

export interface NeighbourIndex {
  width: number
  points: Float32Array
  middles: Float32Array
  /** Points by list, one list after the other. */
  order: Int32Array
  /** Where each list begins in `order`, and the end. */
  starts: Int32Array
}

const squared = (a: Float32Array, at: number, b: Float32Array, bt: number, width: number, max: number): number => {
  let sum = 0
  for (let k = 0; k < width && sum < max; k += 1) {
    const apart = a[at + k]! - b[bt + k]!
    sum += apart * apart
  }
  return sum
}

const nearestMiddle = (points: Float32Array, at: number, middles: Float32Array, width: number): number => {
  let best = 0
  let min = Number.POSITIVE_INFINITY
  for (let middle = 0; middle * width < middles.length; middle += 1) {
    const apart = squared(points, at, middles, middle * width, width, min)
    if (apart < min) {
      min = apart
      best = middle
    }
  }
  return best
}

/**
 * An index of points by which neighbours are found without measuring every pair: points are kept in lists around middles, and only the
 * nearest lists are looked through (inverted lists; Sivic & Zisserman 2003, ICCV:1470). `points` holds `width` numbers a point.
 */
export const indexPoints = (points: Float32Array, width: number): NeighbourIndex => {
  const count = points.length / width
  const lists = Math.max(1, Math.round(Math.sqrt(count)))
  const random = seededRandom(20_260_103)
  const middles = new Float32Array(lists * width)
  for (let list = 0; list < lists; list += 1) {
    const from = Math.floor(((list + random()) * count) / lists) * width
    middles.set(points.subarray(from, from + width), list * width)
  }
  const own = new Int32Array(count)
  for (let round = 0; round <= rounds; round += 1) {
    for (let point = 0; point < count; point += 1) own[point] = nearestMiddle(points, point * width, middles, width)
    if (round === rounds) break
    const sums = new Float64Array(lists * width)
    const sizes = new Int32Array(lists)
    for (let point = 0; point < count; point += 1) {
      sizes[own[point]!]! += 1
      for (let k = 0; k < width; k += 1) sums[own[point]! * width + k]! += points[point * width + k]!
    }
    for (let list = 0; list < lists; list += 1)
      if (sizes[list]! > 0)
        for (let k = 0; k < width; k += 1) middles[list * width + k] = sums[list * width + k]! / sizes[list]!
  }
  const starts = new Int32Array(lists + 1)
  for (const list of own) starts[list + 1]! += 1
  for (let list = 0; list < lists; list += 1) starts[list + 1]! += starts[list]!
  const filled = starts.slice(0, lists)
  const order = new Int32Array(count)
  for (const [point, list] of own.entries()) {
    order[filled[list]!] = point
    filled[list]! += 1
  }
  return { width, points, middles, order, starts }
}

/** Neighbours of one point, nearest first; the arrays are used again for the next. */
export interface FoundNeighbours {
  indexes: Int32Array
  distances: Float64Array
  count: number
}

/**
 * Gives a function from a point to its `count` nearest in the index, by the lists nearest to it: in cells of some kinds nearly always
 * those of measuring every pair.
 */
export const neighbourFinder = (
  { width, points, middles, order, starts }: NeighbourIndex,
  count: number,
): ((from: Float32Array, at: number) => FoundNeighbours) => {
  const lists = starts.length - 1
  const looked = Math.min(lists, probes)
  const listOrder = new Int32Array(looked)
  const listDistances = new Float64Array(looked)
  const found: FoundNeighbours = { indexes: new Int32Array(count), distances: new Float64Array(count), count: 0 }
  const { indexes, distances } = found
  return (from, at) => {
    listDistances.fill(Number.POSITIVE_INFINITY)
    for (let list = 0; list < lists; list += 1) {
      const apart = squared(from, at, middles, list * width, width, listDistances[looked - 1]!)
      if (!(apart < listDistances[looked - 1]!)) continue
      let index = looked - 1
      for (; index > 0 && listDistances[index - 1]! > apart; index -= 1) {
        listDistances[index] = listDistances[index - 1]!
        listOrder[index] = listOrder[index - 1]!
      }
      listDistances[index] = apart
      listOrder[index] = list
    }
    distances.fill(Number.POSITIVE_INFINITY)
    found.count = 0
    for (let probe = 0; probe < looked; probe += 1) {
      const list = listOrder[probe]!
      for (let entry = starts[list]!; entry < starts[list + 1]!; entry += 1) {
        const point = order[entry]!
        const apart = squared(from, at, points, point * width, width, distances[count - 1]!)
        if (!(apart < distances[count - 1]!)) continue
        let index = count - 1
        for (; index > 0 && distances[index - 1]! > apart; index -= 1) {
          distances[index] = distances[index - 1]!
          indexes[index] = indexes[index - 1]!
        }
        distances[index] = apart
        indexes[index] = point
        found.count = Math.min(count, found.count + 1)
      }
    }
    for (let one = 0; one < found.count; one += 1) distances[one] = Math.sqrt(distances[one]!)
    return found
  }
}

/**
 * How much each neighbour says of a point: 1 for the nearest, less by how much farther the others are, as UMAP weighs them when it
 * places new points (McInnes et al. 2018, arXiv:1802.03426, section 3.1, with the mean excess in the place of the fitted one).
 */
export const neighbourWeights = ({ distances, count }: FoundNeighbours, into: Float64Array): Float64Array => {
  let excess = 0
  for (let one = 0; one < count; one += 1) excess += distances[one]! - distances[0]!
  const mean = excess / Math.max(1, count)
  for (let one = 0; one < count; one += 1) into[one] = mean > 0 ? Math.exp((distances[0]! - distances[one]!) / mean) : 1
  return into
}
