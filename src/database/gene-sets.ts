import type { Sql } from './connect.ts'

export interface GeneSetRow {
  id: string
  name: string
  assembly: string | null
  genes: string[]
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: Sql) => sql`
  id, name, assembly, genes, created_at as "createdAt", updated_at as "updatedAt"`

/** Without their genes, which may be many; newest first. */
export const listGeneSets = async (
  sql: Sql,
  account: number,
): Promise<(Omit<GeneSetRow, 'genes'> & { geneCount: number })[]> =>
  sql<(Omit<GeneSetRow, 'genes'> & { geneCount: number })[]>`
    select id, name, assembly, created_at as "createdAt", updated_at as "updatedAt", cardinality(genes) as "geneCount"
    from gene_sets where account = ${account} order by created_at desc, id`

export const getGeneSet = async (sql: Sql, account: number, id: string): Promise<GeneSetRow | null> => {
  const [row] = await sql<GeneSetRow[]>`
    select ${columns(sql)} from gene_sets where account = ${account} and id = ${id}`
  return row ?? null
}

/** 'taken' when the account has a set of that id, 'full' when it has `max` sets. */
export const createGeneSet = async (
  sql: Sql,
  account: number,
  set: { id: string; name: string; assembly: string | null; genes: string[] },
  max: number,
): Promise<GeneSetRow | 'taken' | 'full'> => {
  const [row] = await sql<GeneSetRow[]>`
    insert into gene_sets (account, id, name, assembly, genes)
    select ${account}, ${set.id}, ${set.name}, ${set.assembly}, ${set.genes}::text[]
    where (select count(*) from gene_sets where account = ${account}) < ${max}
    on conflict do nothing returning ${columns(sql)}`
  if (row !== undefined) return row
  return (await getGeneSet(sql, account, set.id)) === null ? 'full' : 'taken'
}

/** Changes what is given; null when the account has no such set. */
export const updateGeneSet = async (
  sql: Sql,
  account: number,
  id: string,
  changes: { name?: string | undefined; assembly?: string | null | undefined; genes?: string[] | undefined },
): Promise<GeneSetRow | null> => {
  const [row] = await sql<GeneSetRow[]>`
    update gene_sets set name = coalesce(${changes.name ?? null}, name),
      assembly = case when ${changes.assembly !== undefined} then ${changes.assembly ?? null} else assembly end,
      genes = coalesce(${changes.genes ?? null}::text[], genes), updated_at = clock_timestamp()
    where account = ${account} and id = ${id} returning ${columns(sql)}`
  return row ?? null
}

export const deleteGeneSet = async (sql: Sql, account: number, id: string): Promise<boolean> =>
  (await sql`delete from gene_sets where account = ${account} and id = ${id} returning 1`).length > 0
