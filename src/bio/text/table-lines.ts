import { countCells, findSeparator, scanQuotes } from './table-cells.ts'
import { textDefects } from './text-defects.ts'
import type { TextLog } from './text-encoding.ts'

/** A row of more lines or letters than these has a quote that nobody closed. */
const maxLines = 1000
const maxLetters = 1 << 20

interface TableLinesOptions {
  /** Name of the file, for defects. */
  file: string
  log: TextLog
  /** Called with each row and the number of its first line; the further lines of a row follow as empty ones, so that counting goes on. */
  onLine(line: string, lineNumber: number): void
}

/**
 * Rows of a delimited table from its lines: a quoted cell may hold line breaks (RFC 4180), which become blanks and are told. A quote
 * that is never closed, or closed so late that the row has other cells than the heading, is an error, and no row follows.
 *
 * Example: the lines `a,"b` and `c",d` under the heading `x,y,z` are the row `a,"b c",d`.
 */
export class TableLines {
  readonly #options: TableLinesOptions
  #separator: string | null = null
  #width = 0
  #held: string[] = []
  #heldLine = 0
  #heldLetters = 0
  #refused = false

  constructor(options: TableLinesOptions) {
    this.#options = options
  }

  addLine(line: string, lineNumber: number): void {
    if (this.#refused) return
    const isHeld = this.#held.length > 0
    if (!isHeld && (line === '' || line.trim() === '' || (this.#separator === null && /^[#!]/.test(line)))) {
      this.#options.onLine(line, lineNumber)
      return
    }
    if (this.#separator === null && !isHeld) this.#separator = findSeparator(line)
    if (!isHeld && !line.includes('"')) {
      this.#give(line, lineNumber, 1)
      return
    }
    const row = isHeld ? `${this.#held.join(' ')} ${line}` : line
    if (scanQuotes(row, this.#separator!) !== 'open') {
      const lines = this.#held.length + 1
      const first = isHeld ? this.#heldLine : lineNumber
      this.#held = []
      this.#heldLetters = 0
      this.#give(row, first, lines)
      return
    }
    if (!isHeld) this.#heldLine = lineNumber
    this.#held.push(line)
    this.#heldLetters += line.length
    if (this.#held.length > maxLines || this.#heldLetters > maxLetters) this.#refuse('table-quote-open')
  }

  /** The file is at its end: a row that is still open is an error. */
  end(): void {
    if (this.#held.length > 0 && !this.#refused) this.#refuse('table-quote-open')
  }

  #give(row: string, first: number, lines: number): void {
    const { file, log, onLine } = this.#options
    const separator = this.#separator!
    // Tables with tabs have quotes as letters, as long as nothing was joined for their sake.
    if ((lines > 1 || separator !== '\t') && row.includes('"') && scanQuotes(row, separator) === 'broken') {
      this.#heldLine = first
      this.#refuse(lines > 1 ? 'table-quote-open' : 'table-quote-inside')
      return
    }
    if (lines > 1) {
      const width = countCells(row, separator)
      // R writes no heading above the names of rows.
      if (this.#width > 0 && width !== this.#width && width !== this.#width + 1) {
        this.#heldLine = first
        this.#refuse('table-quote-open')
        return
      }
      log.report(textDefects, 'table-line-break', file, first, { lines })
    }
    if (this.#width === 0) this.#width = countCells(row, separator)
    onLine(row, first)
    for (let line = 1; line < lines; line++) onLine('', first + line)
  }

  #refuse(code: 'table-quote-open' | 'table-quote-inside'): void {
    this.#refused = true
    this.#held = []
    this.#options.log.report(textDefects, code, this.#options.file, this.#heldLine)
  }
}

/** The rows of a table held in memory, with empty lines where a row took several, by the rules of `TableLines`. */
export function joinTableLines(lines: Iterable<string>, file: string, log: TextLog): string[] {
  const rows: string[] = []
  const table = new TableLines({ file, log, onLine: (row) => void rows.push(row) })
  let number = 0
  for (const line of lines) table.addLine(line, ++number)
  table.end()
  return rows
}
