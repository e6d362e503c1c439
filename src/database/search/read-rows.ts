import type { PendingQuery, Row } from 'postgres'

/**
 * The rows of a query, for what is asked hundreds of times a second. The driver's queries carry functions written as properties
 * (`this.resolve = …`), which V8 puts into its old generation at once; there each keeps its query, with the result, until the next full
 * collection, long after everybody has done with it. Rows that are taken out one by one are not part of the result, and go young.
 */
export const readRows = async <Read extends Row>(query: PendingQuery<Read[]>): Promise<Read[]> => {
  let taken: Read[] = []
  await query.forEach((row) => void taken.push(row as Read))
  const rows = taken
  // The query still has the function that writes into `taken`.
  taken = []
  return rows
}
