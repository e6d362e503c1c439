import { isWholeNumber, toAsciiSigns } from '../../../bio/sequence/region.ts'

/** The sorting and filtering behind a result table; plain functions, so that they can be tested on real results. */

export type CellValue = string | number | boolean | null | undefined

export interface ModelColumn<Row> {
  key: string
  /** The value that is sorted, filtered and exported. */
  value: (row: Row) => CellValue
  /** What rows are ordered by where that is not the value. */
  order?: (row: Row) => CellValue
  /** `number`, `statistic` and `pValue` are columns of numbers, `region` of places. */
  kind?: string
}

export interface Sort {
  key: string
  descending: boolean
}

/** Whether a column of this kind has numbers, which are filtered by how large they are. */
export const isNumberKind = (kind: string | undefined): boolean =>
  kind === 'number' || kind === 'statistic' || kind === 'pValue'

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const missing = (value: CellValue): boolean =>
  value === null || value === undefined || value === '' || (typeof value === 'number' && Number.isNaN(value))

/**
 * Order of two cells: numbers by size, texts as people count them (chr2 before chr10).
 * `compareCells('chr10', 'chr2') > 0`; `compareCells(1e-30, 1e-5) < 0`.
 */
const compareCells = (a: CellValue, b: CellValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

/** Of more rows nobody waits for a look at each. */
const lookedThrough = 5000

/**
 * Keys of the columns that would be empty from top to bottom, as symbols of genes that have none: they stand behind the choice of columns
 * at first. What a column draws itself need not be its value.
 */
export const blankColumns = <Row>(
  columns: readonly (ModelColumn<Row> & { render?: unknown })[],
  rows: readonly Row[],
): string[] =>
  rows.length === 0 || rows.length > lookedThrough
    ? []
    : columns
        .filter((column) => column.render === undefined && rows.every((row) => missing(column.value(row))))
        .map(({ key }) => key)

/** Rows in order; missing values come last whichever way the column is sorted. Equal rows keep their order. */
export const sortRows = <Row>(rows: Row[], columns: ModelColumn<Row>[], sort: Sort | null): Row[] => {
  const column = sort === null ? undefined : columns.find((one) => one.key === sort.key)
  if (sort === null || column === undefined) return rows
  const keyed = rows.map((row) => ({ row, value: (column.order ?? column.value)(row) }))
  keyed.sort((a, b) => {
    const emptyA = missing(a.value)
    const emptyB = missing(b.value)
    if (emptyA || emptyB) return Number(emptyA) - Number(emptyB)
    return sort.descending ? compareCells(b.value, a.value) : compareCells(a.value, b.value)
  })
  return keyed.map((one) => one.row)
}

/** A number of a filter, with a point for decimals and commas between thousands alone; null where it is none. */
const readNumber = (text: string): number | null => {
  const match = /^([+-]?)([\d,]*)(\.\d*)?(e[+-]?\d+)?$/i.exec(text)
  if (match === null || !/\d/.test(text)) return null
  const [, sign = '', whole = '', decimals = '', exponent = ''] = match
  if (whole === '' ? !/\d/.test(decimals) : !isWholeNumber(whole)) return null
  return Number(`${sign}${whole.replaceAll(',', '')}${decimals}${exponent}`)
}

/** Characters of a number, well written or not. */
const likeNumber = /^[+-]?[\d.,]*\d[\d.,]*(?:e[+-]?[\d.,]*)?$/i

const wideSigns: Record<string, string> = { '＜': '<', '＞': '>', '＝': '=', '≤': '<=', '≥': '>=' }

/** What stands for an empty cell, as it is shown or typed. */
const emptySigns = new Set(['–', '-', '—'])

const bounds: Record<string, (value: number, limit: number) => boolean> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
}

export type FilterReading = { ok: true; test: (value: CellValue) => boolean } | { ok: false; unreadable: string }

/**
 * Reads a column's filter. Numbers: `<0.05`, `<=`, `>`, `>=`, `=`, `10..50`; anything else is a part of the text, any case. What begins as
 * a number's filter, or stands over a column of `numbers`, and has no number in it can be read as neither. `–`, as an empty cell is shown, is
 * what has no value; `!` turns the rest round: `!–` what has one, `!intact` what is not so, empty cells included.
 *
 * Example: `readFilter('<1e-5').test(3e-7)` is true; `readFilter('<0,05')` is `{ok: false, unreadable: '0,05'}`.
 */
