// Linkage between two sites from genotypes of any ploidy.

import { doseR2 } from './linkage.ts'
import { absentCopy, dosages, type Genotypes, missingAllele } from './vcf.ts'

export interface Linkage {
  /**
   * Squared correlation of the doses of non-reference alleles, as shares of a sample's copies; null where either site does not vary among
   * the samples that have both.
   */
  r2: number | null
  /** Lewontin's D' (1964, Genetics 49:49), without sign; null where it cannot be told. */
  dPrime: number | null
}

/** Haplotypes of two sites with two alleles each: neither, the second's, the first's, both non-reference. */
export type FourCounts = [number, number, number, number]

/** Rounds of expectation and maximisation at most, and the change at which they end. */
const maxRounds = 1000
const closeEnough = 1e-12

/**
 * Frequencies of the haplotypes of diploid genotypes without phase: `known` counts those that are told by genotypes heterozygous at one
 * site at most, `double` is the number of double heterozygotes (Hill 1974, Heredity 33:229, by expectation and maximisation).
 */
const resolveDouble = (known: FourCounts, double: number): FourCounts => {
  const total = known.reduce((sum, count) => sum + count, 0) + 2 * double
  const frequencies = (inCoupling: number): FourCounts => [
    (known[0] + inCoupling) / total,
    (known[1] + double - inCoupling) / total,
    (known[2] + double - inCoupling) / total,
    (known[3] + inCoupling) / total,
  ]
  const likelihoodOf = (coupling: number): number => {
    const found = frequencies(coupling)
    let likelihood = double * Math.log(Math.max(1e-300, found[0] * found[3] + found[1] * found[2]))
    for (const [at, count] of known.entries())
      if (count > 0) likelihood += count * Math.log(Math.max(1e-300, found[at]!))
    return likelihood
  }
  const climb = (start: number): number => {
    let coupling = start * double
    for (let round = 0; round < maxRounds; round += 1) {
      const repulsion = double - coupling
      const together = (known[0] + coupling) * (known[3] + coupling)
      const share = together + (known[1] + repulsion) * (known[2] + repulsion)
      const next = share === 0 ? double / 2 : (double * together) / share
      const change = Math.abs(next - coupling)
      coupling = next
      if (change < closeEnough * Math.max(1, double)) break
    }
    return coupling
  }
  // The likelihood may have two peaks: climbed from both sides. Where a haplotype is lacking altogether the peak lies at the end, which
  // the rounds near ever more slowly: the ends stand for themselves.
  const peaks = [0, double, climb(0.01), climb(0.99)].map((coupling) => ({
    coupling,
    likelihood: likelihoodOf(coupling),
  }))
  return frequencies(peaks.reduce((best, one) => (one.likelihood > best.likelihood ? one : best)).coupling)
}

/**
 * Haplotypes of two sites by maximum likelihood: those that are told, and of samples heterozygous at both, without phase, what is most
 * likely. Counts add up to all.
 */
export const estimateFour = (known: FourCounts, unphased: number): FourCounts => {
  if (unphased === 0) return known
  const total = known.reduce((sum, count) => sum + count, 0) + 2 * unphased
  return resolveDouble(known, unphased).map((share) => share * total) as FourCounts
}

/** |D'| of haplotype frequencies or counts. Example: of `[5, 0, 0, 5]` it is 1; null where either site has one allele. */
export const dPrimeOf = ([none, second, first, both]: FourCounts): number | null => {
  const total = none + second + first + both
  const p = (first + both) / total
  const q = (second + both) / total
  const d = both / total - p * q
  const max = d < 0 ? Math.min(p * q, (1 - p) * (1 - q)) : Math.min(p * (1 - q), (1 - p) * q)
  return max > 0 ? Math.min(1, Math.abs(d) / max) : null
}

/**
 * Linkage of two sites, every non-reference allele taken as one. r2 is that of PLINK's `--r2`; D' counts haplotypes where samples are
 * haploid or phased, estimates them by maximum likelihood for diploid samples without phase, and is null for others.
 *
 * Example: of two sites whose genotypes are the same everywhere, not all equal, r2 and D' are 1.
 */
export const linkageOf = (a: Genotypes, b: Genotypes): Linkage => {
  const r2 = doseR2(dosages(a), dosages(b))
  const counts: FourCounts = [0, 0, 0, 0]
  let double = 0
  const samples = a.alleles.length / a.ploidy
  // Copies of a sample, and how many of them are not REF; none where one is not called.
  const count = ({ ploidy, alleles }: Genotypes, sample: number): number => {
    let copies = 0
    let others = 0
    for (let at = sample * ploidy; at < (sample + 1) * ploidy; at += 1) {
      const allele = alleles[at]!
      if (allele === missingAllele) return 0
      if (allele === absentCopy) continue
      copies += 1
      if (allele > 0) others += 1
    }
    return copies * 1024 + others
  }
  for (let sample = 0; sample < samples; sample += 1) {
    const [x, y] = [count(a, sample), count(b, sample)]
    const copies = x >> 10
    if (copies === 0 || copies !== y >> 10) continue
    const [first, second] = [x & 1023, y & 1023]
    if (first === 0 || first === copies) {
      const row = first === 0 ? 0 : 2
      counts[row]! += copies - second
      counts[row + 1]! += second
    } else if (second === 0 || second === copies) {
      const column = second === 0 ? 0 : 1
      counts[column]! += copies - first
      counts[2 + column]! += first
    } else if (a.phased[sample] === 1 && b.phased[sample] === 1) {
      for (let copy = 0; copy < copies; copy += 1) {
        const [p, q] = [a.alleles[sample * a.ploidy + copy]!, b.alleles[sample * b.ploidy + copy]!]
        counts[(p > 0 ? 2 : 0) + (q > 0 ? 1 : 0)]! += 1
      }
    } else if (copies === 2) double += 1
    else return { r2, dPrime: null }
  }
  const found = double === 0 ? counts : resolveDouble(counts, double)
  return { r2, dPrime: dPrimeOf(found) }
}
