// Which pairs of LTRs are elements, where one LTR could be paired with several others. Source of the criteria: the target site
// duplication and the dinucleotides TG … CA of LTR retrotransposons (Wicker et al. 2007; Ellinghaus et al. 2008, BMC Bioinformatics 9:18).

import { alignPair } from '../alignment/substitutions.ts'
import { reverseComplement } from '../sequence/sequence.ts'

/** Two LTRs on one sequence; first and last bases, counted from 1, both included. */
export interface LtrPair {
  leftStart1: number
  leftEnd1: number
  rightStart1: number
  rightEnd1: number
}

const seedBp = 12
/** Copies of an LTR must be alike over nearly all of it: the 80-80 rule of Wicker et al. 2007. */
const minIdentity = 80
const minDistanceBp = 1000
/** Ends of one element as several pairs give them lie within so many bases. */
const sameEndBp = 40
const minOrfCodons = 300

/** How far the ends of a copy may lie from where its seeds put them, and how many bases tell where they lie. */
const [maxShiftBp, edgeBp] = [24, 60]

/** The shift by which `edge` has most bases in common with `bases` from `at0`; the least of equal ones. */
const bestShift = (bases: string, edge: string, at0: number): number => {
  let best = { shift: 0, equal: -1 }
  for (let size = 0; size <= maxShiftBp; size++)
    for (const shift of size === 0 ? [0] : [-size, size]) {
      let equal = 0
      for (let at = 0; at < edge.length; at++) if (bases[at0 + shift + at] === edge[at]) equal++
      if (equal > best.equal) best = { shift, equal }
    }
  return best.shift
}

/** Copies of `repeat` within [from0, to0) of `bases`, half-open from 0, in order; copies do not overlap. */
const findCopies = (bases: string, repeat: string, from0: number, to0: number): [number, number][] => {
  const words = new Map<string, number[]>()
  for (let at = 0; at + seedBp <= repeat.length; at++) {
    const word = repeat.slice(at, at + seedBp)
    const indexes = words.get(word)
    if (indexes === undefined) words.set(word, [at])
    else if (indexes.length < 4) indexes.push(at)
  }
  // Votes for where a copy would begin, in bins of 16 bases so that small insertions do not scatter them.
  const votes = new Map<number, { count: number; sum: number }>()
  for (let at = from0; at + seedBp <= to0; at++)
    for (const index of words.get(bases.slice(at, at + seedBp)) ?? []) {
      const bin = Math.floor((at - index) / 16)
      const vote = votes.get(bin)
      if (vote === undefined) votes.set(bin, { count: 1, sum: at - index })
      else {
        vote.count++
        vote.sum += at - index
      }
    }
  // Two LTRs that are 80 % alike share about 7 % of their words of twelve bases.
  const min = Math.max(4, Math.floor(repeat.length * 0.04))
  const starts = [...votes]
    .filter(([bin, { count }]) => count + (votes.get(bin - 1)?.count ?? 0) + (votes.get(bin + 1)?.count ?? 0) >= min)
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([, { count, sum }]) => Math.round(sum / count))
  const found: [number, number][] = []
  const edge = Math.min(edgeBp, repeat.length)
  for (const near of starts) {
    const start = near + bestShift(bases, repeat.slice(0, edge), near)
    const lastEdge = near + repeat.length - edge
    const end = lastEdge + bestShift(bases, repeat.slice(-edge), lastEdge) + edge
    if (start < from0 || end > to0 || found.some((other) => start < other[1] && end > other[0])) continue
    const aligned = alignPair(repeat, bases.slice(start, end), 32)
    if (aligned !== null && aligned.identity >= minIdentity) found.push([start, end])
  }
  return found.sort((a, b) => a[0] - b[0])
}

/** Length in codons of the longest segment without a stop of the standard code in six frames. */
const longestOpenCodons = (bases: string): number => {
  let longest = 0
  for (const strand of [bases, reverseComplement(bases)])
    for (let frame = 0; frame < 3; frame++) {
      let run = 0
      for (let at = frame; at + 3 <= strand.length; at += 3) {
        const codon = strand.slice(at, at + 3)
        run = codon === 'TAA' || codon === 'TAG' || codon === 'TGA' ? 0 : run + 1
        if (run > longest) longest = run
      }
    }
  return longest
}

