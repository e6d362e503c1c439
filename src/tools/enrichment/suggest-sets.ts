import type { Collection } from '../../kit/data/annotation-index.ts'

/** Sizes of a set that shows something and is still looked over, and how many are offered. */
const smallest = 15
const largest = 60
const offered = 3

/**
 * Gene sets to try an enrichment with: the genes of a few named terms of middling size that lie far apart, from the first collection
 * with such. They show how one finding looks, and what else its genes share.
 */
export const suggestSets = (
  collections: readonly Collection[],
  geneIds: readonly string[],
): { term: string; name: string | null; genes: string[] }[] => {
  for (const { terms } of collections) {
    const fitting = terms
      .filter(({ name, genes }) => name !== null && genes.length >= smallest && genes.length <= largest)
      .sort((a, b) => b.genes.length - a.genes.length || (a.id < b.id ? -1 : 1))
    const chosen: typeof fitting = []
    for (const term of fitting) {
      const own = new Set(term.genes)
      if (chosen.some((other) => other.genes.some((gene) => own.has(gene)))) continue
      chosen.push(term)
      if (chosen.length === offered) break
    }
    if (chosen.length > 0)
      return chosen.map(({ id, name, genes }) => ({ term: id, name, genes: [...genes].map((gene) => geneIds[gene]!) }))
  }
  return []
}
