// Diversity within populations and differentiation between them, from allele counts of any ploidy.
// Sources: Nei & Li 1979 (PNAS 76:5269), Tajima 1989 (Genetics 123:585), Weir & Cockerham 1984 (Evolution 38:1358), Hudson, Slatkin &
// Maddison 1992 (Genetics 132:583) as Bhatia et al. 2013 (Genome Research 23:1514) estimate it, Korunes & Samuk 2021 (pixy, Molecular
// Ecology Resources 21:1359) for missing data.

/** A quotient whose two parts are summed over the sites of a window before they are divided ("ratio of averages", Bhatia et al. 2013). */
export interface Quotient {
  numerator: number
  denominator: number
}

/**
 * Pairs of copies within a population that differ at a site, and all its pairs: nucleotide diversity is their quotient, summed
 * over sites. `counts` are copies of each allele.
 *
 * Example: `pairsWithin([3, 1])` is `{numerator: 3, denominator: 6}`: three of six pairs differ, pi of the site is 0.5.
 */
export function pairsWithin(counts: ArrayLike<number>): Quotient {
  let copies = 0
  let same = 0
  for (let allele = 0; allele < counts.length; allele++) {
    const count = counts[allele]!
    copies += count
    same += (count * (count - 1)) / 2
  }
  const pairs = (copies * (copies - 1)) / 2
  return { numerator: pairs - same, denominator: pairs }
}

/**
 * Pairs of copies, one of each population, that differ, and all such pairs: dxy is their quotient, summed over sites (Nei & Li 1979).
 *
 * Example: `pairsBetween([3, 1], [0, 4])` is `{numerator: 12, denominator: 16}`.
 */
export function pairsBetween(first: ArrayLike<number>, second: ArrayLike<number>): Quotient {
  let [copies1, copies2, same] = [0, 0, 0]
  for (let allele = 0; allele < first.length; allele++) {
    copies1 += first[allele]!
    copies2 += second[allele]!
    same += first[allele]! * second[allele]!
  }
  const pairs = copies1 * copies2
  return { numerator: pairs - same, denominator: pairs }
}

/**
 * Parts of Hudson's Fst of a site: 1 - within / between as (between - within) / between, each corrected for the number of copies; for
 * two alleles the estimator of Bhatia et al. 2013, equation 10. Null where a population has fewer than two copies.
 *
 * Example: `hudsonFst([3, 1], [0, 4])` is `{numerator: 0.5, denominator: 0.75}`: within 0.5 and 0, between 12 of 16.
 */
export function hudsonFst(first: ArrayLike<number>, second: ArrayLike<number>): Quotient | null {
  const one = pairsWithin(first)
  const two = pairsWithin(second)
  if (one.denominator === 0 || two.denominator === 0) return null
  const between = pairsBetween(first, second)
  const apart = between.numerator / between.denominator
  const within = (one.numerator / one.denominator + two.numerator / two.denominator) / 2
  return { numerator: apart - within, denominator: apart }
}

/** One population at one site. */
export interface PopulationCounts {
  /** Copies of each allele. */
  counts: ArrayLike<number>
  /**
   * Heterozygous individuals that carry each allele, where every individual called has two copies; null otherwise: the copies
   * then stand for themselves, as of haploids.
   */
  heterozygotes: ArrayLike<number> | null
}

/**
 * Parts of Weir and Cockerham's theta of a site: a, and a + b + c (their equations 2 to 4), summed over its alleles. Diploids by
 * individuals with their heterozygosity; copies of haploids and of other ploidies by the estimator for haploids, which is the
 * same with c = 0 and copies in the place of individuals (Weir 1996, Genetic Data Analysis II, page 174). Haploids so agree with the same
 * written as homozygous diploids. Null where a population has nobody, or all of them have one each.
 *
 * Example: two haploid populations of four, `weirCockerham([{counts: [4, 0], heterozygotes: null}, {counts: [0, 4], heterozygotes:
 * null}])`, have a quotient of 1.
 */
