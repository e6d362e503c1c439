import { expect, it } from 'vitest'
import { mainColumns } from './main-columns.ts'

const keys = (columns: readonly { key: string }[]): string[] => columns.map(({ key }) => key)
const genes = [
  { key: 'gene' },
  { key: 'description', long: true },
  { key: 'chromosome' },
  { key: 'start' },
  { key: 'end' },
  { key: 'biotype' },
]

it('a narrow table of genes begins with what names them and what they are sorted by', () => {
  expect(keys(mainColumns(genes, null))).toEqual(['gene', 'description', 'chromosome'])
  expect(keys(mainColumns(genes, 'end'))).toEqual(['gene', 'description', 'end'])
  expect(keys(mainColumns(genes, 'gene'))).toEqual(['gene', 'description', 'chromosome'])
})

it('a table that says which columns it is read for shows these', () => {
  const terms = [
    { key: 'name' },
    { key: 'id' },
    { key: 'p' },
    { key: 'adjusted', main: true },
    { key: 'set', main: true },
  ]
  expect(keys(mainColumns(terms, 'adjusted'))).toEqual(['name', 'adjusted', 'set'])
})

it('a first column that names no row is left out, unless the rows are sorted by it', () => {
  const hits = [
    { key: 'rank', main: false },
    { key: 'subject', main: true },
    { key: 'bitScore' },
    { key: 'evalue', main: true },
    { key: 'length' },
  ]
  expect(keys(mainColumns(hits, null))).toEqual(['subject', 'evalue'])
  expect(keys(mainColumns(hits, 'rank'))).toEqual(['rank', 'subject', 'evalue'])
})

it('columns of numbers are as many as there is room for', () => {
  expect(
    keys(
      mainColumns(
        [...'abcdefg'].map((key) => ({ key })),
        'f',
      ),
    ),
  ).toEqual(['a', 'b', 'c', 'f'])
})

it('one column more is shown rather than left out', () => {
  expect(
    keys(
      mainColumns(
        [...'abcde'].map((key) => ({ key })),
        null,
      ),
    ),
  ).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(mainColumns([], null)).toEqual([])
})
