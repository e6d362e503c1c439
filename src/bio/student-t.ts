import { normalTail } from './set-tests.ts'

// Lanczos' approximation with g = 7 and nine terms (Lanczos 1964, SIAM J Numer Anal B 1:86; coefficients of Godfrey 2001), about 1e-15.
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

/** Natural logarithm of the gamma function. `logGamma(5)` is ln 24. */
export const logGamma = (x: number): number => {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let sum = lanczos[0]!
  for (let at = 1; at < lanczos.length; at += 1) sum += lanczos[at]! / (x + at - 1)
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

/** Logarithm of the beta function's inverse; the last few are kept, for tens of thousands of genes ask with the same. */
const scales: { a: number; b: number; value: number }[] = []
const logScale = (a: number, b: number): number => {
  const known = scales.find((one) => one.a === a && one.b === b)
  if (known !== undefined) return known.value
  const value = logGamma(a + b) - logGamma(a) - logGamma(b)
  scales.unshift({ a, b, value })
  if (scales.length > 8) scales.pop()
  return value
}

/**
 * Regularised incomplete beta function, by its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22), as Lentz
 * evaluates it.
 */
export const incompleteBeta = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logScale(a, b) + a * Math.log(x) + b * Math.log1p(-x) - Math.log(a))
  const least = 1e-300
  let c = 1
  let d = 1 - ((a + b) * x) / (a + 1)
  d = 1 / (Math.abs(d) < least ? least : d)
  let value = d
  for (let m = 1; m <= 500; m += 1) {
    // Even and odd terms of the fraction.
    for (let odd = 0; odd < 2; odd += 1) {
      const term =
        odd === 0
          ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
          : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 + term * d
      d = 1 / (Math.abs(d) < least ? least : d)
      c = 1 + term / c
      if (Math.abs(c) < least) c = least
      value *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return front * value
}

/**
 * Two-sided p-value of a correlation coefficient of `pairs` pairs, by Student's t with pairs - 2 degrees of freedom, as R's cor.test
 * has it for Pearson's (and its approximation for Spearman's) coefficient. NaN with fewer than three pairs.
 *
 * @example correlationPValue(0.9, 10) // 0.000387, as scipy.stats.pearsonr
 */
export const correlationPValue = (r: number, pairs: number): number => {
  if (pairs < 3 || !(Math.abs(r) <= 1)) return Number.NaN
  // P(|T| > t) is the beta function at df / (df + t^2), which for t of r is 1 - r^2.
  return incompleteBeta(1 - r * r, (pairs - 2) / 2, 0.5)
}

/** From here on the normal approximation is better than the continued fraction, whose gamma functions cancel. */
const manyDegrees = 1000

/**
 * Two-sided p-value of Student's t with `degrees` of freedom, which need not be whole: the incomplete beta function, and where there
 * are many degrees Hill's expansion about the normal distribution (1970, Commun ACM 13:617, algorithm 395).
 *
 * @example studentTwoSided(2.5, 10) // 0.03145, as 2 * scipy.stats.t.sf(2.5, 10)
 */
export const studentTwoSided = (t: number, degrees: number): number => {
  if (Number.isNaN(t) || !(degrees > 0)) return Number.NaN
  if (!Number.isFinite(t)) return 0
  if (degrees <= manyDegrees) return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
  const a = degrees - 0.5
  const b = 48 * a * a
  const y = a * Math.log1p((t * t) / degrees)
  const z = (((((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b) + y + 3) / b + 1) * Math.sqrt(y)
  return Math.min(1, 2 * normalTail(z))
}
