import { describe, expect, test } from 'vitest'
import { GeneSetTextError, parseGeneSets } from './gene-set-files.ts'

const rows = (text: string): [string, string | null, string[]][] =>
  [...parseGeneSets(text, 'auto').terms].map(([term, { name, genes }]) => [term, name, [...genes]])

describe('tables of genes and terms', () => {
  test.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('with %s keep the blanks within a cell', (_, separator) => {
    const table = (...lines: string[][]): string => lines.map((cells) => cells.join(separator)).join('\n')
    expect(rows(table(['TM_0001', 'cell wall synthesis'], ['TM_0002', 'cell wall synthesis']))).toEqual([
      ['cell wall synthesis', null, ['TM_0001', 'TM_0002']],
    ])
    expect(rows(table(['gene id', 'term', 'name'], ['TM_0001', 'P1', '"walls, their synthesis; all"']))).toEqual([
      ['P1', 'walls, their synthesis; all', ['TM_0001']],
    ])
    expect(rows(table(['# own'], ['TM_0001', 'P1', '"of two', 'lines"']).replace(`two${separator}`, 'two\n'))).toEqual([
      ['P1', 'of two lines', ['TM_0001']],
    ])
  })

  test('are parted by blanks only where nothing else does', () => {
    expect(rows('TM_0001 P1 first of all\nTM_0002  P1')).toEqual([['P1', 'first of all', ['TM_0001', 'TM_0002']]])
    expect(rows('TM_0001 "cell wall" walls')).toEqual([['cell wall', 'walls', ['TM_0001']]])
    expect(rows('TM_0001 GO:0000001,GO:0000002')).toEqual([
      ['GO:0000001', null, ['TM_0001']],
      ['GO:0000002', null, ['TM_0001']],
    ])
  })

  test('that are parted in several ways, or have a quote that nobody closed, are refused by their line', () => {
    for (const [text, reason, line] of [
      ['TM_0001,P1\nTM_0002 P1', 'tableLine', 2],
      ['TM_0001\tP1\nTM_0002,P1', 'tableLine', 2],
      ['gene,term\nTM_0001,"P1\nTM_0002,P1', 'quote', 2],
    ] as const) {
      let thrown: unknown
      try {
        parseGeneSets(text, 'auto')
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(GeneSetTextError)
      expect(thrown).toMatchObject({ reason, line })
    }
  })
})

test('GMT has tabs and quotation marks as letters', () => {
  expect(parseGeneSets('P1\t"walls, all\tTM_0001\tTM_0002\nP2\tna\tTM_0003', 'auto').terms.get('P1')).toEqual({
    name: '"walls, all',
    genes: new Set(['TM_0001', 'TM_0002']),
  })
})
