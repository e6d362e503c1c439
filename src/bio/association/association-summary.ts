// What a figure and a table need of an association scan of any size: counted while the rows go by, in any order, in bounded memory.

import { incompleteBeta, lowerGamma, normalQuantile } from '../statistics/distributions.ts'

/** Median of a chi-square of one degree of freedom: what lambda is measured in (Devlin & Roeder 1999, Biometrics 55:997). */
export const medianChiSquare = 0.4549364231195724

/** Chi-square of one degree of freedom whose upper tail is p. `chiSquareOfP(0.5)` is 0.4549364. */
export const chiSquareOfP = (p: number): number => normalQuantile(p / 2) ** 2

/** Of more ranks on both sides the normal approximation is as good, and the gamma functions cancel. */
const exactRanks = 200
/** Of more values the smallest ones are Gamma(r) / count to six digits. */
const exactCount = 100_000

/**
 * The p-value that the r-th smallest of `count` independent uniform ones stays below with a probability of `share`: the quantile of
 * Beta(r, count - r + 1). By the incomplete beta function near either end, as Gamma(r) / count where there are very many, and by the normal
 * approximation in between.
 */
export const orderStatistic = (rank: number, count: number, share: number): number => {
  const above = count - rank + 1
  if (above < rank) return 1 - orderStatistic(above, count, 1 - share)
  const mean = rank / (count + 1)
  const deviation = Math.sqrt((mean * (1 - mean)) / (count + 2))
  if (rank > exactRanks) return mean + normalQuantile(share) * deviation
  const isBeta = count <= exactCount
  let [low, high] = isBeta
    ? [0, Math.min(1, mean + (20 + 20 / Math.sqrt(rank)) * deviation)]
    : [0, rank + 20 * Math.sqrt(rank) + 20]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if ((isBeta ? incompleteBeta(middle, rank, above) : lowerGamma(rank, middle)) < share) low = middle
    else high = middle
  }
  return isBeta ? (low + high) / 2 : (low + high) / 2 / count
}

/** A point of a quantile plot, both -log10; `low` and `high` bound 95 % of what chance gives at that rank. */
export interface QuantilePoint {
  expected: number
  observed: number
  low: number
  high: number
}

const exactValues = 50_000
const uniformBins = 20_000
const fineFrom = 3
const finePerUnit = 200
const fineTo = 60
const topValues = 2000

/**
 * The distribution of p-values of a scan: exact up to 50,000 of them, and of more by counts in 20,000 classes of p, in finer ones of
 * -log10 p from 3 on, with the 2,000 smallest exact. Some 150 kB, whatever is put in.
 */
export class PValueDistribution {
  #exact: number[] | null = []
  #uniform: Uint32Array | null = null
  #fine: Uint32Array | null = null
  #top: number[] = []
  #topFrom = Number.NEGATIVE_INFINITY
  #count = 0

  get count(): number {
    return this.#count
  }

  add(logP: number): void {
    this.#count += 1
    if (this.#exact !== null) {
      this.#exact.push(logP)
      if (this.#exact.length > exactValues) this.#spread()
      return
    }
    this.#place(logP)
  }

  #spread(): void {
    const all = this.#exact!
    this.#exact = null
    this.#uniform = new Uint32Array(uniformBins + 1)
    this.#fine = new Uint32Array((fineTo - fineFrom) * finePerUnit + 1)
    for (const value of all) this.#place(value)
  }

  #place(logP: number): void {
    const p = 10 ** -logP
    if (logP < fineFrom) this.#uniform![Math.min(uniformBins, Math.floor(p * uniformBins))]! += 1
    else this.#fine![Math.min(this.#fine!.length - 1, Math.floor((logP - fineFrom) * finePerUnit))]! += 1
    if (logP <= this.#topFrom) return
    this.#top.push(logP)
    if (this.#top.length >= 2 * topValues) {
      this.#top.sort((a, b) => b - a)
      this.#top.length = topValues
      this.#topFrom = this.#top[topValues - 1]!
    }
  }

