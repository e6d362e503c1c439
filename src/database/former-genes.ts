import type { Sql } from './connect.ts'

/** A gene of an annotation before, and what has become of it. */
export interface FormerGeneRow {
  id: string
  symbol: string | null
  description: string | null
  sequence: string
  start1: number
  end1: number
  strand: string
  relation: string
  genes: string[]
  evidence: string | null
  share: number | null
}

/** All of a bundle. */
export const listFormerGenes = async (sql: Sql, bundle: number): Promise<FormerGeneRow[]> =>
  sql<FormerGeneRow[]>`
    select id, symbol, description, sequence, start1, end1, strand, relation, genes, evidence, share
    from former_genes where bundle = ${bundle} order by id`

/** Whether every gene that a bundle has or had before is known in another, under its id or as a former one. */
export const leadsOnFrom = async (sql: Sql, before: number, bundle: number): Promise<boolean> => {
  const [row] = await sql<{ lost: boolean }[]>`
    select exists (
      (select id from genes where bundle = ${before} union all select id from former_genes where bundle = ${before})
      except
      (select id from genes where bundle = ${bundle} union all select id from former_genes where bundle = ${bundle})
    ) as lost`
  return row?.lost === false
}

/** Ids of genes of some bundles that meant another gene in an annotation before. */
export const findReusedIds = async (
  sql: Sql,
  bundles: readonly number[],
  ids: readonly string[],
): Promise<{ bundle: number; id: string }[]> =>
  ids.length === 0
    ? []
    : sql<{ bundle: number; id: string }[]>`
        select bundle, id from former_genes
        where bundle = any(${[...bundles]}::int[]) and relation = 'elsewhere'
          and lower(id) = any(${ids.map((id) => id.toLowerCase())}::text[])`

/** Those of an id in any case, of some bundles; 50 at most. */
export const findFormerGenes = async (
  sql: Sql,
  bundles: readonly number[],
  name: string,
): Promise<(FormerGeneRow & { bundle: number })[]> =>
  sql<(FormerGeneRow & { bundle: number })[]>`
    select bundle, id, symbol, description, sequence, start1, end1, strand, relation, genes, evidence, share
    from former_genes where bundle = any(${[...bundles]}::int[]) and lower(id) = lower(${name}) order by bundle, id limit 50`
