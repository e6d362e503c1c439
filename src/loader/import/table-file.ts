import { findSeparator, readNumber, splitCells } from '../../bio/text/table-cells.ts'
import type { InputFile } from './recogniser.ts'

/** The beginning of a table with a heading: what of it is kept, without cells that are cut off. */
export interface TableHead {
  headings: string[]
  rows: string[][]
  separator: string
  /** Cells that rows have before the first heading: one in tables of R. */
  shift: 0 | 1
}

/** Lines of this length were cut (see file-format.ts). */
const cutWidth = 2000

/** What may be text in columns; columns of numbers are taken for intervals where nothing says more. */
const isColumns = ({ format }: InputFile): boolean => ['table', 'text', 'bed', 'bedgraph'].includes(format)

/** The lines of a table; empty where the file is none. */
export const linesOf = (file: InputFile): readonly string[] =>
  isColumns(file) ? file.lines.filter((line) => line.trim() !== '') : []

/** The table that a file begins with; null where it has no rows of the same width. */
export const readTableHead = (file: InputFile): TableHead | null => {
  const lines = linesOf(file).filter((line) => !/^[#!]/.test(line))
  if (lines.length < 2) return null
  const separator = findSeparator(lines[0]!)
  const [headings, ...rows] = lines.map((line) => {
    const cells = splitCells(line, separator).map((cell) => cell.trim())
    return line.length < cutWidth ? cells : cells.slice(0, -1)
  }) as [string[], ...string[][]]
  const isCut = lines.some((line) => line.length >= cutWidth)
  const shift = rows[0]!.length === headings.length + 1 ? 1 : 0
  const isEven = rows.every((cells) => cells.length === headings.length + shift)
  if (headings.length < 2 || (!isCut && !isEven)) return null
  return { headings, rows, separator, shift }
}

/** Rows of other lines of the table. */
export const rowsLike = ({ separator }: TableHead, lines: readonly string[]): string[][] =>
  lines
    .filter((line) => line.trim() !== '' && !/^[#!]/.test(line))
    .map((line) => splitCells(line, separator).map((cell) => cell.trim()))

export const isNumeric = (cell: string | undefined): boolean => cell !== undefined && readNumber(cell) !== null

/** Of each row what may be a name of a gene: its first cell, then others that are no numbers. */
export const namesInRows = (rows: readonly (readonly string[])[]): string[][] =>
  rows.map((cells) => [
    cells[0]!,
    ...cells
      .slice(1)
      .filter((cell) => cell !== '' && !isNumeric(cell))
      .slice(0, 5),
  ])
