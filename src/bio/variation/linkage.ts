/**
 * Squared correlation of the doses of two alleles over the samples that have both: r2 of phased or haploid genotypes, and of others the
 * composite measure that PLINK's `--r2` gives (Rogers & Huff 2009, Genetics 182:839). Doses are shares of a sample's copies (`dosages`),
 * or numbers of copies times copies would be correlated where haploids stand among diploids. NaN stands for a genotype that is not
 * called; null when either does not vary.
 *
 * Example: `doseR2(Float64Array.of(0, 2, 2, 0), Float64Array.of(2, 0, 0, 2))` is 1.
 */
export const doseR2 = (a: Float64Array, b: Float64Array): number | null => {
  let count = 0
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0]
  let [firstA, firstB, variesA, variesB] = [0, 0, false, false]
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at]!, b[at]!]
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    if (count === 0) [firstA, firstB] = [x, y]
    // Thirds of triploids have rounding in their sums: told by the values themselves.
    variesA ||= x !== firstA
    variesB ||= y !== firstB
    count += 1
    sumA += x
    sumB += y
    sumAA += x * x
    sumBB += y * y
    sumAB += x * y
  }
  const varianceA = count * sumAA - sumA * sumA
  const varianceB = count * sumBB - sumB * sumB
  if (!variesA || !variesB || varianceA <= 0 || varianceB <= 0) return null
  return Math.min(1, (count * sumAB - sumA * sumB) ** 2 / (varianceA * varianceB))
}
