import type { Segment } from '../alignment/lift.ts'
import type { ReadingFrame } from '../comparative/gene-presence.ts'
import type { OrientedPiece } from '../sequence/coding-sequence.ts'
import { translate } from '../sequence/genetic-codes.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { proteinChange } from './protein-change.ts'

/** Bases beside a place that say whether what an aligner puts into the start of a gene lies before it. */
export const startFlankBp = 30

/** Longer other DNA among the bases of an exon is no part of what is read: the gene is split there. */
const longestInsertion = 300
/** Of a gene whose start is lost, a start in frame within this share of it serves. */
const laterStartShare = 0.1

/** A coding gene, and where its bases lie in another genome. Places from 0, ends excluded, unless the name says otherwise. */
export interface FollowedCoding {
  /** In the order in which they are read. */
  pieces: readonly OrientedPiece[]
  /** Bases before the first whole codon. */
  phase: number
  geneticCode: number
  /** Forward bases of the gene's own genome from `ownStart0` on. */
  own: string
  ownStart0: number
  /** Ascending by the gene's own genome, of one place. */
  segments: readonly Segment[]
  strand: '+' | '-'
  /** Forward bases of the place from `otherStart0` on, and up to `startFlankBp` on either side of it. */
  other: string
  otherStart0: number
}

interface Followed {
  /** The gene's own coding bases. */
  own: string
  /** Bases of the other genome in the order of reading, each with the number of the own base that it is opposite, or behind. */
  other: string
  at: number[]
  /** Whether it is opposite that base, not behind it. */
  aligned: boolean[]
  /** Bases of the other genome before the first of these, in the order of reading. */
  before: string
}

/** Walks the coding bases through the alignment. */
const follow = ({ pieces, own, ownStart0, segments, strand, other, otherStart0 }: FollowedCoding): Followed => {
  const letters: string[] = []
  const ownLetters: string[] = []
  const at: number[] = []
  const aligned: boolean[] = []
  let before5 = ''
  const partnerOf = (position0: number): number | null => {
    let [low, high] = [0, segments.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const { source0, other0, lengthBp } = segments[middle]!
      if (position0 < source0) high = middle - 1
      else if (position0 >= source0 + lengthBp) low = middle + 1
      else return strand === '+' ? other0 + position0 - source0 : other0 + lengthBp - 1 - (position0 - source0)
    }
    return null
  }
  let number = 0
  for (const piece of pieces) {
    const backwards = piece.strand === '-'
    // Read against the forward strand of the other genome.
    const turned = backwards !== (strand === '-')
    const take = (other0: number): string => {
      const base = other[other0 - otherStart0] ?? 'N'
      return turned ? reverseComplement(base, { rna: false }) : base
    }
    let before: number | null = null
    const length = piece.end1 - piece.start1 + 1
    for (let step = 0; step < length; step += 1) {
      const position0 = backwards ? piece.end1 - 1 - step : piece.start1 - 1 + step
      const base = own[position0 - ownStart0] ?? 'N'
      ownLetters.push(backwards ? reverseComplement(base, { rna: false }) : base)
      const partner = partnerOf(position0)
      if (partner !== null) {
        if (letters.length === 0) {
          const place = partner - otherStart0
          before5 = turned
            ? reverseComplement(other.slice(place + 1, place + 1 + startFlankBp), { rna: false })
            : other.slice(Math.max(0, place - startFlankBp), place)
        }
        const more = before === null ? 0 : Math.abs(partner - before) - 1
        if (more > 0 && more <= longestInsertion)
          for (let next = 1; next <= more; next += 1) {
            letters.push(take(before! + (partner > before! ? next : -next)))
            at.push(number - 1)
            aligned.push(false)
          }
        letters.push(take(partner))
        at.push(number)
        aligned.push(true)
        before = partner
      }
      number += 1
    }
  }
  return {
    own: ownLetters.join('').toUpperCase(),
    other: letters.join('').toUpperCase(),
    at,
    aligned,
    before: before5.toUpperCase(),
  }
}

/**
 * In a repeat an aligner puts further or missing bases at one end, which may be in the first codons: `AAA|ATG` beside `AAAA|ATG` as
 * `AAAA[A]TG` of a gene on the reverse strand. Where they may as well stand before the start, they do.
 */
const moveBeforeStart = (followed: Followed): Followed => {
  const { own, other, at, aligned, before } = followed
  if (at.length === 0) return followed
  let together = 0
  while (together < at.length && aligned[together] === true && at[together] === together) together += 1
  let more = 0
  while (aligned[together + more] === false) more += 1
  if (more > 0) {
    if (other.slice(more, more + together) !== other.slice(0, together)) return followed
    return {
      ...followed,
      other: other.slice(more),
      at: [...at.slice(0, together), ...at.slice(together + more)],
      aligned: [...aligned.slice(0, together), ...aligned.slice(together + more)],
    }
  }
  const missing = (at[together] ?? together) - together
  if (missing === 0 || missing > before.length) return followed
  const further = before.slice(-missing)
  if (further + other.slice(0, together) !== own.slice(0, missing + together)) return followed
  return {
    ...followed,
    other: further + other,
    at: [...Array.from({ length: missing + together }, (_, number) => number), ...at.slice(together)],
    aligned: [...Array.from({ length: missing }, () => true), ...aligned],
  }
}

