// Gene families over genomes: in how many each is, how their number grows with genomes, and an order in which to draw them.

import { clusterRows, type Dendrogram } from '../statistics/clustering.ts'
import { studentTwoSided } from '../statistics/distributions.ts'
import { quantile } from '../statistics/quantile.ts'
import { seededRandom } from '../statistics/random.ts'

/** Genes of each family in each genome, family after family; 0 is absence. */
export interface FamilyCounts {
  families: number
  genomes: number
  counts: Uint16Array
}

export const familyClasses = ['core', 'softCore', 'shell', 'private'] as const
export type FamilyClass = (typeof familyClasses)[number]

/** Bounds of the classes. Shares are of 1 and reached or exceeded; `private` is the most genomes that a private family is in. */
export interface ClassBounds {
  core: number
  softCore: number
  private: number
}

export const usualBounds: ClassBounds = { core: 1, softCore: 0.9, private: 1 }

/**
 * Class of a family that is in `present` of `genomes` genomes, 1 or more. Core is asked first: of one genome all is core. Shares are
 * taken as they are written: 0.95 of 20 genomes is 19.
 *
 * @example familyClass(6, 7, { core: 1, softCore: 0.85, private: 1 }) // 'softCore'
 */
export const familyClass = (present: number, genomes: number, bounds: ClassBounds): FamilyClass => {
  const reaches = (share: number): boolean => present >= share * genomes - 1e-9
  if (reaches(bounds.core)) return 'core'
  if (reaches(bounds.softCore)) return 'softCore'
  return present <= bounds.private ? 'private' : 'shell'
}

/** Number of genomes that each family is in. */
export const countGenomes = ({ families, genomes, counts }: FamilyCounts): Uint16Array => {
  const present = new Uint16Array(families)
  for (let family = 0; family < families; family += 1) {
    let sum = 0
    for (let at = family * genomes; at < (family + 1) * genomes; at += 1) if (counts[at]! > 0) sum += 1
    present[family] = sum
  }
  return present
}

/** How many families are in exactly 0, 1, 2 … all genomes. `countFrequencies(Uint16Array.of(3, 1, 3), 3)` is `[0, 1, 0, 2]`. */
export const countFrequencies = (present: Uint16Array, genomes: number): number[] => {
  const frequencies = new Array<number>(genomes + 1).fill(0)
  for (const count of present) frequencies[count]! += 1
  return frequencies
}

/** Families in at least one (`pan`), in every (`core`), and not in the ones before (`fresh`) of 1, 2 … all genomes. */
export interface Growth {
  pan: number[]
  core: number[]
  fresh: number[]
}

/**
 * Means of `Growth` over every order of the genomes, exactly: a family in k of G is in none of n with C(G-k, n) / C(G, n), and in all
 * with C(k, n) / C(G, n) (rarefaction: Hurlbert 1971, Ecology 52:577).
 *
 * @example expectedGrowth([0, 1, 1]) // { pan: [1.5, 2], core: [1.5, 1], fresh: [1.5, 0.5] }
 */
export const expectedGrowth = (frequencies: readonly number[]): Growth => {
  const genomes = frequencies.length - 1
  const pan = new Array<number>(genomes).fill(0)
  const core = new Array<number>(genomes).fill(0)
  for (let present = 1; present <= genomes; present += 1) {
    const families = frequencies[present]!
    if (families === 0) continue
    let missed = 1
    let kept = 1
    for (let n = 1; n <= genomes; n += 1) {
      missed *= Math.max(0, genomes - present - n + 1) / (genomes - n + 1)
      kept *= Math.max(0, present - n + 1) / (genomes - n + 1)
      pan[n - 1]! += families * (1 - missed)
      core[n - 1]! += families * kept
    }
  }
  return { pan, core, fresh: pan.map((size, at) => size - (pan[at - 1] ?? 0)) }
}

/** Presence as a bit a family, genome after genome: 32 families a word. */
export interface PresenceBits {
  words: number
  bits: Uint32Array[]
}

export const packPresence = ({ families, genomes, counts }: FamilyCounts): PresenceBits => {
  const words = Math.ceil(families / 32)
  const bits = Array.from({ length: genomes }, () => new Uint32Array(words))
  for (let genome = 0; genome < genomes; genome += 1) {
    const own = bits[genome]!
    for (let family = 0, at = genome; family < families; family += 1, at += genomes)
      if (counts[at]! > 0) own[family >>> 5]! |= 1 << (family & 31)
  }
  return { words, bits }
}

