/**
 * Alignments of whole sequences as minimap2 writes them: PAF, one alignment a line (minimap2(1), "Output format"; Li 2018,
 * Bioinformatics 34:3094), with base by base operations from its `cg:Z` or `cs:Z` tag.
 */

/** Operations as BAM numbers them (SAM specification, section 1.4.6 and 4.2): `length * 16 + operation`. */
export type Cigar = Uint32Array

/** Alignments of a lower mapping quality could as well lie elsewhere, and tell nothing of a place (paftools.js call takes the same limit). */
export const ambiguousMapq = 5

export const cigarOperation = { either: 0, insertion: 1, deletion: 2, equal: 7, mismatch: 8 } as const

const letters = new Map<string, number>([
  ['M', cigarOperation.either],
  ['I', cigarOperation.insertion],
  ['D', cigarOperation.deletion],
  ['=', cigarOperation.equal],
  ['X', cigarOperation.mismatch],
])
const lettersByOperation = 'MID----=X'

/** Of a line, more would not fit in what a process should hold. */
const maxOperations = 2 ** 25
const longestOperationBp = 2 ** 28 - 1

/** What is wrong with a line of PAF: a message for logs, and the column (from 1) or tag where it is. */
export class PafError extends Error {
  readonly at: number | string
  constructor(message: string, at: number | string) {
    super(message)
    this.name = 'PafError'
    this.at = at
  }
}

/** One alignment; places count from 0, ends excluded, and those of the query are on its forward strand, whatever the strand. */
export interface PafRecord {
  query: string
  queryLengthBp: number
  queryStart0: number
  queryEnd0: number
  strand: '+' | '-'
  target: string
  targetLengthBp: number
  targetStart0: number
  targetEnd0: number
  matches: number
  blockBp: number
  mapq: number
  /** `tp:A`: minimap2's word for the best place of a segment of the query; without the tag, taken as primary. */
  kind: 'primary' | 'secondary' | 'inversion'
  /** Score of the alignment (`AS:i`); the number of matches where it is not said. */
  score: number
  /** Gap-compressed divergence (`de:f`), of 1; null where it is not said. */
  divergence: number | null
  /** From target start to target end: a deletion is of target bases, an insertion of query bases. Null without `cg` and `cs`. */
  cigar: Cigar | null
}

/**
 * Example: `parseCigar('5=1X3D2I')` has lengths 5, 1, 3, 2 of equal, mismatch, deletion and insertion.
 * Throws PafError for other letters and for lengths of 0.
 */
export const parseCigar = (text: string): Cigar => {
  const found: number[] = []
  let length = 0
  let digits = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      length = length * 10 + code - 48
      digits += 1
      if (length > longestOperationBp) throw new PafError(`an operation is longer than ${longestOperationBp}`, 'cg')
      continue
    }
    // Introns (N) are not in alignments of genomes; clips (S, H) are not in PAF.
    const operation = letters.get(text[at]!)
    if (operation === undefined) throw new PafError(`"${text[at]}" is none of M, I, D, = and X`, 'cg')
    if (digits === 0 || length === 0) throw new PafError(`"${text[at]}" has no length before it`, 'cg')
    if (found.length >= maxOperations) throw new PafError(`it has more than ${maxOperations} operations`, 'cg')
    found.push(length * 16 + operation)
    length = 0
    digits = 0
  }
  if (digits > 0) throw new PafError('the last length has no operation', 'cg')
  return Uint32Array.from(found)
}

/** `renderCigar(parseCigar('5=1X'))` is `'5=1X'`. */
export const renderCigar = (cigar: Cigar): string => {
  let text = ''
  for (const entry of cigar) text += `${Math.floor(entry / 16)}${lettersByOperation[entry & 15]}`
  return text
}

/**
 * The difference string of minimap2, short (`:6-ata:10+gtc*at`) or long (`=ACGT`), as operations.
 * Example: `renderCigar(parseCs(':6-ata:10*at+g'))` is `'6=3D10=1X1I'`.
 */
export const parseCs = (text: string): Cigar => {
  const found: number[] = []
  const add = (length: number, operation: number): void => {
    if (length === 0) throw new PafError('an operation has no length', 'cs')
    if (length > longestOperationBp) throw new PafError(`an operation is longer than ${longestOperationBp}`, 'cs')
    if (found.length >= maxOperations) throw new PafError(`it has more than ${maxOperations} operations`, 'cs')
    const last = found.at(-1)
    const together = last === undefined ? 0 : Math.floor(last / 16) + length
    if (last !== undefined && (last & 15) === operation && together <= longestOperationBp)
      found[found.length - 1] = together * 16 + operation
    else found.push(length * 16 + operation)
  }
  const pattern = /:(\d+)|\*([a-zA-Z])([a-zA-Z])|=([a-zA-Z]+)|\+([a-zA-Z]+)|-([a-zA-Z]+)/y
  while (pattern.lastIndex < text.length) {
    const from = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) throw new PafError(`"${text.slice(from, from + 10)}" is no operation`, 'cs')
    if (match[1] !== undefined) add(Number(match[1]), cigarOperation.equal)
    else if (match[2] !== undefined) add(1, cigarOperation.mismatch)
    else if (match[4] !== undefined) add(match[4].length, cigarOperation.equal)
    else if (match[5] !== undefined) add(match[5].length, cigarOperation.insertion)
    else add(match[6]!.length, cigarOperation.deletion)
  }
  return Uint32Array.from(found)
}

