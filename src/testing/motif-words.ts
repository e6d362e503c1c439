import type { ScoringMatrix } from '../bio/motif/motif-scores.ts'

/**
 * Score of a word in the matrix's scaled numbers; null where it holds anything but A, C, G, T or has another length. The plain
 * definition, against which the scan is checked.
 */
export const scoreWord = ({ scaled, width }: ScoringMatrix, word: string): number | null =>
  word.length !== width || /[^ACGT]/i.test(word)
    ? null
    : [...word.toUpperCase()].reduce((sum, base, position) => sum + scaled[4 * position + 'ACGT'.indexOf(base)]!, 0)