/** Bits that are 1 in a word (Warren 2012, Hacker's Delight, figure 5-2). */
const countBits = (word: number): number => {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Bounds of the middle 95 % over the orders, for 1, 2 … all genomes. */
export interface GrowthSpread {
  /** Orders that were gone through. */
  orders: number
  /** Every order there is was gone through, none was drawn. */
  complete: boolean
  pan: { low: number[]; high: number[] }
  core: { low: number[]; high: number[] }
}

/** All orders of 0 … n - 1, by Heap's algorithm (1963). */
function* everyOrder(n: number): Generator<number[]> {
  const order = Array.from({ length: n }, (_, at) => at)
  const turns = new Array<number>(n).fill(0)
  yield order
  for (let at = 1; at < n; ) {
    if (turns[at]! < at) {
      const other = at % 2 === 0 ? 0 : turns[at]!
      ;[order[at], order[other]] = [order[other]!, order[at]!]
      yield order
      turns[at]! += 1
      at = 1
    } else {
      turns[at] = 0
      at += 1
    }
  }
}

function* drawOrders(n: number, orders: number, seed: number): Generator<number[]> {
  const random = seededRandom(seed)
  const order = Array.from({ length: n }, (_, at) => at)
  for (let drawn = 0; drawn < orders; drawn += 1) {
    for (let at = n - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1))
      ;[order[at], order[other]] = [order[other]!, order[at]!]
    }
    yield order
  }
}

/**
 * Spread of the sizes of pan and core genome over orders in which genomes are added: all orders where there are no more than `orders`,
 * else so many drawn at random, the same for the same seed.
 */
export const resampleGrowth = (presence: PresenceBits, orders: number, seed: number): GrowthSpread => {
  const genomes = presence.bits.length
  let possible = 1
  for (let n = 2; n <= genomes && possible <= orders; n += 1) possible *= n
  const complete = possible <= orders
  const rounds = complete ? possible : orders
  const pan = Array.from({ length: genomes }, () => new Float64Array(rounds))
  const core = Array.from({ length: genomes }, () => new Float64Array(rounds))
  const any = new Uint32Array(presence.words)
  const all = new Uint32Array(presence.words)
  let round = 0
  for (const order of complete ? everyOrder(genomes) : drawOrders(genomes, orders, seed)) {
    any.fill(0)
    all.fill(0xffffffff)
    for (let n = 0; n < genomes; n += 1) {
      const own = presence.bits[order[n]!]!
      let inAny = 0
      let inAll = 0
      for (let word = 0; word < own.length; word += 1) {
        const joined = any[word]! | own[word]!
        const shared = all[word]! & own[word]!
        any[word] = joined
        all[word] = shared
        if (joined !== 0) inAny += countBits(joined)
        if (shared !== 0) inAll += countBits(shared)
      }
      pan[n]![round] = inAny
      core[n]![round] = inAll
    }
    round += 1
  }
  const bounds = (sizes: Float64Array[]): { low: number[]; high: number[] } => {
    for (const one of sizes) one.sort()
    return { low: sizes.map((one) => quantile(one, 0.025)), high: sizes.map((one) => quantile(one, 0.975)) }
  }
  return { orders: rounds, complete, pan: bounds(pan), core: bounds(core) }
}

/** y = factor * x ^ exponent. */
export interface PowerFit {
  factor: number
  exponent: number
  /** Half of the 95 % confidence interval by Student's t with points - 2 degrees of freedom; null where two points leave none. */
  factorMargin: number | null
  exponentMargin: number | null
  /** Sum of squared residuals. */
  residual: number
  points: number
}

/**
 * Whether a pan-genome is open, by alpha of the new families, n = kappa * N ^ -alpha (open where alpha <= 1: Tettelin et al. 2008);
 * `undecided` where 1 lies within the margin of alpha. Gamma of its size says nothing of this: a mean size never falls, so gamma is above 0.
 * Null without a fit or a margin.
 *
 * @example judgeOpenness({ factor: 90, exponent: -0.6, exponentMargin: 0.1, … }) // 'open'
 */
export const judgeOpenness = (
  fresh: { exponent: number; exponentMargin: number | null } | null,
): 'open' | 'closed' | 'undecided' | null => {
  if (fresh === null || fresh.exponentMargin === null) return null
  const alpha = -fresh.exponent
  if (alpha + fresh.exponentMargin <= 1) return 'open'
  return alpha - fresh.exponentMargin > 1 ? 'closed' : 'undecided'
}

