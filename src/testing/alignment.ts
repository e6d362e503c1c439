import { cigarSpans, type PafRecord, parseCigar } from '../bio/alignment/paf.ts'

/** An alignment whose ends, length and score follow from its operations. */
export const align = (
  target: [name: string, start0: number],
  query: [name: string, start0: number],
  strand: '+' | '-',
  operations: string,
  more: Partial<PafRecord> = {},
): PafRecord => {
  const cigar = parseCigar(operations)
  const { targetBp, queryBp } = cigarSpans(cigar)
  return {
    query: query[0],
    queryLengthBp: 1e6,
    queryStart0: query[1],
    queryEnd0: query[1] + queryBp,
    strand,
    target: target[0],
    targetLengthBp: 1e6,
    targetStart0: target[1],
    targetEnd0: target[1] + targetBp,
    matches: targetBp,
    blockBp: targetBp,
    mapq: 60,
    kind: 'primary',
    score: targetBp,
    divergence: null,
    cigar,
    ...more,
  }
}
