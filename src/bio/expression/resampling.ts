// Two groups of Tn-seq libraries compared gene by gene by permutation of the counts at the sites, as TRANSIT's "resampling" does
// (DeJesus et al. 2015, doi:10.1371/journal.pcbi.1004401).

import { seededRandom } from '../statistics/random.ts'

/**
 * Factors by which libraries are made comparable: trimmed total reads (TTR), by which the mean count over all sites, without the 5 %
 * highest and the 5 % lowest of the counts above zero, becomes 100 (DeJesus & Ioerger 2016, doi:10.1142/S021972001642004X). NaN of a
 * library without reads. Example: half of the sites have 50 reads: the factor is 100 / (0.5 × 50) = 4.
 *
 * @param library counts at all sites
 */
export const trimmedTotalReadsFactor = (library: ArrayLike<number>): number => {
  const found = Float64Array.from(library as number[])
    .filter((count) => count > 0)
    .sort()
  const cut = Math.floor(found.length * 0.05)
  const kept = found.subarray(cut, found.length - cut)
  const mean = kept.reduce((sum, count) => sum + count, 0) / kept.length
  return 100 / ((found.length / library.length) * mean)
}

export interface ResampledGene {
  meanReference: number
  meanTest: number
  /** Mean of the test group minus mean of the reference group, per site and library. */
  difference: number
  /** Of the means plus one. */
  log2FoldChange: number
  pValue: number
  permutations: number
}

export const resamplingLimits = {
  /** Permutations of a gene at most. */
  max: 100_000,
  /** As many that are as far apart as what was seen end it: the p-value is known well enough (Besag & Clifford 1991, doi:10.1093/biomet/78.2.301). */
  enough: 50,
} as const

/**
 * Compares the counts of a gene: all of both groups are dealt anew to groups of the same sizes, and the p-value is the share of deals
 * whose difference of means is at least as far from zero as the one seen: `h / n` where `h` reached {@link resamplingLimits} `.enough`,
 * else `(h + 1) / (max + 1)`.
 *
 * @param random numbers from 0 (included) to 1
 */
export const resampleGene = (
  reference: readonly number[],
  test: readonly number[],
  random: () => number,
  limits: { max: number; enough: number } = resamplingLimits,
): ResampledGene => {
  const all = Float64Array.from([...reference, ...test])
  const total = all.reduce((sum, count) => sum + count, 0)
  const testSum = test.reduce((sum, count) => sum + count, 0)
  const meanReference = (total - testSum) / reference.length
  const meanTest = testSum / test.length
  const difference = meanTest - meanReference
  const outcome = {
    meanReference,
    meanTest,
    difference,
    log2FoldChange: Math.log2((meanTest + 1) / (meanReference + 1)),
  }
  if (total === 0) return { ...outcome, pValue: 1, permutations: 0 }
  // The smaller group is dealt; the other has the rest.
  const dealt = Math.min(reference.length, test.length)
  const sign = test.length <= reference.length ? 1 : -1
  // Sums in another order differ in their last digits.
  const seen = Math.abs(difference) * (1 - 1e-9)
  let hits = 0
  for (let permutation = 1; permutation <= limits.max; permutation += 1) {
    let sum = 0
    for (let at = 0; at < dealt; at += 1) {
      const other = at + Math.floor(random() * (all.length - at))
      const drawn = all[other]!
      all[other] = all[at]!
      all[at] = drawn
      sum += drawn
    }
    const found = sign * (sum / dealt - (total - sum) / (all.length - dealt))
    if (Math.abs(found) >= seen) hits += 1
    if (hits >= limits.enough) return { ...outcome, pValue: hits / permutation, permutations: permutation }
  }
  return { ...outcome, pValue: (hits + 1) / (limits.max + 1), permutations: limits.max }
}

export const resamplingCitations = [
  {
    text: 'DeJesus MA, Ambadipudi C, Baker R, et al. (2015) TRANSIT – a software tool for Himar1 TnSeq analysis. PLoS Comput Biol 11:e1004401',
    doi: '10.1371/journal.pcbi.1004401',
  },
  {
    text: 'DeJesus MA, Ioerger TR (2016) Normalization of transposon-mutant library sequencing datasets to improve identification of conditionally essential genes. J Bioinform Comput Biol 14:1642004',
    doi: '10.1142/S021972001642004X',
  },
] as const

/** Libraries of a group at least: from one nothing is known of how libraries of one group differ. */
export const minLibraries = 2

/** Counts at insertion sites, row after row with a column a library; first site and number of sites of each gene, two numbers a gene. */
export interface CountedSites {
  counts: ArrayLike<number>
  width: number
  geneSites: ArrayLike<number>
}

/** Factors of trimmed total reads of these columns; NaN of a library without reads. */
export const libraryFactors = ({ counts, width }: CountedSites, columns: readonly number[]): number[] => {
  const siteCount = counts.length / width
  return columns.map((column) =>
    trimmedTotalReadsFactor(Float64Array.from({ length: siteCount }, (_, site) => counts[site * width + column]!)),
  )
}

/** Same dealings each time: a result is the same wherever and whenever it is computed. */
const resamplingSeed = 1

export interface ResampledRow extends ResampledGene {
  /** Place of the gene in `geneSites`. */
  row: number
  /** Normalised count per site and library, over both groups. */
  mean: number
  /** Sites of the gene, and those of them with an insertion in any of the libraries. */
  sites: number
  sitesHit: number
}

/**
 * Compares two groups of libraries gene by gene, in the order of the genes; those without a site are passed over.
 *
 * @param groups columns of the libraries
 * @param factors of the libraries of the reference, then of the test group
 */
export function* resampleGenes(
  { counts, width, geneSites }: CountedSites,
  groups: { reference: readonly number[]; test: readonly number[] },
  factors: readonly number[],
): Generator<ResampledRow> {
  const random = seededRandom(resamplingSeed)
  const columns = [...groups.reference, ...groups.test]
  for (let row = 0; 2 * row < geneSites.length; row += 1) {
    const [first, sites] = [geneSites[2 * row]!, geneSites[2 * row + 1]!]
    if (sites === 0) continue
    const values: [number[], number[]] = [[], []]
    let sitesHit = 0
    for (let site = first; site < first + sites; site += 1) {
      if (columns.some((column) => counts[site * width + column]! > 0)) sitesHit += 1
      for (const [library, column] of columns.entries())
        values[library < groups.reference.length ? 0 : 1].push(counts[site * width + column]! * factors[library]!)
    }
    const compared = resampleGene(...values, random)
    const sum = compared.meanReference * groups.reference.length + compared.meanTest * groups.test.length
    yield { ...compared, row, mean: sum / columns.length, sites, sitesHit }
  }
}
