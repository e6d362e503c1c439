import { defineGeneColumns } from '../../kit/gene-columns.ts'

/** Vocabularies that are shown at once without choosing. */
const shownVocabularies = 1
/** Of the genes that the commonest vocabulary describes, so many are about as many. */
const commonShare = 0.8

/** Terms of each gene by vocabulary. */
export default defineGeneColumns(async ({ data, assembly, genes }) => {
  const bundle = await data.bundleNumber(assembly)
  const { species } = await data.getAssembly(assembly)
  const speciesBundle = await data.speciesBundleNumber(species)
  const vocabularies = speciesBundle === null ? [bundle] : [bundle, speciesBundle]
  const rows = await data.sql<{ gene: string; source: string; term: string; name: string | null }[]>`
    with used as (
      select distinct gene, source, term from ${data.sql(`gene_terms_${bundle}`)}
      where gene = any(${genes.map(({ id }) => id)})
    )
    select u.gene, u.source, u.term, named.name
    from used u
    left join lateral (
      select t.name from terms t where t.bundle = any(${vocabularies}) and t.term = u.term and t.source = u.source
      order by (t.name is null) limit 1
    ) named on true
    order by u.source, u.gene, u.term`
  const sources = new Map<string, Map<string, string[]>>()
  for (const { gene, source, term, name } of rows) {
    const byGene = sources.get(source) ?? new Map<string, string[]>()
    sources.set(source, byGene)
    byGene.set(gene, [...(byGene.get(gene) ?? []), name ?? term])
  }
  // Of those that about as many genes have, the one with the fewest terms a gene can be read at a glance.
  const most = Math.max(0, ...[...sources.values()].map(({ size }) => size))
  const isCommon = (byGene: Map<string, string[]>): boolean => byGene.size >= commonShare * most
  const perGene = (byGene: Map<string, string[]>): number =>
    [...byGene.values()].reduce((sum, terms) => sum + terms.length, 0) / byGene.size
  const ordered = [...sources].sort(
    ([, a], [, b]) => Number(isCommon(b)) - Number(isCommon(a)) || perGene(a) - perGene(b) || b.size - a.size,
  )
  return {
    columns: ordered.map(([source, byGene], at) => ({
      key: source.replaceAll(/[^\w.-]+/g, '_'),
      title: source,
      kind: 'terms',
      hidden: at >= shownVocabularies,
      values: genes.map(({ id }) => byGene.get(id)?.join('; ') ?? null),
    })),
  }
})
