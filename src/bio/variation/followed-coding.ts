import type { Segment } from '../alignment/lift.ts'
import type { OrientedPiece } from '../sequence/coding-sequence.ts'
import { reverseComplement } from '../sequence/sequence.ts'

/**
 * Bases beside a place that are read with it: whether what an aligner puts into the ends of a gene lies beside it, and whether it is read
 * from a start further upstream.
 */
export const codingFlankBp = 60

/** Longer other DNA among the bases of an exon is no part of what is read: the gene is split there. */
const longestInsertion = 300

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
  /** Forward bases of the place from `otherStart0` on, and up to `codingFlankBp` on either side of it. */
  other: string
  otherStart0: number
}

/** The coding bases of a gene with those that another genome has opposite them. */
export interface Followed {
  /** The gene's own coding bases. */
  own: string
  /** Bases of the other genome in the order of reading, each with the number of the own base that it is opposite, or behind. */
  other: string
  at: number[]
  /** Whether it is opposite that base, not behind it. */
  aligned: boolean[]
  /** Bases of the other genome before the first of these and behind the last, in the order of reading. */
  before: string
  after: string
  /** Numbers of own bases behind which more other DNA lies than is read. */
  skipped: number[]
}

/** Walks the coding bases through the alignment. */
const follow = ({ pieces, own, ownStart0, segments, strand, other, otherStart0 }: FollowedCoding): Followed => {
  const letters: string[] = []
  const ownLetters: string[] = []
  const at: number[] = []
  const aligned: boolean[] = []
  const skipped: number[] = []
  let before5 = ''
  let last: { partner: number; turned: boolean } | null = null
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
  /** Bases beside a place in the order of reading: `side` is where they lie in it. */
  const beside = (partner: number, turned: boolean, side: 'before' | 'after'): string => {
    const place = partner - otherStart0
    const isForward = (side === 'after') !== turned
    const bases = isForward
      ? other.slice(place + 1, place + 1 + codingFlankBp)
      : other.slice(Math.max(0, place - codingFlankBp), place)
    return turned ? reverseComplement(bases, { rna: false }) : bases
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
        if (letters.length === 0) before5 = beside(partner, turned, 'before')
        last = { partner, turned }
        const more = before === null ? 0 : Math.abs(partner - before) - 1
        if (more > 0 && more <= longestInsertion)
          for (let next = 1; next <= more; next += 1) {
            letters.push(take(before! + (partner > before! ? next : -next)))
            at.push(number - 1)
            aligned.push(false)
          }
        if (more > longestInsertion) skipped.push(number - 1)
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
    after: last === null ? '' : beside(last.partner, last.turned, 'after').toUpperCase(),
    skipped,
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
      before: before + other.slice(0, more),
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
    before: before.slice(0, -missing),
    other: further + other,
    at: [...Array.from({ length: missing + together }, (_, number) => number), ...at.slice(together)],
    aligned: [...Array.from({ length: missing }, () => true), ...aligned],
  }
}

const reversed = (text: string): string => [...text].reverse().join('')

/** The same from its end. */
const fromEnd = ({ own, other, at, aligned, before, after, skipped }: Followed): Followed => ({
  own: reversed(own),
  other: reversed(other),
  at: at.map((number) => own.length - 1 - number).reverse(),
  aligned: [...aligned].reverse(),
  before: reversed(after),
  after: reversed(before),
  skipped,
})

/** The coding bases of a gene through its alignment; what may as well lie beside them does. */
export const followCoding = (coding: FollowedCoding): Followed =>
  fromEnd(moveBeforeStart(fromEnd(moveBeforeStart(follow(coding)))))
