// Columns of alignments: which to keep, what they agree on, and alignments of proteins carried over to their codons.

/** Aligned sequences of one length; case does not matter. */
export type AlignedRows = readonly string[]

const isGap = (code: number): boolean => code === 45 || code === 46

/**
 * The columns whose share of gaps is at most `maxGapShare`, from 0, ascending; what trimAl's `-gt` keeps when given 1 minus that
 * share (Capella-Gutierrez et al. 2009, doi:10.1093/bioinformatics/btp348). `width` columns are judged and kept together (3 for codons).
 *
 * Example: of `['AC-', 'A--']` with 0.5 the columns 0 and 1 are kept.
 */
export function findKeptColumns(rows: AlignedRows, maxGapShare: number, width = 1): number[] {
  const kept: number[] = []
  const length = rows[0]?.length ?? 0
  for (let from = 0; from < length; from += width) {
    let gaps = 0
    let signs = 0
    for (const row of rows)
      for (let at = from; at < Math.min(length, from + width); at++) {
        signs++
        if (isGap(row.charCodeAt(at))) gaps++
      }
    if (gaps <= maxGapShare * signs) for (let at = from; at < Math.min(length, from + width); at++) kept.push(at)
  }
  return kept
}

/** The rows with only these columns. Example: `keepColumns(['ACGT'], [0, 3])` is `['AT']`. */
export const keepColumns = (rows: AlignedRows, columns: readonly number[]): string[] =>
  rows.map((row) => columns.map((at) => row[at]!).join(''))

export interface ColumnSummary {
  /** The commonest residue of each column in upper case, gaps among the signs; of equal ones the first of the alphabet. */
  consensus: string
  /** Share of all rows that have it; 0 to 1, and 0 where the consensus is a gap. */
  conservation: Float32Array
}

/** What the rows agree on, column by column. Example: `['AC', 'AG', 'AC']` agree on `AC`, with shares 1 and 2/3. */
export function summarizeColumns(rows: AlignedRows): ColumnSummary {
  const length = rows[0]?.length ?? 0
  const consensus: string[] = []
  const conservation = new Float32Array(length)
  const counts = new Uint32Array(128)
  for (let column = 0; column < length; column++) {
    counts.fill(0)
    for (const row of rows) {
      const code = row.charCodeAt(column) & 127
      counts[code >= 97 && code <= 122 ? code - 32 : code]! += 1
    }
    counts[45]! += counts[46]!
    counts[46] = 0
    let best = 45
    for (let code = 42; code < 91; code++) if (counts[code]! > counts[best]!) best = code
    consensus.push(String.fromCharCode(best))
    conservation[column] = best === 45 ? 0 : counts[best]! / rows.length
  }
  return { consensus: consensus.join(''), conservation }
}

/**
 * Writes a coding sequence along its aligned protein: three bases a residue, `---` a gap. Bases left over at the end (a stop codon) are
 * left out. Throws a RangeError when there are fewer codons than residues.
 *
 * Example: `alignCodons('M-K', 'ATGAAATAA')` is `ATG---AAA`.
 */
export function alignCodons(alignedProtein: string, cds: string): string {
  const pieces: string[] = []
  let at = 0
  for (const residue of alignedProtein) {
    if (residue === '-') pieces.push('---')
    else {
      const codon = cds.slice(at, at + 3)
      if (codon.length < 3) throw new RangeError('Fewer codons than residues')
      pieces.push(codon)
      at += 3
    }
  }
  return pieces.join('')
}

/**
 * The column of each residue of an aligned row, from 0 and in order. Example: of `'M-KV'` it is 0, 2, 3.
 */
export const residueColumns = (row: string): Int32Array => {
  const columns = new Int32Array(row.length)
  let residues = 0
  for (let column = 0; column < row.length; column++) if (!isGap(row.charCodeAt(column))) columns[residues++] = column
  return columns.subarray(0, residues)
}

/**
 * Residues `start1` to `end1` of a row as runs of columns without a gap between, from 0, both included; what lies beyond the row is
 * left out. Example: residues 1 to 2 of the columns of `'M-KV'` are `[[0, 0], [2, 2]]`.
 */
export const columnRuns = (columns: Int32Array, start1: number, end1: number): [first: number, last: number][] => {
  const runs: [number, number][] = []
  for (let residue = Math.max(1, start1); residue <= Math.min(end1, columns.length); residue++) {
    const column = columns[residue - 1]!
    const run = runs.at(-1)
    if (run !== undefined && run[1] === column - 1) run[1] = column
    else runs.push([column, column])
  }
  return runs
}
