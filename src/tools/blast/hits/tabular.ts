import type { DatabaseKind } from '../programs.ts'

// The tabular format of blast_formatter with every column that says something here (taxonomy columns need NCBI's own databases).
// The first column is a number, so that a line that begins with "#" is always a comment, whatever a query is called.

export const hspColumns = [
  'qlen',
  'qseqid',
  'sseqid',
  'slen',
  'pident',
  'length',
  'nident',
  'mismatch',
  'positive',
  'ppos',
  'gapopen',
  'gaps',
  'qstart',
  'qend',
  'sstart',
  'send',
  'qframe',
  'sframe',
  'sstrand',
  'evalue',
  'bitscore',
  'score',
  'qcovs',
  'qcovhsp',
  'stitle',
  'qseq',
  'sseq',
] as const

/** One high-scoring pair; positions 1-based, on the minus strand start is the greater one, as BLAST writes it. */
export interface Hsp {
  queryLength: number
  subjectLength: number
  identityPercent: number
  lengthColumns: number
  identical: number
  mismatches: number
  positives: number
  positivesPercent: number
  gapOpens: number
  gaps: number
  queryStart1: number
  queryEnd1: number
  subjectStart1: number
  subjectEnd1: number
  queryFrame: number
  subjectFrame: number
  evalue: number
  bitScore: number
  score: number
  /** Share of the query that all HSPs of the subject cover together, and this one alone. */
  subjectCoveragePercent: number
  hspCoveragePercent: number
  title: string
  queryRow: string
  subjectRow: string
}

/**
 * One line of the tabular output with {@link hspColumns}. Throws when it has another number of columns, or no number where one
 * should be: then it was written by something else.
 */
export const parseHspLine = (line: string): Hsp => {
  const cells = line.split('\t')
  if (cells.length !== hspColumns.length)
    throw new Error(`A line of ${cells.length} columns instead of ${hspColumns.length}`)
  const number = (at: number): number => {
    const value = Number(cells[at])
    if (cells[at] === '' || Number.isNaN(value)) throw new Error(`Column ${hspColumns[at]} holds "${cells[at]}"`)
    return value
  }
  return {
    queryLength: number(0),
    subjectLength: number(3),
    identityPercent: number(4),
    lengthColumns: number(5),
    identical: number(6),
    mismatches: number(7),
    positives: number(8),
    positivesPercent: number(9),
    gapOpens: number(10),
    gaps: number(11),
    queryStart1: number(12),
    queryEnd1: number(13),
    subjectStart1: number(14),
    subjectEnd1: number(15),
    queryFrame: number(16),
    subjectFrame: number(17),
    evalue: number(19),
    bitScore: number(20),
    score: number(21),
    subjectCoveragePercent: number(22),
    hspCoveragePercent: number(23),
    title: cells[24]!,
    queryRow: cells[25]!,
    subjectRow: cells[26]!,
  }
}

/** Strand of a nucleotide subject; null for proteins. */
export const subjectStrand = (
  hsp: Pick<Hsp, 'subjectStart1' | 'subjectEnd1' | 'subjectFrame'>,
  nucleotide: boolean,
): '+' | '-' | null => (nucleotide ? (hsp.subjectFrame < 0 || hsp.subjectStart1 > hsp.subjectEnd1 ? '-' : '+') : null)

export interface SubjectTitle {
  name: string
  gene: string | null
  symbol: string | null
  description: string
  /** Null for a pasted subject. */
  assembly: string | null
  kind: DatabaseKind | null
}

// Titles in our databases end with the assembly and the kind: without it, "chr1" of one assembly could not be told from that of
// another, because the databases are built without parsed identifiers (which BLAST alters, limits to 50 characters, and mixes up
// between databases that share one).
const titlePattern =
  /^(\S+)(?: gene=(\S+))?(?: symbol=(\S+))?(?: (.*?))? \[(?:(\S+) (genome|transcript|cds|protein)|pasted)\]$/

const encodeWord = (word: string): string =>
  word.replace(/[\s%]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/** The reverse of {@link parseSubjectTitle}; control characters and everything outside ASCII, which BLAST spoils, become "?". */
export const renderSubjectTitle = (title: SubjectTitle): string =>
  [
    encodeWord(title.name),
    title.gene === null ? '' : `gene=${encodeWord(title.gene)}`,
    title.symbol === null ? '' : `symbol=${encodeWord(title.symbol)}`,
    title.description.replace(/\s+/g, ' ').trim(),
    title.assembly === null ? '[pasted]' : `[${title.assembly} ${title.kind}]`,
  ]
    .filter((part) => part !== '')
    .join(' ')
    .replace(/[^\x20-\x7e]/g, '?')

/**
 * Reads the title of a database sequence.
 *
 * Example: `parseSubjectTitle('T1 gene=G1 kinase [R64 protein]')` is
 * `{name: 'T1', gene: 'G1', symbol: null, description: 'kinase', assembly: 'R64', kind: 'protein'}`. Throws for a title that is not ours.
 */
export const parseSubjectTitle = (title: string): SubjectTitle => {
  const match = titlePattern.exec(title)
  if (match === null) throw new Error(`A subject with the title "${title.slice(0, 200)}" is in none of the databases`)
  const decode = (word: string): string =>
    word.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return {
    name: decode(match[1]!),
    gene: match[2] === undefined ? null : decode(match[2]),
    symbol: match[3] === undefined ? null : decode(match[3]),
    description: match[4] ?? '',
    assembly: match[5] ?? null,
    kind: (match[6] as DatabaseKind | undefined) ?? null,
  }
}

/**
 * An e-value in the figures in which BLAST's own tables write it (align_format of the NCBI C++ Toolkit): `4.71e-29`, `0.003`, `0.45`,
 * `2.5`, `12`; below 1e-180 it is `0.0`.
 */
export const renderEvalue = (evalue: number): string => {
  const exponent = (digits: number): string => {
    const [mantissa, power = '0'] = evalue.toExponential(digits).split('e')
    const size = Math.abs(Number(power))
    return `${mantissa}e${power.startsWith('-') ? '-' : '+'}${String(size).padStart(2, '0')}`
  }
  if (evalue < 1e-180) return '0.0'
  if (evalue < 0.0009) return exponent(2)
  if (evalue < 0.1) return evalue.toFixed(3)
  if (evalue < 1) return evalue.toFixed(2)
  if (evalue < 10) return evalue.toFixed(1)
  return evalue.toFixed(0)
}

/** A bit score as BLAST's tables write it: `28.5`, `6303`, `1.234e+05`. */
export const renderBitScore = (bitScore: number): string =>
  bitScore > 99_999
    ? bitScore.toExponential(3).replace(/e\+(\d)$/, 'e+0$1')
    : bitScore > 99.9
      ? bitScore.toFixed(0)
      : bitScore.toFixed(1)

/** A threshold as people write it: `shortNumber(0.00001)` is `1e-5`, `shortNumber(0.05)` is `0.05`. */
export const shortNumber = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.001 ? value.toExponential() : String(value)