/** |t| that Student's t exceeds with this probability, both tails together. */
const studentBound = (probability: number, degrees: number): number => {
  let [low, high] = [0, 1]
  while (studentTwoSided(high, degrees) > probability) high *= 2
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2
    if (studentTwoSided(middle, degrees) > probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Least squares of a power law, such as Heaps' law of the pan-genome, n = kappa * N ^ gamma (Tettelin, Riley, Cattuto & Medini 2008,
 * Curr Opin Microbiol 11:472): Gauss and Newton's steps with Levenberg's damping from the fit of the logarithms, and the errors of
 * scipy's curve_fit (covariance scaled by the residuals). Null with fewer than two points, or where x or y are not above 0.
 *
 * @example fitPowerLaw([1, 2, 4], [3, 6, 12]) // { factor: 3, exponent: 1, … }
 */
export const fitPowerLaw = (x: readonly number[], y: readonly number[]): PowerFit | null => {
  const points = x.length
  if (points < 2 || x.some((value) => !(value > 0)) || y.some((value) => !(value > 0))) return null
  const logs = x.map(Math.log)
  const meanX = logs.reduce((sum, value) => sum + value, 0) / points
  const meanY = y.reduce((sum, value) => sum + Math.log(value), 0) / points
  let [spread, shared] = [0, 0]
  for (const [at, value] of logs.entries()) {
    spread += (value - meanX) ** 2
    shared += (value - meanX) * (Math.log(y[at]!) - meanY)
  }
  if (spread === 0) return null
  let exponent = shared / spread
  let factor = Math.exp(meanY - exponent * meanX)
  const residualOf = (a: number, b: number): number =>
    x.reduce((sum, value, at) => sum + (y[at]! - a * value ** b) ** 2, 0)
  const normal = (a: number, b: number) => {
    let [aa, ab, bb, ra, rb] = [0, 0, 0, 0, 0]
    for (const [at, value] of x.entries()) {
      const da = value ** b
      const db = a * da * logs[at]!
      const rest = y[at]! - a * da
      aa += da * da
      ab += da * db
      bb += db * db
      ra += da * rest
      rb += db * rest
    }
    return { aa, ab, bb, ra, rb }
  }
  let residual = residualOf(factor, exponent)
  let damping = 1e-3
  for (let step = 0; step < 500 && damping < 1e12; step += 1) {
    const { aa, ab, bb, ra, rb } = normal(factor, exponent)
    const [da, db] = [aa * (1 + damping), bb * (1 + damping)]
    const determinant = da * db - ab * ab
    if (!(Math.abs(determinant) > 0)) break
    const nextFactor = factor + (ra * db - rb * ab) / determinant
    const nextExponent = exponent + (rb * da - ra * ab) / determinant
    const next = residualOf(nextFactor, nextExponent)
    if (!(next < residual)) {
      damping *= 10
      continue
    }
    const settled = residual - next <= 1e-15 * residual
    factor = nextFactor
    exponent = nextExponent
    residual = next
    damping = Math.max(1e-15, damping / 10)
    if (settled) break
  }
  const degrees = points - 2
  let margins: [number, number] | null = null
  if (degrees > 0) {
    const { aa, ab, bb } = normal(factor, exponent)
    const scale = residual / degrees / (aa * bb - ab * ab)
    const bound = studentBound(0.05, degrees)
    margins = [bound * Math.sqrt(bb * scale), bound * Math.sqrt(aa * scale)]
  }
  return {
    factor,
    exponent,
    residual,
    points,
    factorMargin: margins?.[0] ?? null,
    exponentMargin: margins?.[1] ?? null,
  }
}

/** Genomes by the families they share: average linkage over Jaccard's distances (shared by none of all that either has). */
export const clusterGenomes = (presence: PresenceBits): Dendrogram => {
  const genomes = presence.bits.length
  const distances = new Float64Array((genomes * (genomes - 1)) / 2)
  let index = 0
  for (let a = 0; a < genomes; a += 1)
    for (let b = a + 1; b < genomes; b += 1) {
      const [one, other] = [presence.bits[a]!, presence.bits[b]!]
      let [shared, joined] = [0, 0]
      for (let word = 0; word < one.length; word += 1) {
        shared += countBits(one[word]! & other[word]!)
        joined += countBits(one[word]! | other[word]!)
      }
      distances[index] = joined === 0 ? 0 : 1 - shared / joined
      index += 1
    }
  return clusterRows(distances, genomes, 'average')
}

/** Patterns that are clustered by all pairs; the square of this many distances is held. */
const maxClustered = 1500
/** Where there are more, the commonest that are: each other one is compared with all of them. */
const leaderCount = 400

/**
 * Families in the order of drawing: first those in every genome, then the rest clustered by where they are (average linkage over
 * Jaccard's distances of the distinct patterns), the more widespread side of each merge first, and last those in one genome, by
 * genome in the order given. Of more patterns than can be clustered by all pairs the commonest are, and each other one stands with
 * the nearest of these. Families in no genome are left out.
 */
export const orderFamilies = (
  { families, genomes, counts }: FamilyCounts,
  genomeOrder: readonly number[],
): Uint32Array => {
  const words = Math.ceil(genomes / 32)
  const patterns = new Map<string, number>()
  const bits: Uint32Array[] = []
  const members: number[][] = []
  const sizes: number[] = []
  const row = new Uint32Array(words)
  for (let family = 0; family < families; family += 1) {
    row.fill(0)
    let present = 0
    // Bits stand in the order of drawing, so that equal distances are told apart alike in every run.
    for (const [index, genome] of genomeOrder.entries())
      if (counts[family * genomes + genome]! > 0) {
        row[index >>> 5]! |= 1 << (index & 31)
        present += 1
      }
    if (present === 0) continue
    const key = String.fromCharCode(...new Uint16Array(row.buffer, 0, words * 2))
    const known = patterns.get(key)
    if (known !== undefined) {
      members[known]!.push(family)
      continue
    }
    patterns.set(key, bits.length)
    bits.push(row.slice())
    members.push([family])
    sizes.push(present)
  }
  const every = [...bits.keys()]
  const whole = every.filter((pattern) => sizes[pattern] === genomes)
  const single = every.filter((pattern) => sizes[pattern] === 1 && genomes > 1)
  const firstGenome = (pattern: number): number => {
    const at = bits[pattern]!.findIndex((word) => word !== 0)
    return at * 32 + 31 - Math.clz32(bits[pattern]![at]!)
  }
  single.sort((a, b) => firstGenome(a) - firstGenome(b))
  const between = every
    .filter((pattern) => sizes[pattern]! > 1 && sizes[pattern]! < genomes)
    .sort((a, b) => members[b]!.length - members[a]!.length || a - b)
  const ordered = [...whole, ...orderPatterns(between, bits, sizes, members), ...single]
  return Uint32Array.from(ordered.flatMap((pattern) => members[pattern]!))
}

const orderPatterns = (patterns: number[], bits: Uint32Array[], sizes: number[], members: number[][]): number[] => {
  if (patterns.length < 2) return patterns
  const leaders = patterns.length > maxClustered ? patterns.slice(0, leaderCount) : patterns
  const distance = (one: number, other: number): number => {
    const [a, b] = [bits[one]!, bits[other]!]
    let shared = 0
    for (let word = 0; word < a.length; word += 1) shared += countBits(a[word]! & b[word]!)
    return 1 - shared / (sizes[one]! + sizes[other]! - shared)
  }
  const followers = leaders.map((leader) => [leader])
  for (const pattern of patterns.slice(leaders.length)) {
    let nearest = 0
    let min = Number.POSITIVE_INFINITY
    for (const [at, leader] of leaders.entries()) {
      const away = distance(pattern, leader)
      if (away < min) {
        min = away
        nearest = at
      }
    }
    followers[nearest]!.push(pattern)
  }
  const n = leaders.length
  const distances = new Float64Array((n * (n - 1)) / 2)
  let index = 0
  for (let a = 0; a < n; a += 1)
    for (let b = a + 1; b < n; b += 1) {
      distances[index] = distance(leaders[a]!, leaders[b]!)
      index += 1
    }
  const { merges } = clusterRows(distances, n, 'average')
  // Mean number of genomes of the families below each node: the more widespread side comes first.
  const weights = followers.map((own) => own.reduce((sum, pattern) => sum + members[pattern]!.length, 0))
  const sums = followers.map((own) => own.reduce((sum, one) => sum + sizes[one]! * members[one]!.length, 0))
  for (const [left, right] of merges) {
    weights.push(weights[left]! + weights[right]!)
    sums.push(sums[left]! + sums[right]!)
  }
  const out: number[] = []
  const open = [merges.length === 0 ? 0 : n + merges.length - 1]
  while (open.length > 0) {
    const node = open.pop()!
    if (node < n) {
      out.push(...followers[node]!)
      continue
    }
    const [left, right] = merges[node - n]!
    const leftFirst = sums[left]! / weights[left]! >= sums[right]! / weights[right]!
    if (leftFirst) open.push(right, left)
    else open.push(left, right)
  }
  return out
}
