import { Download, ListFilter, X } from 'lucide-react'
import { type ReactNode, useContext, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { TextInput } from '../controls/field.tsx'
import { GeneSetMenu } from '../controls/gene-set-picker.tsx'
import { Menu, MenuChoices } from '../controls/menu.tsx'
import { useGathered } from '../gathered-files.ts'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { usePageReceipt } from '../tool/catalogue-receipt.ts'
import { ReceiptBelow } from '../tool/receipt.tsx'
import { gatherToolTable, type TableRoute } from '../tool/tool-route.ts'
import { usePrinting } from '../use-printing.ts'
import { downloadTable, fileName, renderTsv, type Sheet, type TableFormat } from './export.ts'
import { describeTableView, type TableView } from './table-address.ts'
import { ColumnMenu, type TableColumn, TableFrame } from './table-frame.tsx'
import { blankColumns, filterRows, findUnreadable, isNumberKind, type Sort, sortRows } from './table-model.ts'
import { useTableView } from './use-table-view.ts'

export type { TableColumn }

export interface ResultTableProps<Row> {
  columns: TableColumn<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  /** Base of the exported files' names. */
  name: string
  receipt?: Receipt
  /** Makes rows selectable and lets the selection be saved as a gene set and sent to tools. */
  gene?: (row: Row) => { id: string; assembly: string } | null
  /** Makes rows selectable without genes. */
  onSelect?: (rows: Row[]) => void
  onRow?: (row: Row) => void
  /** Told the rows that pass the filters, for what stands beside the table. */
  onPassing?: (rows: readonly Row[]) => void
  /** Key of the row to mark. */
  marked?: string | null
  initialSort?: Sort
  pageSize?: number
  /** What stands at the foot of each column, of all rows that the filters leave. */
  foot?: (column: TableColumn<Row>, rows: readonly Row[]) => ReactNode
  /** What to say when there are no rows at all: why. */
  empty?: ReactNode
  /** When the server cut the rows: how many there were. */
  total?: number
  /** Where the tool gives all rows, `of` of them, when these are the first or some. */
  whole?: TableRoute & { of: number }
  label: string
  /** Fewer controls, for the numbers behind a figure. */
  plain?: boolean
}

const pageSizes = [25, 50, 100, 500]
/** Rows that are printed at most: of more, the file is what is wanted. */
const printedRows = 200

const formats = ['tsv', 'csv', 'xlsx'] as const
type RowChoice = 'shown' | 'all' | 'selected'

/**
 * The one table of results: sorts, filters by words and by column, chooses columns, selects rows over all pages, and
 * exports the rows and columns that the reader chooses with the receipt, the filter and the order. How it is looked at stands
 * in the address. Rows are paged, so that 100,000 of them do not reach the document at once.
 */
export const ResultTable = <Row,>({
  columns,
  rows,
  rowKey,
  name,
  receipt,
  gene,
  onSelect,
  onRow,
  onPassing,
  marked,
  initialSort,
  pageSize: firstPageSize = 25,
  foot,
  empty,
  total,
  whole,
  label,
  plain = false,
}: ResultTableProps<Row>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const usual: TableView = {
    sort: initialSort ?? null,
    words: '',
    filters: {},
    hidden: new Set(columns.filter((column) => column.hidden).map((column) => column.key)),
    page: 0,
    pageSize: firstPageSize,
  }
  const [view, change] = useTableView(name, columns, usual, plain)
  const { sort, words, filters, page, pageSize } = view
  // Not in the address: other rows have other empty columns.
  const blank = useMemo(() => new Set(blankColumns(columns, rows)), [columns, rows])
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set())
  const hidden = useMemo(
    () => new Set([...view.hidden, ...[...blank].filter((key) => !revealed.has(key))]),
    [view.hidden, blank, revealed],
  )
  const hide = (next: ReadonlySet<string>): void => {
    setRevealed(new Set([...blank].filter((key) => !next.has(key))))
    change({ hidden: new Set([...next].filter((key) => !blank.has(key) || view.hidden.has(key))) })
  }
  const [filtersOpen, setFiltersOpen] = useState(false)
  const filtering = filtersOpen || Object.values(filters).some((typed) => typed !== '')
  const [rowChoice, setRowChoice] = useState<RowChoice>('shown')
  const [columnChoice, setColumnChoice] = useState<'shown' | 'all'>('all')
  const below = useContext(ReceiptBelow)
  const pageReceipt = usePageReceipt(label)
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const selectable = gene !== undefined || onSelect !== undefined

  const lateWords = useDeferredValue(words)
  const lateFilters = useDeferredValue(filters)
  const passing = useMemo(
    () => filterRows(rows, columns, lateFilters, lateWords),
    [rows, columns, lateFilters, lateWords],
  )
  const unreadable = findUnreadable(columns, filters)
  useEffect(() => onPassing?.(passing), [passing, onPassing])
  const ordered = useMemo(() => sortRows(passing, columns, sort), [passing, columns, sort])
  const shownColumns = columns.filter((column) => !hidden.has(column.key))
  const pages = Math.max(1, Math.ceil(ordered.length / pageSize))
  const at = Math.min(page, pages - 1)
  // A print cannot be paged.
  const shown = usePrinting() ? ordered.slice(0, printedRows) : ordered.slice(at * pageSize, (at + 1) * pageSize)
  const selectedRows = useMemo(
    () => (selected.size === 0 ? [] : rows.filter((row) => selected.has(rowKey(row)))),
    [rows, rowKey, selected],
  )

  const select = (next: Set<string>): void => {
    setSelected(next)
    onSelect?.(rows.filter((row) => next.has(rowKey(row))))
  }

  // What was picked by hand may be unpicked again while the menu remembers it.
  const rowsOf: RowChoice = rowChoice === 'selected' && selectedRows.length === 0 ? 'shown' : rowChoice
  const sheetOf = (which: RowChoice, written: typeof columns): Sheet => {
    const from = which === 'shown' ? ordered : sortRows(which === 'selected' ? selectedRows : rows, columns, sort)
    return {
      columns: written.map((column) => column.title),
      rows: from.map((row) => written.map((column) => column.value(row))),
      receipt: receipt ?? below ?? pageReceipt(),
      notes: describeTableView({
        view: {
          ...view,
          filters: Object.fromEntries(Object.entries(filters).filter(([key]) => !unreadable.has(key))),
        },
        columns,
        rows: from.length,
        of: rows.length,
        which,
        columnsWritten: written.length,
        total,
      }),
    }
  }
  const download = (format: TableFormat): Promise<void> =>
    downloadTable(sheetOf(rowsOf, columnChoice === 'shown' ? shownColumns : columns), name, format)
  useGathered(async () => {
    if (rows.length === 0) return null
    const of = Math.max(total ?? 0, whole?.of ?? 0, rows.length)
    const about = { name: fileName(name), shown: rows.length, of }
    const all = whole === undefined || of === rows.length ? null : await gatherToolTable(whole, about)
    return all?.table == null
      ? { name: about.name, table: renderTsv(sheetOf('all', columns)), rows: rows.length, of }
      : all
  })

  const clearFilters = (): void => change({ filters: {}, words: '', page: 0 })

  if (rows.length === 0) return <>{empty ?? <EmptyState title={t('table.empty')} />}</>

  // A handful of rows behind a figure needs no filters over it.
  const few = plain && rows.length <= 10
  const allPassing = ordered.length > 0 && ordered.every((row) => selected.has(rowKey(row)))
  const genes = gene === undefined ? [] : selectedRows.flatMap((row) => gene(row) ?? [])

  return (
    <TableFrame
      label={label}
      plain={plain}
      columns={shownColumns}
      rows={shown}
      rowKey={rowKey}
      sort={sort}
      onSort={(key) =>
        change({
          page: 0,
          sort: sort?.key !== key ? { key, descending: false } : sort.descending ? null : { key, descending: true },
        })
      }
      selection={
        selectable
          ? {
              selected,
              all: allPassing,
              allLabel: t('table.selectAll'),
              onAll: (on) => select(on ? new Set(ordered.map(rowKey)) : new Set()),
              onSelect: (key, on) => {
                const next = new Set(selected)
                if (on) next.add(key)
                else next.delete(key)
                select(next)
              },
            }
          : undefined
      }
      onRow={onRow}
      marked={marked}
      filter={
        filtering
          ? (column) => {
              const wrong = unreadable.get(column.key)
              return (
                <>
                  <TextInput
                    aria-label={t('table.filterColumn', { column: column.title })}
                    aria-invalid={wrong === undefined ? undefined : true}
                    placeholder={isNumberKind(column.kind) ? t('table.filterNumber') : t('table.filterText')}
                    value={filters[column.key] ?? ''}
                    onChange={(event) => {
                      const { [column.key]: _, ...others } = filters
                      const typed = event.target.value
                      // The row of boxes stays open while a filter is emptied to be typed anew.
                      setFiltersOpen(true)
                      change({ filters: typed === '' ? others : { ...filters, [column.key]: typed }, page: 0 }, true)
                    }}
                  />
                  {wrong === undefined ? null : (
                    <p className="nv-field-problem" role="alert">
                      {t('table.filterUnreadable', { text: wrong.slice(0, 40) })}
                    </p>
                  )}
                </>
              )
            }
          : undefined
      }
      foot={foot === undefined || ordered.length === 0 ? undefined : (column) => foot(column, ordered)}
      none={
        <EmptyState
          title={t('table.none')}
          why={t('table.noneWhy', { total: rows.length })}
          action={<Button onClick={clearFilters}>{t('table.clear')}</Button>}
        />
      }
      pages={
        ordered.length > Math.min(pageSizes[0]!, firstPageSize)
          ? {
              page: at + 1,
              pages,
              onPage: (next) => change({ page: next - 1 }),
              size: {
                value: pageSize,
                sizes: [...new Set([firstPageSize, ...pageSizes])].sort((a, b) => a - b),
                onSize: (size) => change({ pageSize: size, page: 0 }),
              },
            }
          : null
      }
      bar={
        <>
          <span className="nv-table-count">
            {ordered.length === rows.length
              ? t('table.rows', { count: rows.length })
              : t('table.rowsOf', { shown: format.number(ordered.length), total: format.number(rows.length) })}
            {total !== undefined && total > rows.length ? (
              <strong className="nv-warn">
                {' '}
                {t('table.truncated', { shown: format.number(rows.length), total: format.number(total) })}
              </strong>
            ) : null}
          </span>
          {selected.size > 0 ? (
            <span className="nv-table-selection">
              <strong>{t('table.selected', { count: selected.size })}</strong>
              {gene === undefined ? null : <GeneSetMenu genes={genes} look="primary" />}
              <Button
                size="small"
                look="quiet"
                aria-label={t('table.clearSelection')}
                title={t('table.clearSelection')}
                icon={<X size={14} aria-hidden />}
                onClick={() => select(new Set())}
              />
            </span>
          ) : null}
          <span className="nv-table-tools">
            {few ? null : (
              <>
                <TextInput
                  type="search"
                  className="nv-table-words"
                  placeholder={t('table.filter')}
                  aria-label={t('table.filter')}
                  value={words}
                  onChange={(event) => change({ words: event.target.value, page: 0 }, true)}
                />
                <Button
                  size="small"
                  look="quiet"
                  aria-pressed={filtering}
                  aria-label={t('table.filters')}
                  title={t('table.filters')}
                  icon={<ListFilter size={15} aria-hidden />}
                  onClick={() => {
                    // A closed row of boxes filters nothing that cannot be seen.
                    if (filtering) change({ filters: {}, page: 0 })
                    setFiltersOpen(!filtering)
                  }}
                />
              </>
            )}
            {few && usual.hidden.size === 0 && blank.size === 0 ? null : (
              <ColumnMenu columns={columns} hidden={hidden} onHidden={hide} />
            )}
            <Menu
              size="small"
              look="quiet"
              icon={<Download size={15} aria-hidden />}
              label={t('table.export')}
              items={formats.map((which) => ({
                key: which,
                label: which.toUpperCase(),
                run: () => void download(which),
              }))}
              top={
                <>
                  <MenuChoices<RowChoice>
                    label={t('table.exportRows')}
                    value={rowsOf}
                    options={[
                      { value: 'shown', label: t('table.exportRowsShown', { count: ordered.length }) },
                      { value: 'all', label: t('table.exportRowsAll', { count: rows.length }) },
                      ...(selectedRows.length === 0
                        ? []
                        : [
                            {
                              value: 'selected' as const,
                              label: t('table.exportRowsSelected', { count: selectedRows.length }),
                            },
                          ]),
                    ]}
                    onChoose={setRowChoice}
                  />
                  <MenuChoices<'shown' | 'all'>
                    label={t('table.exportColumns')}
                    value={columnChoice}
                    options={[
                      { value: 'shown', label: t('table.exportColumnsShown', { count: shownColumns.length }) },
                      { value: 'all', label: t('table.exportColumnsAll', { count: columns.length }) },
                    ]}
                    onChoose={setColumnChoice}
                  />
                </>
              }
            />
          </span>
        </>
      }
    />
  )
}