/**
 * How the gene reads in the other genome, codon by codon from its start to the first stop; null where it does not read in its own either
 * (a pseudogene, a part), or nothing of it is aligned. Where the frame is left and found again before a stop, only what lies between is lost.
 *
 * Example: of `ATGGCTCAATAA` the bases `ATGGCTTAATAA` have a stop in place of Gln3: `{change: 'stop', codon1: 3, hgvs: 'p.(Gln3Ter)'}`.
 */
export const readFrame = (coding: FollowedCoding): ReadingFrame | null => {
  const { own, other, at, aligned } = moveBeforeStart(follow(coding))
  const code = { table: coding.geneticCode }
  const ownRead = own.slice(coding.phase)
  const ownProtein = translate(ownRead, code)
  const ends = ownProtein.endsWith('*')
  const codons = ownProtein.length - (ends ? 1 : 0)
  if (codons === 0 || ownProtein.slice(0, codons).includes('*')) return null
  // Read from the first whole codon that is there.
  const first = at.findIndex((base, here) => aligned[here]! && base >= coding.phase && (base - coding.phase) % 3 === 0)
  if (first === -1) return null
  const codonAt = (here: number): number => Math.floor((at[here]! - coding.phase) / 3)
  const begin = codonAt(first)
  const protein = translate(other.slice(first), code)
  const stopAt = protein.indexOf('*')
  const read = stopAt === -1 ? protein.length : stopAt
  let kept = 0
  /** A residue of the other genome that begins with the first base of a codon, the last before the frame is left: both proteins from there on. */
  let inFrame = { residue: 0, codon: begin }
  /** Where the frame was left. */
  let left: { residue: number; codon: number; codon1: number } | null = null
  for (let residue = 0; residue < read; residue += 1) {
    const here = first + 3 * residue
    // A residue of further bases alone leaves the frame as it is.
    const offset = [0, 1, 2].find((one) => aligned[here + one] === true)
    if (offset === undefined) continue
    if ((at[here + offset]! - coding.phase - offset) % 3 !== 0)
      left ??= { ...inFrame, codon1: codonAt(here + offset) + 1 }
    else {
      if (offset === 0) {
        kept += 1
        inFrame = { residue, codon: codonAt(here) }
      }
      left = null
    }
  }
  const keptShare = Math.min(1, kept / codons)
  const whole = { codons, keptShare, change: null, codon1: null, hgvs: null }
  const started = startIsLost({ own: ownRead, other: other.slice(first), begin, table: coding.geneticCode })
  if (started === 'lost') return { ...whole, change: 'start', codon1: 1, hgvs: 'p.(Met1?)' }
  const stopCodon = stopAt === -1 ? null : codonAt(first + 3 * stopAt)
  if (left !== null || (stopAt !== -1 && (at[first + 3 * stopAt]! - coding.phase) % 3 !== 0 && stopCodon! < codons)) {
    const { residue, codon, codon1 } = left ?? { ...inFrame, codon1: stopCodon! + 1 }
    const hgvs = proteinChange(
      `${codon + 1}${ownProtein.slice(codon) || 'X'}>${codon + 1}${protein.slice(residue, stopAt === -1 ? undefined : stopAt + 1) || 'X'}`,
      ['frameshift'],
      null,
    )
    return { ...whole, change: 'frameshift', codon1, hgvs }
  }
  if (stopCodon !== null && stopCodon < codons) {
    const hgvs = proteinChange(`${stopCodon + 1}${ownProtein[stopCodon]}>${stopCodon + 1}*`, ['stop_gained'], null)
    return { ...whole, change: 'stop', codon1: stopCodon + 1, hgvs }
  }
  return whole
}

const bacterialCodes = new Set([4, 11, 25])

/** Whether the start codon is lost; not where the gene has none of its own, or another in frame follows soon. */
const startIsLost = ({
  own,
  other,
  begin,
  table,
}: {
  own: string
  other: string
  begin: number
  table: number
}): 'kept' | 'lost' => {
  const usual = new Set(bacterialCodes.has(table) ? ['ATG', 'GTG', 'TTG'] : ['ATG'])
  const ownStart = own.slice(0, 3)
  if (!usual.has(ownStart)) return 'kept'
  const lastCodon = Math.floor((laterStartShare * own.length) / 3)
  for (let codon = begin; codon <= lastCodon; codon += 1)
    if (usual.has(other.slice(3 * (codon - begin), 3 * (codon - begin) + 3))) return 'kept'
  return 'lost'
}
