import type { ReactNode } from 'react'
import { type TableColumn, TableFrame, type TablePages, type TableSelection } from '../kit/ui/table/table-frame.tsx'

const none = new Set<string>()

/** A table whose rows come page by page from the server, in its order. */
export const PagedTable = <Row,>({
  bar = null,
  ...rest
}: {
  label: string
  columns: TableColumn<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  none: ReactNode
  bar?: ReactNode
  pages?: TablePages
  busy?: boolean
  selection?: TableSelection
}): ReactNode => <TableFrame {...rest} bar={bar} sort={null} onSort={() => undefined} sortable={none} />
