// Correlation of many rows with one: kernels over typed arrays, so that tens of thousands of genes take a fraction of a second.

export type CorrelationMethod = 'pearson' | 'spearman'

/** A row against which others are held: some columns of it, centred, where it has values. */
export interface CorrelationQuery {
  method: CorrelationMethod
  /** Columns that take part, of the rows as they are stored. */
  columns: Uint32Array
  /** Pearson: values less their mean; Spearman: doubled ranks of the whole row (see `rankRow`), 0 where missing. */
  values: Float64Array
  complete: boolean
  /** Sum of squares of `values` about their mean, when complete. */
  squares: number
}

/**
 * Ranks of a row as whole numbers: twice the mean rank (ties share it, as R's rank does), 0 where the value is missing. So that ranks
 * within any choice of columns follow by counting, without sorting again.
 *
 * @example rankRow([3, 1, NaN, 3]) // 5, 2, 0, 5
 */
export const rankRow = (values: ArrayLike<number>, into?: Uint16Array): Uint16Array => {
  const ranks = into ?? new Uint16Array(values.length)
  const present: number[] = []
  for (let at = 0; at < values.length; at += 1) {
    if (!Number.isNaN(values[at]!)) present.push(at)
    else ranks[at] = 0
  }
  present.sort((a, b) => values[a]! - values[b]!)
  for (let from = 0; from < present.length; ) {
    let to = from + 1
    while (to < present.length && values[present[to]!] === values[present[from]!]) to += 1
    // Ranks from + 1 to `to`: twice their mean.
    for (let at = from; at < to; at += 1) ranks[present[at]!] = from + 1 + to
    from = to
  }
  return ranks
}

/** Most columns whose doubled ranks fit 16 bits. */
export const mostColumns = 32_767

const ranksWithin = (doubled: ArrayLike<number>, count: number, buckets: Uint32Array, out: Float64Array): void => {
  // Counting sort: doubled ranks are whole numbers from 2 to twice the number of columns.
  buckets.fill(0)
  for (let at = 0; at < count; at += 1) buckets[doubled[at]!]! += 1
  let before = 0
  for (let value = 0; value < buckets.length; value += 1) {
    const here = buckets[value]!
    if (here === 0) continue
    buckets[value] = 2 * before + here + 1
    before += here
  }
  for (let at = 0; at < count; at += 1) out[at] = buckets[doubled[at]!]! / 2
}

/** Values that differ by less than this share of their squares differ by rounding alone: the row is constant there. */
const constantShare = 1e-12

/**
 * Prepares a row for `correlateRows`. For Pearson's coefficient the row holds values (NaN where missing), for Spearman's doubled ranks.
 */
export const prepareQuery = (
  row: ArrayLike<number>,
  columns: Uint32Array,
  method: CorrelationMethod,
): CorrelationQuery => {
  const count = columns.length
  const values = new Float64Array(count)
  let complete = true
  for (let at = 0; at < count; at += 1) {
    const value = row[columns[at]!]!
    values[at] = value
    if (method === 'spearman' ? value === 0 : Number.isNaN(value)) complete = false
  }
  if (method === 'spearman') {
    if (!complete) return { method, columns, values, complete, squares: Number.NaN }
    const ranks = new Float64Array(count)
    ranksWithin(values, count, new Uint32Array(2 * row.length + 2), ranks)
    const mean = (count + 1) / 2
    let squares = 0
    for (let at = 0; at < count; at += 1) {
      ranks[at]! -= mean
      squares += ranks[at]! ** 2
    }
    // The doubled ranks are kept too: a row with gaps needs them anew among what both have.
    return { method, columns, values, complete, squares }
  }
  let sum = 0
  let present = 0
  let raw = 0
  for (const value of values)
    if (!Number.isNaN(value)) {
      sum += value
      raw += value * value
      present += 1
    }
  const mean = present === 0 ? 0 : sum / present
  let squares = 0
  for (let at = 0; at < count; at += 1) {
    values[at]! -= mean
    if (!Number.isNaN(values[at]!)) squares += values[at]! ** 2
  }
  if (squares <= constantShare * raw) squares = 0
  return { method, columns, values, complete, squares }
}

/**
 * Correlation of each of `rows` rows (stored one after the other, `width` columns each: values for Pearson's, doubled ranks for
 * Spearman's coefficient) with the query, over the query's columns. A pair is judged by the columns in which both have values, as R's
 * cor with use = "pairwise.complete.obs"; ranks are taken anew within them. NaN where either is constant there. `pairs` gets how many
 * columns both had.
 */
