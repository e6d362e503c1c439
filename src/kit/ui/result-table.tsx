import { Download, ListFilter, X } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { Receipt } from '../../contracts/receipt.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { downloadTable, type TableFormat } from './export.ts'
import { TextInput } from './field.tsx'
import { GeneSetMenu } from './gene-set-picker.tsx'
import { useFormat, useText } from './language.tsx'
import { Menu } from './menu.tsx'
import { messages } from './messages.ts'
import { ColumnMenu, type TableColumn, TableFrame } from './table-frame.tsx'
import { filterRows, type Sort, sortRows } from './table-model.ts'

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
  /** Key of the row to mark. */
  marked?: string | null
  initialSort?: Sort
  pageSize?: number
  /** What to say when there are no rows at all: why. */
  empty?: ReactNode
  /** When the server cut the rows: how many there were. */
  total?: number
  label: string
  /** Fewer controls, for the numbers behind a figure. */
  plain?: boolean
}

const pageSizes = [25, 50, 100, 500]

/**
 * The one table of results: sorts, filters by words and by column, chooses columns, selects rows over all pages, and
 * exports every row and column (not only what is shown) with the receipt. Rows are paged, so that 100,000 of them do
 * not reach the document at once.
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
  marked,
  initialSort,
  pageSize: firstPageSize = 25,
  empty,
  total,
  label,
  plain = false,
}: ResultTableProps<Row>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [sort, setSort] = useState<Sort | null>(initialSort ?? null)
  const [words, setWords] = useState('')
  const [filters, setFilters] = useState<Record<string, string>>({})
  const [filtering, setFiltering] = useState(false)
  const [hidden, setHidden] = useState<Set<string>>(
    () => new Set(columns.filter((column) => column.hidden).map((column) => column.key)),
  )
  const [page, setPage] = useState(0)
  const [pageSize, setPageSize] = useState(firstPageSize)
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const selectable = gene !== undefined || onSelect !== undefined

  const lateWords = useDeferredValue(words)
  const lateFilters = useDeferredValue(filters)
  const passing = useMemo(
    () => filterRows(rows, columns, lateFilters, lateWords),
    [rows, columns, lateFilters, lateWords],
  )
  const ordered = useMemo(() => sortRows(passing, columns, sort), [passing, columns, sort])
  const shownColumns = columns.filter((column) => !hidden.has(column.key))
  const pages = Math.max(1, Math.ceil(ordered.length / pageSize))
  const at = Math.min(page, pages - 1)
  const shown = ordered.slice(at * pageSize, (at + 1) * pageSize)
  const selectedRows = useMemo(
    () => (selected.size === 0 ? [] : rows.filter((row) => selected.has(rowKey(row)))),
    [rows, rowKey, selected],
  )

  const select = (next: Set<string>): void => {
    setSelected(next)
    onSelect?.(rows.filter((row) => next.has(rowKey(row))))
  }

  const download = (which: TableFormat, from: Row[]): Promise<void> =>
    downloadTable(
      {
        columns: columns.map((column) => column.title),
        rows: from.map((row) => columns.map((column) => column.value(row))),
        receipt,
      },
      name,
      which,
    )

  const clearFilters = (): void => {
    setFilters({})
    setWords('')
    setPage(0)
  }

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
      onSort={(key) => {
        setPage(0)
        setSort(sort?.key !== key ? { key, descending: false } : sort.descending ? null : { key, descending: true })
      }}
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
          ? (column) => (
              <TextInput
                aria-label={t('table.filterColumn', { column: column.title })}
                placeholder={
                  column.kind === 'number' || column.kind === 'statistic'
                    ? t('table.filterNumber')
                    : t('table.filterText')
                }
                value={filters[column.key] ?? ''}
                onChange={(event) => {
                  setFilters({ ...filters, [column.key]: event.target.value })
                  setPage(0)
                }}
              />
            )
          : undefined
      }
      none={
        <EmptyState
          title={t('table.none')}
          why={t('table.noneWhy', { total: rows.length })}
          action={<Button onClick={clearFilters}>{t('table.clear')}</Button>}
        />
      }
      pages={
        ordered.length > pageSizes[0]!
          ? {
              page: at + 1,
              pages,
              onPage: (next) => setPage(next - 1),
              size: {
                value: pageSize,
                sizes: pageSizes,
                onSize: (size) => {
                  setPageSize(size)
                  setPage(0)
                },
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
                  onChange={(event) => {
                    setWords(event.target.value)
                    setPage(0)
                  }}
                />
                <Button
                  size="small"
                  look="quiet"
                  aria-pressed={filtering}
                  aria-label={t('table.filters')}
                  title={t('table.filters')}
                  icon={<ListFilter size={15} aria-hidden />}
                  onClick={() => setFiltering(!filtering)}
                />
                <ColumnMenu columns={columns} hidden={hidden} onHidden={setHidden} />
              </>
            )}
            <Menu
              size="small"
              look="quiet"
              icon={<Download size={15} aria-hidden />}
              label={t('table.export')}
              items={[
                { key: 'all', heading: true, label: t('table.exportAll') },
                ...(['tsv', 'csv', 'xlsx'] as const).map((which) => ({
                  key: which,
                  label: which.toUpperCase(),
                  run: () => void download(which, sortRows(rows, columns, sort)),
                })),
                ...(selected.size === 0
                  ? []
                  : [
                      { key: 'some', heading: true, label: t('table.exportSelected') },
                      ...(['tsv', 'csv', 'xlsx'] as const).map((which) => ({
                        key: `some-${which}`,
                        label: which.toUpperCase(),
                        run: () => void download(which, selectedRows),
                      })),
                    ]),
              ]}
            />
          </span>
        </>
      }
    />
  )
}
