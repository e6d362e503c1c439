import { expect, test } from 'vitest'
import {
  type AnnotationFormat,
  type AnnotationRow,
  createAnnotationReader,
  guessAnnotationFormat,
} from './annotation.ts'
import { DefectLog } from './defects.ts'

const read = (format: AnnotationFormat, lines: string[], source?: string) => {
  const log = new DefectLog()
  const rows: AnnotationRow[] = []
  const reader = createAnnotationReader(format, { file: 'a.tsv', log, source, onRow: (row) => rows.push(row) })
  for (const [number, line] of lines.entries()) reader.addLine(line, number + 1)
  reader.end()
  return { rows, log }
}

test('GAF keeps evidence and NOT, and names the line of a term that is none', () => {
  const line = (term: string, qualifier: string) =>
    [
      'SGD',
      'S000000001',
      'TFC3',
      qualifier,
      term,
      'PMID:1',
      'IDA',
      '',
      'P',
      '',
      'YAL001C',
      'protein',
      'taxon:559292',
      '20200101',
      'SGD',
      '',
      '',
    ].join('\t')
  const { rows, log } = read('gaf', ['!gaf-version: 2.2', line('GO:0006384', 'NOT|involved_in'), line('GO:12', '')])
  expect(rows).toEqual([
    {
      gene: 'S000000001',
      source: 'GO',
      term: 'GO:0006384',
      termName: null,
      evidence: 'IDA',
      qualifier: 'NOT|involved_in',
      start1: null,
      end1: null,
      line: 2,
    },
  ])
  expect(log.defects[0]).toMatchObject({ code: 'annotation-bad-term', line: 3 })
})

test('InterProScan gives signature, entry and GO terms with the residues', () => {
  const line = [
    'P1',
    'd41d8cd98f00b204e9800998ecf8427e',
    '120',
    'Pfam',
    'PF00069',
    'Protein kinase domain',
    '5',
    '110',
    '1e-30',
    'T',
    '01-01-2024',
    'IPR000719',
    'Protein kinase domain',
    'GO:0004672(InterPro)|GO:0005524',
    'Reactome:R-HSA-1',
  ].join('\t')
  const { rows } = read('interproscan', [line])
  expect(rows.map((row) => [row.source, row.term, row.start1, row.end1])).toEqual([
    ['Pfam', 'PF00069', 5, 110],
    ['InterPro', 'IPR000719', 5, 110],
    ['GO', 'GO:0004672', null, null],
    ['GO', 'GO:0005524', null, null],
    ['Reactome', 'R-HSA-1', null, null],
  ])
})

test('eggNOG-mapper columns are found by their names', () => {
  const { rows } = read('eggnog', [
    '## emapper-2.1.9',
    '#query\tseed_ortholog\tevalue\tCOG_category\tGOs\tKEGG_Pathway\tPFAMs',
    'g1\t1.a\t1e-9\tKT\tGO:0003700,GO:0006355\tko03000,map03000\tHomeobox',
  ])
  expect(rows.map((row) => `${row.source} ${row.term}`)).toEqual([
    'GO GO:0003700',
    'GO GO:0006355',
    'COG category K',
    'COG category T',
    'KEGG pathway map03000',
    'Pfam Homeobox',
  ])
})

test('tables may have a header, a name column, and several terms in a cell', () => {
  const { rows, log } = read('table', ['gene\tterm\tname', 'a\tGO:0000001\tinheritance', 'b\tX1; X2', 'c'], 'Role')
  expect(rows.map((row) => [row.gene, row.source, row.term, row.termName])).toEqual([
    ['a', 'Role', 'GO:0000001', 'inheritance'],
    ['b', 'Role', 'X1', null],
    ['b', 'Role', 'X2', null],
  ])
  expect(log.defects[0]).toMatchObject({ code: 'annotation-column-count', line: 4 })
})

test('the format is told by content before name', () => {
  expect(guessAnnotationFormat('x.txt', ['!gaf-version: 2.2'])).toBe('gaf')
  expect(
    guessAnnotationFormat('x.tsv', [['P', 'd41d8cd98f00b204e9800998ecf8427e', ...Array(11).fill('1')].join('\t')]),
  ).toBe('interproscan')
  expect(guessAnnotationFormat('x.tsv', ['a\tb'])).toBe('table')
  expect(guessAnnotationFormat('x.tsv', ['just words'])).toBeNull()
})
