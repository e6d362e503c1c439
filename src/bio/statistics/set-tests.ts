// Tests of a set against a background; corrections for many tests are in multiple-testing.ts.

import { normalTail } from './distributions.ts'

/** A product beyond these bounds is brought back by a power of two, which costs no digit. */
const scaleUp = 2 ** 600

/**
 * Probability of exactly `found`, as a product of fractions that is kept within the range of doubles: log-gamma functions of numbers
 * in the ten thousands would leave ten digits at best, this some fourteen.
 */
const hypergeometricPoint = (found: number, drawn: number, marked: number, total: number): number => {
  let product = 1
  let scaled = 0
  const multiply = (fraction: number): void => {
    product *= fraction
    if (product > scaleUp) {
      product /= scaleUp
      scaled += 1
    } else if (product < 1 / scaleUp) {
      product *= scaleUp
      scaled -= 1
    }
  }
  for (let at = 0; at < found; at++) multiply(((marked - at) / (total - at)) * ((drawn - at) / (found - at)))
  for (let at = 0; at < drawn - found; at++) multiply((total - marked - at) / (total - found - at))
  for (; scaled < 0 && product > 0; scaled++) product /= scaleUp
  for (; scaled > 0; scaled--) product *= scaleUp
  return product
}

/**
 * Probability of drawing at least `found` marked things in `drawn` draws without replacement from `total` of which `marked` are
 * marked: the upper tail of the hypergeometric distribution, Fisher's one-sided test. To about 1e-12 relative, wherever doubles reach.
 *
 * @example hypergeometricTail({found: 4, drawn: 5, marked: 6, total: 20}) // 0.01393, as scipy.stats.hypergeom.sf(3, 20, 6, 5)
 */
export const hypergeometricTail = ({
  found,
  drawn,
  marked,
  total,
}: {
  found: number
  drawn: number
  marked: number
  total: number
}): number => {
  // The distribution is the same with the two sets changed about: the smaller one costs less.
  const small = Math.min(drawn, marked)
  const large = Math.max(drawn, marked)
  const min = Math.max(0, small + large - total)
  if (found <= min) return 1
  if (found > small) return 0
  // From the highest point of the tail all ratios of neighbours are known and at most 1: nothing cancels, nothing overflows.
  const mode = Math.min(small, Math.max(min, Math.floor(((small + 1) * (large + 1)) / (total + 2))))
  const anchor = Math.max(found, mode)
  let sum = 1
  let term = 1
  for (let count = anchor; count < small && term > sum * 1e-18; count++) {
    term *= ((small - count) / (count + 1)) * ((large - count) / (total - small - large + count + 1))
    sum += term
  }
  term = 1
  for (let count = anchor; count > found && term > sum * 1e-18; count--) {
    term *= (count / (small - count + 1)) * ((total - small - large + count) / (large - count + 1))
    sum += term
  }
  return Math.min(1, hypergeometricPoint(anchor, small, large, total) * sum)
}

/**
 * Probability of drawing at most `found` marked things: the lower tail, Fisher's one-sided test for too few. As `hypergeometricTail`, of
 * what is not marked.
 *
 * @example hypergeometricLowerTail({found: 1, drawn: 9, marked: 11, total: 20}) // 0.000595, as scipy.stats.hypergeom.cdf(1, 20, 11, 9)
 */
export const hypergeometricLowerTail = ({
  found,
  drawn,
  marked,
  total,
}: Parameters<typeof hypergeometricTail>[0]): number =>
  hypergeometricTail({ found: drawn - found, drawn, marked: total - marked, total })

/** Probabilities of other counts that are equal but for rounding count as equal (R's fisher.test has the same bound). */
const equalWithin = 1 + 1e-7

/**
 * Fisher's exact test, two-sided: the sum of the probabilities of all counts that are not likelier than `found`.
 *
 * @example hypergeometricTwoSided({found: 4, drawn: 5, marked: 6, total: 20}) // 0.01393, as scipy.stats.fisher_exact([[4, 2], [1, 13]])
 */
export const hypergeometricTwoSided = ({
  found,
  drawn,
  marked,
  total,
}: Parameters<typeof hypergeometricTail>[0]): number => {
  const min = Math.max(0, drawn + marked - total)
  const max = Math.min(drawn, marked)
  if (found < min || found > max) return 0
  const rest = total - drawn - marked
  const up = (count: number): number =>
    ((max - count) / (count + 1)) * ((drawn + marked - max - count) / (rest + count + 1))
  // In units of the probability of what was found; beyond the top of the distribution both sides fall to nothing.
  let sum = 1
  let weight = 1
  for (let count = found; count < max; count++) {
    const factor = up(count)
    weight *= factor
    if (weight <= equalWithin) sum += weight
    if (factor < 1 && weight < sum * 1e-18) break
  }
  weight = 1
  for (let count = found; count > min; count--) {
    const factor = 1 / up(count - 1)
    weight *= factor
    if (weight <= equalWithin) sum += weight
    if (factor < 1 && weight < sum * 1e-18) break
  }
  return Math.min(1, hypergeometricPoint(found, drawn, marked, total) * sum)
}

/**
 * Mann and Whitney's rank-sum test of whether `set` is above `background`: the normal approximation with ties in the variance and
 * half a rank of correction for continuity, one-sided. 1 where a group is empty or all values are the same.
 *
 * @example rankSumGreater([5, 7, 9], [1, 2, 3, 4]).pValue
 * // 0.0259, as scipy.stats.mannwhitneyu(…, alternative='greater', method='asymptotic')
 */
export const rankSumGreater = (
  set: ArrayLike<number>,
  background: ArrayLike<number>,
): { u: number; z: number; pValue: number } => {
  const n = set.length
  const m = background.length
  const a = Float64Array.from(set).sort()
  const b = Float64Array.from(background).sort()
  let rankSum = 0
  let ties = 0
  let i = 0
  let j = 0
  while (i < n || j < m) {
    const value = i < n && (j >= m || a[i]! <= b[j]!) ? a[i]! : b[j]!
    const before = i + j
    let inSet = 0
    while (i < n && a[i] === value) {
      i++
      inSet++
    }
    while (j < m && b[j] === value) j++
    const count = i + j - before
    rankSum += inSet * (before + (count + 1) / 2)
    ties += count ** 3 - count
  }
  const u = rankSum - (n * (n + 1)) / 2
  const all = n + m
  const variance = all < 2 ? 0 : ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)))
  if (n === 0 || m === 0 || variance <= 0) return { u, z: 0, pValue: 1 }
  const z = (u - (n * m) / 2 - 0.5) / Math.sqrt(variance)
  return { u, z, pValue: Math.min(1, normalTail(z)) }
}
