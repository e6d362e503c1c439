import type { EnrichmentResult, TermResult } from './tool.ts'

export type GeneChoiceKind = 'selected' | 'significant' | 'all'

/**
 * The lists of genes that a result has to be taken along, each gene once and in the order of the set: of the terms that the reader
 * selected, of those that are significant, and of the whole set. A list without genes is left out.
 */
export const listGeneChoices = (
  { genes, terms }: Pick<EnrichmentResult, 'genes' | 'terms'>,
  threshold: number,
  selected: readonly TermResult[],
): { kind: GeneChoiceKind; ids: string[] }[] => {
  const idsOf = (some: readonly TermResult[]): string[] => {
    const places = new Set(some.flatMap((term) => term.genes))
    return genes.flatMap(({ id }, at) => (places.has(at) ? [id] : []))
  }
  const lists: { kind: GeneChoiceKind; ids: string[] }[] = [
    { kind: 'selected', ids: idsOf(selected) },
    { kind: 'significant', ids: idsOf(terms.filter(({ adjustedPValue }) => adjustedPValue <= threshold)) },
    { kind: 'all', ids: genes.map(({ id }) => id) },
  ]
  return lists.filter(({ ids }) => ids.length > 0)
}
