// Regions of sequences as people write them.

export type Strand = '+' | '-' | '.'

export interface Region {
  sequenceName: string
  /** First and last base, counted from 1, both included; `start1 <= end1`. */
  start1: number
  end1: number
  /** `-`: the reverse complement is meant. */
  strand: '+' | '-'
}

export type RegionErrorCode =
  | 'region-empty'
  | 'region-unreadable'
  | 'region-name-missing'
  | 'region-range-missing'
  | 'region-number-bad'
  | 'region-start-zero'
  | 'region-bed-columns'
  | 'region-bed-empty'
  | 'region-sequence-unknown'
  | 'region-name-ambiguous'
  | 'region-beyond-end'

export interface RegionError {
  code: RegionErrorCode
  params: Record<string, string | number>
}

export type RegionResult = { ok: true; region: Region } | { ok: false; error: RegionError }

/** The sequences that exist: name to length in bases. */
export type KnownSequences = ReadonlyMap<string, number>

function fail(code: RegionErrorCode, params: Record<string, string | number> = {}): RegionResult {
  return { ok: false, error: { code, params } }
}

// Signs that word processors and Chinese input methods put in place of ASCII ones.
const typographicSigns: readonly [RegExp, string][] = [
  [/[：﹕]/g, ':'],
  [/[，﹐]/g, ','],
  [/[－–—−]/g, '-'],
  [/…|。。|．．/g, '..'],
  [/\u00a0|\u3000/g, ' '],
]

// A whole number, plain or with commas between groups of three digits.
const wholeNumber = /^(?:\d+|\d{1,3}(?:,\d{3})+)$/
const rangeSigns = /^(.*?)\s*(?:\.\.|-)\s*(.*)$/
const directionSuffix = /:\s*([rRfF+-])$/

function readNumber(text: string): number | null {
  if (!wholeNumber.test(text)) return null
  const value = Number(text.replaceAll(',', ''))
  return Number.isSafeInteger(value) ? value : null
}

type Range = { start1: number; end1: number | null }
type RangeResult = { ok: true; range: Range } | { ok: false; error: RegionError }

function readRange(text: string): RangeResult {
  const match = rangeSigns.exec(text)
  const parts = match ? [match[1]!.trim(), match[2]!.trim()] : [text.trim()]
  const numbers: (number | null)[] = []
  for (const [index, part] of parts.entries()) {
    // "1000.." and "1000-" mean: to the end of the sequence.
    if (index === 1 && part === '') {
      numbers.push(null)
      continue
    }
    const value = readNumber(part)
    if (value === null) return { ok: false, error: { code: 'region-number-bad', params: { value: part } } }
    if (value === 0) return { ok: false, error: { code: 'region-start-zero', params: {} } }
    numbers.push(value)
  }
  return { ok: true, range: { start1: numbers[0]!, end1: numbers.length === 1 ? numbers[0]! : numbers[1]! } }
}

function orient(sequenceName: string, range: Range, reverse: boolean, known?: KnownSequences): RegionResult {
  const length = known?.get(sequenceName)
  let { start1, end1 } = range
  if (end1 === null) {
    if (length === undefined) return fail('region-range-missing', { name: sequenceName })
    if (start1 > length) return fail('region-beyond-end', { name: sequenceName, start: start1, length })
    end1 = length
  }
  let strand: '+' | '-' = reverse ? '-' : '+'
  if (start1 > end1) {
    ;[start1, end1] = [end1, start1]
    strand = '-'
  }
  return { ok: true, region: { sequenceName, start1, end1, strand } }
}

function parseBedLine(line: string, known?: KnownSequences): RegionResult {
  const columns = line.split('\t').map((column) => column.trim())
  if (columns.length < 3) return fail('region-bed-columns', { found: columns.length })
  const sequenceName = columns[0]!
  if (sequenceName === '') return fail('region-name-missing')
  const start0 = readNumber(columns[1]!)
  const end0 = readNumber(columns[2]!)
  if (start0 === null) return fail('region-number-bad', { value: columns[1]! })
  if (end0 === null) return fail('region-number-bad', { value: columns[2]! })
  if (known && !known.has(sequenceName)) return fail('region-sequence-unknown', { name: sequenceName })
  if (start0 === end0) return fail('region-bed-empty', { start: start0 })
  // A BED feature has a strand column for its direction, but "start > end means reverse" is the portal's rule everywhere.
  const reverse = columns[5] === '-' || start0 > end0
  const [low, high] = start0 < end0 ? [start0, end0] : [end0, start0]
  return { ok: true, region: { sequenceName, start1: low + 1, end1: high, strand: reverse ? '-' : '+' } }
}

