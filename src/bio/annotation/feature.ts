// One line of GFF3 or GTF.

import type { Strand } from '../sequence/region.ts'
import type { DefectLog } from '../text/defects.ts'
import { decodeWindows1252 } from '../text/text-encoding.ts'
import { gff3Defects } from './gff3-defects.ts'

export type Phase = 0 | 1 | 2
export type Attributes = Record<string, string[]>

/** How the ninth column is written. */
export type AttributeDialect = 'gff3' | 'gtf'

/**
 * A feature as it stands in the file, after the mends that its line needed. Attributes are parsed when they are asked for:
 * most lines of a large file are never asked.
 */
export class Feature {
  sequenceName: string
  source: string
  type: string
  /** First and last base, counted from 1, both included. */
  start1: number
  end1: number
  score: number | null
  strand: Strand
  phase: Phase | null
  /** The ninth column as written. */
  attributeText: string
  dialect: AttributeDialect
  /** Line of the file, counted from 1. */
  line: number

  constructor(
    sequenceName: string,
    source: string,
    type: string,
    start1: number,
    end1: number,
    score: number | null,
    strand: Strand,
    phase: Phase | null,
    attributeText: string,
    dialect: AttributeDialect,
    line: number,
  ) {
    this.sequenceName = sequenceName
    this.source = source
    this.type = type
    this.start1 = start1
    this.end1 = end1
    this.score = score
    this.strand = strand
    this.phase = phase
    this.attributeText = attributeText
    this.dialect = dialect
    this.line = line
  }

  /** Attributes by name, each with its values in order; parsed anew at every call. */
  get attributes(): Attributes {
    return parseAttributes(this.attributeText, this.dialect)
  }
}

/** Parses a ninth column. See `parseGff3Attributes` and `parseGtfAttributes` for what each dialect allows. */
export function parseAttributes(text: string, dialect: AttributeDialect): Attributes {
  return dialect === 'gff3' ? parseGff3Attributes(text) : parseGtfAttributes(text)
}

/** What a ninth column held against the specification. */
export interface AttributeProblems {
  /** A piece without "=" that an unescaped ";" cut from the value before it. */
  onUnescaped?(piece: string): void
  /** A "%" that is not followed by two hexadecimal digits. */
  onBadEscape?(): void
}

// A value is only decoded when it holds a percent sign; bytes beyond ASCII are UTF-8 (GFF3 1.26).
function decodePercent(text: string, problems?: AttributeProblems): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // "50% identity" is common: what is an escape is decoded, a lone percent sign stays.
    let lone = false
    const decoded = text.replace(/(?:%[0-9A-Fa-f]{2})+|%/g, (escapes) => {
      if (escapes === '%') {
        lone = true
        return escapes
      }
      const bytes = Uint8Array.from(escapes.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      } catch {
        return decodeWindows1252(bytes)
      }
    })
    if (lone) problems?.onBadEscape?.()
    return decoded
  }
}

