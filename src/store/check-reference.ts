import type { Genome } from './genome-fasta.ts'

const lineFeed = 10
const tab = 9
const hash = 35

/** Bases of the genome at hand at a time, and how many such segments are kept: an unsorted file asks for many places. */
const segmentBp = 1 << 20
const keptSegments = 48

/** Letters as capitals; 0 for what is no A, C, G or T and so contradicts nothing. */
const plainBase = new Uint8Array(256)
for (const letter of 'ACGT') {
  plainBase[letter.charCodeAt(0)] = letter.charCodeAt(0)
  plainBase[letter.toLowerCase().charCodeAt(0)] = letter.charCodeAt(0)
}

export interface ReferenceDifference {
  line: number
  sequence: string
  position1: number
  found: string
  expected: string
}

/** A record that has not the columns of the heading. */
export interface ColumnDifference {
  /** Null where the columns are those of the heading and a genotype has an allele that the record does not have. */
  allele: number | null
  line: number
  found: number
  expected: number
}

/** The first allele of a genotype that the record does not have, with the number of those that it has; null when there is none. */
const findAlleleBeyond = (bytes: Buffer, from: number, to: number): { allele: number; count: number } | null => {
  let at = from
  for (let column = 0; column < 4; column += 1) at = bytes.indexOf(tab, at) + 1
  const altEnd = bytes.indexOf(tab, at)
  let count = altEnd - at === 1 && bytes[at] === dot ? 1 : 2
  for (let index = at; index < altEnd; index += 1) if (bytes[index] === comma) count += 1
  at = altEnd + 1
  for (let column = 5; column < 8; column += 1) at = bytes.indexOf(tab, at) + 1
  // GT stands first where it stands at all (VCF 4.2).
  if (bytes[at] !== 71 || bytes[at + 1] !== 84 || (bytes[at + 2] !== colon && bytes[at + 2] !== tab)) return null
  at = bytes.indexOf(tab, at)
  while (at >= 0 && at < to) {
    let value = -1
    for (at += 1; at <= to; at += 1) {
      const code = at < to ? bytes[at]! : tab
      if (code >= 48 && code <= 57) value = (value < 0 ? 0 : value * 10) + code - 48
      else {
        if (value >= count) return { allele: value, count }
        value = -1
        if (code === tab || code === colon) break
      }
    }
    if (at < to && bytes[at] === colon) at = bytes.indexOf(tab, at)
  }
  return null
}

const dot = 46
const comma = 44
const colon = 58
const headingStart = Buffer.from('#CHROM\t')

const countColumns = (bytes: Buffer, from: number, to: number): number => {
  let count = 1
  for (let at = from; at < to; at += 1) if (bytes[at] === tab) count += 1
  return count
}

/**
 * Passes the bytes of a VCF on with an empty line in place of each record whose REF is not what the genome has there, so that the numbers
 * of lines stay true. A record with other columns than the heading is told: whose genotypes it has cannot be known. Records on unknown
 * sequences, or beyond their ends, pass: whoever sorts them tells of those.
 */
