import { dsvFormat } from 'd3-dsv'

const formats = new Map<string, ReturnType<typeof dsvFormat>>()

/**
 * Whether the quotes of a row are those of RFC 4180: `plain` without any that begins a cell, `closed`, `open` when the last is not
 * closed, `broken` when letters follow a closed one in its cell.
 *
 * Example: `scanQuotes('a,"b', ',')` is `open`.
 */
export const scanQuotes = (row: string, separator: string): 'plain' | 'closed' | 'open' | 'broken' => {
  let found: 'plain' | 'closed' = 'plain'
  for (let at = 0; at < row.length; ) {
    if (row[at] === '"') {
      found = 'closed'
      let end = at
      do {
        end = row.indexOf('"', end + 1)
        if (end < 0) return 'open'
      } while (row[end + 1] === '"' && ++end)
      at = end + 1
      if (at < row.length && row[at] !== separator) return 'broken'
      at += 1
      continue
    }
    const end = row.indexOf(separator, at)
    if (end < 0) break
    at = end + 1
  }
  return found
}

/**
 * Cells of a row of a delimited table, quotes taken off as RFC 4180 has them; a row whose quotes are not of its kind is cut at the
 * separators alone, as tables with tabs have it. `splitCells('a,"b, c",d', ',')` is `['a', 'b, c', 'd']`.
 */
export const splitCells = (line: string, separator: string): string[] => {
  if (!line.includes('"') || scanQuotes(line, separator) !== 'closed') return line.split(separator)
  const format = formats.get(separator) ?? dsvFormat(separator)
  formats.set(separator, format)
  return format.parseRows(line)[0] ?? ['']
}

/** How many cells a row has. */
export const countCells = (line: string, separator: string): number => splitCells(line, separator).length

/** What parts the cells of a table, by its heading: tab, else comma or semicolon, whichever there is more of. */
export const findSeparator = (heading: string): string => {
  if (heading.includes('\t')) return '\t'
  return heading.split(';').length > heading.split(',').length ? ';' : ','
}

/**
 * What parts the cells of a table of genes and terms, by its first row: as `findSeparator` has it, or null for blanks. Blanks part cells
 * where nothing else does, or where what stands before the separator is two words and no heading: `g1 GO:0000001,GO:0000002`.
 */
export const findRowSeparator = (row: string, isHeading: (cell: string) => boolean): string | null => {
  const separator = findSeparator(row)
  if (separator === '\t') return separator
  const [first, ...others] = splitCells(row, separator)
  if (others.length === 0) return null
  return /\S\s+\S/.test(first!) && !row.startsWith('"') && !isHeading(first!.trim()) ? null : separator
}

const listSigns = new Set([';', ',', '；', '，'])

/** What parts the cells of a line of a list: a tab if there is one, else the first comma or semicolon that is in no quotes; null without. */
const findListSeparator = (line: string): string | null => {
  if (line.includes('\t')) return '\t'
  let quoted = false
  for (const [at, sign] of [...line].entries()) {
    // A quote within a cell is a letter of it.
    if (sign === '"' && (quoted || at === 0)) quoted = !quoted
    else if (!quoted && listSigns.has(sign)) return sign
  }
  return null
}

/**
 * Cells of a line of a list that is typed or pasted into a form, which has no heading to go by: parted by tabs, commas, semicolons, or with
 * `blanks` by these where there is nothing else. Cells that are empty at its end are left out, as spreadsheets copy them.
 *
 * Example: `splitListLine('leaf1;"Clade; north"')` is `['leaf1', 'Clade; north']`.
 */
export const splitListLine = (line: string, { blanks = false } = {}): string[] => {
  const text = line.replace(/^\ufeff/, '').trim()
  const separator = findListSeparator(text)
  const cells = (
    separator !== null
      ? splitCells(text, separator)
      : blanks && !text.startsWith('"')
        ? text.split(/\s+/)
        : splitCells(text, '\t')
  ).map((cell) => cell.trim())
  while (cells.length > 0 && cells.at(-1) === '') cells.pop()
  return cells
}

/** Words that stand for a value that was not measured, in the tables of R, Excel and GEO; compared in lower case. */
const missingWords = new Set(['', 'na', 'nan', 'n/a', '#n/a', 'null', 'none', '-', '.', '#value!', '#div/0!'])

/** The number of a cell: NaN where it says that nothing was measured, null where it is no number. `readNumber('1e3')` is 1000. */
export const readNumber = (cell: string): number | null => {
  const text = cell.trim()
  const value = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  return missingWords.has(text.toLowerCase()) ? Number.NaN : null
}

/** A number with a comma for the point, as European spreadsheets write it: 3,14. */
export const hasDecimalComma = (cell: string): boolean => /^[+-]?\d+,\d+(e[+-]?\d+)?$/i.test(cell.trim())

/** The text of a cell that is not empty and not "-", else null. */
export const given = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' || trimmed === '-' ? null : trimmed
}