  /** -log10 of the r-th smallest p-value for each of these ranks, which ascend from 1. */
  atRanks(ranks: readonly number[]): number[] {
    if (this.#exact !== null) {
      const sorted = [...this.#exact].sort((a, b) => b - a)
      return ranks.map((rank) => sorted[Math.min(sorted.length, Math.max(1, rank)) - 1]!)
    }
    const top = [...this.#top].sort((a, b) => b - a).slice(0, topValues)
    const fine = this.#fine!
    const uniform = this.#uniform!
    let fineAt = fine.length
    let uniformAt = -1
    let below = 0
    let held = 0
    return ranks.map((rank) => {
      if (rank <= top.length) return top[rank - 1]!
      // From the smallest p-value on: fine classes downwards, then the classes of p upwards.
      while (below + held < rank && (fineAt > 0 || uniformAt < uniform.length - 1)) {
        below += held
        if (fineAt > 0) {
          fineAt -= 1
          held = fine[fineAt]!
        } else {
          uniformAt += 1
          held = uniform[uniformAt]!
        }
      }
      const within = held === 0 ? 0 : (rank - below - 0.5) / held
      if (uniformAt < 0) return fineFrom + (fineAt + 1 - within) / finePerUnit
      // The class that holds p = 0.001 begins there: smaller ones are in the fine classes.
      const from = Math.max(
        uniformAt / uniformBins,
        uniformAt === Math.floor(uniformBins * 10 ** -fineFrom) ? 10 ** -fineFrom : 0,
      )
      return -Math.log10(Math.min(1, from + within * ((uniformAt + 1) / uniformBins - from)))
    })
  }

  /** How many p-values are greater than this. */
  shareAbove(p: number): number {
    if (this.#count === 0) return 0
    const bound = -Math.log10(p)
    if (this.#exact !== null) return this.#exact.filter((value) => value < bound).length / this.#count
    let above = 0
    for (let at = Math.ceil(p * uniformBins); at <= uniformBins; at += 1) above += this.#uniform![at]!
    return above / this.#count
  }

  /** How many p-values are at most 10^-logP; exact below 50,000 values and among the 2,000 smallest, else to a class. */
  countFrom(logP: number): number {
    if (this.#exact !== null) return this.#exact.filter((value) => value >= logP).length
    if (logP > this.#topFrom) return this.#top.filter((value) => value >= logP).length
    let count = 0
    const first = Math.max(0, Math.floor((logP - fineFrom) * finePerUnit))
    for (let at = first; at < this.#fine!.length; at += 1) count += this.#fine![at]!
    if (logP < fineFrom) {
      const last = Math.floor(10 ** -logP * uniformBins)
      for (let at = 0; at < last; at += 1) count += this.#uniform![at]!
    }
    return count
  }

  /** Genomic inflation: the median chi-square of the p-values over that of chance. Null without values. */
  lambda(): number | null {
    if (this.#count === 0) return null
    const middle = (this.#count + 1) / 2
    const [low, high] = this.atRanks([Math.floor(middle), Math.ceil(middle)])
    return (chiSquareOfP(10 ** -low!) + chiSquareOfP(10 ** -high!)) / 2 / medianChiSquare
  }

  /** Points of the quantile plot, some hundred whatever the number of values, the smallest 200 p-values all among them. */
  quantiles(): QuantilePoint[] {
    const ranks: number[] = []
    for (let rank = 1; rank <= this.#count; rank = Math.max(rank + 1, Math.round(rank * (rank < 200 ? 1 : 1.025))))
      ranks.push(rank)
    const observed = this.atRanks(ranks)
    const log = (p: number): number => -Math.log10(p)
    return ranks.map((rank, at) => ({
      expected: log((rank - 0.5) / this.#count),
      observed: observed[at]!,
      low: log(orderStatistic(rank, this.#count, 0.975)),
      high: log(orderStatistic(rank, this.#count, 0.025)),
    }))
  }
}

/** A scan as a figure draws it. Sequences are numbers in the order of the genome. */
export interface ThinnedScan {
  binBp: number
  /** Height of a cell in units of -log10 p. */
  cell: number
  /** Columns of cells with something in them: sequence, bin from 0, first and last cell, four numbers a run. */
  runs: number[]
  /** Rows drawn as points of their own: sequence, position from 1, -log10 p, three numbers a point. */
  points: number[]
}

const cellHeight = 0.1
const cellCount = 256
const pointsBeforeThinning = 6000
const keptPoints = 12_000

/**
 * Thins a scan to what a screen can show, losing no peak: the genome is cut into about `bins` segments, of each the best row is kept
 * as it is, and the others as cells of 0.1 of -log10 p that are filled; the 12,000 best rows of all are kept too, and all rows where
 * there are few.
 */
export class ScanThinner {
  readonly #binBp: number
  readonly #firstBin: number[] = []
  readonly #binCount: number
  #points: number[] | null = []
  #cells: Uint32Array | null = null
  #best: Float64Array | null = null
  #bestAt: Float64Array | null = null
  #top: number[] = []
  #topFrom = 0

  constructor(lengthsBp: readonly number[], bins = 1600) {
    const total = lengthsBp.reduce((sum, length) => sum + length, 0)
    this.#binBp = Math.max(1, Math.ceil(total / bins))
    let first = 0
    for (const length of lengthsBp) {
      this.#firstBin.push(first)
      first += Math.floor(length / this.#binBp) + 1
    }
    this.#binCount = first
  }

  add(sequence: number, position1: number, logP: number): void {
    if (this.#points !== null) {
      this.#points.push(sequence, position1, logP)
      if (this.#points.length > 3 * pointsBeforeThinning) this.#thin()
      return
    }
    this.#place(sequence, position1, logP)
  }

  #thin(): void {
    const all = this.#points!
    this.#points = null
    this.#cells = new Uint32Array(this.#binCount * (cellCount / 32))
    this.#best = new Float64Array(this.#binCount).fill(-1)
    this.#bestAt = new Float64Array(this.#binCount)
    for (let at = 0; at < all.length; at += 3) this.#place(all[at]!, all[at + 1]!, all[at + 2]!)
  }

  #place(sequence: number, position1: number, logP: number): void {
    const bin = this.#firstBin[sequence]! + Math.floor((position1 - 1) / this.#binBp)
    const cell = Math.min(cellCount - 1, Math.floor(logP / cellHeight))
    this.#cells![bin * (cellCount / 32) + (cell >> 5)]! |= 1 << (cell & 31)
    if (logP > this.#best![bin]!) {
      this.#best![bin] = logP
      this.#bestAt![bin] = position1
    }
    if (logP <= this.#topFrom) return
    this.#top.push(sequence, position1, logP)
    if (this.#top.length >= 6 * keptPoints) this.#cutTop()
  }

  #cutTop(): void {
    const order = Array.from({ length: this.#top.length / 3 }, (_, at) => at).sort(
      (a, b) => this.#top[3 * b + 2]! - this.#top[3 * a + 2]!,
    )
    const kept = order.slice(0, keptPoints)
    if (order.length > keptPoints) this.#topFrom = this.#top[3 * kept.at(-1)! + 2]!
    this.#top = kept.flatMap((at) => this.#top.slice(3 * at, 3 * at + 3))
  }

  /** Rounded to what a figure can show: 0.001 of -log10 p. */
  finish(): ThinnedScan {
    const round = (logP: number): number => Math.round(logP * 1000) / 1000
    if (this.#points !== null) {
      const points = this.#points.map((value, at) => (at % 3 === 2 ? round(value) : value))
      return { binBp: this.#binBp, cell: cellHeight, runs: [], points }
    }
    this.#cutTop()
    // Of dense parts the cells tell enough: only rows from -log10 p = 3 on are points, besides the best of each bin.
    const points: number[] = []
    const seen = new Set<string>()
    const put = (sequence: number, position1: number, logP: number): void => {
      const key = `${sequence} ${position1} ${round(logP)}`
      if (seen.has(key)) return
      seen.add(key)
      points.push(sequence, position1, round(logP))
    }
    for (let at = 0; at < this.#top.length; at += 3)
      if (this.#top[at + 2]! >= 3) put(this.#top[at]!, this.#top[at + 1]!, this.#top[at + 2]!)
    const runs: number[] = []
    const words = cellCount / 32
    for (const [sequence, first] of this.#firstBin.entries()) {
      const last = this.#firstBin[sequence + 1] ?? this.#binCount
      for (let bin = first; bin < last; bin += 1) {
        if (this.#best![bin]! < 0) continue
        put(sequence, this.#bestAt![bin]!, this.#best![bin]!)
        let from = -1
        for (let cell = 0; cell <= cellCount; cell += 1) {
          const filled = cell < cellCount && (this.#cells![bin * words + (cell >> 5)]! & (1 << (cell & 31))) !== 0
          if (filled && from < 0) from = cell
          if (!filled && from >= 0) {
            runs.push(sequence, bin - first, from, cell - 1)
            from = -1
          }
        }
      }
    }
    return { binBp: this.#binBp, cell: cellHeight, runs, points }
  }
}

/** A locus: hits near its best one. */
export interface Locus<Hit> {
  lead: Hit
  hits: Hit[]
  start1: number
  end1: number
}

/**
 * Groups hits into loci, best first: each takes what lies within `windowBp` of its lead and, where `linked` is given, is linked with it
 * (the rule of `plink --clump`, whose r2 is of estimated haplotype frequencies); what is left makes further loci. Hits below `min` are
 * taken along, but lead none.
 */
export const groupLoci = <Hit extends { sequence: string; position: number; logP: number }>(
  hits: readonly Hit[],
  {
    min,
    windowBp,
    max,
    linked,
  }: { min: number; windowBp: number; max: number; linked?: (lead: Hit, other: Hit) => boolean },
): { loci: Locus<Hit>[]; cut: boolean } => {
  const bySequence = new Map<string, Hit[]>()
  for (const hit of hits) {
    const list = bySequence.get(hit.sequence)
    if (list === undefined) bySequence.set(hit.sequence, [hit])
    else list.push(hit)
  }
  for (const list of bySequence.values()) list.sort((a, b) => a.position - b.position)
  const taken = new Set<Hit>()
  const loci: Locus<Hit>[] = []
  const leads = hits.filter((hit) => hit.logP >= min).sort((a, b) => b.logP - a.logP)
  for (const lead of leads) {
    if (taken.has(lead)) continue
    if (loci.length === max) return { loci, cut: true }
    const list = bySequence.get(lead.sequence)!
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (list[middle]!.position < lead.position - windowBp) low = middle + 1
      else high = middle
    }
    const own: Hit[] = []
    for (let at = low; at < list.length && list[at]!.position <= lead.position + windowBp; at += 1) {
      const hit = list[at]!
      if (taken.has(hit) || (hit !== lead && linked !== undefined && !linked(lead, hit))) continue
      taken.add(hit)
      own.push(hit)
    }
    const significant = own.filter((hit) => hit.logP >= min)
    loci.push({
      lead,
      hits: own,
      start1: Math.min(...significant.map(({ position }) => position)),
      end1: Math.max(...significant.map(({ position }) => position)),
    })
  }
  return { loci, cut: false }
}

/**
 * How far from its lead a locus reaches where nothing is said: a thousandth of the genome, from 10 to 500 kb, in round numbers.
 *
 * Example: of 12 Mb it is 10,000, of 370 Mb 400,000, of 3 Gb 500,000.
 */
export const usualWindowBp = (genomeBp: number): number => {
  const share = Math.min(500_000, Math.max(10_000, genomeBp / 1000))
  const digit = 10 ** Math.floor(Math.log10(share))
  return Math.round(share / digit) * digit
}
