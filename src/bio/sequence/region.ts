// Regions of sequences as people write them.

export type Strand = '+' | '-' | '.'

/** The strand opposite to one. Example: `oppositeStrand('+')` is `-`. */
export const oppositeStrand = (strand: '+' | '-'): '+' | '-' => (strand === '+' ? '-' : '+')

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
  | 'region-number-comma'
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

const fullWidthDigits = /[０-９]/g
const toAsciiDigit = (digit: string): string => String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 0x30)

/** A text with ASCII signs and digits. Example: `toAsciiSigns('１，５００—９')` is `1,500-9`. */
export const toAsciiSigns = (text: string): string =>
  typographicSigns
    .reduce((changed, [signs, ascii]) => changed.replace(signs, ascii), text)
    .replace(fullWidthDigits, toAsciiDigit)

// A whole number, plain or with commas between groups of three digits.
const wholeNumber = /^(?:\d+|\d{1,3}(?:,\d{3})+)$/
const commaNumber = /^[\d,]*\d[\d,]*$/
const rangeSigns = /^(.*?)\s*(?:\.\.|-)\s*(.*)$/
const directionSuffix = /:\s*([rRfF+-])$/

/** Whether digits are a whole number, plain or with commas between thousands: `1,234`, and not `12,34`. */
export const isWholeNumber = (digits: string): boolean => wholeNumber.test(digits)

function readNumber(text: string): number | RegionError {
  if (!wholeNumber.test(text)) {
    if (!text.includes(',') || !commaNumber.test(text)) return { code: 'region-number-bad', params: { value: text } }
    // A comma elsewhere is not a number: 12,34 may be one with a misplaced comma, or two. Guessing would show the wrong place.
    const digits = text.replaceAll(',', '')
    const parts = text.split(',')
    return {
      code: 'region-number-comma',
      params: {
        value: text,
        one: digits.replace(/\B(?=(\d{3})+$)/g, ','),
        two: parts.length === 2 && parts.every((part) => part !== '') ? parts.join('..') : 'none',
      },
    }
  }
  const value = Number(text.replaceAll(',', ''))
  return Number.isSafeInteger(value) ? value : { code: 'region-number-bad', params: { value: text } }
}

/**
 * A position counted from 1, as a field of its own takes it: the numbers of `parseRegion`, so that the same text means the same in
 * every place where one is typed.
 *
 * Example: `readPosition('1,234')` is `{ok: true, value: 1234}`; `12,34` is refused with both readings.
 */
export function readPosition(text: string): { ok: true; value: number } | { ok: false; error: RegionError } {
  const plain = toAsciiSigns(text).trim()
  if (/^-\d+$/.test(plain)) return { ok: false, error: { code: 'region-start-zero', params: {} } }
  const value = readNumber(plain)
  if (typeof value === 'object') return { ok: false, error: value }
  if (value === 0) return { ok: false, error: { code: 'region-start-zero', params: {} } }
  return { ok: true, value }
}

/**
 * A region as `parseRegion` reads it back, strand and all; how regions stand in addresses and inputs.
 *
 * Example: `writeRegion({sequenceName: 'chrII', start1: 9000, end1: 10000, strand: '-'})` is `chrII:10000..9000`.
 */
export function writeRegion({ sequenceName, start1, end1, strand }: Region): string {
  if (strand === '+') return `${sequenceName}:${start1}..${end1}`
  return start1 === end1 ? `${sequenceName}:${start1}..${end1}:r` : `${sequenceName}:${end1}..${start1}`
}

/**
 * A region with a margin on both sides, on the same strand, not beyond the first base nor, where its length is known, the sequence's last.
 *
 * Example: 300 bases round chrII:9000..10000 (-) is `{sequenceName: 'chrII', start1: 8700, end1: 10300, strand: '-'}`.
 */
export function widenRegion(region: Region, marginBp: number, lengthBp = Number.POSITIVE_INFINITY): Region {
  return {
    ...region,
    start1: Math.max(1, region.start1 - marginBp),
    end1: Math.min(Math.max(lengthBp, region.end1), region.end1 + marginBp),
  }
}

/** Colons at which a name may end; beyond these it is no name that a genome has. */
const maxColons = 12

/**
 * The names of sequences that a text may begin with, for who looks them up one by one instead of holding all of a genome's.
 *
 * Example: `possibleNames('HLA-A*01:5-9')` is `['HLA-A*01:5-9', 'HLA-A*01']`.
 */
export function possibleNames(text: string): string[] {
  if (text.trim().includes('\t')) return [text.trim().split('\t')[0]!.trim()].filter((name) => name !== '')
  const names = new Set<string>()
  for (const written of [text.trim(), toAsciiSigns(text.trim())]) {
    names.add(written)
    let colon = written.lastIndexOf(':')
    for (let count = 0; colon > 0 && count < maxColons; count++) {
      names.add(written.slice(0, colon).trim())
      colon = written.lastIndexOf(':', colon - 1)
    }
  }
  names.delete('')
  return [...names]
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
    if (typeof value === 'object') return { ok: false, error: value }
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
  if (typeof start0 === 'object') return { ok: false, error: start0 }
  if (typeof end0 === 'object') return { ok: false, error: end0 }
  if (known && !known.has(sequenceName)) return fail('region-sequence-unknown', { name: sequenceName })
  if (start0 === end0) return fail('region-bed-empty', { start: start0 })
  // A BED feature has a strand column for its direction, but "start > end means reverse" is the portal's rule everywhere.
  const reverse = columns[5] === '-' || start0 > end0
  const [low, high] = start0 < end0 ? [start0, end0] : [end0, start0]
  return { ok: true, region: { sequenceName, start1: low + 1, end1: high, strand: reverse ? '-' : '+' } }
}

/**
 * Reads one region. Forms: `Chr1:1000..2000`, `Chr1:1000-2000`, start > end or a suffix `:r` for the reverse complement,
 * commas between thousands (elsewhere they are refused), `Chr1:1000` for one base, a line of tab-separated BED (counted from 0,
 * half-open; column 6 is
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
  region = toAsciiSigns(region)
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
