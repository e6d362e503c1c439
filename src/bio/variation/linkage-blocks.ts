// Haplotype blocks: runs of sites with little evidence of recombination.

import { estimateFour, type FourCounts } from './linkage-phase.ts'
import { absentCopy, type Genotypes, missingAllele } from './vcf.ts'

/**
 * `gabriel`: Gabriel et al. (2002, Science 296:2225) by confidence intervals of D′, in the reading of Haploview (Barrett et al. 2005,
 * Bioinformatics 21:263), which plink's `--blocks` follows. `gametes`: the rule of four gametes (Wang et al. 2002, Am J Hum Genet 71:1227).
 */
export const blockRules = ['gabriel', 'gametes'] as const
export type BlockRule = (typeof blockRules)[number]

/** A site with two kinds of alleles, REF and all others, as bits over the samples. */
export interface PackedSite {
  position1: number
  /** One copy: REF, other. */
  single: [Uint32Array, Uint32Array]
  /** Two copies: both REF, both other, one of each. */
  double: [Uint32Array, Uint32Array, Uint32Array]
  /** Of those with one of each: phased, and among these the first copy is REF. */
  phased: Uint32Array
  first: Uint32Array
  hasSingle: boolean
  hasDouble: boolean
  hasMixed: boolean
}

/** Packs a site; samples that are not called, or have more than two copies, are left out. */
export const packSite = (position1: number, { ploidy, alleles, phased }: Genotypes): PackedSite => {
  const samples = alleles.length / ploidy
  const words = (samples + 31) >> 5
  const make = (): Uint32Array => new Uint32Array(words)
  const site: PackedSite = {
    position1,
    single: [make(), make()],
    double: [make(), make(), make()],
    phased: make(),
    first: make(),
    hasSingle: false,
    hasDouble: false,
    hasMixed: false,
  }
  for (let sample = 0; sample < samples; sample += 1) {
    let copies = 0
    let others = 0
    let isFirstReference = false
    for (let at = sample * ploidy; at < (sample + 1) * ploidy; at += 1) {
      const allele = alleles[at]!
      if (allele === absentCopy) continue
      if (allele === missingAllele) {
        copies = 0
        break
      }
      if (copies === 0) isFirstReference = allele === 0
      copies += 1
      if (allele > 0) others += 1
    }
    const [word, bit] = [sample >> 5, 1 << (sample & 31)]
    if (copies === 1) {
      site.single[others === 0 ? 0 : 1][word]! |= bit
      site.hasSingle = true
    } else if (copies === 2) {
      site.double[others === 0 ? 0 : others === 2 ? 1 : 2][word]! |= bit
      site.hasDouble = true
      if (others !== 1) continue
      site.hasMixed = true
      if (phased[sample] !== 1) continue
      site.phased[word]! |= bit
      if (isFirstReference) site.first[word]! |= bit
    }
  }
  return site
}

/** Bits that are set (Warren 2013, Hacker's Delight, 5-1). */
const countBits = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const countBoth = (a: Uint32Array, b: Uint32Array): number => {
  let count = 0
  for (let at = 0; at < a.length; at += 1) count += countBits(a[at]! & b[at]!)
  return count
}

/** Haplotypes of two sites that are told, and samples that are heterozygous at both without phase. */
export const countPackedPair = (a: PackedSite, b: PackedSite): { known: FourCounts; unphased: number } => {
  const known: FourCounts = [0, 0, 0, 0]
  let unphased = 0
  for (const x of [0, 1] as const)
    for (const y of [0, 1] as const) {
      const at = 2 * x + y
      if (a.hasSingle && b.hasSingle) known[at]! += countBoth(a.single[x], b.single[y])
      if (!a.hasDouble || !b.hasDouble) continue
      known[at]! += 2 * countBoth(a.double[x], b.double[y])
    }
  if (a.hasDouble && b.hasMixed)
    for (const x of [0, 1] as const) {
      const mixed = countBoth(a.double[x], b.double[2])
      known[2 * x]! += mixed
      known[2 * x + 1]! += mixed
    }
  if (a.hasMixed && b.hasDouble)
    for (const y of [0, 1] as const) {
      const mixed = countBoth(a.double[2], b.double[y])
      known[y]! += mixed
      known[2 + y]! += mixed
    }
  if (a.hasMixed && b.hasMixed)
    for (let at = 0; at < a.phased.length; at += 1) {
      const both = a.double[2][at]! & b.double[2][at]!
      if (both === 0) continue
      const phased = both & a.phased[at]! & b.phased[at]!
      unphased += countBits(both & ~phased)
      const apart = countBits(phased & (a.first[at]! ^ b.first[at]!))
      const together = countBits(phased) - apart
      known[0] += together
      known[3] += together
      known[1] += apart
      known[2] += apart
    }
  return { known, unphased }
}

