import type { Matrix } from '../programs.ts'

// Pairs of different residues with a positive score, of the matrices that BLAST offers: the `+` of an alignment's middle line.
// BLOSUM: Henikoff & Henikoff 1992, PNAS 89:10915; PAM: Dayhoff, Schwartz & Orcutt 1978, Atlas of Protein Sequence and
// Structure 5(3):345, as BLAST+ has them (its BLOSUM80 scores HN and NS zero). A test compares middle lines with blast_formatter's.
const positivePairs: Record<Matrix, string> = {
  BLOSUM45: 'AS BD BE BN BZ DE DN DZ EK EQ EZ FL FW FY HN HQ HY IL IM IV KQ KR KZ LM LV MV NS QR QZ ST WY',
  BLOSUM50: 'AS BD BE BN BZ DE DN DZ EK EQ EZ FL FW FY HN HQ HY IL IM IV KQ KR KZ LM LV MV NS QR QZ ST WY',
  BLOSUM62: 'AS BD BE BN BZ DE DN DZ EK EQ EZ FW FY HN HY IL IM IV KQ KR KZ LM LV MV NS QR QZ ST WY',
  BLOSUM80: 'AS BD BE BN DE DN DZ EK EQ EZ FY HQ HY IL IM IV KQ KR KZ LM LV MV QR QZ ST WY',
  BLOSUM90: 'AS BD BN DE DN EQ EZ FY HQ HY IL IM IV KQ KR KZ LM QR QZ ST WY',
  PAM30: 'BD BE BN DE DN DZ EQ EZ FY HQ IV LM QZ',
  PAM70: 'AS AT BD BE BN BZ DE DN DZ EQ EZ FY HN HQ HZ IL IM IV KR LM NS QZ ST',
  PAM250:
    'AG AP AS AT BD BE BH BK BN BQ BZ DE DG DH DN DQ DZ EH EN EQ EZ FI FL FY GS HN HQ HR HZ IL IM IV KN KQ KR LM LV MV NQ NS NZ PS QR QZ RW ST',
}

const pairSets = new Map<Matrix, Set<string>>()

const pairsOf = (matrix: Matrix): Set<string> => {
  let pairs = pairSets.get(matrix)
  if (pairs === undefined) {
    pairs = new Set(positivePairs[matrix].split(' ').flatMap((pair) => [pair, pair[1]! + pair[0]!]))
    pairSets.set(matrix, pairs)
  }
  return pairs
}

/**
 * The middle line of an alignment as BLAST draws it. Bases (matrix null): `|` where they are equal; residues: the letter where
 * they are equal, `+` where the pair scores above zero. Both rows have the same length.
 *
 * Example: `renderMidline('MKV-L', 'MRVAI', 'BLOSUM62')` is `M+V +`; `renderMidline('ACg', 'ACT', null)` is `|| `.
 */
export const renderMidline = (query: string, subject: string, matrix: Matrix | null): string => {
  const pairs = matrix === null ? null : pairsOf(matrix)
  let line = ''
  for (let at = 0; at < query.length; at += 1) {
    const a = query[at]!.toUpperCase()
    const b = subject[at]!.toUpperCase()
    if (pairs === null) line += a === b && a !== '-' ? '|' : ' '
    else if (a === b && a !== '-') line += query[at]!
    else line += pairs.has(a + b) ? '+' : ' '
  }
  return line
}
