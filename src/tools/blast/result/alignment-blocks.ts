import type { Program } from '../programs.ts'

export interface AlignmentBlock {
  queryStart1: number
  queryRow: string
  queryEnd1: number
  middleRow: string
  subjectStart1: number
  subjectRow: string
  subjectEnd1: number
}

interface Alignment {
  queryStart1: number
  queryEnd1: number
  subjectStart1: number
  subjectEnd1: number
  queryRow: string
  middleRow: string
  subjectRow: string
}

/** Positions of one row as it goes on; a translated residue takes three bases, on the minus strand they count down. */
const walkRow = (start1: number, end1: number, translated: boolean): ((text: string) => [number, number]) => {
  const step = (end1 < start1 ? -1 : 1) * (translated ? 3 : 1)
  let next = start1
  return (text) => {
    const residues = text.length - (text.match(/-/g)?.length ?? 0)
    const first = next
    next += residues * step
    // A row of gaps alone stands at the residue before it, as BLAST writes it.
    return residues === 0 ? [first - Math.sign(step), first - Math.sign(step)] : [first, next - Math.sign(step)]
  }
}

/**
 * An alignment in rows of `width` columns with the positions of the first and last residue of each, as in BLAST's pairwise report.
 *
 * Example: rows `AC-T` and `ACGT` from query 5 and subject 20 to 17 (minus strand), 2 wide, are
 * 5 AC 6 / 20 AC 19 and 7 -T 7 / 18 GT 17.
 */
export const splitAlignment = (alignment: Alignment, program: Program, width: number): AlignmentBlock[] => {
  const query = walkRow(alignment.queryStart1, alignment.queryEnd1, program === 'blastx' || program === 'tblastx')
  const subject = walkRow(
    alignment.subjectStart1,
    alignment.subjectEnd1,
    program === 'tblastn' || program === 'tblastx',
  )
  const blocks: AlignmentBlock[] = []
  for (let from = 0; from < alignment.queryRow.length; from += width) {
    const queryRow = alignment.queryRow.slice(from, from + width)
    const subjectRow = alignment.subjectRow.slice(from, from + width)
    const [queryStart1, queryEnd1] = query(queryRow)
    const [subjectStart1, subjectEnd1] = subject(subjectRow)
    blocks.push({
      queryStart1,
      queryRow,
      queryEnd1,
      middleRow: alignment.middleRow.slice(from, from + width),
      subjectStart1,
      subjectRow,
      subjectEnd1,
    })
  }
  return blocks
}
