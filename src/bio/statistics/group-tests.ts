// Tests of whether groups differ in a measured value, and of whether values are spread as the normal distribution has them.

import { incompleteBeta, logGamma, normalQuantile, normalTail } from './distributions.ts'

/**
 * Upper tail of Fisher's F.
 *
 * @example fTail(4.5, 2, 12) // 0.03482, as R's pf(4.5, 2, 12, lower.tail = FALSE)
 */
export const fTail = (f: number, numerator: number, denominator: number): number => {
  if (!(numerator > 0) || !(denominator > 0) || Number.isNaN(f)) return Number.NaN
  if (f <= 0) return 1
  if (!Number.isFinite(f)) return 0
  return incompleteBeta(denominator / (denominator + numerator * f), denominator / 2, numerator / 2)
}

/**
 * Upper tail of chi-square with `degrees` of freedom: the regularised incomplete gamma function by its series below the mean and by its
 * continued fraction above (NIST Digital Library of Mathematical Functions, 8.11.4 and 8.9.2).
 *
 * @example chiSquareTail(7.815, 3) // 0.05
 */
export const chiSquareTail = (x: number, degrees: number): number => {
  if (Number.isNaN(x) || !(degrees > 0)) return Number.NaN
  if (x <= 0) return 1
  const a = degrees / 2
  const z = x / 2
  const front = Math.exp(a * Math.log(z) - z - logGamma(a))
  if (z < a + 1) {
    let term = 1 / a
    let sum = term
    for (let n = 1; n < 10_000; n += 1) {
      term *= z / (a + n)
      sum += term
      if (term < sum * 1e-16) break
    }
    return Math.max(0, 1 - front * sum)
  }
  const min = 1e-300
  let b = z + 1 - a
  let c = 1 / min
  let d = 1 / b
  let value = d
  for (let n = 1; n < 10_000; n += 1) {
    const term = -n * (n - a)
    b += 2
    d = term * d + b
    d = 1 / (Math.abs(d) < min ? min : d)
    c = b + term / c
    if (Math.abs(c) < min) c = min
    value *= c * d
    if (Math.abs(c * d - 1) < 1e-16) break
  }
  return front * value
}

