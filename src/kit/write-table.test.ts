import { describe, expect, test } from 'vitest'
import {
  commentLines,
  csvLine,
  formatLine,
  guardCell,
  tableHead,
  tsvLine,
  uniqueHeadings,
  workbookCell,
  workbookCharacters,
  workbookPieces,
} from './write-table.ts'

describe('tables as text', () => {
  test('headings all differ and none is empty', () => {
    expect(uniqueHeadings(['chrom', 'end', '', 'end', 'end\n', 'end (2)'])).toEqual([
      'chrom',
      'end',
      'column 3',
      'end (2)',
      'end (3)',
      'end (2) (2)',
    ])
  })

  test('what a spreadsheet would compute is text; numbers and strands stay as they are', () => {
    expect(['=HYPERLINK("x")', '+cmd', '-2-oxo', '@sum', '\tx', '\r=1'].map(guardCell)).toEqual([
      `'=HYPERLINK("x")`,
      "'+cmd",
      "'-2-oxo",
      "'@sum",
      "'\tx",
      "'\r=1",
    ])
    expect(['-1.5e-8', '+3', '-', '+', '.5', 'a=b', -7, null, true].map(guardCell)).toEqual([
      '-1.5e-8',
      '+3',
      '-',
      '+',
      '.5',
      'a=b',
      -7,
      null,
      true,
    ])
    expect(csvLine(['=1+1', -3, 'a,"b"'])).toBe(`'=1+1,-3,"a,""b"""\r\n`)
    expect(tsvLine(['=1+1', -3, 1.23456789e-300, '-inf', '+'])).toBe("'=1+1\t-3\t1.23456789e-300\t-inf\t+\n")
    // A heading is a cell too: an assembly or a sample may be called anything.
    expect(tableHead([], ['@x', 'p'], 'tsv')).toBe("'@x\tp\n")
    // Formats of the field are read by programs alone, and keep their names.
    expect(formatLine(['chr1', 0, 9, '=gene', 0, '-'])).toBe('chr1\t0\t9\t=gene\t0\t-\n')
  })

  test('a workbook keeps numbers and formula-like text as they are, and says which cells it cut', () => {
    expect([-1.5e-8, '=1+1', '', null, true, Number.POSITIVE_INFINITY].map((cell) => workbookCell(cell))).toEqual([
      { value: -1.5e-8, cut: false },
      { value: '=1+1', cut: false },
      { value: null, cut: false },
      { value: null, cut: false },
      { value: true, cut: false },
      { value: 'Infinity', cut: false },
    ])
    const whole = 'A'.repeat(workbookCharacters)
    expect(workbookCell(whole)).toEqual({ value: whole, cut: false })
    expect(workbookCell(`${whole}A`)).toEqual({ value: `${whole.slice(1)}…`, cut: true })
    const halves = `${'A'.repeat(workbookCharacters - 2)}𝄞x`
    expect(workbookCell(halves)).toEqual({ value: `${'A'.repeat(workbookCharacters - 2)}…`, cut: true })
    const long = `x${'𝄞'.repeat(40_000)}`
    const pieces = workbookPieces(long)
    expect(pieces.join('')).toBe(long)
    for (const piece of pieces) expect(piece.length).toBeLessThan(workbookCharacters)
    expect(pieces.every((piece) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece))).toBe(true)
    expect(workbookPieces('')).toEqual([''])
  })

  test('nothing breaks a line: tabs, line ends of any kind, escapes', () => {
    expect(tsvLine(['a\tb', 'c\r\nd', 'e\u2028f', 'g\u001b[31m'])).toBe('a b\tc d\te f\tg [31m\n')
    expect(csvLine(['c\r\nd', 'e\u0000f'])).toBe('"c\nd",e f\r\n')
    expect(commentLines(['one\ntwo'], 'csv')).toBe('# one two\r\n')
    expect(tableHead(['made by'], ['a', 'a'], 'tsv')).toBe('# made by\na\ta (2)\n')
    expect(tableHead([], ['a'], 'csv')).toBe('\ufeffa\r\n')
  })
})