export function weirCockerham(populations: readonly PopulationCounts[]): Quotient | null {
  const r = populations.length
  const diploid = populations.every(({ heterozygotes }) => heterozygotes !== null)
  const perIndividual = diploid ? 2 : 1
  let total = 0
  let squares = 0
  for (const { counts } of populations) {
    let copies = 0
    for (let allele = 0; allele < counts.length; allele++) copies += counts[allele]!
    const size = copies / perIndividual
    if (size === 0) return null
    total += size
    squares += size * size
  }
  const mean = total / r
  if (mean <= 1 || r < 2) return null
  const nc = (total - squares / total) / (r - 1)
  if (nc === 0) return null
  let numerator = 0
  let denominator = 0
  const alleles = populations[0]!.counts.length
  for (let allele = 0; allele < alleles; allele++) {
    let present = 0
    let heterozygous = 0
    for (const { counts, heterozygotes } of populations) {
      present += counts[allele]!
      if (diploid) heterozygous += heterozygotes![allele]!
    }
    if (present === 0) continue
    const p = present / perIndividual / total
    let variance = 0
    for (const { counts } of populations) {
      let copies = 0
      for (let other = 0; other < alleles; other++) copies += counts[other]!
      variance += (copies / perIndividual) * (counts[allele]! / copies - p) ** 2
    }
    variance /= (r - 1) * mean
    const h = heterozygous / total
    const inner = p * (1 - p) - ((r - 1) / r) * variance
    const a = (mean / nc) * (variance - (inner - h / 4) / (mean - 1))
    const b = (mean / (mean - 1)) * (inner - ((2 * mean - 1) / (4 * mean)) * h)
    numerator += a
    denominator += a + b + h / 2
  }
  return { numerator, denominator }
}

const harmonics: { a1: number; a2: number }[] = [{ a1: 0, a2: 0 }]

/** Sums of 1/i and of 1/i² for i of 1 to copies - 1 (Tajima 1989, equations 3 and 4). Example: of 3 copies 1.5 and 1.25. */
export function harmonicSums(copies: number): { a1: number; a2: number } {
  const last = Math.max(0, Math.floor(copies) - 1)
  for (let at = harmonics.length; at <= last; at++) {
    const before = harmonics[at - 1]!
    harmonics.push({ a1: before.a1 + 1 / at, a2: before.a2 + 1 / (at * at) })
  }
  return harmonics[last]!
}

/** With fewer copies pi and Watterson's theta of a site are the same whatever the site, and D is 0 / 0. */
const minCopiesForTajima = 4

/**
 * Tajima's D (1989, equation 38): the difference of the mean number of pairwise differences and Watterson's theta, over its standard
 * deviation. `pi` and `theta` are sums over the segregating sites, of each site's own copies: 2pq·n/(n-1) and 1/a1(n); `copies` is
 * the mean number called at them, rounded for the constants. Without missing data that is Tajima's formula itself. Null where
 * nothing segregates, or with fewer than four copies.
 *
 * Example: 10 copies with 16 segregating sites and pi = 3.888889 (Tajima's sample): theta is 16 / 2.828968 = 5.655772 and D is
 * -1.446172.
 */
export function tajimaD({
  segregating,
  pi,
  theta,
  copies,
}: {
  segregating: number
  pi: number
  theta: number
  copies: number
}): number | null {
  const n = Math.round(copies)
  if (segregating === 0 || n < minCopiesForTajima) return null
  const { a1, a2 } = harmonicSums(n)
  const b1 = (n + 1) / (3 * (n - 1))
  const b2 = (2 * (n * n + n + 3)) / (9 * n * (n - 1))
  const e1 = (b1 - 1 / a1) / a1
  const e2 = (b2 - (n + 2) / (a1 * n) + a2 / (a1 * a1)) / (a1 * a1 + a2)
  const variance = e1 * segregating + e2 * segregating * (segregating - 1)
  return variance > 0 ? (pi - theta) / Math.sqrt(variance) : null
}
