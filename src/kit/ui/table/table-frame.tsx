import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, Columns3 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { Checkbox, Select } from '../controls/field.tsx'
import { Menu } from '../controls/menu.tsx'
import { ScrollBox } from '../controls/scroll-box.tsx'
import { RegionText } from '../gene/region-text.tsx'
import { type NamedSequence, RoleOf } from '../gene/sequence-name.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { phone, useMedia } from '../use-media.ts'
import { usePrinting } from '../use-printing.ts'
import { mainColumns } from './main-columns.ts'
import type { CellValue, Sort } from './table-model.ts'

/** Up to so many decimals every number of a column has them all. */
const fixedDigits = 3

export interface TableColumn<Row> {
  key: string
  title: string
  /** The value that is sorted, filtered and exported, whole and unrounded. */
  value: (row: Row) => CellValue
  /** What rows are ordered by where the value cannot tell them apart: a p-value below the least number there is. */
  order?: (row: Row) => CellValue
  /** The sequence that the cell names: a role that it has is said beside it, and stays out of files. */
  on?: (row: Row) => NamedSequence | null
  /** How the cell looks when it is more than its value. */
  render?: (row: Row) => ReactNode
  /**
   * `number` grouped and right; `pValue`, and `statistic` for E-values and the like; `id` monospaced; `region` for places such as
   * `chr1:1000..2000`, whose numbers are grouped where they are shown; `symbol` italic; `text` the rest.
   */
  kind?: 'text' | 'number' | 'statistic' | 'pValue' | 'id' | 'region' | 'symbol'
  /** Sentences: the column keeps a reading width, and a cell shows its first lines, the whole on hover. */
  long?: boolean
  /** Decimals of a `number`: all of them, or where they are more than three as many as it has. */
  digits?: number
  /** Not shown at first; still exported and to be had under "columns". */
  hidden?: boolean
  /**
   * Shown on a phone, too, beside what names the row and what the rows are sorted by: the values that the table is read for. `false` of
   * the first column: it does not name the row.
   */
  main?: boolean
  /** Explains the column on hover, for what a heading cannot say. */
  help?: string
}

/** Characters of a text that is not broken over lines. */
const shortText = 24

/** Which page of rows is shown; 1 is the first. */
export interface TablePages {
  page: number
  pages: number
  onPage: (page: number) => void
  /** Rows a page, when the reader may choose. */
  size?: { value: number; sizes: readonly number[]; onSize: (size: number) => void }
}

/** Back, forward, and how many rows a page has; `of` tells pagers of one page apart: under every table that does not show all rows at once. */
export const Pager = ({ page, pages, onPage, size, of }: TablePages & { of?: string | undefined }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  return (
    <nav className="nv-table-foot" aria-label={of === undefined ? t('table.pages') : t('table.pagesOf', { of })}>
      {pages === 1 ? null : (
        <>
          <Button
            size="small"
            look="quiet"
            disabled={page <= 1}
            aria-label={t('table.previous')}
            icon={<ChevronLeft size={16} aria-hidden />}
            onClick={() => onPage(page - 1)}
          />
          <span>{t('table.page', { page: format.number(page), pages: format.number(pages) })}</span>
          <Button
            size="small"
            look="quiet"
            disabled={page >= pages}
            aria-label={t('table.next')}
            icon={<ChevronRight size={16} aria-hidden />}
            onClick={() => onPage(page + 1)}
          />
        </>
      )}
      {size === undefined ? null : (
        <Select
          aria-label={t('table.pageSize')}
          value={String(size.value)}
          options={size.sizes.map((one) => ({ value: String(one), label: `${one}` }))}
          onChoose={(one) => size.onSize(Number(one))}
        />
      )}
    </nav>
  )
}

/** From so many columns on, all are chosen or left out at once. */
const manyColumns = 12

