/** Least context at each side of a gene: its promoter and its neighbours' ends should be in sight. */
const leastFlankBp = 1500

/**
 * First and last base (1-based, inclusive) of the window around a gene: as much again at each side, within the sequence.
 *
 * Example: `windowAround({start: 5001, end: 8000}, 9000)` is `[2001, 9000]`.
 */
export const windowAround = (gene: { start: number; end: number }, lengthBp: number): [number, number] => {
  const flank = Math.max(leastFlankBp, gene.end - gene.start + 1)
  return [Math.max(1, gene.start - flank), Math.min(lengthBp, gene.end + flank)]
}
