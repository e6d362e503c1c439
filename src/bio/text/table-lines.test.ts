import { describe, expect, it, test } from 'vitest'
import { matchNames } from '../../testing/gene-matches.ts'
import { ExpressionMatrixReader } from '../expression/expression-matrix.ts'
import { parseAccessions } from '../phenotype/accession-table.ts'
import { DefectLog } from './defects.ts'
import { scanQuotes, splitCells } from './table-cells.ts'
import { joinTableLines, TableLines } from './table-lines.ts'

const read = (text: string) => {
  const log = new DefectLog()
  const rows: [string, number][] = []
  const table = new TableLines({ file: 'x.csv', log, onLine: (row, number) => rows.push([row, number]) })
  for (const [at, line] of text.split('\n').entries()) table.addLine(line, at + 1)
  table.end()
  return { rows, defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}

describe('rows of a table', () => {
  it('a cell with line breaks is one row, and the lines behind it keep their numbers', () => {
    const { rows, defects } = read('gene,note,score\nG1,"first\n\nthird, with a comma",4\nG2,plain,5')
    expect(rows.filter(([row]) => row !== '')).toEqual([
      ['gene,note,score', 1],
      ['G1,"first  third, with a comma",4', 2],
      ['G2,plain,5', 5],
    ])
    expect(rows.map(([, number]) => number)).toEqual([1, 2, 3, 4, 5])
    expect(defects).toEqual(['table-line-break@2'])
    expect(splitCells(rows[1]![0], ',')).toEqual(['G1', 'first  third, with a comma', '4'])
  })
  it.each([
    ['never closed', 'a,b\n1,"two\n3,4\n', 'table-quote-open@2'],
    ['closed by the next stray quote, rows later', 'a;b\n1;"two\n3;4;5\n6;"7"\n', 'table-quote-open@2'],
    ['closed in the midst of a cell', 'a,b\n1,"5" primer"\n', 'table-quote-inside@2'],
  ])('a quote %s refuses the table', (_, text, defect) => {
    expect(read(text).defects).toEqual([defect])
  })
  it('a quote within a cell, and one in a table with tabs that is no quote, are letters', () => {
    expect(read('a,b\n1,5" primer\n').defects).toEqual([])
    const { rows, defects } = read('gene\tnote\nG1\t"Candidatus" Testus\nG2\t""""\n')
    expect(defects).toEqual([])
    expect(splitCells(rows[1]![0], '\t')).toEqual(['G1', '"Candidatus" Testus'])
    expect(splitCells(rows[2]![0], '\t')).toEqual(['G2', '"'])
  })
  it('a table without end in one cell does not fill the memory', () => {
    const log = new DefectLog()
    const table = new TableLines({ file: 'x', log, onLine: () => undefined })
    table.addLine('a,b', 1)
    table.addLine('1,"', 2)
    for (let line = 3; line < 100_000; line++) table.addLine('x'.repeat(100), line)
    expect(log.defects.map(({ code, line }) => `${code}@${line}`)).toEqual(['table-quote-open@2'])
  })
})

test.each([
  ['a,b', 'plain'],
  ['a,"b, ""c"""', 'closed'],
  ['"",b', 'closed'],
  ['a,"b', 'open'],
  ['a,"b""', 'open'],
  ['"a"b,c', 'broken'],
])('quotes of %s are %s', (row, kind) => {
  expect(scanQuotes(row, ',')).toBe(kind)
})

test('an accession table and a matrix whose cells hold line breaks have as many rows as accessions and genes', () => {
  const log = new DefectLog()
  const lines = joinTableLines(['accession,population,notes', 'A1,wild,"seen', 'in 2019"', 'A2,bred,none'], 'x', log)
  const table = parseAccessions(lines, 'x', log)
  expect(table.accessions.map(({ id }) => id)).toEqual(['A1', 'A2'])
  expect(Object.values(table.accessions[0]!.attributes)).toEqual(['seen in 2019'])
  const reader = new ExpressionMatrixReader({
    file: 'x',
    log,
    matches: matchNames((name) => name),
    signed: false,
    additive: true,
  })
  for (const [at, row] of joinTableLines(['gene,"leaf', 'one",root', 'g1,1,2'], 'x', log).entries())
    reader.addLine(row, at + 1)
  expect(reader.finish()?.samples).toEqual(['leaf one', 'root'])
})