/** The menu of a table's columns; `children` are further choices, such as columns that have to be asked for. */
export const ColumnMenu = <Row,>({
  columns,
  hidden,
  onHidden,
  children,
}: {
  columns: TableColumn<Row>[]
  hidden: ReadonlySet<string>
  onHidden: (hidden: Set<string>) => void
  children?: ReactNode
}): ReactNode => {
  const t = useText(messages)
  return (
    <Menu size="small" look="quiet" icon={<Columns3 size={15} aria-hidden />} title={t('table.columns')} items={[]}>
      {() => (
        <div className="nv-menu-checks">
          {columns.length < manyColumns ? null : (
            <Checkbox
              checked={!columns.some(({ key }) => hidden.has(key))}
              onCheck={(checked) => onHidden(new Set(checked ? [] : columns.slice(1).map(({ key }) => key)))}
            >
              {t('table.everyColumn')}
            </Checkbox>
          )}
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              checked={!hidden.has(column.key)}
              onCheck={(checked) => {
                const next = new Set(hidden)
                if (checked) next.delete(column.key)
                else next.add(column.key)
                onHidden(next)
              }}
            >
              {column.title}
            </Checkbox>
          ))}
          {children}
        </div>
      )}
    </Menu>
  )
}

export interface TableSelection {
  selected: ReadonlySet<string>
  onSelect: (key: string, on: boolean) => void
  /** All rows that the head's box stands for. */
  all: boolean
  onAll: (on: boolean) => void
  /** What the head's box chooses. */
  allLabel: string
}

export interface TableFrameProps<Row> {
  label: string
  /** The columns shown, in their order. */
  columns: TableColumn<Row>[]
  /** The rows of this page, in their order. */
  rows: Row[]
  rowKey: (row: Row) => string
  sort: Sort | null
  onSort: (key: string) => void
  /** Keys of the columns that can be sorted by; all when absent. */
  sortable?: ReadonlySet<string>
  selection?: TableSelection
  onRow?: (row: Row) => void
  marked?: string | null
  /** A second row of the head, with a cell for each column. */
  filter?: (column: TableColumn<Row>) => ReactNode
  /** What stands at the foot of each column; nothing for those that have nothing to sum up. */
  foot?: ((column: TableColumn<Row>) => ReactNode) | undefined
  /** Stands under the head when there is no row. */
  none?: ReactNode
  /** The line above: count, selection, tools. */
  bar: ReactNode
  pages?: TablePages | null
  busy?: boolean
  plain?: boolean
}

