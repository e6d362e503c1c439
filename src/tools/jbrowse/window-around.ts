import { type Interval, placeInterval } from '../../bio/annotation/gene-geometry.ts'

/** Least context at each side of a gene: its promoter and its neighbours' ends should be in sight. */
const minFlankBp = 1500

interface Span {
  start: number
  end: number
}

const spans = (interval: Interval, sequence: { lengthBp: number; circular: boolean }): Span[] =>
  placeInterval(interval, sequence).pieces.map(({ start1, end1 }) => ({ start: start1, end: end1 }))

/**
 * The window around a gene (1-based, inclusive): as much again at each side, within the sequence; in two parts, before the origin
 * and behind it, around a gene that crosses the origin of a circular sequence, as a browser of linear coordinates shows it.
 *
 * Example: around 5001..8000 on a sequence of 9000 it is 2001..9000; around 8001..9500 on a circular one 6501..9000 and 1..2000.
 */
export const windowAround = (gene: Span, sequence: { lengthBp: number; circular: boolean }): Span[] => {
  const flank = Math.max(minFlankBp, gene.end - gene.start + 1)
  if (gene.end > sequence.lengthBp && sequence.circular)
    return spans({ start1: gene.start - flank, end1: gene.end + flank }, sequence)
  return [{ start: Math.max(1, gene.start - flank), end: Math.min(sequence.lengthBp, gene.end + flank) }]
}

/** A gene itself as such a browser shows it. Example: 8001..9500 on a circular sequence of 9000 is 8001..9000 and 1..500. */
export const partsOnSequence = (gene: Span, sequence: { lengthBp: number; circular: boolean }): Span[] =>
  spans({ start1: gene.start, end1: gene.end }, sequence)
