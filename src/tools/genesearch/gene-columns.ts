import { defineGeneColumns } from '../../kit/gene-columns.ts'
import { listSearchedBundles, listTerms } from './search-genes.ts'

/** Vocabularies that are shown at once without choosing. */
const shownVocabularies = 1
/** Of the genes that the commonest vocabulary describes, so many are about as many. */
const commonShare = 0.8

/** Terms of each gene by vocabulary. */
export default defineGeneColumns(async ({ data, assembly, genes }) => {
  const [bundle] = await listSearchedBundles([assembly], data)
  const rows = await listTerms(
    data.sql,
    bundle!,
    genes.map(({ id }) => id),
    null,
  )
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
    ([one, a], [other, b]) =>
      Number(isCommon(b)) - Number(isCommon(a)) || perGene(a) - perGene(b) || b.size - a.size || (one < other ? -1 : 1),
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
