import type { Query, Row, Sql } from './connect.ts'

export interface TermRow {
  bundle: number
  source: string
  term: string
  name: string | null
  namespace: string | null
  definition: string | null
  obsolete: boolean
  replacedBy: string | null
  synonyms: string[]
  alternativeIds: string[]
  parents: string[]
}

/** A term by its id or an alternative one, from the first of the bundles that has it. */
export const getTerm = async (sql: Sql, bundles: number[], id: string): Promise<TermRow | null> => {
  if (bundles.length === 0) return null
  const [row] = await sql<TermRow[]>`
    select bundle, source, term, name, namespace, definition, obsolete, replaced_by as "replacedBy", synonyms,
           alternative_ids as "alternativeIds", parents
    from terms where bundle = any(${bundles}) and (term = ${id} or alternative_ids @> ${[id]}::text[])
    order by (term = ${id}) desc, array_position(${bundles}::int[], bundle) limit 1`
  return row ?? null
}

/** Names of terms of a bundle, in the order of the ids; ids without a term have no name. */
export const nameTerms = async (
  sql: Sql,
  bundle: number,
  ids: string[],
): Promise<{ id: string; name: string | null }[]> => {
  if (ids.length === 0) return []
  const rows = await sql<{ term: string; name: string | null }[]>`
    select distinct on (term) term, name from terms where bundle = ${bundle} and term = any(${ids})`
  const names = new Map(rows.map((row) => [row.term, row.name]))
  return ids.map((id) => ({ id, name: names.get(id) ?? null }))
}

/** Terms directly below one, by name; at most `limit`. */
export const listChildTerms = async (
  sql: Sql,
  bundle: number,
  id: string,
  limit: number,
): Promise<{ id: string; name: string | null }[]> =>
  sql<{ id: string; name: string | null }[]>`
    select term as id, name from terms
    where bundle = ${bundle} and ancestors @> ${[id]}::text[] and parents @> ${[id]}::text[] and not obsolete
    order by name, term limit ${limit}`

/**
 * That an annotation is not one with NOT, which says that the gene product lacks the function (GAF 2.2, column 4). The pattern is tried
 * on the few that have the letters at all.
 */
export const isAffirmed = (sql: Sql): Query<Row[]> =>
  sql`(qualifier is null or qualifier not ilike '%not%' or qualifier !~* '(^|[|])not([|]|$)')`

/** Genes of a bundle that carry a term or one below it in the vocabulary of another: how many, and the first by position. */
export const findGenesOfTerm = async (
  sql: Sql,
  bundle: number,
  vocabulary: number,
  id: string,
  limit: number,
): Promise<{ count: number; ids: string[] }> => {
  const genes = await sql<{ id: string }[]>`
    select g.id from ${sql(`genes_${bundle}`)} g
    where g.id in (
      select gt.gene from ${sql(`gene_terms_${bundle}`)} gt
      where ${isAffirmed(sql)} and (gt.term = ${id} or gt.term in (
        select t.term from terms t where t.bundle = ${vocabulary} and t.ancestors @> ${[id]}::text[])))
    order by g.position`
  return { count: genes.length, ids: genes.slice(0, limit).map((gene) => gene.id) }
}
