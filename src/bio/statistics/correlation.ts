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
export const maxColumns = 32_767

const ones = (bits: number): number => {
  let count = bits - ((bits >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Room for ranking within a choice of columns, for rows of so many columns. */
interface RankRoom {
  bits: Int32Array
  before: Uint32Array
  buckets: Uint32Array
}
const rankRoom = (width: number): RankRoom => ({
  bits: new Int32Array(((2 * width) >> 5) + 2),
  before: new Uint32Array(((2 * width) >> 5) + 2),
  buckets: new Uint32Array(2 * width + 2),
})

const ranksWithin = (
  doubled: ArrayLike<number>,
  count: number,
  { bits, before, buckets }: RankRoom,
  out: Float64Array,
): void => {
  // Doubled ranks are whole numbers from 2 to twice the number of columns. Where none occurs twice, a rank is how many bits are set up
  // to it; else they are counted.
  bits.fill(0)
  let tied = false
  for (let at = 0; at < count; at += 1) {
    const value = doubled[at]!
    const bit = 1 << (value & 31)
    const word = value >> 5
    if ((bits[word]! & bit) !== 0) {
      tied = true
      break
    }
    bits[word]! |= bit
  }
  if (!tied) {
    let total = 0
    for (let word = 0; word < bits.length; word += 1) {
      before[word] = total
      total += ones(bits[word]!)
    }
    for (let at = 0; at < count; at += 1) {
      const value = doubled[at]!
      const word = value >> 5
      out[at] = before[word]! + ones(bits[word]! & (0xffffffff >>> (31 - (value & 31))))
    }
    return
  }
  buckets.fill(0)
  for (let at = 0; at < count; at += 1) buckets[doubled[at]!]! += 1
  let below = 0
  for (let value = 0; value < buckets.length; value += 1) {
    const here = buckets[value]!
    if (here === 0) continue
    buckets[value] = 2 * below + here + 1
    below += here
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
    ranksWithin(values, count, rankRoom(row.length), ranks)
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

const isWhole = (columns: Uint32Array, width: number): boolean =>
  columns.length === width && columns.every((column, at) => column === at)

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
  const whole = isWhole(columns, width)
  const gathered = new Float64Array(count)
  for (let row = 0; row < rows; row += 1) {
    const start = row * width
    if (complete) {
      let sum = 0
      let square = 0
      let product = 0
      if (!whole) for (let at = 0; at < count; at += 1) gathered[at] = block[start + columns[at]!]!
      const own = whole ? block : gathered
      const first = whole ? start : 0
      for (let at = 0; at < count; at += 1) {
        const y = own[first + at]!
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
  const room = rankRoom(width)
  const doubledX = new Uint16Array(count)
  const doubledY = new Uint16Array(count)
  const ranksX = new Float64Array(count)
  const ranksY = new Float64Array(count)
  const centred = new Float64Array(count)
  if (complete) {
    ranksWithin(values, count, room, centred)
    for (let at = 0; at < count; at += 1) centred[at]! -= (count + 1) / 2
  }
  const middle = (count + 1) / 2
  const whole = complete && isWhole(columns, width)
  for (let row = 0; row < rows; row += 1) {
    const start = row * width
    if (whole) {
      // The ranks stand in the row as they are; doubled, they add up to n (n + 1) when none is missing.
      let sum = 0
      let square = 0
      let product = 0
      for (let at = 0; at < count; at += 1) {
        const y = block[start + at]!
        sum += y
        square += y * y
        product += y * centred[at]!
      }
      if (sum === count * (count + 1)) {
        pairs[offset + row] = count
        const spread = square - (sum * sum) / count
        r[offset + row] =
          spread === 0 || squares === 0 ? Number.NaN : Math.max(-1, Math.min(1, product / Math.sqrt(spread * squares)))
        continue
      }
    }
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
    ranksWithin(doubledY, n, room, ranksY)
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
      ranksWithin(doubledX, n, room, ranksX)
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

/** Sums of products of one row with rows of another block, four at a time: the row is read once for four. */
export const multiplyRows = (
  row: Float64Array,
  rowStart: number,
  others: Float64Array,
  first: number,
  end: number,
  width: number,
  out: Float64Array,
): void => {
  let other = first
  for (; other + 4 <= end; other += 4) {
    const a = other * width
    const b = a + width
    const c = b + width
    const d = c + width
    let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
    for (let at = 0; at < width; at += 1) {
      const y = row[rowStart + at]!
      sumA += y * others[a + at]!
      sumB += y * others[b + at]!
      sumC += y * others[c + at]!
      sumD += y * others[d + at]!
    }
    out[other] = sumA
    out[other + 1] = sumB
    out[other + 2] = sumC
    out[other + 3] = sumD
  }
  for (; other < end; other += 1) {
    const a = other * width
    let sum = 0
    for (let at = 0; at < width; at += 1) sum += row[rowStart + at]! * others[a + at]!
    out[other] = sum
  }
}

/** Values less their mean, over the root of their squares: the product of two such rows is their correlation. All 0 where constant. */
const toUnit = (values: Float64Array): void => {
  let sum = 0
  let raw = 0
  for (let at = 0; at < values.length; at += 1) {
    sum += values[at]!
    raw += values[at]! ** 2
  }
  const mean = sum / values.length
  let squares = 0
  for (let at = 0; at < values.length; at += 1) {
    values[at]! -= mean
    squares += values[at]! ** 2
  }
  const scale = squares <= constantShare * raw || squares === 0 ? 0 : 1 / Math.sqrt(squares)
  for (let at = 0; at < values.length; at += 1) values[at]! *= scale
}

/**
 * Pearson's coefficients of many queries with every row of a block, as `correlateRows` gives them one by one, several times as fast. For
 * each row `onRow` gets the coefficients and numbers of pairs, in the order of the queries; the arrays are used again.
 */
export const correlateMany = (
  queries: readonly CorrelationQuery[],
  block: Float32Array | Float64Array | Uint16Array,
  rows: number,
  width: number,
  onRow: (row: number, r: Float64Array, pairs: Uint16Array) => void,
): void => {
  const columns = queries[0]!.columns
  const count = columns.length
  const units = new Float64Array(queries.length * count)
  for (const [at, { values, complete }] of queries.entries()) {
    if (!complete) continue
    const unit = units.subarray(at * count, (at + 1) * count)
    unit.set(values)
    toUnit(unit)
  }
  const usable = queries.map(({ squares }) => squares > 0)
  const r = new Float64Array(queries.length)
  const pairs = new Uint16Array(queries.length)
  const own = new Float64Array(count)
  for (let row = 0; row < rows; row += 1) {
    const start = row * width
    let gap = false
    for (let at = 0; at < count; at += 1) {
      const value = block[start + columns[at]!]!
      own[at] = value
      if (Number.isNaN(value)) gap = true
    }
    if (!gap) {
      toUnit(own)
      multiplyRows(own, 0, units, 0, queries.length, count, r)
    }
    // A row that is constant is all 0 by now.
    const constant = !gap && own.every((value) => value === 0)
    for (const [at, query] of queries.entries())
      if (gap || !query.complete) correlateValues(query, block.subarray(start, start + width), 1, width, r, pairs, at)
      else {
        pairs[at] = count
        r[at] = constant || !usable[at] ? Number.NaN : Math.max(-1, Math.min(1, r[at]!))
      }
    onRow(row, r, pairs)
  }
}

/**
 * Mutual rank of two genes: the geometric mean of the place that each has in the other's list (Obayashi and Kinoshita 2009, DNA Res
 * 16:249). 1 is the best.
 *
 * @example mutualRank(4, 9) // 6
 */
export const mutualRank = (rank: number, reverse: number): number => Math.sqrt(rank * reverse)
