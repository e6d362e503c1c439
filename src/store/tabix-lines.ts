import type { IndexedColumns } from './interval-index.ts'
import type { LineOrder } from './sorted-lines.ts'

export type TabixFormat = 'gff3' | 'bed' | 'vcf'
export const lineFeed = 10
export const carriageReturn = 13
export const tab = 9
export const hash = 35

// The presets of tabix (manual page tabix(1), option -p), as they are written into an index.
const zeroBased = 0x10000
const vcfFormat = 2
export const presets: Record<TabixFormat, IndexedColumns & { minColumns: number; order: LineOrder }> = {
  // A gene before its transcripts before their exons where they begin together.
  gff3: {
    format: 0,
    sequence: 1,
    start: 4,
    end: 5,
    comment: hash,
    skip: 0,
    minColumns: 9,
    order: 'start-then-longest',
  },
  bed: { format: zeroBased, sequence: 1, start: 2, end: 3, comment: hash, skip: 0, minColumns: 3, order: 'start' },
  vcf: { format: vcfFormat, sequence: 1, start: 2, end: 0, comment: hash, skip: 0, minColumns: 8, order: 'start' },
}

/** Where the fields of a line lie that an index is about. */
interface LineFields {
  nameStart: number
  nameEnd: number
  start0: number
  end0: number
  /** What is wrong with it, or null. */
  wrong: 'columns' | 'start' | 'end' | null
}

/** A whole number from 0 up in ASCII digits, or -1. */
function parseWholeNumber(bytes: Uint8Array, from: number, to: number): number {
  if (from >= to || to - from > 15) return -1
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/**
 * Reads the interval of a line `[from, to)` (without its end), the way tabix does: BED from 0, others from 1; a VCF record
 * ends after its REF, or at END of its INFO where that lies behind its start; a format without an end column is one base long.
 */
export function parseFields(
  bytes: Uint8Array,
  from: number,
  to: number,
  columns: IndexedColumns,
  fields: LineFields,
): void {
  fields.wrong = null
  const isVcf = (columns.format & 0xffff) === vcfFormat
  const lastColumn = isVcf ? 8 : Math.max(columns.sequence, columns.start, columns.end)
  let startFrom = -1
  let startTo = -1
  let endFrom = -1
  let endTo = -1
  let referenceLength = 1
  let infoFrom = -1
  let infoTo = -1
  let column = 1
  fields.nameStart = -1
  for (let at = from; column <= lastColumn && at <= to; column++) {
    let next = bytes.indexOf(tab, at)
    if (next < 0 || next > to) next = to
    if (column === columns.sequence) {
      fields.nameStart = at
      fields.nameEnd = next
    }
    if (column === columns.start) {
      startFrom = at
      startTo = next
    }
    if (column === columns.end) {
      endFrom = at
      endTo = next
    }
    if (isVcf && column === 4) referenceLength = next - at
    if (isVcf && column === 8) {
      infoFrom = at
      infoTo = next
    }
    at = next + 1
  }
  if (startFrom < 0 || fields.nameStart < 0 || (columns.end > 0 && endFrom < 0)) {
    fields.wrong = 'columns'
    return
  }
  const start = parseWholeNumber(bytes, startFrom, startTo)
  const countsFromZero = (columns.format & zeroBased) !== 0
  // Position 0 of a VCF is the telomere (VCFv4.3, section 1.6.1, POS).
  if (start < 0 || (start === 0 && !countsFromZero && !isVcf)) {
    fields.wrong = 'start'
    return
  }
  fields.start0 = countsFromZero ? start : Math.max(0, start - 1)
  if (isVcf) {
    fields.end0 = fields.start0 + referenceLength
    const end = findInfoEnd(bytes, infoFrom, infoTo)
    if (end > fields.start0) fields.end0 = end
    return
  }
  fields.end0 =
    columns.end === 0 || columns.end === columns.start ? fields.start0 + 1 : parseWholeNumber(bytes, endFrom, endTo)
  if (fields.end0 < fields.start0) fields.wrong = 'end'
}

/** The value of `END=` of an INFO column, or -1. */
function findInfoEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at >= 0 && at + 4 < to; ) {
    if (bytes[at] === 69 && bytes[at + 1] === 78 && bytes[at + 2] === 68 && bytes[at + 3] === 61) {
      let end = at + 4
      while (end < to && bytes[end] !== 59) end++
      return parseWholeNumber(bytes, at + 4, end)
    }
    const semicolon = bytes.indexOf(59, at)
    if (semicolon < 0) return -1
    at = semicolon + 1
  }
  return -1
}

export const emptyFields = (): LineFields => ({ nameStart: 0, nameEnd: 0, start0: 0, end0: 0, wrong: null })
