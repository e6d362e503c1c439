import { describe, expect, it } from 'vitest'
import {
  describeTableView,
  readTableView,
  type TableView,
  tableKey,
  tablePrefix,
  writeTableView,
} from './table-address.ts'

const columns = ['gene', 'p,q', '-log10', 'has.x', 'group'].map((key) => ({ key, title: key.toUpperCase() }))
const usual: TableView = {
  sort: { key: 'p,q', descending: false },
  words: '',
  filters: {},
  hidden: new Set(['group']),
  page: 0,
  pageSize: 25,
}

/** An address after a view was written into it, as a colleague's browser takes it from a message. */
const send = (view: TableView, before = ''): URLSearchParams => {
  const query = new URLSearchParams(before)
  for (const [name, value] of Object.entries(writeTableView(query, 'k', columns, view, usual))) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  return new URL(`https://example.org/?${query}`).searchParams
}

describe('how a table is looked at, in the address', () => {
  it.each<[string, Partial<TableView>]>([
    ['another order', { sort: { key: 'gene', descending: true } }],
    ['the usual column the other way', { sort: { key: 'p,q', descending: true } }],
    ['no order', { sort: null }],
    ['a column whose key begins with the sign', { sort: { key: '-log10', descending: false } }],
    ['the same, descending', { sort: { key: '-log10', descending: true } }],
    ['words', { words: '激酶 & "kinase" + 50%' }],
    ['filters', { filters: { 'p,q': '<0.05', 'has.x': '1..5', gene: 'a=b&c' } }],
    ['columns', { hidden: new Set(['gene', 'p,q', '-log10']) }],
    ['a page', { page: 6, pageSize: 100 }],
  ])('%s comes back as it was', (_, part) => {
    const view = { ...usual, ...part }
    expect(readTableView(send(view), 'k', columns, usual)).toEqual(view)
  })

  it('nothing is written of what is usual, and what was written is taken out', () => {
    expect(send(usual).toString()).toBe('')
    const changed = send({ ...usual, words: 'x', filters: { gene: 'y' }, page: 2 }, 'assembly=R64&view.t.other.words=z')
    expect(send(usual, changed.toString()).toString()).toBe('assembly=R64&view.t.other.words=z')
  })

  it('is short: one changed order is one short parameter', () => {
    expect(`${send({ ...usual, sort: { key: 'gene', descending: true } })}`).toBe('view.t.k.sort=-gene')
  })

  it('columns that a table has not, and numbers that are none, are not taken', () => {
    const query = new URLSearchParams({
      [`${tablePrefix}k.sort`]: '-gone',
      [`${tablePrefix}k.has.gone`]: '5',
      [`${tablePrefix}k.columns`]: 'gone,%E0%A4%A',
      [`${tablePrefix}k.page`]: '-1',
      [`${tablePrefix}k.size`]: '1e9',
    })
    expect(readTableView(query, 'k', columns, usual)).toEqual(usual)
  })

  it('tables of different names have different keys, the same in every language', () => {
    const names = Array.from({ length: 2000 }, (_, at) => `assembly-${at}-effects`)
    expect(new Set(names.map(tableKey)).size).toBe(2000)
    expect(tableKey('enrichment')).toMatch(/^[0-9a-z]{1,7}$/)
  })
})

describe('the head of a file', () => {
  it('tells filter, order and how many of how many', () => {
    const view = { ...usual, words: 'ribosome', filters: { group: '3' } }
    const about = { view, columns, rows: 12, of: 250, columnsWritten: 4, total: 900 }
    expect(describeTableView({ ...about, which: 'shown' })).toEqual([
      'table: 12 of 250 rows, cut from 900; 4 of 5 columns',
      'filter: words "ribosome"; GROUP: 3',
      'sort: P,Q, ascending',
    ])
    // What was not applied is not told.
    expect(describeTableView({ ...about, which: 'all', rows: 250 })[1]).toBe('filter: none')
    expect(describeTableView({ ...about, which: 'selected', rows: 2 })[0]).toContain('selected by hand')
  })
})
