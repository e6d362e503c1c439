import { describe, expect, test } from 'vitest'
import { commentLines, csvLine, guardCell, tableHead, tsvLine, uniqueHeadings } from './write-table.ts'

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
    expect(tsvLine(['=1+1', -3, 1.23456789e-300])).toBe('=1+1\t-3\t1.23456789e-300\n')
  })

  test('nothing breaks a line: tabs, line ends of any kind, escapes', () => {
    expect(tsvLine(['a\tb', 'c\r\nd', 'e\u2028f', 'g\u001b[31m'])).toBe('a b\tc d\te f\tg [31m\n')
    expect(csvLine(['c\r\nd', 'e\u0000f'])).toBe('"c\nd",e f\r\n')
    expect(commentLines(['one\ntwo'], 'csv')).toBe('# one two\r\n')
    expect(tableHead(['made by'], ['a', 'a'], 'tsv')).toBe('# made by\na\ta (2)\n')
    expect(tableHead([], ['a'], 'csv')).toBe('\ufeffa\r\n')
  })
})
