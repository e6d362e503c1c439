import type { PortalData } from '../../kit/data/portal-data.ts'
import type { SearchedBundle } from './search-conditions.ts'
import { listSearchedDatasets, type SearchedDataset } from './search-expression.ts'

/** What the form offers: types of genes with their counts, the vocabularies that annotate them, and data sets of expression. */
export const listOptions = async (
  data: PortalData,
  bundles: readonly SearchedBundle[],
): Promise<{
  biotypes: { biotype: string; count: number }[]
  sources: string[]
  datasets: SearchedDataset[]
}> => {
  const { sql } = data
  const biotypes = new Map<string, number>()
  const sources = new Set<string>()
  for (const { bundle } of bundles) {
    const counted = await sql<{ biotype: string; count: number }[]>`
      select biotype, count(*)::int as count from ${sql(`genes_${bundle}`)} group by biotype`
    for (const { biotype, count } of counted) biotypes.set(biotype, (biotypes.get(biotype) ?? 0) + count)
    // Hops from one vocabulary to the next along the index: there are few of them among millions of rows.
    const found = await sql<{ source: string | null }[]>`
      with recursive hop as (
        (select source from ${sql(`gene_terms_${bundle}`)} order by source limit 1)
        union all
        select (select t.source from ${sql(`gene_terms_${bundle}`)} t where t.source > hop.source order by t.source limit 1)
        from hop where hop.source is not null
      )
      select source from hop where source is not null`
    for (const { source } of found) if (source !== null) sources.add(source)
  }
  return {
    biotypes: [...biotypes].map(([biotype, count]) => ({ biotype, count })).sort((a, b) => b.count - a.count),
    sources: [...sources].sort(),
    datasets: await listSearchedDatasets(
      data,
      bundles.map(({ assembly }) => assembly),
    ),
  }
}

const suggestions = 20

/** Terms by the beginning of their id or a part of their name, those that annotate a gene of the assemblies first. */
export const suggestTerms = async (
  data: PortalData,
  bundles: readonly SearchedBundle[],
  typed: string,
  source: string,
): Promise<{ source: string; term: string; name: string | null; geneCount: number }[]> => {
  const { sql } = data
  const text = typed.replaceAll('\0', '').trim()
  if (text.length < 2 || bundles.length === 0) return []
  const vocabularies = [
    ...new Set(
      bundles.flatMap(({ bundle, speciesBundle }) => (speciesBundle === null ? [bundle] : [bundle, speciesBundle])),
    ),
  ]
  const upper = text.toUpperCase()
  return sql<{ source: string; term: string; name: string | null; geneCount: number }[]>`
    with matches as (
      select distinct on (term) source, term, name from terms
      where bundle = any(${vocabularies}) and not obsolete
        and ${source === '' ? sql`true` : sql`source = ${source}`}
        and ((term >= ${upper} and term < ${`${upper}\u{10ffff}`}) or strpos(lower(name), ${text.toLowerCase()}) > 0)
      order by term limit 400
    ), counted as (
      select m.*, (select count(distinct gt.gene)::int from gene_terms gt
                   where gt.bundle = any(${bundles.map((one) => one.bundle)}) and gt.term = m.term) as "geneCount"
      from matches m
    )
    select * from counted order by ("geneCount" > 0) desc, length(coalesce(name, term)), term limit ${suggestions}`
}