export const correlateRows = (
  query: CorrelationQuery,
  block: Float32Array | Float64Array | Uint16Array,
  rows: number,
  width: number,
  r: Float32Array | Float64Array,
  pairs: Uint16Array | Uint32Array,
  offset = 0,
): void => {
  if (query.method === 'spearman') correlateRanks(query, block, rows, width, r, pairs, offset)
  else correlateValues(query, block, rows, width, r, pairs, offset)
}

const correlateValues = (
  { columns, values, complete, squares }: CorrelationQuery,
  block: Float32Array | Float64Array | Uint16Array,
  rows: number,
  width: number,
  r: Float32Array | Float64Array,
  pairs: Uint16Array | Uint32Array,
  offset: number,
): void => {
  const count = columns.length
  const whole = count === width && columns.every((column, at) => column === at)
  for (let row = 0; row < rows; row += 1) {
    const start = row * width
    if (complete) {
      let sum = 0
      let square = 0
      let product = 0
      if (whole)
        for (let at = 0; at < count; at += 1) {
          const y = block[start + at]!
          sum += y
          square += y * y
          product += y * values[at]!
        }
      else
        for (let at = 0; at < count; at += 1) {
          const y = block[start + columns[at]!]!
          sum += y
          square += y * y
          product += y * values[at]!
        }
      // A missing value makes the sum NaN, and the row is gone through by pairs below.
      if (!Number.isNaN(sum)) {
        pairs[offset + row] = count
        const spread = square - (sum * sum) / count
        r[offset + row] =
          spread <= constantShare * square || squares === 0
            ? Number.NaN
            : Math.max(-1, Math.min(1, product / Math.sqrt(spread * squares)))
        continue
      }
    }
    let n = 0
    let sumX = 0
    let sumY = 0
    let squareX = 0
    let squareY = 0
    let product = 0
    for (let at = 0; at < count; at += 1) {
      const x = values[at]!
      const y = block[start + columns[at]!]!
      if (Number.isNaN(x) || Number.isNaN(y)) continue
      n += 1
      sumX += x
      sumY += y
      squareX += x * x
      squareY += y * y
      product += x * y
    }
    pairs[offset + row] = n
    const spreadX = squareX - (sumX * sumX) / n
    const spreadY = squareY - (sumY * sumY) / n
    r[offset + row] =
      n < 2 || spreadX <= constantShare * squareX || spreadY <= constantShare * squareY
        ? Number.NaN
        : Math.max(-1, Math.min(1, (product - (sumX * sumY) / n) / Math.sqrt(spreadX * spreadY)))
  }
}

const correlateRanks = (
  { columns, values, complete, squares }: CorrelationQuery,
  block: Float32Array | Float64Array | Uint16Array,
  rows: number,
  width: number,
  r: Float32Array | Float64Array,
  pairs: Uint16Array | Uint32Array,
  offset: number,
): void => {
  const count = columns.length
  const buckets = new Uint32Array(2 * width + 2)
  const doubledX = new Uint16Array(count)
  const doubledY = new Uint16Array(count)
  const ranksX = new Float64Array(count)
  const ranksY = new Float64Array(count)
  const centred = new Float64Array(count)
  if (complete) {
    ranksWithin(values, count, buckets, centred)
    for (let at = 0; at < count; at += 1) centred[at]! -= (count + 1) / 2
  }
  const middle = (count + 1) / 2
  for (let row = 0; row < rows; row += 1) {
    const start = row * width
    let n = 0
    for (let at = 0; at < count; at += 1) {
      const y = block[start + columns[at]!]!
      const x = values[at]!
      if (y === 0 || x === 0) continue
      doubledX[n] = x
      doubledY[n] = y
      n += 1
    }
    pairs[offset + row] = n
    if (n < 2) {
      r[offset + row] = Number.NaN
      continue
    }
    ranksWithin(doubledY, n, buckets, ranksY)
    let product = 0
    let squareY = 0
    let squareX = squares
    if (n === count && complete) {
      for (let at = 0; at < n; at += 1) {
        const y = ranksY[at]! - middle
        squareY += y * y
        product += y * centred[at]!
      }
    } else {
      ranksWithin(doubledX, n, buckets, ranksX)
      const mean = (n + 1) / 2
      squareX = 0
      for (let at = 0; at < n; at += 1) {
        const x = ranksX[at]! - mean
        const y = ranksY[at]! - mean
        squareX += x * x
        squareY += y * y
        product += x * y
      }
    }
    r[offset + row] =
      squareX === 0 || squareY === 0 ? Number.NaN : Math.max(-1, Math.min(1, product / Math.sqrt(squareX * squareY)))
  }
}

/**
 * Mutual rank of two genes: the geometric mean of the place that each has in the other's list (Obayashi and Kinoshita 2009, DNA Res
 * 16:249). 1 is the best.
 *
 * @example mutualRank(4, 9) // 6
 */
export const mutualRank = (place: number, reverse: number): number => Math.sqrt(place * reverse)
