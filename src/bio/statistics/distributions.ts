// Distributions and the special functions that they are made of.

/**
 * Upper tail of the standard normal distribution, to about 1e-13 relative over the range of doubles: series near 0, and beyond it the
 * continued fraction, from its two hundredth term back (Abramowitz and Stegun 26.2.11 and 26.2.14).
 *
 * @example normalTail(1.959964) // 0.025
 */
export const normalTail = (z: number): number => {
  if (z < 0) return 1 - normalTail(-z)
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < 3) {
    let term = z
    let sum = z
    for (let n = 1; n < 200; n++) {
      term *= (z * z) / (2 * n + 1)
      sum += term
      if (term < sum * 1e-17) break
    }
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let n = 200; n >= 1; n--) fraction = n / (z + fraction)
  return density / (z + fraction)
}

/** Coefficients of AS 241's rational functions, constant term first: of the middle, of the tails, and of the far tails. */
const central = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
] as const
const near = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
] as const
const far = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
] as const

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)

/**
 * Standard normal quantile of the lower tail p, Wichura's algorithm AS 241 (1988, Applied Statistics 37:477), about 1e-16.
 *
 * Example: `normalQuantile(0.975)` is 1.959963984540054.
 */
export const normalQuantile = (p: number): number => {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(central[0], r)) / polynomial(central[1], r)
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  const [over, under] = r <= 5 ? near : far
  const value = polynomial(over, r <= 5 ? r - 1.6 : r - 5) / polynomial(under, r <= 5 ? r - 1.6 : r - 5)
  return q < 0 ? -value : value
}

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

/** Regularised lower incomplete gamma function by its series (NIST 8.7.1). */
export const lowerGamma = (a: number, x: number): number => {
  let term = 1 / a
  let sum = term
  for (let at = 1; at < 5000 && term > 1e-14 * sum; at += 1) {
    term *= x / (a + at)
    sum += term
  }
  return sum * Math.exp(-x + a * Math.log(x) - logGamma(a))
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
  const min = 1e-300
  let c = 1
  let d = 1 - ((a + b) * x) / (a + 1)
  d = 1 / (Math.abs(d) < min ? min : d)
  let value = d
  for (let m = 1; m <= 500; m += 1) {
    // Even and odd terms of the fraction.
    for (let odd = 0; odd < 2; odd += 1) {
      const term =
        odd === 0
          ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
          : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 + term * d
      d = 1 / (Math.abs(d) < min ? min : d)
      c = 1 + term / c
      if (Math.abs(c) < min) c = min
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
