import { describe, expect, it } from 'vitest'
import { blankColumns, type CellValue, filterRows, findUnreadable, readFilter, sortRows } from './table-model.ts'

interface Hit {
  gene: string
  chromosome: string
  evalue: number | null
}
const hits: Hit[] = [
  { gene: 'YAL001C', chromosome: 'chr10', evalue: 1e-5 },
  { gene: 'YAL002W', chromosome: 'chr2', evalue: null },
  { gene: 'YAL003W', chromosome: 'chr1', evalue: 1e-120 },
]
const columns = [
  { key: 'gene', value: (hit: Hit) => hit.gene },
  { key: 'chromosome', value: (hit: Hit) => hit.chromosome },
  { key: 'evalue', value: (hit: Hit) => hit.evalue },
]
const genes = (rows: Hit[]): string[] => rows.map((row) => row.gene)

describe('columns of places', () => {
  const places = ['chr1:2969989..2980970', 'chr10:12969989..12980970', null]
  const place = { key: 'place', kind: 'region', value: (row: string | null) => row }

  it('are filtered by what is read on the screen, and by what files say', () => {
    for (const typed of ['chr1:2,969,989..2,980,970', 'CHR1:2969989', 'r1:2,969,989'])
      expect(filterRows(places, [place], { place: typed }, ''), typed).toEqual(places.slice(0, 1))
    expect(filterRows(places, [place], {}, '2,969,989')).toEqual(places.slice(0, 2))
    expect(filterRows(places, [place], { place: '1..2' }, '')).toEqual([])
  })
})

describe('columns without a value', () => {
  const evalue = { key: 'evalue', value: (hit: Hit) => hit.evalue }

  it('are those that are empty in every row', () => {
    expect(blankColumns(columns, hits)).toEqual([])
    expect(blankColumns(columns, [hits[1]!])).toEqual(['evalue'])
    expect(blankColumns(columns, [])).toEqual([])
  })

  it('are not those that draw something themselves', () => {
    expect(blankColumns([{ ...evalue, render: () => 'map' }], [hits[1]!])).toEqual([])
  })
})

describe('sorting hits', () => {
  it('puts chr2 before chr10', () => {
    expect(sortRows(hits, columns, { key: 'chromosome', descending: false }).map((row) => row.chromosome)).toEqual([
      'chr1',
      'chr2',
      'chr10',
    ])
  })

  it('orders e-values by size, with missing ones last either way', () => {
    expect(genes(sortRows(hits, columns, { key: 'evalue', descending: false }))).toEqual([
      'YAL003W',
      'YAL001C',
      'YAL002W',
    ])
    expect(genes(sortRows(hits, columns, { key: 'evalue', descending: true }))).toEqual([
      'YAL001C',
      'YAL003W',
      'YAL002W',
    ])
  })

  it('follows the order of a column that has one of its own', () => {
    const zero = { key: 'p', value: () => 0, order: (hit: Hit) => -hit.gene.charCodeAt(5) }
    expect(genes(sortRows(hits, [zero], { key: 'p', descending: false }))).toEqual(['YAL003W', 'YAL002W', 'YAL001C'])
  })

  it('leaves the rows that were given as they were', () => {
    sortRows(hits, columns, { key: 'gene', descending: true })
    expect(genes(hits)).toEqual(['YAL001C', 'YAL002W', 'YAL003W'])
  })
})

describe('filtering hits', () => {
  const passing = <Value extends CellValue>(typed: string, values: Value[], numbers = false): Value[] => {
    const read = readFilter(typed, numbers)
    return read.ok ? values.filter(read.test) : []
  }

  it('finds what is empty, what is not, and what a text is not in', () => {
    const states = ['intact', 'absent', null, '']
    expect(passing('–', states)).toEqual([null, ''])
    expect(passing('!–', states)).toEqual(['intact', 'absent'])
    expect(passing('!intact', states)).toEqual(['absent', null, ''])
    expect(passing('!0', [0, 1, null], true)).toEqual([1, null])
    expect(passing('-', ['+', '-', null])).toEqual(['-', null])
    expect(passing('!', ['a!', 'b'])).toEqual(['a!'])
  })

  it('reads bounds, also in exponent form, and never lets a missing value pass one', () => {
    expect(genes(filterRows(hits, columns, { evalue: '<1e-50' }, ''))).toEqual(['YAL003W'])
    expect(genes(filterRows(hits, columns, { evalue: '<=1' }, ''))).toEqual(['YAL001C', 'YAL003W'])
  })

  it('reads a range with thousands commas', () => {
    expect(passing('1,000..2,000', [999, 1000, 2000, 2001])).toEqual([1000, 2000])
    expect(passing('2,000..1000', [999, 1000, 2000, 2001])).toEqual([1000, 2000])
  })

  it.each([
    ['<1,000', [999]],
    ['>= 1,000,000.5', [2e6]],
    ['＜１，０００', [999]],
    ['≥1000', [1000, 12_345, 2e6]],
    ['=12,345', [12_345]],
    ['12,345', [12_345]],
    ['-.5..1e3', [999, 1000]],
  ])('reads %j as numbers', (typed, expected) => {
    expect(passing(typed, [999, 1000, 12_345, 2e6], true)).toEqual(expected)
  })

  it.each([
    ['<0,05', '0,05', false],
    ['12,34..99999', '12,34', false],
    ['1..9,99', '9,99', false],
    ['>1.000.000', '1.000.000', false],
    ['=1,0000', '1,0000', false],
    ['1,5', '1,5', true],
    ['<', '<', true],
    ['< few', 'few', true],
    ['10..', '10..', true],
    ['none', 'none', true],
  ])('cannot read %j, tells it and hides no row by it', (typed, unreadable, numbers) => {
    expect(readFilter(typed, numbers)).toEqual({ ok: false, unreadable })
    const table = columns.map((column) => ({ ...column, kind: numbers && column.key === 'evalue' ? 'number' : 'text' }))
    expect([...findUnreadable(table, { evalue: typed })]).toEqual([['evalue', unreadable]])
    expect(filterRows(hits, table, { evalue: typed }, '')).toEqual(hits)
  })

  it('leaves text that only looks like a filter to columns of text', () => {
    expect(passing('<i>', ['a <I>b</I>', 'c'])).toEqual(['a <I>b</I>'])
    expect(passing('a..b', ['x a..b', 'ab'])).toEqual(['x a..b'])
    expect(passing('a,b', ['A,B', 'ab'])).toEqual(['A,B'])
    expect(passing('1,5', ['1,5-anhydro', '15'])).toEqual(['1,5-anhydro'])
  })

  it('wants every word somewhere in the row, in any case', () => {
    expect(genes(filterRows(hits, columns, {}, 'yal CHR1'))).toEqual(['YAL001C', 'YAL003W'])
  })
})