/**
 * Reads one region. Forms: `Chr1:1000..2000`, `Chr1:1000-2000`, start > end or a suffix `:r` for the reverse complement,
 * commas between thousands, `Chr1:1000` for one base, a line of tab-separated BED (counted from 0, half-open; column 6 is
 * the strand), and, when `known` gives the lengths, a bare name or `Chr1:1000..` up to the end.
 *
 * With `known`, the name must exist; names that hold colons and dashes (HLA-A*01:01:01) are found by trying every colon.
 * Without, the last colon that is followed by a range ends the name. The end is not compared with the length: clipping is
 * the caller's, who must say so.
 *
 * Example: `parseRegion('chr_3:180,000..120,000')` is `{ok: true, region: {sequenceName: 'chr_3', start1: 120000,
 * end1: 180000, strand: '-'}}`.
 */
export function parseRegion(text: string, known?: KnownSequences): RegionResult {
  if (text.trim() === '') return fail('region-empty')
  if (text.trim().includes('\t')) return parseBedLine(text.replace(/[\r\n]+$/, '').trim(), known)

  let region = text.trim()
  if (known?.has(region)) {
    const reading = parseNameAndRange(region, known)
    // The same text can be a name and a region of a shorter name; guessing could give the wrong sequence.
    if (reading.ok) return fail('region-name-ambiguous', { text: region })
    return orient(region, { start1: 1, end1: null }, false, known)
  }
  for (const [signs, ascii] of typographicSigns) region = region.replace(signs, ascii)
  return parseNameAndRange(region, known)
}

function parseNameAndRange(text: string, known?: KnownSequences): RegionResult {
  const suffix = directionSuffix.exec(text)
  const reverse = suffix !== null && (suffix[1] === '-' || suffix[1]!.toLowerCase() === 'r')
  const body = suffix ? text.slice(0, suffix.index).trim() : text

  if (suffix && known?.has(body)) return orient(body, { start1: 1, end1: null }, reverse, known)

  let firstProblem: RegionError | null = null
  let unknownName: string | null = null
  const readings: RegionResult[] = []
  for (let colon = body.lastIndexOf(':'); colon >= 0; colon = colon === 0 ? -1 : body.lastIndexOf(':', colon - 1)) {
    const name = body.slice(0, colon).trim()
    const range = readRange(body.slice(colon + 1).trim())
    if (!range.ok) {
      // The rightmost colon is where a person would look for the mistake, unless a known name ends further left.
      if (known?.has(name)) firstProblem = range.error
      firstProblem ??= range.error
      continue
    }
    if (name === '') return fail('region-name-missing')
    if (known && !known.has(name)) {
      unknownName ??= name
      continue
    }
    readings.push(orient(name, range.range, reverse, known))
    if (!known) break
  }
  if (readings.length > 1) return fail('region-name-ambiguous', { text: body })
  if (readings[0]) return readings[0]
  if (unknownName !== null) return fail('region-sequence-unknown', { name: unknownName })
  if (firstProblem) return { ok: false, error: firstProblem }
  if (/\s\d/.test(body)) return fail('region-unreadable', { text: body })
  if (known) return fail('region-sequence-unknown', { name: body })
  return fail('region-range-missing', { name: body })
}

export interface RegionLine {
  /** Line of the batch, counted from 1. */
  line: number
  text: string
  result: RegionResult
}

/**
 * Reads a batch, one region a line. Blank lines, comments (`#`) and BED's `track` and `browser` lines are skipped.
 *
 * Example: `parseRegions('# mine\nChr1:5..9')` gives one element, of line 2.
 */
export function parseRegions(text: string, known?: KnownSequences): RegionLine[] {
  const lines: RegionLine[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '' || /^\s*(#|track\s|browser\s)/.test(line)) continue
    lines.push({ line: index + 1, text: line, result: parseRegion(line, known) })
  }
  return lines
}
