/** One writer of tables as text and of the cells of workbooks, for pages and for routes of tools alike. */

export type Cell = string | number | boolean | null | undefined

type TextTableFormat = 'tsv' | 'csv'

/** Line ends, tabs and all that steers a terminal: a cell or comment with one of them would break its line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g

const plain = (cell: Cell): string => (cell === null || cell === undefined ? '' : String(cell))

const isNumber = (text: string): boolean => /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)$/i.test(text)

/**
 * A cell that a spreadsheet takes as text: one that begins like a formula gets an apostrophe before it (OWASP, CSV injection).
 * Numbers stay numbers, and the strands `+` and `-` stay strands. `guardCell('=1+1')` is `'=1+1` with an apostrophe before it.
 */
export const guardCell = <Value extends Cell>(cell: Value): Value | string =>
  typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) && cell !== '+' && cell !== '-' && !isNumber(cell)
    ? `'${cell}`
    : cell

/** Headings that all differ and none of which is empty: a second `end` is `end (2)`, since programs address columns by name. */
export const uniqueHeadings = (headings: readonly string[]): string[] => {
  const taken = new Set<string>()
  return headings.map((heading, at) => {
    const base = heading.replace(controls, ' ').trim() || `column ${at + 1}`
    let name = base
    for (let number = 2; taken.has(name); number += 1) name = `${base} (${number})`
    taken.add(name)
    return name
  })
}

/**
 * A line of a format of the field that is parted by tabs (BED, GMT), with its end: programs alone read it, and a name in it stays as it
 * is. What the format cannot quote becomes a blank.
 */
export const formatLine = (cells: readonly Cell[]): string =>
  `${cells.map((cell) => plain(cell).replace(controls, ' ')).join('\t')}\n`

/** A line of a tab-separated table with its end, safe to open in a spreadsheet. */
export const tsvLine = (cells: readonly Cell[]): string => formatLine(cells.map(guardCell))

/** A line of comma-separated text after RFC 4180 with its end, safe to open in a spreadsheet. */
export const csvLine = (cells: readonly Cell[]): string =>
  `${cells
    .map((cell) => {
      const text = plain(guardCell(cell)).replace(controls, (found) => (/^[\r\n]+$/.test(found) ? '\n' : ' '))
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')}\r\n`

/** Lines of a head as comments: `# ` and the line, none broken. */
export const commentLines = (lines: readonly string[], format: TextTableFormat = 'tsv'): string =>
  lines.map((line) => `# ${line.replace(controls, ' ')}${format === 'csv' ? '\r\n' : '\n'}`).join('')

/** The line of a row in a format. */
export const rowLine: Record<TextTableFormat, (cells: readonly Cell[]) => string> = { tsv: tsvLine, csv: csvLine }

/** Head and headings of a table, before its rows. CSV begins with a byte-order mark, without which Excel breaks Chinese. */
export const tableHead = (head: readonly string[], headings: readonly string[], format: TextTableFormat): string =>
  `${format === 'csv' ? '\ufeff' : ''}${commentLines(head, format)}${rowLine[format](uniqueHeadings(headings))}`

/** Most characters of a cell (Excel specifications and limits). */
export const workbookCharacters = 32_767

/**
 * A cell of a workbook: its value, null where there is nothing, and whether it had to be cut; one that was ends in `…`. Numbers stay
 * numbers. Cells of a workbook have a type, so text that begins like a formula is never computed and stays as it is.
 */
export const workbookCell = (cell: Cell): { value: string | number | boolean | null; cut: boolean } => {
  if (cell === null || cell === undefined || cell === '') return { value: null, cut: false }
  if (typeof cell === 'number') return { value: Number.isFinite(cell) ? cell : String(cell), cut: false }
  if (typeof cell === 'boolean' || cell.length <= workbookCharacters) return { value: cell, cut: false }
  // Not within a character of two halves.
  const kept = cell.slice(0, workbookCharacters - 1).replace(/[\ud800-\udbff]$/, '')
  return { value: `${kept}…`, cut: true }
}

/** A long line as pieces that each fit a cell. */
export const workbookPieces = (line: string): string[] => line.match(/[\s\S]{1,32766}(?![\udc00-\udfff])/g) ?? ['']
