// Scores and p-values of position weight matrices as FIMO defines them.

import type { Motif } from './motif-formats.ts'

/** What a site is compared with: bases in the order A, C, G, T. */
export interface Background {
  order: 0 | 1
  bases: readonly number[]
  /** Of order 1: probability of the second base after the first, at 4 × first + second. */
  transitions: Float64Array | null
}

/** Integers that the scores of one position take at most (MEME Suite: PSSM_RANGE); it bounds the error of a score. */
export const scoreRange = 1000

/** Added to the counts of each position, shared out by the background (FIMO --motif-pseudo). */
const defaultPseudocount = 0.1

/** Frequencies of A, C, G, T in NCBI's non-redundant DNA database: FIMO's background where none is given (MEME Suite --nrdb--). */
export const nrdbFrequencies: readonly number[] = [0.281774, 0.22202, 0.228876, 0.26733]

/** A matrix ready for scanning. */
export interface ScoringMatrix {
  width: number
  /** Whole numbers from 0, at 4 × position + base. */
  scaled: Int32Array
  /** Score in bits = scaled / scale + width × offset. */
  scale: number
  offset: number
  /** Probability of a score at least this, by scaled score. */
  tail: Float64Array
  /** Greatest scaled score that a word can have. */
  best: number
}

/**
 * Background without dependence between neighbours; `bothStrands` averages each base with its complement, as FIMO does where it scans
 * both strands.
 *
 * @example makeBackground([0.3, 0.2, 0.1, 0.4], true).bases // [0.35, 0.15, 0.15, 0.35]
 */
export const makeBackground = (frequencies: readonly number[], bothStrands: boolean): Background => {
  const total = frequencies.reduce((sum, value) => sum + value, 0)
  const [a, c, g, t] = frequencies.map((value) => value / total) as [number, number, number, number]
  const bases = bothStrands ? [(a + t) / 2, (c + g) / 2, (c + g) / 2, (a + t) / 2] : [a, c, g, t]
  return { order: 0, bases, transitions: null }
}

/** Probability of each scaled score: the words' probabilities summed position by position. */
const distribute = (scaled: Int32Array, width: number, background: Background, size: number): Float64Array => {
  const { bases, transitions } = background
  // One table for each last base where the next depends on it.
  const states = transitions === null ? 1 : 4
  let old = Array.from({ length: states }, () => new Float64Array(size))
  let now = Array.from({ length: states }, () => new Float64Array(size))
  let reach = 0
  for (let base = 0; base < 4; base++) {
    const score = scaled[base]!
    now[states === 1 ? 0 : base]![score]! += bases[base]!
    reach = Math.max(reach, score)
  }
  for (let position = 1; position < width; position++) {
    ;[old, now] = [now, old]
    for (const table of now) table.fill(0, 0, Math.min(size, reach + scoreRange + 1))
    let furthest = 0
    for (let base = 0; base < 4; base++) {
      const score = scaled[4 * position + base]!
      furthest = Math.max(furthest, score)
      const target = now[states === 1 ? 0 : base]!
      for (let last = 0; last < states; last++) {
        const source = old[last]!
        const probability = transitions === null ? bases[base]! : transitions[4 * last + base]!
        for (let value = 0; value <= reach; value++) {
          const mass = source[value]!
          if (mass !== 0) target[value + score]! += mass * probability
        }
      }
    }
    reach += furthest
  }
  const total = now[0]!
  for (let state = 1; state < states; state++)
    for (let value = 0; value < size; value++) total[value]! += now[state]![value]!
  return total
}

/**
 * Makes log-odds in bits from a motif and a background, as FIMO does: (frequency × sites + pseudocount × background) / (sites +
 * pseudocount) over the background, to the base 2; then whole numbers from 0 to 1000 a position, by a whole offset and a whole scale,
 * so that all p-values are exact for the scores that are reported (Staden 1989, CABIOS 5:89; Grant et al. 2011, Bioinformatics
 * 27:1017). Log-odds are over the bases of the background at either order; the order sets the probabilities of words.
 *
 * @example scoreMatrix({id: 'm', name: null, consensus: null, siteCount: 20, frequencies: [[1, 0, 0, 0]]}, makeBackground([1, 1, 1, 1], true))
 * // width 1, offset -8, scale 100, scaled [999, 34, 34, 34], tail[999] 0.25
 */
export const scoreMatrix = (
  motif: Motif,
  background: Background,
  pseudocount: number = defaultPseudocount,
): ScoringMatrix => {
  const width = motif.frequencies.length
  const { bases } = background
  const raw = new Float64Array(4 * width)
  for (const [position, row] of motif.frequencies.entries())
    for (let base = 0; base < 4; base++) {
      const share = (row[base]! * motif.siteCount + pseudocount * bases[base]!) / (motif.siteCount + pseudocount)
      // Without a pseudocount an absent base would be minus infinity: a score that no site can make up for.
      raw[4 * position + base] = share > 0 ? Math.log2(share / bases[base]!) : -100
    }
  let small = Math.min(...raw)
  const large = Math.max(...raw)
  if (large === small) small = large - 1
  const offset = Math.floor(small)
  const scale = Math.floor(scoreRange / (large - offset))
  const scaled = Int32Array.from(raw, (value) => Math.floor((value - offset) * scale + 0.5))
  let best = 0
  for (let position = 0; position < width; position++)
    best += Math.max(...scaled.subarray(4 * position, 4 * position + 4))
  const size = width * scoreRange + 1
  const tail = distribute(scaled, width, background, size)
  for (let value = size - 2; value >= 0; value--) tail[value] = Math.min(1, tail[value]! + tail[value + 1]!)
  return { width, scaled, scale, offset, tail, best }
}

/** The score in bits that a scaled score stands for: `scaled / scale + width × offset`. */
export const scoreInBits = ({ scale, offset, width }: ScoringMatrix, scaled: number): number =>
  scaled / scale + width * offset

/** Sums of products of probabilities are rounded; what is above a limit by no more than this share of it is at it. */
const tailRounding = 1e-11

/** The smallest scaled score whose p-value is at most `pValue`; `best + 1` when no word reaches it. */
export const thresholdScore = ({ tail, best }: ScoringMatrix, pValue: number): number => {
  const limit = pValue * (1 + tailRounding)
  let low = 0
  let high = best + 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (tail[middle]! <= limit) high = middle
    else low = middle + 1
  }
  return low
}
