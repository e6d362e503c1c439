// Two groups of Tn-seq libraries compared gene by gene by permutation of the counts at the sites, as TRANSIT's "resampling" does
// (DeJesus et al. 2015, doi:10.1371/journal.pcbi.1004401).

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