/** Length of the direct repeat right outside the pair, 4 to 6 bases; 0 when there is none. */
const targetSiteBp = (bases: string, pair: LtrPair): number => {
  for (let length = 6; length >= 4; length--) {
    const before = bases.slice(pair.leftStart1 - 1 - length, pair.leftStart1 - 1)
    if (before.length === length && before === bases.slice(pair.rightEnd1, pair.rightEnd1 + length)) return length
  }
  return 0
}

export interface ChosenPair extends LtrPair {
  /** Index of the pair given that it comes from. */
  from: number
  /** It was cut out of a pair that held another copy of its LTR. */
  split: boolean
}

/**
 * Chooses among all pairs of like LTRs (`-overlaps all` of LTRharvest) those that are single elements. A pair that holds further copies
 * of its LTR is cut at them: elements in tandem share LTRs, and the outer ones then look like the ends of one long element. Of pairs
 * that overlap by more than the shorter LTR the better stays, by open reading frame of the inside, target site duplication, TG … CA and
 * likeness of the LTRs. `bases` is the sequence in upper case. Result in order of start.
 */
export const choosePairs = (bases: string, given: readonly LtrPair[]): ChosenPair[] => {
  const candidates: (ChosenPair & { score: number; identity: number })[] = []
  const seen = new Map<string, boolean>()
  const add = (pair: LtrPair, from: number, split: boolean): void => {
    const key = `${pair.leftStart1} ${pair.leftEnd1} ${pair.rightStart1} ${pair.rightEnd1}`
    if (seen.has(key)) return
    seen.set(key, true)
    const left = bases.slice(pair.leftStart1 - 1, pair.leftEnd1)
    const right = bases.slice(pair.rightStart1 - 1, pair.rightEnd1)
    const identity = alignPair(left, right, 48)?.identity ?? 0
    const open = longestOpenCodons(bases.slice(pair.leftEnd1, pair.rightStart1 - 1))
    const motif = left.startsWith('TG') && right.endsWith('CA')
    const score =
      Math.min(4, open / minOrfCodons) +
      (targetSiteBp(bases, pair) >= 5 ? 1.5 : 0) +
      (motif ? 1 : 0) +
      (identity - 80) / 10
    candidates.push({ ...pair, from, split, score, identity })
  }
  for (const [from, pair] of given.entries()) {
    const repeat = bases.slice(pair.leftStart1 - 1, pair.leftEnd1)
    const copies = findCopies(bases, repeat, pair.leftEnd1, pair.rightStart1 - 1)
    if (copies.length === 0) {
      add(pair, from, false)
      continue
    }
    const chain: [number, number][] = [
      [pair.leftStart1, pair.leftEnd1],
      ...copies.map(([start0, end0]): [number, number] => [start0 + 1, end0]),
      [pair.rightStart1, pair.rightEnd1],
    ]
    for (let at = 0; at + 1 < chain.length; at++) {
      const [leftStart1, leftEnd1] = chain[at]!
      const [rightStart1, rightEnd1] = chain[at + 1]!
      if (rightStart1 - leftStart1 < minDistanceBp) continue
      add({ leftStart1, leftEnd1, rightStart1, rightEnd1 }, from, true)
    }
  }
  candidates.sort((a, b) => b.score - a.score || a.leftStart1 - b.leftStart1)
  const chosen: ChosenPair[] = []
  for (const { score: _, identity: __, ...pair } of candidates) {
    const conflict = chosen.some((other) => {
      const overlap = Math.min(pair.rightEnd1, other.rightEnd1) - Math.max(pair.leftStart1, other.leftStart1) + 1
      // The LTR that both share is as long as either's own.
      const ltr = Math.min(pair.leftEnd1 - pair.leftStart1, other.leftEnd1 - other.leftStart1) + 1
      return overlap > ltr + sameEndBp
    })
    if (!conflict) chosen.push(pair)
  }
  return chosen.sort((a, b) => a.leftStart1 - b.leftStart1)
}
