// From the parts of a transcript to the sequence that is read.

import { reverseComplement } from './sequence.ts'

/** A segment of a sequence with the strand it is read on; first and last base counted from 1. */
export interface OrientedPiece {
  start1: number
  end1: number
  strand: '+' | '-'
}

interface ReadTranscript {
  cds: readonly { start1: number; end1: number; phase: 0 | 1 | 2 }[]
  readingOrder?: readonly OrientedPiece[]
}

/**
 * The coding parts in the order in which they are read, each on its strand. A transcript without strand is read as `+`.
 *
 * Example: parts 1..9 and 21..29 on strand `-` are read as 21..29, then 1..9.
 */
export function readingPieces(transcript: ReadTranscript, strand: '+' | '-' | '.'): OrientedPiece[] {
  if (transcript.readingOrder) return [...transcript.readingOrder]
  const own = strand === '-' ? '-' : '+'
  const pieces = transcript.cds.map(({ start1, end1 }): OrientedPiece => ({ start1, end1, strand: own }))
  return own === '-' ? pieces.reverse() : pieces
}

/**
 * The exons in the order in which they are read, each on its strand. In a trans-spliced transcript an exon is read where its coding
 * parts are; one that holds none is read beside the coding part that lies nearest, on that part's strand.
 *
 * Example: exons 1..9 and 21..29 with the reading order 21..29 (+), 1..9 (-) are read as 21..29 (+), then 1..9 (-).
 */
export function readingExons(
  exons: readonly { start1: number; end1: number }[],
  strand: '+' | '-' | '.',
  readingOrder?: readonly OrientedPiece[],
): OrientedPiece[] {
  if (!readingOrder || readingOrder.length === 0) {
    const own = strand === '-' ? '-' : '+'
    const pieces = exons.map(({ start1, end1 }): OrientedPiece => ({ start1, end1, strand: own }))
    return own === '-' ? pieces.reverse() : pieces
  }
  const groups = new Map(
    readingOrder.map((piece) => [piece, { before: [] as OrientedPiece[], after: [] as OrientedPiece[] }]),
  )
  const coding = new Map<OrientedPiece, OrientedPiece>()
  for (const { start1, end1 } of exons) {
    const held = readingOrder.find((piece) => piece.start1 >= start1 && piece.end1 <= end1)
    if (held) {
      coding.set(held, { start1, end1, strand: held.strand })
      continue
    }
    const distance = (piece: OrientedPiece) => Math.max(piece.start1 - end1, start1 - piece.end1)
    const nearest = readingOrder.reduce((best, piece) => (distance(piece) < distance(best) ? piece : best))
    const isBefore = nearest.strand === '-' ? start1 > nearest.end1 : end1 < nearest.start1
    const group = groups.get(nearest)!
    const side = isBefore ? group.before : group.after
    const exon: OrientedPiece = { start1, end1, strand: nearest.strand }
    if (nearest.strand === '-') side.unshift(exon)
    else side.push(exon)
  }
  return readingOrder.flatMap((piece) => {
    const { before, after } = groups.get(piece)!
    const own = coding.get(piece)
    return [...before, ...(own ? [own] : []), ...after]
  })
}

/** Joins pieces in their order; `sequenceOf` gives the forward strand from `start1` to `end1`, both included. */
export function joinPieces(
  pieces: readonly OrientedPiece[],
  sequenceOf: (start1: number, end1: number) => string,
): string {
  return pieces
    .map((piece) => {
      const forward = sequenceOf(piece.start1, piece.end1)
      return piece.strand === '-' ? reverseComplement(forward, { rna: false }) : forward
    })
    .join('')
}

/**
 * The coding sequence as it is translated, from its first base on: `phase` bases stand before the first whole codon.
 * `sequenceOf` gives the forward strand from `start1` to `end1`, both included; across the origin of a circular sequence `end1`
 * is beyond its length. Trans-spliced genes are joined in their reading order.
 *
 * Example: with the sequence "AAACATGGG", one part 4..6 on strand `-` gives `{sequence: 'ATG', phase: 0}`.
 */
export function codingSequence(
  transcript: ReadTranscript,
  strand: '+' | '-' | '.',
  sequenceOf: (start1: number, end1: number) => string,
): { sequence: string; phase: 0 | 1 | 2 } {
  const pieces = readingPieces(transcript, strand)
  const sequence = joinPieces(pieces, sequenceOf)
  const first = pieces[0]
  const part = first && transcript.cds.find(({ start1, end1 }) => start1 === first.start1 && end1 === first.end1)
  return { sequence, phase: part?.phase ?? 0 }
}
