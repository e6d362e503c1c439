// Statistics of populations in windows along a sequence: sums over sites, so that a window's value is a quotient of sums.

import type { CountedSite } from './allele-counts.ts'
import {
  harmonicSums,
  hudsonFst,
  type PopulationCounts,
  pairsBetween,
  pairsWithin,
  tajimaD,
  weirCockerham,
} from './population-statistics.ts'

export interface WindowPlan {
  windowBp: number
  stepBp: number
  populationCount: number
  /** Pairs of populations, by their numbers. */
  pairs: readonly (readonly [first: number, second: number])[]
  /** Individuals of each population. */
  sizes: readonly number[]
  /**
   * What is divided by: `window` has every position that no record tells of for called in everyone and without difference, as vcftools
   * has it; `records` divides by what the records themselves compare, for files that hold the invariant sites too (pixy).
   */
  length: 'window' | 'records'
  /** Sites where a population has a smaller share of its individuals called are left out for it, and their position with them. */
  minCalled: number
  /** Sites whose less frequent alleles together are rarer over both populations are left out of Fst. */
  minMinorFrequency: number
  /** Windows with fewer variable sites have no values. */
  minSites: number
}

/** Values of the windows of one sequence; NaN where there is none. */
export interface SequenceWindows {
  start1: Uint32Array
  end1: Uint32Array
  /** Sites of the window that vary within or between the populations. */
  sites: Uint32Array
  pi: Float64Array[]
  tajimaD: Float64Array[]
  fst: Float64Array[]
  hudson: Float64Array[]
  dxy: Float64Array[]
  /** log2 of pi of the first over pi of the second population; see `logRatio` where one has none. */
  piRatio: Float64Array[]
}

/** The same over everything, such as a genome. */
export interface OverallValues {
  sites: number
  pi: (number | null)[]
  fst: (number | null)[]
  hudson: (number | null)[]
  dxy: (number | null)[]
}

// Places of the sums of a population and of a pair within a bin.
const perPopulation = 8
const [differences, pairsVariable, variable, pairsAll, segregating, theta, piSites, copiesSites] = [
  0, 1, 2, 3, 4, 5, 6, 7,
]
// One more for each population: sites left out for too few calls.
const perPair = 9
const [
  fstNumerator,
  fstDenominator,
  hudsonNumerator,
  hudsonDenominator,
  between,
  betweenVariable,
  betweenAll,
  varies,
  out,
] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

/** Width of the bins that windows of this size and step are put together of. Example: 20000 by 15000 are of bins of 5000. */
export const findBinBp = (windowBp: number, stepBp: number): number => greatestCommonDivisor(windowBp, stepBp)

/** Numbers that are kept for each bin. */
export const sumsPerBin = (populationCount: number, pairCount: number): number =>
  1 + populationCount * (perPopulation + 1) + pairCount * perPair

/**
 * Gathers the sites of one sequence and gives the values of its windows. Windows begin at 1, 1 + step, 1 + 2 step …; the last is
 * the first that reaches the end of the sequence, and is cut there.
 */
export class SequenceSums {
  readonly #plan: WindowPlan
  readonly #lengthBp: number
  readonly #binBp: number
  readonly #stride: number
  readonly #pairsFrom: number
  readonly #sums: Float64Array
  /** Copies of each population where all are called. */
  readonly #copies: Int32Array
  readonly #views: { counts: Int32Array; heterozygotes: Int32Array }[]

