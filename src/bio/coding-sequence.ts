// From the parts of a transcript to the sequence that is read.

import { reverseComplement } from './sequence.ts'

/** A stretch of a sequence with the strand it is read on; first and last base counted from 1. */
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
  const sequence = pieces
    .map((piece) => {
      const forward = sequenceOf(piece.start1, piece.end1)
      return piece.strand === '-' ? reverseComplement(forward, { rna: false }) : forward
    })
    .join('')
  const first = pieces[0]
  const part = first && transcript.cds.find(({ start1, end1 }) => start1 === first.start1 && end1 === first.end1)
  return { sequence, phase: part?.phase ?? 0 }
}