/** Steps of D′ at which its likelihood is taken, and the share of it that lies beyond each bound. */
const steps = 100
const beyond = 0.05
const leastFrequency = 1e-10

/**
 * One-sided 95 % bounds of |D′| in hundredths, by its likelihood at each hundredth with the alleles' frequencies held, each a step outside
 * the one at which a twentieth is passed, as Haploview has them. Null where a site does not vary among the samples that have both.
 *
 * @example boundsOfDPrime([50, 0, 0, 50], 0) // { low: 93, high: 100 }
 */
export const boundsOfDPrime = (known: FourCounts, unphased: number): { low: number; high: number } | null => {
  const total = known[0] + known[1] + known[2] + known[3] + 2 * unphased
  if (total === 0) return null
  let [n11, n12, n21, n22] = known
  const p = (n11 + n12 + unphased) / total
  let q = (n11 + n21 + unphased) / total
  if (!(p > 0 && p < 1 && q > 0 && q < 1)) return null
  const estimated = estimateFour(known, unphased)
  if (estimated[0] / total < p * q) {
    ;[n11, n12, n21, n22] = [n12, n11, n22, n21]
    q = 1 - q
  }
  const most = Math.min(p * (1 - q), (1 - p) * q)
  const logs = new Float64Array(steps + 1)
  let best = Number.NEGATIVE_INFINITY
  for (let step = 0; step <= steps; step += 1) {
    const f11 = Math.max(leastFrequency, p * q + (most * step) / steps)
    const f12 = Math.max(leastFrequency, p - f11)
    const f21 = Math.max(leastFrequency, q - f11)
    const f22 = Math.max(leastFrequency, 1 - p - q + f11)
    let log = 0
    if (n11 > 0) log += n11 * Math.log(f11)
    if (n12 > 0) log += n12 * Math.log(f12)
    if (n21 > 0) log += n21 * Math.log(f21)
    if (n22 > 0) log += n22 * Math.log(f22)
    if (unphased > 0) log += unphased * Math.log(f11 * f22 + f12 * f21)
    logs[step] = log
    if (log > best) best = log
  }
  let sum = 0
  for (let step = 0; step <= steps; step += 1) {
    logs[step] = Math.exp(logs[step]! - best)
    sum += logs[step]!
  }
  let low = 0
  let high = steps
  for (let step = 0, passed = 0; step <= steps; step += 1) {
    passed += logs[step]!
    if (passed > beyond * sum) {
      low = Math.max(0, step - 1)
      break
    }
  }
  for (let step = steps, passed = 0; step >= 0; step -= 1) {
    passed += logs[step]!
    if (passed > beyond * sum) {
      high = Math.min(steps, step + 1)
      break
    }
  }
  return { low, high }
}

/** A block by the places of its first and last sites. */
export interface LinkageBlock {
  first: number
  last: number
}

/** Gabriel et al.: strong linkage, and evidence of recombination, in hundredths; the share of informative pairs that are strong. */
const [strongLow, strongHigh, recombinedHigh] = [70, 98, 90]
const leastStrong = 0.95
/** Haploview's of small blocks, by their sites: lower bounds, longest in bp, and informative pairs at least. */
const smallLow = [0, 0, 80, 50, 50]
const smallBp = [0, 0, 20_000, 30_000]
const leastInformative = [0, 0, 1, 3, 6]
/** plink's `--blocks-max-kb`. */
const longestBp = 200_000