export const readFilter = (typed: string, numbers = false): FilterReading => {
  const trimmed = typed.trim()
  if (/^[!！]/.test(trimmed) && trimmed.length > 1) {
    const rest = readFilter(trimmed.slice(1), numbers)
    return rest.ok ? { ok: true, test: (value) => !rest.test(value) } : rest
  }
  // A strand is a sign as well.
  if (emptySigns.has(trimmed)) return { ok: true, test: (value) => missing(value) || String(value) === trimmed }
  const text = toAsciiSigns(trimmed).replace(/[＜＞＝≤≥]/g, (sign) => wideSigns[sign]!)
  const passes = (test: (value: number) => boolean): FilterReading => ({
    ok: true,
    test: (value) => !missing(value) && test(Number(value)),
  })
  const bound = /^(<=|>=|<|>|=)\s*(.*)$/.exec(text)
  if (bound !== null && (numbers || likeNumber.test(bound[2]!))) {
    const limit = readNumber(bound[2]!)
    return limit === null
      ? { ok: false, unreadable: bound[2]! === '' ? text : bound[2]! }
      : passes((value) => bounds[bound[1]!]!(value, limit))
  }
  const range = /^(.*?)\s*\.\.\s*(.*)$/.exec(text)
  if (range !== null && (numbers || (likeNumber.test(range[1]!) && likeNumber.test(range[2]!)))) {
    const [one, other] = [readNumber(range[1]!), readNumber(range[2]!)]
    if (one === null || other === null) {
      const wrong = one === null ? range[1]! : range[2]!
      return { ok: false, unreadable: wrong === '' ? text : wrong }
    }
    return passes((value) => value >= Math.min(one, other) && value <= Math.max(one, other))
  }
  if (numbers && text.includes(',') && likeNumber.test(text)) {
    const number = readNumber(text)
    if (number === null) return { ok: false, unreadable: text }
    return { ok: true, test: (value) => !missing(value) && String(value).includes(text.replaceAll(',', '')) }
  }
  if (numbers && text !== '' && !/\d/.test(text)) return { ok: false, unreadable: text }
  const part = trimmed.toLowerCase()
  return { ok: true, test: (value) => part === '' || (!missing(value) && String(value).toLowerCase().includes(part)) }
}

/** What is typed over columns and cannot be read, by their keys: such a filter is told, and hides nothing. */
export const findUnreadable = <Row>(
  columns: readonly ModelColumn<Row>[],
  filters: Record<string, string>,
): Map<string, string> => {
  const found = new Map<string, string>()
  for (const column of columns) {
    const read = readColumnFilter(column, filters)
    if (read?.ok === false) found.set(column.key, read.unreadable)
  }
  return found
}

/** A place as files write it: without the commas between thousands. */
const plainPlace = (text: string): string => text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')

const readColumnFilter = <Row>(column: ModelColumn<Row>, filters: Record<string, string>): FilterReading | null => {
  const typed = filters[column.key]
  if (typed === undefined || typed.trim() === '') return null
  // As it is read on the screen, so it may be typed.
  if (column.kind === 'region') {
    const part = plainPlace(typed.trim().toLowerCase())
    return { ok: true, test: (value) => !missing(value) && String(value).toLowerCase().includes(part) }
  }
  return readFilter(typed, isNumberKind(column.kind))
}

/** Rows that pass every column's filter that can be read, and hold every word of `words` in some column. */
export const filterRows = <Row>(
  rows: Row[],
  columns: ModelColumn<Row>[],
  filters: Record<string, string>,
  words: string,
): Row[] => {
  const tests = columns.flatMap((column) => {
    const read = readColumnFilter(column, filters)
    return read?.ok === true ? [{ column, test: read.test }] : []
  })
  const parts = words
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '')
  if (tests.length === 0 && parts.length === 0) return rows
  return rows.filter(
    (row) =>
      tests.every(({ column, test }) => test(column.value(row))) &&
      parts.every((part) =>
        columns.some((column) =>
          String(column.value(row) ?? '')
            .toLowerCase()
            .includes(column.kind === 'region' ? plainPlace(part) : part),
        ),
      ),
  )
}
