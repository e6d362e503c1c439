import type { NetworkFile } from '../../bio/networks/network-files.ts'
import type { TermResult } from './tool.ts'

export interface TermNetwork {
  /** Positions of two terms, the genes of the set that both have, and how alike that makes them, 0 to 1. */
  links: { from: number; to: number; shared: number; similarity: number }[]
}

const countShared = (genes: readonly number[], others: ReadonlySet<number>): number =>
  genes.reduce((sum, gene) => sum + (others.has(gene) ? 1 : 0), 0)

/**
 * How alike two sets of genes are, by what they share: the mean of Jaccard's coefficient and the overlap coefficient (Merico et al. 2010,
 * doi:10.1371/journal.pone.0013984), so that a small term within a large one counts less than one its equal.
 */
const likeness = (shared: number, a: number, b: number): number =>
  (shared / (a + b - shared) + shared / Math.min(a, b)) / 2

/** Likeness from which a term tells nothing that a more significant one of its collection has not told. */
export const redundantFrom = 0.7

/**
 * Which term stands for each, by positions: the first before it of the same collection that stands for itself and is alike enough in its
 * genes of the set; else itself. Terms come best first.
 *
 * @example listRepresentatives([{ collection: 0, genes: [1, 2, 3] }, { collection: 0, genes: [1, 2] }, { collection: 0, genes: [4] }])
 * // [0, 0, 2]
 */
export const listRepresentatives = (terms: readonly Pick<TermResult, 'collection' | 'genes'>[]): number[] => {
  const standing: { at: number; collection: number; genes: Set<number> }[] = []
  return terms.map(({ collection, genes }, at) => {
    const found = standing.find((one) => {
      if (one.collection !== collection) return false
      const shared = countShared(genes, one.genes)
      return shared > 0 && likeness(shared, genes.length, one.genes.size) >= redundantFrom
    })
    if (found !== undefined) return found.at
    standing.push({ at, collection, genes: new Set(genes) })
    return at
  })
}

/** Pairs of terms whose genes of the set are alike by at least `min`. */
export const listOverlaps = (terms: readonly Pick<TermResult, 'genes'>[], min: number): TermNetwork => {
  const sets = terms.map(({ genes }) => new Set(genes))
  const links: TermNetwork['links'] = []
  for (let from = 0; from < terms.length; from++)
    for (let to = from + 1; to < terms.length; to++) {
      const shared = countShared(terms[from]!.genes, sets[to]!)
      if (shared === 0) continue
      const similarity = likeness(shared, sets[from]!.size, sets[to]!.size)
      if (similarity >= min) links.push({ from, to, shared, similarity })
    }
  return { links }
}

/** The network as files hold it, with the statistics of the terms. */
export const networkFile = (terms: readonly TermResult[], { links }: TermNetwork): NetworkFile => ({
  nodes: terms.map(({ id, name, setCount, pValue, adjustedPValue }) => ({
    id,
    values: { name: name ?? id, genes: setCount, pValue, adjustedPValue },
  })),
  edges: links.map(({ from, to, shared, similarity }) => ({ a: from, b: to, values: { shared, similarity } })),
})