/** Bases of target and query that the operations take. */
export const cigarSpans = (cigar: Cigar): { targetBp: number; queryBp: number } => {
  let targetBp = 0
  let queryBp = 0
  for (const entry of cigar) {
    const length = Math.floor(entry / 16)
    const operation = entry & 15
    if (operation !== cigarOperation.insertion) targetBp += length
    if (operation !== cigarOperation.deletion) queryBp += length
  }
  return { targetBp, queryBp }
}

/** The same alignment read from the other sequence: insertions are deletions, and of opposite strands the order turns. */
export const invertCigar = (cigar: Cigar, strand: '+' | '-'): Cigar => {
  const inverted = cigar.map((entry) => {
    const operation = entry & 15
    if (operation === cigarOperation.insertion) return entry + (cigarOperation.deletion - cigarOperation.insertion)
    if (operation === cigarOperation.deletion) return entry - (cigarOperation.deletion - cigarOperation.insertion)
    return entry
  })
  return strand === '-' ? inverted.reverse() : inverted
}

const columnNames = [
  'query name',
  'query length',
  'query start',
  'query end',
  'strand',
  'target name',
  'target length',
  'target start',
  'target end',
  'matches',
  'block length',
  'mapping quality',
]

const kinds: Record<string, PafRecord['kind']> = { P: 'primary', S: 'secondary', I: 'inversion', i: 'inversion' }

/**
 * One line of PAF without its end. Throws PafError, which says the column: fewer than twelve columns, numbers that are none, places
 * outside their sequences, operations that do not fill the places.
 *
 * Example: `parsePafLine('q\t9\t0\t6\t-\tt\t8\t1\t8\t6\t7\t60\tcg:Z:3=1D3=')` has `targetStart0` 1, `strand` '-' and three operations.
 */
export const parsePafLine = (line: string): PafRecord => {
  const cells = line.split('\t')
  if (cells.length < 12) throw new PafError(`it has ${cells.length} columns, and PAF has twelve`, cells.length)
  const number = (column: number): number => {
    const text = cells[column]!
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text))
      throw new PafError(`"${text.slice(0, 40)}" (${columnNames[column]}) is no whole number`, column + 1)
    return value
  }
  const name = (column: number): string => {
    if (cells[column] === '') throw new PafError(`${columnNames[column]} is empty`, column + 1)
    return cells[column]!
  }
  const strand = cells[4]!
  if (strand !== '+' && strand !== '-') throw new PafError(`"${strand.slice(0, 40)}" (strand) is neither + nor -`, 5)
  const record: PafRecord = {
    query: name(0),
    queryLengthBp: number(1),
    queryStart0: number(2),
    queryEnd0: number(3),
    strand,
    target: name(5),
    targetLengthBp: number(6),
    targetStart0: number(7),
    targetEnd0: number(8),
    matches: number(9),
    blockBp: number(10),
    mapq: number(11),
    kind: 'primary',
    score: 0,
    divergence: null,
    cigar: null,
  }
  for (const [start, end, length, column] of [
    [record.queryStart0, record.queryEnd0, record.queryLengthBp, 4],
    [record.targetStart0, record.targetEnd0, record.targetLengthBp, 9],
  ] as const) {
    if (start >= end) throw new PafError(`${columnNames[column - 1]} ${end} is not behind the start ${start}`, column)
    if (end > length) throw new PafError(`${columnNames[column - 1]} ${end} is beyond the length ${length}`, column)
  }
  record.score = record.matches
  let cs: Cigar | null = null
  for (let at = 12; at < cells.length; at += 1) {
    const tag = cells[at]!
    if (tag.startsWith('cg:Z:')) record.cigar = parseCigar(tag.slice(5))
    else if (tag.startsWith('cs:Z:')) cs = parseCs(tag.slice(5))
    else if (tag.startsWith('AS:i:')) {
      const score = Number(tag.slice(5))
      if (!Number.isInteger(score)) throw new PafError(`"${tag.slice(0, 40)}" is no score`, 'AS')
      record.score = score
    } else if (tag.startsWith('de:f:')) {
      const divergence = Number(tag.slice(5))
      if (!(divergence >= 0 && divergence <= 1)) throw new PafError(`"${tag.slice(0, 40)}" is no share of 1`, 'de')
      record.divergence = divergence
    } else if (tag.startsWith('tp:A:')) record.kind = kinds[tag.slice(5)] ?? 'primary'
  }
  // Of both, cs knows more: `cg` of minimap2 without --eqx does not tell mismatches.
  if (cs !== null) record.cigar = cs
  if (record.cigar !== null) {
    const { targetBp, queryBp } = cigarSpans(record.cigar)
    const tag = cs === null ? 'cg' : 'cs'
    if (targetBp !== record.targetEnd0 - record.targetStart0)
      throw new PafError(
        `its operations take ${targetBp} target bases, its places ${record.targetEnd0 - record.targetStart0}`,
        tag,
      )
    if (queryBp !== record.queryEnd0 - record.queryStart0)
      throw new PafError(
        `its operations take ${queryBp} query bases, its places ${record.queryEnd0 - record.queryStart0}`,
        tag,
      )
  }
  return record
}

/** The alignment as a line of PAF without its end; `parsePafLine` reads it as it was. */
export const renderPafLine = (record: PafRecord): string =>
  [
    record.query,
    record.queryLengthBp,
    record.queryStart0,
    record.queryEnd0,
    record.strand,
    record.target,
    record.targetLengthBp,
    record.targetStart0,
    record.targetEnd0,
    record.matches,
    record.blockBp,
    record.mapq,
    `tp:A:${record.kind[0]!.toUpperCase()}`,
    `AS:i:${record.score}`,
    ...(record.divergence === null ? [] : [`de:f:${record.divergence}`]),
    ...(record.cigar === null ? [] : [`cg:Z:${renderCigar(record.cigar)}`]),
  ].join('\t')