/** A table as the reader sees it: head, rows, boxes and pager. Where rows come from, and in which order, is its owner's. */
export const TableFrame = <Row,>({
  label,
  columns: allColumns,
  rows,
  rowKey,
  sort,
  onSort,
  sortable,
  selection,
  onRow,
  marked,
  filter,
  foot,
  none,
  bar,
  pages,
  busy,
  plain = false,
}: TableFrameProps<Row>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const narrow = useMedia(phone)
  const [whole, setWhole] = useState(false)
  const main = mainColumns(allColumns, sort?.key ?? null)
  const columns = narrow && !whole ? main : allColumns
  // A column that the reader has just chosen is shown.
  const keys = allColumns.map(({ key }) => key).join()
  const chosenKeys = useRef(keys)
  useEffect(() => {
    if (chosenKeys.current !== keys) setWhole(true)
    chosenKeys.current = keys
  }, [keys])

  // Browsers repeat the head of a table on each sheet, unless it has buttons or fields.
  const printing = usePrinting()

  const cell = (column: TableColumn<Row>, row: Row): ReactNode => {
    const named = column.on?.(row) ?? null
    if (named === null) return content(column, row)
    return (
      <>
        {content(column, row)}
        <RoleOf {...named} />
      </>
    )
  }
  const content = (column: TableColumn<Row>, row: Row): ReactNode => {
    if (column.render !== undefined) return column.render(row)
    const value = column.value(row)
    if (value === null || value === undefined || value === '') return <span className="nv-none">–</span>
    if (typeof value === 'number') {
      if (column.kind === 'pValue') return format.pValue(value)
      if (column.kind === 'statistic') return format.statistic(value)
      const { digits = 0 } = column
      // Numbers below each other are compared by their decimals; of very fine ones most would be noughts.
      return digits <= fixedDigits ? format.fixed(value, digits) : format.number(value, digits)
    }
    const text = String(value)
    if (column.kind === 'region') return <RegionText>{format.places(text)}</RegionText>
    return column.long === true ? (
      <span className="nv-cell-lines" title={text}>
        {text}
      </span>
    ) : (
      text
    )
  }
  const classOf = (column: TableColumn<Row>, row?: Row): string => {
    const kind = column.kind === 'pValue' ? 'statistic' : (column.kind ?? 'text')
    if (column.long === true) return `nv-cell-${kind} nv-cell-long`
    if (kind !== 'text' || row === undefined) return `nv-cell-${kind}`
    // A few words stay on one line; the column is as wide as they are. Chinese would break at every character.
    return `nv-cell-text ${String(column.value(row) ?? '').length <= shortText ? 'nv-cell-short' : 'nv-cell-words'}`
  }

  // A head over no rows names what is not there; the filters in it may be what hides the rows.
  const isBare = rows.length === 0 && none !== undefined && filter === undefined

  return (
    <div className={`nv-table${plain ? ' nv-table-plain' : ''}`} aria-busy={busy}>
      <div className="nv-table-bar">
        {bar}
        {narrow && rows.length > 0 && main.length < allColumns.length ? (
          <Button
            size="small"
            look="quiet"
            icon={<Columns3 size={14} aria-hidden />}
            aria-pressed={whole}
            onClick={() => setWhole(!whole)}
          >
            {whole ? t('table.mainColumns') : t('table.allColumns', { shown: main.length, count: allColumns.length })}
          </Button>
        ) : null}
      </div>
      <ScrollBox className="nv-table-scroll" label={label}>
        <table hidden={isBare}>
          <thead>
            <tr>
              {selection === undefined ? null : (
                <th className="nv-cell-check" scope="col">
                  <Checkbox
                    label={selection.allLabel}
                    checked={selection.all}
                    indeterminate={!selection.all && selection.selected.size > 0}
                    onCheck={selection.onAll}
                  />
                </th>
              )}
              {columns.map((column) => {
                const sorted = sort?.key === column.key
                return (
                  <th
                    key={column.key}
                    scope="col"
                    className={classOf(column)}
                    aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
                  >
                    {sortable?.has(column.key) === false || printing ? (
                      <span title={column.help}>{column.title}</span>
                    ) : (
                      <button
                        type="button"
                        title={column.help ?? t('table.sort', { column: column.title })}
                        onClick={() => onSort(column.key)}
                      >
                        {column.title}
                        {sorted ? (
                          sort.descending ? (
                            <ArrowDown size={13} aria-hidden />
                          ) : (
                            <ArrowUp size={13} aria-hidden />
                          )
                        ) : null}
                      </button>
                    )}
                  </th>
                )
              })}
            </tr>
            {filter === undefined || printing ? null : (
              <tr className="nv-table-filters">
                {selection === undefined ? null : <td />}
                {columns.map((column) => (
                  <td key={column.key}>{filter(column)}</td>
                ))}
              </tr>
            )}
          </thead>
          <tbody>
            {rows.map((row) => {
              const key = rowKey(row)
              const chosen = selection?.selected.has(key) === true
              return (
                <tr
                  key={key}
                  className={`${chosen ? 'nv-row-selected' : ''}${marked === key ? ' nv-row-marked' : ''}${onRow === undefined ? '' : ' nv-row-link'}`}
                  onClick={onRow === undefined ? undefined : () => onRow(row)}
                >
                  {selection === undefined ? null : (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on the box from opening the row.
                    <td className="nv-cell-check" onClick={(event) => event.stopPropagation()}>
                      <Checkbox
                        label={t('table.selectRow')}
                        checked={chosen}
                        onCheck={(checked) => selection.onSelect(key, checked)}
                      />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td key={column.key} className={classOf(column, row)}>
                      {cell(column, row)}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
          {foot === undefined ? null : (
            <tfoot>
              <tr>
                {selection === undefined ? null : <td />}
                {columns.map((column) => (
                  <td key={column.key} className={classOf(column)}>
                    {foot(column)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
        {rows.length === 0 ? none : null}
      </ScrollBox>
      {pages === undefined || pages === null || (pages.pages === 1 && pages.size === undefined) ? null : (
        <Pager {...pages} of={label} />
      )}
    </div>
  )
}
