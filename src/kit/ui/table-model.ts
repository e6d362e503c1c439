/** The sorting and filtering behind a result table; plain functions, so that they can be tested on real results. */

export type CellValue = string | number | boolean | null | undefined

export interface ModelColumn<Row> {
  key: string
  /** The value that is sorted, filtered and exported. */
  value: (row: Row) => CellValue
}

export interface Sort {
  key: string
  descending: boolean
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const missing = (value: CellValue): boolean =>
  value === null || value === undefined || value === '' || (typeof value === 'number' && Number.isNaN(value))

/**
 * Order of two cells: numbers by size, texts as people count them (chr2 before chr10).
 * `compareCells('chr10', 'chr2') > 0`; `compareCells(1e-30, 1e-5) < 0`.
 */
const compareCells = (a: CellValue, b: CellValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

/** Rows in order; missing values come last whichever way the column is sorted. Equal rows keep their order. */
export const sortRows = <Row>(rows: Row[], columns: ModelColumn<Row>[], sort: Sort | null): Row[] => {
  const column = sort === null ? undefined : columns.find((one) => one.key === sort.key)
  if (sort === null || column === undefined) return rows
  const keyed = rows.map((row) => ({ row, value: column.value(row) }))
  keyed.sort((a, b) => {
    const emptyA = missing(a.value)
    const emptyB = missing(b.value)
    if (emptyA || emptyB) return Number(emptyA) - Number(emptyB)
    return sort.descending ? compareCells(b.value, a.value) : compareCells(a.value, b.value)
  })
  return keyed.map((one) => one.row)
}

/**
 * Reads a column's filter. Numbers: `<0.05`, `<=`, `>`, `>=`, `=`, `10..50`; anything else is a part of the text, any
 * case. `readFilter('<1e-5')(3e-7)` is true.
 */
export const readFilter = (typed: string): ((value: CellValue) => boolean) => {
  const text = typed.trim()
  const bound = /^(<=|>=|<|>|=)\s*(-?[\d.]+(?:e[+-]?\d+)?)$/i.exec(text)
  if (bound !== null) {
    const limit = Number(bound[2])
    const tests: Record<string, (value: number) => boolean> = {
      '<': (value) => value < limit,
      '<=': (value) => value <= limit,
      '>': (value) => value > limit,
      '>=': (value) => value >= limit,
      '=': (value) => value === limit,
    }
    const test = tests[bound[1] ?? '=']
    return (value) => !missing(value) && test !== undefined && test(Number(value))
  }
  const range = /^(-?[\d.,]+(?:e[+-]?\d+)?)\s*\.\.\s*(-?[\d.,]+(?:e[+-]?\d+)?)$/i.exec(text)
  if (range !== null) {
    const from = Number(range[1]?.replaceAll(',', ''))
    const to = Number(range[2]?.replaceAll(',', ''))
    return (value) => !missing(value) && Number(value) >= from && Number(value) <= to
  }
  const part = text.toLowerCase()
  return (value) => part === '' || (!missing(value) && String(value).toLowerCase().includes(part))
}

/** Rows that pass every column's filter and hold every word of `words` in some column. */
export const filterRows = <Row>(
  rows: Row[],
  columns: ModelColumn<Row>[],
  filters: Record<string, string>,
  words: string,
): Row[] => {
  const tests = columns.flatMap((column) => {
    const typed = filters[column.key]
    return typed === undefined || typed.trim() === '' ? [] : [{ column, test: readFilter(typed) }]
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
            .includes(part),
        ),
      ),
  )
}