export async function* keepTrueReferences(
  pieces: AsyncIterable<Buffer>,
  genome: Genome,
  findSequence: (name: string) => string | null,
  onDifference: (difference: ReferenceDifference) => void,
  onColumns: (difference: ColumnDifference) => void,
  counts: { records: number; differing: number },
): AsyncGenerator<Buffer> {
  const segments = new Map<string, Buffer>()
  const names = new Map<string, { name: string; lengthBp: number } | null>()
  const getSegment = async (name: string, number: number, lengthBp: number): Promise<Buffer> => {
    const key = `${number} ${name}`
    const known = segments.get(key)
    if (known !== undefined) return known
    const start0 = number * segmentBp
    const bases = Buffer.from(await genome.fetch(name, start0, Math.min(lengthBp, start0 + segmentBp)), 'latin1')
    segments.set(key, bases)
    const [oldest] = segments.keys()
    if (segments.size > keptSegments) segments.delete(oldest!)
    return bases
  }
  let lineNumber = 0
  let lastName = ''
  let last: { name: string; lengthBp: number } | null = null
  let open: { name: string; number: number; bases: Buffer } | null = null

  /** Whether the record of the line `[from, to)` is to be left out. */
  const differs = async (bytes: Buffer, from: number, to: number): Promise<boolean> => {
    const nameEnd = bytes.indexOf(tab, from)
    if (nameEnd < 0 || nameEnd > to) return false
    const name = bytes.toString('utf8', from, nameEnd)
    if (name !== lastName) {
      let use = names.get(name)
      if (use === undefined) {
        const found = findSequence(name)
        use = found === null ? null : { name: found, lengthBp: genome.lengthOf(found) ?? 0 }
        names.set(name, use)
      }
      lastName = name
      last = use
    }
    if (last === null) return false
    let position = 0
    let at = nameEnd + 1
    for (; at < to && bytes[at] !== tab; at += 1) position = position * 10 + bytes[at]! - 48
    const idEnd = bytes.indexOf(tab, at + 1)
    const start = idEnd + 1
    const end = bytes.indexOf(tab, start)
    if (idEnd < 0 || end < 0 || end > to || !(position > 0) || position - 1 + end - start > last.lengthBp) return false
    counts.records += 1
    const { name: sequence, lengthBp } = last
    for (let i = start, place0 = position - 1; i < end; i += 1, place0 += 1) {
      const base = plainBase[bytes[i]!]!
      if (base === 0) continue
      const number = Math.floor(place0 / segmentBp)
      if (open === null || open.number !== number || open.name !== sequence)
        open = { name: sequence, number, bases: await getSegment(sequence, number, lengthBp) }
      const own = plainBase[open.bases[place0 - number * segmentBp]!]!
      if (own === 0 || own === base) continue
      counts.differing += 1
      const expected = await genome.fetch(
        sequence,
        position - 1,
        Math.min(lengthBp, position - 1 + Math.min(20, end - start)),
      )
      onDifference({
        line: lineNumber,
        sequence,
        position1: position,
        found: bytes.toString('latin1', start, Math.min(end, start + 20)),
        expected: expected.toUpperCase(),
      })
      return true
    }
    return false
  }

  /** Almost every REF lies within the segment at hand and is right: told without a turn of the event loop. */
  const isPlainlyRight = (bytes: Buffer, from: number, to: number): boolean => {
    if (open === null || last === null || open.name !== last.name) return false
    const length = lastName.length
    for (let i = 0; i < length; i += 1) if (bytes[from + i] !== lastName.charCodeAt(i)) return false
    if (bytes[from + length] !== tab) return false
    let position = 0
    let at = from + length + 1
    for (; at < to && bytes[at] !== tab; at += 1) position = position * 10 + bytes[at]! - 48
    at += 1
    while (at < to && bytes[at] !== tab) at += 1
    at += 1
    let index = position - 1 - open.number * segmentBp
    for (; at < to && bytes[at] !== tab; at += 1, index += 1) {
      const own = open.bases[index]
      if (own === undefined) return false
      const base = plainBase[bytes[at]!]!
      const known = plainBase[own]!
      if (base !== known && base !== 0 && known !== 0) return false
    }
    counts.records += 1
    return at < to
  }

  let expectedColumns = 0
  const checkColumns = (bytes: Buffer, from: number, to: number): void => {
    if (bytes[from] === hash) {
      if (bytes.subarray(from, from + headingStart.length).equals(headingStart))
        expectedColumns = countColumns(bytes, from, to)
      return
    }
    const found = countColumns(bytes, from, to)
    if (expectedColumns > 0 && found !== expectedColumns)
      onColumns({ allele: null, line: lineNumber, found, expected: expectedColumns })
    else if (expectedColumns > 9) {
      const beyond = findAlleleBeyond(bytes, from, to)
      if (beyond !== null)
        onColumns({ allele: beyond.allele, line: lineNumber, found: beyond.allele, expected: beyond.count })
    }
  }

  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const keptParts: Buffer[] = []
    let keptFrom = 0
    let at = 0
    for (;;) {
      const end = bytes.indexOf(lineFeed, at)
      if (end < 0) break
      lineNumber += 1
      if (end > at) checkColumns(bytes, at, end)
      if (end > at && bytes[at] !== hash && !isPlainlyRight(bytes, at, end) && (await differs(bytes, at, end))) {
        keptParts.push(bytes.subarray(keptFrom, at))
        keptFrom = end
      }
      at = end + 1
    }
    rest = bytes.subarray(at)
    keptParts.push(bytes.subarray(keptFrom, at))
    for (const part of keptParts) if (part.length > 0) yield part
  }
  if (rest.length === 0) return
  lineNumber += 1
  checkColumns(rest, 0, rest.length)
  if (rest[0] === hash || !(await differs(rest, 0, rest.length))) yield rest
}
