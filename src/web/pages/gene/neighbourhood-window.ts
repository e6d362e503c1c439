/** A sequence on which a window lies. */
interface Around {
  lengthBp: number
  circular: boolean
}

interface Span {
  start: number
  end: number
}

/**
 * The window around a gene (1-based, inclusive): `flankBp` more at each side. On a linear sequence it ends where the sequence does; on
 * a circular one it goes on across the origin, at most once around, its end then beyond the length and its start on the sequence.
 *
 * Example: 2000 bp around 501..900 of a circular sequence of 10,000 are 8501..12900, of a linear one 1..2900.
 */
export const neighbourhoodWindow = (gene: Span, flankBp: number, { lengthBp, circular }: Around): Span => {
  const start = gene.start - flankBp
  const end = gene.end + flankBp
  if (!circular) return { start: Math.max(1, start), end: Math.min(lengthBp, end) }
  if (end - start + 1 >= lengthBp) {
    // Once around, the gene in the middle.
    const first = gene.start - Math.floor((lengthBp - (gene.end - gene.start + 1)) / 2)
    const from = first < 1 ? first + lengthBp : first
    return { start: from, end: from + lengthBp - 1 }
  }
  return start < 1 ? { start: start + lengthBp, end: end + lengthBp } : { start, end }
}

/**
 * By how many bases a gene of a circular sequence is moved to stand in a window that may cross the origin: whole turns, those at
 * which it overlaps the window most. 0 on a linear sequence.
 *
 * Example: a gene at 501..900 is moved by 10,000 into 8501..12900 of a sequence of 10,000.
 */
export const turnInto = (gene: Span, window: Span, { lengthBp, circular }: Around): number => {
  if (!circular) return 0
  const overlap = (turn: number): number =>
    Math.min(window.end, gene.end + turn) - Math.max(window.start, gene.start + turn)
  return [0, lengthBp, -lengthBp].reduce((best, turn) => (overlap(turn) > overlap(best) ? turn : best))
}