/** A test of all groups together. */
export interface GroupTest {
  statistic: number
  degrees: number
  /** Of the denominator; null where the statistic has none. */
  residualDegrees: number | null
  pValue: number
  /** Share of the variance between groups (eta squared), or of the ranks' (epsilon squared). */
  effect: number
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * One-way analysis of variance, as R's anova(lm(y ~ group)); effect is eta squared. Null with fewer than two groups, no residual degree
 * of freedom, or no variance within the groups, where F has no value.
 *
 * @example analyseVariance([[1, 2, 3], [2, 4, 6]])!.statistic // 2.4
 */
export const analyseVariance = (groups: readonly (readonly number[])[]): GroupTest | null => {
  const filled = groups.filter((group) => group.length > 0)
  const count = filled.reduce((sum, group) => sum + group.length, 0)
  const degrees = filled.length - 1
  const residualDegrees = count - filled.length
  if (degrees < 1 || residualDegrees < 1) return null
  const all = meanOf(filled.flat())
  let between = 0
  let within = 0
  for (const group of filled) {
    const mean = meanOf(group)
    between += group.length * (mean - all) ** 2
    for (const value of group) within += (value - mean) ** 2
  }
  if (!(within > 0)) return null
  const statistic = between / degrees / (within / residualDegrees)
  return {
    statistic,
    degrees,
    residualDegrees,
    pValue: fTail(statistic, degrees, residualDegrees),
    effect: between / (between + within),
  }
}

/**
 * Welch's analysis of variance, which does not take the variances of the groups for equal (1951, Biometrika 38:330), as R's oneway.test;
 * effect is eta squared. Groups of fewer than two values are left out. Null with fewer than two groups, or where one of them does not vary.
 *
 * @example welchVariance([[1, 2, 3], [2, 4, 6]])!.statistic // 2.4
 */
export const welchVariance = (groups: readonly (readonly number[])[]): GroupTest | null => {
  const filled = groups.filter((group) => group.length > 1)
  if (filled.length < 2) return null
  const described = filled.map((group) => {
    const mean = meanOf(group)
    const variance = group.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (group.length - 1)
    return { count: group.length, mean, variance, weight: group.length / variance }
  })
  if (described.some(({ variance }) => !(variance > 0))) return null
  const weights = described.reduce((sum, { weight }) => sum + weight, 0)
  const centre = described.reduce((sum, { weight, mean }) => sum + weight * mean, 0) / weights
  const degrees = filled.length - 1
  const spread =
    described.reduce((sum, { weight, count }) => sum + (1 - weight / weights) ** 2 / (count - 1), 0) /
    ((degrees + 1) ** 2 - 1)
  const statistic =
    described.reduce((sum, { weight, mean }) => sum + weight * (mean - centre) ** 2, 0) /
    degrees /
    (1 + 2 * (degrees - 1) * spread)
  const residualDegrees = 1 / (3 * spread)
  const all = meanOf(filled.flat())
  const between = described.reduce((sum, { count, mean }) => sum + count * (mean - all) ** 2, 0)
  const within = described.reduce((sum, { count, variance }) => sum + (count - 1) * variance, 0)
  return {
    statistic,
    degrees,
    residualDegrees,
    pValue: fTail(statistic, degrees, residualDegrees),
    effect: between / (between + within),
  }
}

/** Share of its own sum of squares below which a group counts as told by those before it. */
const independent = 1e-9

/**
 * Whether groups differ within strata: the F test of `group` in the additive linear model of both, as R's
 * anova(lm(y ~ stratum), lm(y ~ stratum + group)). Effect is partial eta squared. Null where the strata tell the groups (each stratum has
 * one group alone), no degree of freedom is left, or nothing varies beside them.
 *
 * Example: groups a, a, b, b in strata 1, 2, 1, 2 are compared within both strata; groups a, a, b, b in strata 1, 1, 2, 2 cannot be.
 */
export const compareWithin = (
  values: readonly { value: number; group: number; stratum: number }[],
): GroupTest | null => {
  const places = (key: 'group' | 'stratum'): Map<number, number> => {
    const found = new Map<number, number>()
    for (const one of values) if (!found.has(one[key])) found.set(one[key], found.size)
    return found
  }
  const [groups, strata] = [places('group'), places('stratum')]
  const [g, s] = [groups.size, strata.size]
  const cells = Array.from({ length: g }, () => new Float64Array(s))
  const sizes = new Float64Array(s)
  const sums = new Float64Array(s)
  for (const { value, group, stratum } of values) {
    const at = strata.get(stratum)!
    cells[groups.get(group)!]![at]! += 1
    sizes[at]! += 1
    sums[at]! += value
  }
  // Values less their stratum's mean; of the groups' indicators the same, which needs the counts alone.
  const totals = new Float64Array(g)
  let within = 0
  for (const { value, group, stratum } of values) {
    const at = strata.get(stratum)!
    const rest = value - sums[at]! / sizes[at]!
    totals[groups.get(group)!]! += rest
    within += rest ** 2
  }
  const matrix = cells.map((own, a) =>
    cells.map((other, b) => {
      let sum = a === b ? own.reduce((part, one) => part + one, 0) : 0
      for (let at = 0; at < s; at += 1) sum -= (own[at]! * other[at]!) / sizes[at]!
      return sum
    }),
  )
  let degrees = 0
  let told = 0
  // Elimination with the largest rest first: the rank is the degrees of freedom, and each pivot's share the sum of squares.
  const rest = [...totals]
  const open = new Set(matrix.keys())
  while (open.size > 0) {
    const pivot = [...open].reduce((best, at) => (matrix[at]![at]! > matrix[best]![best]! ? at : best))
    const size = matrix[pivot]![pivot]!
    if (size <= independent * values.length) break
    open.delete(pivot)
    degrees += 1
    told += rest[pivot]! ** 2 / size
    for (const at of open) {
      const share = matrix[at]![pivot]! / size
      rest[at]! -= share * rest[pivot]!
      for (const other of open) matrix[at]![other]! -= share * matrix[pivot]![other]!
    }
  }
  const residualDegrees = values.length - s - degrees
  const residual = within - told
  if (degrees < 1 || residualDegrees < 1 || !(residual > independent * within)) return null
  const statistic = told / degrees / (residual / residualDegrees)
  return {
    statistic,
    degrees,
    residualDegrees,
    pValue: fTail(statistic, degrees, residualDegrees),
    effect: told / within,
  }
}

/**
 * Kruskal and Wallis' rank test (1952, J Am Stat Assoc 47:583) with ties in the variance, as R's kruskal.test; effect is epsilon squared,
 * H (n + 1) / (n^2 - 1). Null with fewer than two groups, or where all values are the same.
 *
 * @example kruskalWallis([[1, 2, 3], [4, 5, 6]])!.statistic // 3.857
 */
export const kruskalWallis = (groups: readonly (readonly number[])[]): GroupTest | null => {
  const filled = groups.filter((group) => group.length > 0)
  const all = filled.flatMap((group, at) => group.map((value) => ({ value, at }))).sort((a, b) => a.value - b.value)
  const n = all.length
  if (filled.length < 2 || n < 3) return null
  const sums = new Float64Array(filled.length)
  let ties = 0
  for (let from = 0; from < n; ) {
    let to = from + 1
    while (to < n && all[to]!.value === all[from]!.value) to += 1
    for (let at = from; at < to; at += 1) sums[all[at]!.at]! += (from + 1 + to) / 2
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  const correction = 1 - ties / (n ** 3 - n)
  if (!(correction > 0)) return null
  let sum = 0
  for (const [at, group] of filled.entries()) sum += sums[at]! ** 2 / group.length
  const statistic = ((12 / (n * (n + 1))) * sum - 3 * (n + 1)) / correction
  const degrees = filled.length - 1
  return {
    statistic,
    degrees,
    residualDegrees: null,
    pValue: chiSquareTail(statistic, degrees),
    effect: (statistic * (n + 1)) / (n ** 2 - 1),
  }
}

/**
 * Pearson's chi-square test of a table of counts (rows groups, columns levels), without a correction for continuity, as R's
 * chisq.test(correct = FALSE); effect is Cramér's V. Rows and columns without a count are left out. Null where fewer than two of either
 * are left. `fewExpected` is the share of cells with an expectation below five, where the test is doubtful (Cochran 1954, Biometrics
 * 10:417).
 */
export const testTable = (counts: readonly (readonly number[])[]): (GroupTest & { fewExpected: number }) | null => {
  const rows = counts.filter((row) => row.some((count) => count > 0))
  const width = counts[0]?.length ?? 0
  const columns = Array.from({ length: width }, (_, at) => at).filter((at) => rows.some((row) => row[at]! > 0))
  if (rows.length < 2 || columns.length < 2) return null
  const rowSums = rows.map((row) => row.reduce((sum, count) => sum + count, 0))
  const columnSums = columns.map((at) => rows.reduce((sum, row) => sum + row[at]!, 0))
  const total = rowSums.reduce((sum, count) => sum + count, 0)
  let statistic = 0
  let few = 0
  for (const [r, row] of rows.entries())
    for (const [c, at] of columns.entries()) {
      const expected = (rowSums[r]! * columnSums[c]!) / total
      statistic += (row[at]! - expected) ** 2 / expected
      if (expected < 5) few += 1
    }
  const degrees = (rows.length - 1) * (columns.length - 1)
  return {
    statistic,
    degrees,
    residualDegrees: null,
    pValue: chiSquareTail(statistic, degrees),
    effect: Math.sqrt(statistic / total / Math.min(rows.length - 1, columns.length - 1)),
    fewExpected: few / (rows.length * columns.length),
  }
}

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)

/** Most values that Royston's approximation holds for. */
const maxForNormality = 5000

/**
 * Shapiro and Wilk's test of normality after Royston (1995, Appl Stat 44:547, algorithm AS R94), as R's shapiro.test. Null for fewer than
 * three or more than 5000 values, or where all are the same.
 *
 * @example shapiroWilk([2, 4, 4, 5, 5, 6, 8, 14])!.w // 0.8382
 */
export const shapiroWilk = (values: readonly number[]): { w: number; pValue: number } | null => {
  const n = values.length
  const x = Float64Array.from(values).sort()
  if (n < 3 || n > maxForNormality || !(x[n - 1]! > x[0]!)) return null
  const half = Math.floor(n / 2)
  const weights = new Float64Array(half)
  if (n === 3) weights[0] = Math.SQRT1_2
  else {
    const m = Float64Array.from({ length: half }, (_, at) => normalQuantile((at + 1 - 0.375) / (n + 0.25)))
    const squares = 2 * m.reduce((sum, one) => sum + one * one, 0)
    const root = Math.sqrt(squares)
    const rsn = 1 / Math.sqrt(n)
    const first = polynomial([0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056], rsn) - m[0]! / root
    let from = 1
    let scale: number
    if (n > 5) {
      const second = -m[1]! / root + polynomial([0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633], rsn)
      scale = Math.sqrt((squares - 2 * m[0]! ** 2 - 2 * m[1]! ** 2) / (1 - 2 * first ** 2 - 2 * second ** 2))
      weights[1] = second
      from = 2
    } else scale = Math.sqrt((squares - 2 * m[0]! ** 2) / (1 - 2 * first ** 2))
    weights[0] = first
    for (let at = from; at < half; at += 1) weights[at] = -m[at]! / scale
  }
  const mean = x.reduce((sum, value) => sum + value, 0) / n
  let spread = 0
  for (const value of x) spread += (value - mean) ** 2
  let sum = 0
  for (let at = 0; at < half; at += 1) sum += weights[at]! * (x[n - 1 - at]! - x[at]!)
  // A correlation: the weights' squares add up to one only nearly.
  const weight = 2 * weights.reduce((total, one) => total + one * one, 0)
  const w = Math.min(1, (sum * sum) / (spread * weight))
  if (n === 3) {
    const min = Math.asin(Math.sqrt(0.75))
    return { w, pValue: Math.max(0, (6 / Math.PI) * (Math.asin(Math.sqrt(w)) - min)) }
  }
  const log = Math.log(n)
  let y = Math.log(1 - w)
  let centre: number
  let deviation: number
  if (n <= 11) {
    const gamma = -2.273 + 0.459 * n
    if (y >= gamma) return { w, pValue: 1e-99 }
    y = -Math.log(gamma - y)
    centre = polynomial([0.544, -0.39978, 0.025054, -6.714e-4], n)
    deviation = Math.exp(polynomial([1.3822, -0.77857, 0.062767, -0.0020322], n))
  } else {
    centre = polynomial([-1.5861, -0.31082, -0.083751, 0.0038915], log)
    deviation = Math.exp(polynomial([-0.4803, -0.082676, 0.0030302], log))
  }
  return { w, pValue: normalTail((y - centre) / deviation) }
}

/**
 * Edges of a histogram: Freedman and Diaconis' width (1981, Z Wahrsch Verw Geb 57:453) rounded to 1, 2 or 5 times a power of ten, at most
 * `max` bins. Ascending values are expected. Each bin holds its left edge; the last also its right one.
 */
export const histogramOf = (sorted: ArrayLike<number>, max = 60): { edges: number[]; counts: number[] } => {
  const n = sorted.length
  const [low, high] = [sorted[0] ?? 0, sorted[n - 1] ?? 0]
  if (n === 0 || low === high) return { edges: [low - 0.5, low + 0.5], counts: [n] }
  const at = (share: number): number => sorted[Math.round((n - 1) * share)]!
  const wanted = (2 * (at(0.75) - at(0.25))) / Math.cbrt(n)
  const raw = Math.max(wanted > 0 ? wanted : (high - low) / Math.ceil(Math.log2(n) + 1), (high - low) / max)
  const power = 10 ** Math.floor(Math.log10(raw))
  const width = ([1, 2, 5, 10].find((step) => step * power >= raw * 0.999) ?? 10) * power
  const first = Math.floor(low / width)
  const last = Math.max(first + 1, Math.ceil(high / width))
  const edges = Array.from({ length: last - first + 1 }, (_, step) => Number(((first + step) * width).toPrecision(12)))
  const counts = new Array<number>(edges.length - 1).fill(0)
  for (let index = 0; index < n; index += 1) {
    const bin = Math.min(counts.length - 1, Math.max(0, Math.floor(sorted[index]! / width + 1e-9) - first))
    counts[bin]! += 1
  }
  return { edges, counts }
}

/**
 * Gaussian kernel density at `points` places with Silverman's bandwidth (1986, Density Estimation, equation 3.31), as R's density does by
 * default: 0.9 min(sd, IQR / 1.34) n^(-1/5). Ascending values are expected; empty where they do not differ.
 */
export const densityOf = (sorted: ArrayLike<number>, points = 128): { x: number; y: number }[] => {
  const n = sorted.length
  if (n < 3 || sorted[0] === sorted[n - 1]) return []
  const values = Array.from(sorted)
  const mean = meanOf(values)
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1))
  const place = (share: number): number => {
    const at = (n - 1) * share
    const low = Math.floor(at)
    return values[low]! + (at - low) * ((values[low + 1] ?? values[low]!) - values[low]!)
  }
  const reach = (place(0.75) - place(0.25)) / 1.34
  const width = 0.9 * (reach > 0 ? Math.min(deviation, reach) : deviation) * n ** -0.2
  const [from, to] = [values[0]! - 3 * width, values[n - 1]! + 3 * width]
  return Array.from({ length: points }, (_, at) => {
    const x = from + ((to - from) * at) / (points - 1)
    const y = values.reduce((sum, value) => sum + Math.exp(-(((x - value) / width) ** 2) / 2), 0)
    return { x, y: y / (n * width * Math.sqrt(2 * Math.PI)) }
  })
}