  constructor(plan: WindowPlan, lengthBp: number) {
    this.#plan = plan
    this.#lengthBp = lengthBp
    this.#binBp = findBinBp(plan.windowBp, plan.stepBp)
    this.#pairsFrom = 1 + plan.populationCount * (perPopulation + 1)
    this.#stride = sumsPerBin(plan.populationCount, plan.pairs.length)
    this.#sums = new Float64Array(this.#stride * Math.max(1, Math.ceil(lengthBp / this.#binBp)))
    this.#copies = new Int32Array(plan.populationCount)
    this.#views = Array.from({ length: plan.populationCount }, () => ({
      counts: new Int32Array(0),
      heterozygotes: new Int32Array(0),
    }))
  }

  /** Adds a site; false where it lies beyond the end of the sequence. */
  add(site: CountedSite): boolean {
    if (site.position1 < 1 || site.position1 > this.#lengthBp) return false
    const { populationCount, pairs, sizes, minCalled, minMinorFrequency } = this.#plan
    const sums = this.#sums
    const base = Math.floor((site.position1 - 1) / this.#binBp) * this.#stride
    const { alleles } = site
    let anyVaries = false
    for (let population = 0; population < populationCount; population++) {
      if (site.slots[population]! > this.#copies[population]!) this.#copies[population] = site.slots[population]!
      const view = this.#views[population]!
      view.counts = site.counts.subarray(population * alleles, (population + 1) * alleles)
      view.heterozygotes = site.heterozygotes.subarray(population * alleles, (population + 1) * alleles)
      const index = base + 1 + population * (perPopulation + 1)
      if (!this.#isCalled(site, population, sizes, minCalled)) {
        sums[index + perPopulation]! += 1
        continue
      }
      const within = pairsWithin(view.counts)
      sums[index + pairsAll]! += within.denominator
      if (within.numerator === 0) continue
      anyVaries = true
      sums[index + differences]! += within.numerator
      sums[index + pairsVariable]! += within.denominator
      sums[index + variable]! += 1
      // The infinite sites model knows two alleles.
      let present = 0
      for (let allele = 0; allele < alleles; allele++) if (view.counts[allele]! > 0) present += 1
      if (present !== 2) continue
      const copies = site.copies[population]!
      sums[index + segregating]! += 1
      sums[index + theta]! += 1 / harmonicSums(copies).a1
      sums[index + piSites]! += within.numerator / within.denominator
      sums[index + copiesSites]! += copies
    }
    for (let at = 0; at < pairs.length; at++) {
      const [one, two] = pairs[at]!
      const index = base + this.#pairsFrom + at * perPair
      if (!this.#isCalled(site, one, sizes, minCalled) || !this.#isCalled(site, two, sizes, minCalled)) {
        sums[index + out]! += 1
        continue
      }
      const first = this.#views[one]!
      const second = this.#views[two]!
      const apart = pairsBetween(first.counts, second.counts)
      sums[index + betweenAll]! += apart.denominator
      if (apart.numerator === 0) continue
      anyVaries = true
      sums[index + varies]! += 1
      sums[index + between]! += apart.numerator
      sums[index + betweenVariable]! += apart.denominator
      if (minMinorFrequency > 0) {
        let max = 0
        for (let allele = 0; allele < alleles; allele++)
          max = Math.max(max, first.counts[allele]! + second.counts[allele]!)
        if (1 - max / (site.copies[one]! + site.copies[two]!) < minMinorFrequency) continue
      }
      const isDiploid = site.diploid[one] === 1 && site.diploid[two] === 1
      const populations: [PopulationCounts, PopulationCounts] = [
        { counts: first.counts, heterozygotes: isDiploid ? first.heterozygotes : null },
        { counts: second.counts, heterozygotes: isDiploid ? second.heterozygotes : null },
      ]
      const fst = weirCockerham(populations)
      if (fst !== null) {
        sums[index + fstNumerator]! += fst.numerator
        sums[index + fstDenominator]! += fst.denominator
      }
      const hudson = hudsonFst(first.counts, second.counts)
      if (hudson !== null) {
        sums[index + hudsonNumerator]! += hudson.numerator
        sums[index + hudsonDenominator]! += hudson.denominator
      }
    }
    if (anyVaries) sums[base]! += 1
    return true
  }

  #isCalled(site: CountedSite, population: number, sizes: readonly number[], minCalled: number): boolean {
    const called = site.called[population]!
    return site.copies[population]! >= 2 && called >= minCalled * sizes[population]!
  }

  /** Values of the windows, and the sums over all of the sequence for `overall`. */
  finish(): { windows: SequenceWindows; total: SequenceTotal } {
    const { windowBp, stepBp, populationCount, pairs, minSites } = this.#plan
    const count = Math.max(1, Math.ceil((this.#lengthBp - windowBp) / stepBp) + 1)
    const many = (length: number): Float64Array[] =>
      Array.from({ length }, () => new Float64Array(count).fill(Number.NaN))
    const windows: SequenceWindows = {
      start1: new Uint32Array(count),
      end1: new Uint32Array(count),
      sites: new Uint32Array(count),
      pi: many(populationCount),
      tajimaD: many(populationCount),
      fst: many(pairs.length),
      hudson: many(pairs.length),
      dxy: many(pairs.length),
      piRatio: many(pairs.length),
    }
    const binCount = this.#sums.length / this.#stride
    const inWindow = new Float64Array(this.#stride)
    for (let window = 0; window < count; window++) {
      const start1 = 1 + window * stepBp
      const end1 = Math.min(this.#lengthBp, start1 + windowBp - 1)
      windows.start1[window] = start1
      windows.end1[window] = end1
      inWindow.fill(0)
      const firstBin = (start1 - 1) / this.#binBp
      const lastBin = Math.min(binCount, firstBin + windowBp / this.#binBp)
      for (let bin = firstBin; bin < lastBin; bin++) {
        const base = bin * this.#stride
        for (let at = 0; at < this.#stride; at++) inWindow[at]! += this.#sums[base + at]!
      }
      windows.sites[window] = inWindow[0]!
      if (inWindow[0]! < minSites) continue
      const lengthBp = end1 - start1 + 1
      const pi = (population: number): number => quotient(this.#within(inWindow, population, lengthBp)) ?? Number.NaN
      for (let population = 0; population < populationCount; population++) {
        windows.pi[population]![window] = pi(population)
        windows.tajimaD[population]![window] = this.#tajimaD(inWindow, population) ?? Number.NaN
      }
      for (const [at, [one, two]] of pairs.entries()) {
        const index = this.#pairsFrom + at * perPair
        windows.fst[at]![window] = inWindow[index + fstNumerator]! / inWindow[index + fstDenominator]!
        windows.hudson[at]![window] = inWindow[index + hudsonNumerator]! / inWindow[index + hudsonDenominator]!
        windows.dxy[at]![window] = quotient(this.#between(inWindow, at, lengthBp)) ?? Number.NaN
        windows.piRatio[at]![window] = logRatio(
          this.#within(inWindow, one, lengthBp),
          this.#copies[one]!,
          this.#within(inWindow, two, lengthBp),
          this.#copies[two]!,
        )
      }
    }
    return { windows, total: this.#total() }
  }

  /** Differing and all pairs within a population over a segment. */
  #within(sums: Float64Array, population: number, lengthBp: number): { numerator: number; denominator: number } {
    const index = 1 + population * (perPopulation + 1)
    const numerator = sums[index + differences]!
    if (this.#plan.length === 'records') return { numerator, denominator: sums[index + pairsAll]! }
    const copies = this.#copies[population]!
    const rest = lengthBp - sums[index + variable]! - sums[index + perPopulation]!
    return { numerator, denominator: sums[index + pairsVariable]! + (Math.max(0, rest) * copies * (copies - 1)) / 2 }
  }

  #between(sums: Float64Array, pair: number, lengthBp: number): { numerator: number; denominator: number } {
    const index = this.#pairsFrom + pair * perPair
    const numerator = sums[index + between]!
    if (this.#plan.length === 'records') return { numerator, denominator: sums[index + betweenAll]! }
    const [one, two] = this.#plan.pairs[pair]!
    const rest = lengthBp - sums[index + varies]! - sums[index + out]!
    return {
      numerator,
      denominator: sums[index + betweenVariable]! + Math.max(0, rest) * this.#copies[one]! * this.#copies[two]!,
    }
  }

  #tajimaD(sums: Float64Array, population: number): number | null {
    const index = 1 + population * (perPopulation + 1)
    const count = sums[index + segregating]!
    return tajimaD({
      segregating: count,
      pi: sums[index + piSites]!,
      theta: sums[index + theta]!,
      copies: count === 0 ? 0 : sums[index + copiesSites]! / count,
    })
  }

  #total(): SequenceTotal {
    const { populationCount, pairs } = this.#plan
    const all = new Float64Array(this.#stride)
    for (let at = 0; at < this.#sums.length; at++) all[at % this.#stride]! += this.#sums[at]!
    return {
      sites: all[0]!,
      pi: Array.from({ length: populationCount }, (_, population) => this.#within(all, population, this.#lengthBp)),
      dxy: pairs.map((_, at) => this.#between(all, at, this.#lengthBp)),
      fst: pairs.map((_, at) => {
        const index = this.#pairsFrom + at * perPair
        return { numerator: all[index + fstNumerator]!, denominator: all[index + fstDenominator]! }
      }),
      hudson: pairs.map((_, at) => {
        const index = this.#pairsFrom + at * perPair
        return { numerator: all[index + hudsonNumerator]!, denominator: all[index + hudsonDenominator]! }
      }),
    }
  }
}

type Parts = { numerator: number; denominator: number }

/** Sums over one sequence; sequences are put together by `overallValues`. */
export interface SequenceTotal {
  sites: number
  pi: Parts[]
  fst: Parts[]
  hudson: Parts[]
  dxy: Parts[]
}

/**
 * log2 of pi over pi. Where all of one population are alike, as in a sweep that went to its end, half of what one allele in one copy would
 * give stands for none, (copies - 1) / 2 differing pairs: or the windows that tell most would have no value. Where that is so of both there
 * is none.
 */
const logRatio = (first: Parts, firstCopies: number, second: Parts, secondCopies: number): number => {
  if (first.denominator === 0 || second.denominator === 0) return Number.NaN
  if (first.numerator === 0 && second.numerator === 0) return Number.NaN
  const min = ({ numerator, denominator }: Parts, copies: number): number =>
    (numerator === 0 ? (copies - 1) / 2 : numerator) / denominator
  return Math.log2(min(first, firstCopies) / min(second, secondCopies))
}

const quotient = ({ numerator, denominator }: Parts): number | null =>
  denominator === 0 ? null : numerator / denominator

/** Quotients of the sums over all sequences; sequences without any variable site count where every position does. */
export const overallValues = (totals: readonly SequenceTotal[]): OverallValues => {
  const over = (of: (total: SequenceTotal) => Parts[]): (number | null)[] =>
    (totals[0] === undefined ? [] : of(totals[0])).map((_, at) =>
      quotient(
        totals.reduce<Parts>(
          (sum, total) => ({
            numerator: sum.numerator + of(total)[at]!.numerator,
            denominator: sum.denominator + of(total)[at]!.denominator,
          }),
          { numerator: 0, denominator: 0 },
        ),
      ),
    )
  return {
    sites: totals.reduce((sum, { sites }) => sum + sites, 0),
    pi: over(({ pi }) => pi),
    fst: over(({ fst }) => fst),
    hudson: over(({ hudson }) => hudson),
    dxy: over(({ dxy }) => dxy),
  }
}