const gabrielBlocks = (sites: readonly PackedSite[]): LinkageBlock[] => {
  const count = sites.length
  const cell = (first: number, last: number): number => first * count + last
  // Numbers of pairs within each run of sites: lower bound above 50, 70 and 80 with strong upper one, and recombined.
  const within = [50, strongLow, 80].map(() => new Int32Array(count * count))
  const recombined = new Int32Array(count * count)
  const tables = [...within, recombined]
  const strong: { first: number; last: number; lengthBp: number }[] = []
  const told = new Map<string, ReturnType<typeof boundsOfDPrime>>()
  for (let first = count - 1; first >= 0; first -= 1)
    for (let last = first + 1; last < count; last += 1) {
      const at = cell(first, last)
      for (const table of tables)
        table[at] =
          table[cell(first + 1, last)]! +
          table[cell(first, last - 1)]! -
          (last > first + 1 ? table[cell(first + 1, last - 1)]! : 0)
      const lengthBp = sites[last]!.position1 - sites[first]!.position1
      if (lengthBp > longestBp) continue
      const { known, unphased } = countPackedPair(sites[first]!, sites[last]!)
      const key = `${known.join()},${unphased}`
      let bounds = told.get(key)
      if (bounds === undefined) {
        bounds = boundsOfDPrime(known, unphased)
        told.set(key, bounds)
      }
      if (bounds === null) continue
      const { low, high } = bounds
      if (high < recombinedHigh) recombined[at]! += 1
      if (high < strongHigh) continue
      if (low > 50) within[0]![at]! += 1
      if (low > strongLow) within[1]![at]! += 1
      if (low > 80) within[2]![at]! += 1
      if (low >= strongLow) strong.push({ first, last, lengthBp })
    }
  strong.sort((a, b) => b.lengthBp - a.lengthBp || a.first - b.first)
  const used = new Uint8Array(count)
  const blocks: LinkageBlock[] = []
  for (const { first, last, lengthBp } of strong) {
    if (used[first] === 1 || used[last] === 1) continue
    const size = last - first + 1
    if (size < smallBp.length && lengthBp > smallBp[size]!) continue
    const low = smallLow[size] ?? strongLow
    const table = low === 80 ? within[2]! : low === 50 ? within[0]! : within[1]!
    const strongPairs = table[cell(first, last)]!
    const informative = strongPairs + recombined[cell(first, last)]!
    if (informative < leastInformative[Math.min(size, leastInformative.length - 1)]!) continue
    if (!(strongPairs > leastStrong * informative)) continue
    used.fill(1, first, last + 1)
    blocks.push({ first, last })
  }
  return blocks.sort((a, b) => a.first - b.first)
}

/** A gamete rarer than this is taken for an error, as Haploview does. */
const leastGamete = 0.01

const gameteBlocks = (sites: readonly PackedSite[]): LinkageBlock[] => {
  const hasFour = (a: PackedSite, b: PackedSite): boolean => {
    const { known, unphased } = countPackedPair(a, b)
    const total = known.reduce((sum, one) => sum + one, 0) + 2 * unphased
    return total > 0 && estimateFour(known, unphased).every((one) => one > leastGamete * total)
  }
  const blocks: LinkageBlock[] = []
  for (let first = 0; first < sites.length; ) {
    let last = first
    while (last + 1 < sites.length) {
      const next = sites[last + 1]!
      let isBroken = false
      for (let at = last; at >= first && !isBroken; at -= 1) isBroken = hasFour(sites[at]!, next)
      if (isBroken) break
      last += 1
    }
    if (last > first) blocks.push({ first, last })
    first = last + 1
  }
  return blocks
}

/**
 * Blocks of sites in the order of their positions, which are to be common ones (MAF of 0.05 and more, as plink takes them); blocks do not
 * overlap and have at least two sites.
 *
 * Example: sites whose alleles go together in a hundred accessions are one block by either rule.
 */
export const findBlocks = (sites: readonly PackedSite[], rule: BlockRule): LinkageBlock[] =>
  rule === 'gabriel' ? gabrielBlocks(sites) : gameteBlocks(sites)
