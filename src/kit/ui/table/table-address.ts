import { viewPrefix } from '../address-values.ts'
import type { Sort } from './table-model.ts'

/** How a reader looks at a table: what a copied link has to carry so that somebody else sees the same rows. */
export interface TableView {
  sort: Sort | null
  /** Words that every row has to hold. */
  words: string
  /** What is typed over columns, by their keys; none is empty. */
  filters: Record<string, string>
  /** Keys of columns that are not shown. */
  hidden: ReadonlySet<string>
  /** From 0. */
  page: number
  pageSize: number
}

/** Parameters of the address that belong to tables: a new question begins with whole tables. */
export const tablePrefix = `${viewPrefix}t.`

/** A short name for a table out of the name of its files, the same in every language. FNV-1a, 32 bits. */
export const tableKey = (name: string): string => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(36)
}

const listOf = (keys: Iterable<string>): string =>
  [...keys].map((key) => key.replace(/[%,]/g, encodeURIComponent)).join(',')

const readList = (text: string): string[] =>
  text
    .split(',')
    .filter((key) => key !== '')
    .map((key) => {
      try {
        return decodeURIComponent(key)
      } catch {
        return key
      }
    })

const whole = (text: string | null, min: number, max: number): number | null => {
  const number = Number(text)
  return text !== null && /^\d{1,7}$/.test(text) && number >= min && number <= max ? number : null
}

/** Longest text of a filter that is taken from an address. */
const longestFilter = 500

/**
 * The view of a table that an address tells of; where it says nothing, or names no column of the table, what the table begins with.
 * Parameters: `sort` (a column, `-` before it when descending; empty for none), `words`, `has.COLUMN`, `columns` (those shown that
 * usually are not, and the reverse), `page` from 1, `size`.
 */
export const readTableView = (
  query: URLSearchParams,
  table: string,
  columns: readonly { key: string }[],
  usual: TableView,
): TableView => {
  const prefix = `${tablePrefix}${table}.`
  const known = new Set(columns.map(({ key }) => key))
  const sort = query.get(`${prefix}sort`)
  const sortKey = sort?.replace(/^-/, '') ?? ''
  // A key may itself begin with the sign.
  const exact = sort !== null && known.has(sort)
  const filters: Record<string, string> = { ...usual.filters }
  for (const [name, value] of query)
    if (name.startsWith(`${prefix}has.`)) {
      const key = name.slice(prefix.length + 4)
      if (known.has(key)) filters[key] = value.slice(0, longestFilter)
    }
  const hidden = new Set(usual.hidden)
  for (const key of readList(query.get(`${prefix}columns`) ?? ''))
    if (known.has(key)) {
      if (hidden.has(key)) hidden.delete(key)
      else hidden.add(key)
    }
  return {
    sort:
      sort === null
        ? usual.sort
        : sort === ''
          ? null
          : exact
            ? { key: sort, descending: false }
            : known.has(sortKey)
              ? { key: sortKey, descending: true }
              : usual.sort,
    words: (query.get(`${prefix}words`) ?? usual.words).slice(0, longestFilter),
    filters,
    hidden,
    page: (whole(query.get(`${prefix}page`), 1, 9_999_999) ?? usual.page + 1) - 1,
    pageSize: whole(query.get(`${prefix}size`), 1, 1000) ?? usual.pageSize,
  }
}

/** What to write into the address for a view: only what differs from what the table begins with; null takes a parameter out. */
export const writeTableView = (
  query: URLSearchParams,
  table: string,
  columns: readonly { key: string }[],
  view: TableView,
  usual: TableView,
): Record<string, string | null> => {
  const prefix = `${tablePrefix}${table}.`
  const values: Record<string, string | null> = {}
  for (const name of query.keys()) if (name.startsWith(prefix)) values[name] = null
  const put = (name: string, value: string): void => {
    values[`${prefix}${name}`] = value
  }
  if (view.sort?.key !== usual.sort?.key || view.sort?.descending !== usual.sort?.descending)
    put('sort', view.sort === null ? '' : `${view.sort.descending ? '-' : ''}${view.sort.key}`)
  if (view.words.trim() !== usual.words) put('words', view.words)
  for (const [key, value] of Object.entries(view.filters)) if (value.trim() !== '') put(`has.${key}`, value)
  const changed = columns.filter(({ key }) => view.hidden.has(key) !== usual.hidden.has(key)).map(({ key }) => key)
  if (changed.length > 0) put('columns', listOf(changed))
  if (view.page !== usual.page) put('page', String(view.page + 1))
  if (view.pageSize !== usual.pageSize) put('size', String(view.pageSize))
  return values
}

/** A view in words, a line each, for the head of a file: which rows of how many, after which filter, in which order. */
export const describeTableView = (about: {
  view: Pick<TableView, 'sort' | 'words' | 'filters'>
  columns: readonly { key: string; title: string }[]
  rows: number
  of: number
  /** Whether the filters were applied to the rows, or rows were picked by hand. */
  which: 'all' | 'shown' | 'selected'
  columnsWritten: number
  /** Rows there were before the server cut them. */
  total?: number | undefined
}): string[] => {
  const titleOf = (key: string): string => about.columns.find((column) => column.key === key)?.title ?? key
  const { sort, words, filters } = about.view
  const filter = [
    ...(words.trim() === '' ? [] : [`words "${words.trim()}"`]),
    ...Object.entries(filters)
      .filter(([, value]) => value.trim() !== '')
      .map(([key, value]) => `${titleOf(key)}: ${value.trim()}`),
  ]
  const applied = about.which === 'shown' && filter.length > 0 ? filter.join('; ') : 'none'
  return [
    `table: ${about.rows} of ${about.of} rows${about.which === 'selected' ? ' (selected by hand)' : ''}${
      about.total !== undefined && about.total > about.of ? `, cut from ${about.total}` : ''
    }; ${about.columnsWritten} of ${about.columns.length} columns`,
    `filter: ${applied}`,
    `sort: ${sort === null ? 'as computed' : `${titleOf(sort.key)}, ${sort.descending ? 'descending' : 'ascending'}`}`,
  ]
}
