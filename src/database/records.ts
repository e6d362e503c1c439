import type { Sql } from './connect.ts'

/** Rows of tools' own data, in the order their loader added them. */
export const listRecords = async <T>(
  sql: Sql,
  bundles: number[],
  kind: string,
): Promise<{ bundle: number; id: string; data: T }[]> =>
  // Of no bundle PostgreSQL would look through all partitions.
  bundles.length === 0
    ? []
    : sql<{ bundle: number; id: string; data: T }[]>`
        select bundle, id, data from records where bundle = any(${bundles}) and kind = ${kind} order by bundle, position`

export const getRecord = async <T>(sql: Sql, bundles: number[], kind: string, id: string): Promise<T | null> => {
  if (bundles.length === 0) return null
  const [row] = await sql<{ data: T }[]>`
    select data from records where bundle = any(${bundles}) and kind = ${kind} and id = ${id} order by bundle limit 1`
  return row?.data ?? null
}
