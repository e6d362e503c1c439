import { describe, expect, it } from 'vitest'
import { filterRows, readFilter, sortRows } from './table-model.ts'

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

  it('leaves the rows that were given as they were', () => {
    sortRows(hits, columns, { key: 'gene', descending: true })
    expect(genes(hits)).toEqual(['YAL001C', 'YAL002W', 'YAL003W'])
  })
})

describe('filtering hits', () => {
  it('reads bounds, also in exponent form, and never lets a missing value pass one', () => {
    expect(genes(filterRows(hits, columns, { evalue: '<1e-50' }, ''))).toEqual(['YAL003W'])
    expect(genes(filterRows(hits, columns, { evalue: '<=1' }, ''))).toEqual(['YAL001C', 'YAL003W'])
  })

  it('reads a range with thousands commas', () => {
    const within = readFilter('1,000..2,000')
    expect([999, 1000, 2000, 2001].map(within)).toEqual([false, true, true, false])
  })

  it('wants every word somewhere in the row, in any case', () => {
    expect(genes(filterRows(hits, columns, {}, 'yal CHR1'))).toEqual(['YAL001C', 'YAL003W'])
  })
})