function unquote(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

/**
 * Parses GFF3 attributes: `key=value` pairs separated by ";", several values by ",", percent-escapes decoded. Taken with a
 * report to `problems`: a ";" inside a value that was not escaped (the piece after it has no "="), and a lone "%". A "=" inside
 * a value is kept.
 *
 * Source: GFF3 specification 1.26, Sequence Ontology. Example: `parseGff3Attributes('ID=g1;Alias=a,b%2Cc')` is
 * `{ID: ['g1'], Alias: ['a', 'b,c']}`.
 */
export function parseGff3Attributes(text: string, problems?: AttributeProblems): Attributes {
  const attributes: Attributes = {}
  if (text === '.' || text === '') return attributes
  let last: string[] | null = null
  for (const piece of text.split(';')) {
    const equals = piece.indexOf('=')
    if (equals <= 0) {
      if (piece.trim() === '') continue
      if (last === null) {
        // A bare word before any pair: old exports put the name there.
        attributes.Name ??= [decodePercent(piece.trim(), problems)]
        last = attributes.Name
        problems?.onUnescaped?.(piece.trim())
        continue
      }
      last[last.length - 1] += `;${decodePercent(piece, problems)}`
      problems?.onUnescaped?.(piece.trim())
      continue
    }
    const key = decodePercent(piece.slice(0, equals).trim(), problems)
    const value = piece.slice(equals + 1).trim()
    const values = value.includes(',') ? value.split(',') : [value]
    for (let index = 0; index < values.length; index++) {
      values[index] = unquote(decodePercent(values[index]!, problems))
    }
    // The same key twice is an error of the file, but both values are meant.
    const known: string[] | undefined = Object.hasOwn(attributes, key) ? attributes[key] : undefined
    if (known) known.push(...values)
    else setOwn(attributes, key, values)
    last = known ?? values
  }
  return attributes
}

// "__proto__" is a legal attribute name; it must not reach the prototype.
function setOwn(attributes: Attributes, key: string, values: string[]): void {
  if (key === '__proto__') Object.defineProperty(attributes, key, { value: values, enumerable: true, writable: true })
  else attributes[key] = values
}

/**
 * Parses GTF and GFF2 attributes: `key "value";` or `key value;`, a key may come several times, a ";" inside quotes belongs
 * to the value. A lone word (Augustus writes its gene lines so) becomes the attribute `ID`.
 *
 * Source: GTF 2.2 (Brent laboratory), GFF2 (Sanger Institute). Example: `parseGtfAttributes('gene_id "g1"; exon_number 2;')`
 * is `{gene_id: ['g1'], exon_number: ['2']}`.
 */
export function parseGtfAttributes(text: string): Attributes {
  const attributes: Attributes = {}
  if (text === '.') return attributes
  let position = 0
  while (position < text.length) {
    while (position < text.length && (text[position] === ' ' || text[position] === ';' || text[position] === '\t')) {
      position++
    }
    if (position >= text.length) break
    let keyEnd = position
    while (keyEnd < text.length && text[keyEnd] !== ' ' && text[keyEnd] !== ';' && text[keyEnd] !== '\t') keyEnd++
    const key = text.slice(position, keyEnd)
    position = keyEnd
    while (position < text.length && (text[position] === ' ' || text[position] === '\t')) position++
    let value: string | null = null
    if (text[position] === '"') {
      let close = text.indexOf('"', position + 1)
      if (close < 0) close = text.length
      value = text.slice(position + 1, close)
      position = close + 1
      // What follows the closing quote up to the ";" is noise.
      const semicolon = text.indexOf(';', position)
      position = semicolon < 0 ? text.length : semicolon
    } else if (position < text.length && text[position] !== ';') {
      let end = text.indexOf(';', position)
      if (end < 0) end = text.length
      value = text.slice(position, end).trim()
      position = end
    }
    if (value === null) {
      if (!Object.hasOwn(attributes, 'ID')) attributes.ID = [unquote(key)]
      continue
    }
    const known: string[] | undefined = Object.hasOwn(attributes, key) ? attributes[key] : undefined
    if (known) known.push(value)
    else setOwn(attributes, key, [value])
  }
  return attributes
}

/**
 * The raw value of one GFF3 attribute without parsing the others, still escaped; null when it is absent or empty.
 *
 * Example: `findGff3Value('ID=a;Parent=b,c', 'Parent')` is `b,c`.
 */
export function findGff3Value(text: string, key: string): string | null {
  let from = 0
  while (true) {
    const at = text.indexOf(key, from)
    if (at < 0) return null
    from = at + key.length
    if (text.charCodeAt(from) !== 61) continue
    let before = at - 1
    while (before >= 0 && text.charCodeAt(before) === 32) before--
    if (before >= 0 && text.charCodeAt(before) !== 59) continue
    const semicolon = text.indexOf(';', from)
    const value = unquote(text.slice(from + 1, semicolon < 0 ? text.length : semicolon).trim())
    return value === '' ? null : value
  }
}

/**
 * The value of one GTF attribute without parsing the others; null when it is absent or empty.
 *
 * Example: `findGtfValue('gene_id "g1"; transcript_id "t1";', 'transcript_id')` is `t1`.
 */
export function findGtfValue(text: string, key: string): string | null {
  let from = 0
  while (true) {
    const at = text.indexOf(key, from)
    if (at < 0) return null
    from = at + key.length
    const after = text.charCodeAt(from)
    if (after !== 32 && after !== 9 && after !== 34) continue
    if (at > 0) {
      const before = text.charCodeAt(at - 1)
      if (before !== 32 && before !== 59 && before !== 9) continue
    }
    let position = from
    while (text.charCodeAt(position) === 32 || text.charCodeAt(position) === 9) position++
    if (text.charCodeAt(position) === 34) {
      const close = text.indexOf('"', position + 1)
      const value = text.slice(position + 1, close < 0 ? text.length : close)
      return value === '' ? null : value
    }
    const semicolon = text.indexOf(';', position)
    const value = text.slice(position, semicolon < 0 ? text.length : semicolon).trim()
    return value === '' ? null : value
  }
}

/**
 * A copy of a string that shares no memory with the text it was cut from. Engines keep a whole text alive as long as any slice
 * of it lives; of a large file only few pieces are kept.
 */
export function ownString(text: string): string {
  return ` ${text}`.slice(1)
}

/** Keeps one copy of each of the few names that fill the first three columns. */
export class StringPool {
  readonly #known = new Map<string, string>()

  get(text: string): string {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const own = ownString(text)
    this.#known.set(own, own)
    return own
  }
}

export interface FeatureLineContext {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  /** The dialect that the file claims; a line written in the other one is read so. */
  dialect: AttributeDialect
  pool: StringPool
}

// A whole number between two places of a line, -1 for anything else; far faster than Number(line.slice()).
function readInteger(line: string, from: number, to: number): number {
  let start = from
  let end = to
  while (start < end && line.charCodeAt(start) === 32) start++
  while (end > start && line.charCodeAt(end - 1) === 32) end--
  if (start === end || end - start > 15) return -1
  let value = 0
  for (let index = start; index < end; index++) {
    const digit = line.charCodeAt(index) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

const tabs = new Int32Array(9)

/**
 * Reads one feature line (not a comment, not blank). Mended with a repair in the log: blanks for tabs, tabs inside the
 * attributes, an absent ninth column, start after end, signs that are no strand, phase or score, attributes in the dialect of
 * GFF2. Null, with an error in the log, when the columns or coordinates cannot be read, and with a warning for a feature that
 * holds no base.
 *
 * Example: the line "chrI\tSGD\tgene\t335\t649\t.\t+\t.\tID=YAL069W" gives a feature of 315 bases.
 */
export function parseFeatureLine(line: string, lineNumber: number, context: FeatureLineContext): Feature | null {
  const { file, log, pool } = context
  let count = 0
  let at = line.indexOf('\t')
  while (at >= 0 && count < 9) {
    tabs[count++] = at
    at = line.indexOf('\t', at + 1)
  }
  if (count !== 8) {
    const mended = mendColumns(line, count, lineNumber, context)
    return mended === null ? null : parseFeatureLine(mended, lineNumber, context)
  }

  let start1 = readInteger(line, tabs[2]! + 1, tabs[3]!)
  let end1 = readInteger(line, tabs[3]! + 1, tabs[4]!)
  if (start1 < 0 || end1 < 0) {
    const [column, from, to] = start1 < 0 ? ['start', tabs[2]!, tabs[3]!] : ['end', tabs[3]!, tabs[4]!]
    log.report(gff3Defects, 'gff-bad-coordinate', file, lineNumber, {
      column: String(column),
      value: line.slice(Number(from) + 1, Number(to)),
    })
    return null
  }
  if (start1 === 0 || end1 === 0) {
    log.report(gff3Defects, 'gff-start-zero', file, lineNumber)
    return null
  }
  if (start1 === end1 + 1) {
    // Programs write the untranslated region that a gene does not have so.
    log.report(gff3Defects, 'gff-empty-feature', file, lineNumber, {
      type: line.slice(tabs[1]! + 1, tabs[2]),
      start: start1,
      end: end1,
    })
    return null
  }
  if (start1 > end1) {
    log.report(gff3Defects, 'gff-start-after-end', file, lineNumber, { start: start1, end: end1 })
    ;[start1, end1] = [end1, start1]
  }

  let score: number | null = null
  if (tabs[5]! - tabs[4]! !== 2 || line.charCodeAt(tabs[4]! + 1) !== 46) {
    const text = line.slice(tabs[4]! + 1, tabs[5]).trim()
    const value = Number(text)
    if (text === '' || text === '-' || text === '.') score = null
    else if (Number.isFinite(value)) score = value
    else log.report(gff3Defects, 'gff-bad-score', file, lineNumber, { value: text })
  }

  let strand: Strand = '.'
  const strandCode = tabs[6]! - tabs[5]! === 2 ? line.charCodeAt(tabs[5]! + 1) : 0
  if (strandCode === 43) strand = '+'
  else if (strandCode === 45) strand = '-'
  // "?" is the specification's sign for a feature whose strand matters but is unknown.
  else if (strandCode !== 46 && strandCode !== 63) {
    const text = line.slice(tabs[5]! + 1, tabs[6]).trim()
    if (text === '1' || text === '+1' || text === '+') strand = '+'
    else if (text === '-1' || text === 'C' || text === '-') strand = '-'
    if (text !== strand && text !== '') {
      const used = strand
      log.report(gff3Defects, 'gff-bad-strand', file, lineNumber, { value: text, used })
    }
  }

  let phase: Phase | null = null
  const phaseCode = tabs[7]! - tabs[6]! === 2 ? line.charCodeAt(tabs[6]! + 1) : 0
  if (phaseCode >= 48 && phaseCode <= 50) phase = (phaseCode - 48) as Phase
  else if (phaseCode !== 46) {
    const text = line.slice(tabs[6]! + 1, tabs[7]).trim()
    if (text === '0' || text === '1' || text === '2') phase = Number(text) as Phase
    else if (text !== '' && text !== '.') log.report(gff3Defects, 'gff-bad-phase', file, lineNumber, { value: text })
  }

  const attributeText = line.slice(tabs[7]! + 1).trim()
  let dialect: AttributeDialect = context.dialect
  const equals = attributeText.indexOf('=')
  const quote = attributeText.indexOf('"')
  if (dialect === 'gff3') {
    const oldStyle = equals < 0 || (quote > 0 && quote < equals && attributeText.charCodeAt(quote - 1) === 32)
    if (oldStyle && attributeText !== '.' && attributeText !== '') {
      dialect = 'gtf'
      log.report(gff3Defects, 'gff-old-attributes', file, lineNumber)
    }
  } else if (equals > 0 && quote < 0 && attributeText.lastIndexOf(' ', equals) < 0) {
    dialect = 'gff3'
  }
  return new Feature(
    pool.get(line.slice(0, tabs[0])),
    pool.get(line.slice(tabs[0]! + 1, tabs[1])),
    pool.get(line.slice(tabs[1]! + 1, tabs[2]).trim()),
    start1,
    end1,
    score,
    strand,
    phase,
    attributeText,
    dialect,
    lineNumber,
  )
}

/** The line with nine columns, or null when that cannot be had. */
function mendColumns(line: string, tabCount: number, lineNumber: number, context: FeatureLineContext): string | null {
  const { file, log } = context
  const columns = line.split('\t')
  if (tabCount > 8) {
    // Spreadsheets fill lines up with tabs: those carry nothing and need no word.
    while (columns.length > 9 && columns.at(-1)!.trim() === '') columns.pop()
    let attributes = columns[8]!
    for (const [at, text] of columns.slice(9).entries()) {
      if (/^\s*[A-Za-z_][\w.-]*(=|\s+")/.test(text)) attributes += `;${text}`
      else if (/(^|;)\s*(ID|Parent|Derives_from|gene_id|transcript_id)\s*[= ][^;]*;?\s*$/i.test(attributes)) {
        // A value that names a feature has no second word: this is a column of its own.
        const behind = columns.slice(9 + at).join(' ')
        log.report(gff3Defects, 'gff-columns-behind', file, lineNumber, { found: columns.length, text: behind })
        return `${columns.slice(0, 8).join('\t')}\t${attributes}`
      } else attributes += ` ${text}`
    }
    if (columns.length > 9) log.report(gff3Defects, 'gff-extra-tabs', file, lineNumber)
    return `${columns.slice(0, 8).join('\t')}\t${attributes}`
  }
  if (tabCount === 7 && looksLikeFeature(columns)) {
    log.report(gff3Defects, 'gff-attributes-absent', file, lineNumber)
    return `${line}\t`
  }
  const pieces = line.trim().split(/[ \t]+/)
  if (pieces.length >= 8 && looksLikeFeature(pieces)) {
    log.report(gff3Defects, 'gff-spaces-for-tabs', file, lineNumber)
    return `${pieces.slice(0, 8).join('\t')}\t${pieces.slice(8).join(' ')}`
  }
  log.report(gff3Defects, 'gff-column-count', file, lineNumber, { found: columns.length })
  return null
}

function looksLikeFeature(columns: readonly string[]): boolean {
  return /^\d+$/.test(columns[3] ?? '') && /^\d+$/.test(columns[4] ?? '') && /^[-+.?]$/.test(columns[6] ?? '')
}

/**
 * Writes attributes as the ninth column of GFF3: reserved and control characters escaped, "." when there are none.
 *
 * Example: `formatGff3Attributes({ID: ['g1'], Note: ['a;b', 'c']})` is `ID=g1;Note=a%3Bb,c`.
 */
export function formatGff3Attributes(attributes: Attributes): string {
  const pairs = Object.entries(attributes)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => `${escapeGff3Value(key)}=${values.map(escapeGff3Value).join(',')}`)
  return pairs.length === 0 ? '.' : pairs.join(';')
}

/**
 * A text as a key or value of the ninth column of GFF3 must have it: `%;=&,` and control characters by their codes (GFF3 1.26).
 *
 * Example: `escapeGff3Value('a;b')` is `a%3Bb`.
 */
export function escapeGff3Value(text: string): string {
  let escaped = ''
  for (const sign of text) {
    const code = sign.charCodeAt(0)
    const reserved = code < 32 || code === 127 || '%;=&,'.includes(sign)
    escaped += reserved ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : sign
  }
  return escaped
}
