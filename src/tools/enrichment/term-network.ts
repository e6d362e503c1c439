import type { NetworkFile } from '../../bio/networks/network-files.ts'
import type { TermResult } from './tool.ts'

export interface TermNetwork {
  /** Positions of two terms, the genes of the set that both have, and how alike that makes them, 0 to 1. */
  links: { from: number; to: number; shared: number; similarity: number }[]
}

/**
 * Pairs of terms whose genes of the set are alike by at least `min`: the mean of Jaccard's coefficient and the overlap coefficient
 * (Merico et al. 2010, doi:10.1371/journal.pone.0013984), so that a small term within a large one counts less than one its equal.
 */
export const listOverlaps = (terms: readonly Pick<TermResult, 'genes'>[], min: number): TermNetwork => {
  const sets = terms.map(({ genes }) => new Set(genes))
  const links: TermNetwork['links'] = []
  for (let from = 0; from < terms.length; from++)
    for (let to = from + 1; to < terms.length; to++) {
      const shared = terms[from]!.genes.reduce((sum, gene) => sum + (sets[to]!.has(gene) ? 1 : 0), 0)
      if (shared === 0) continue
      const [a, b] = [sets[from]!.size, sets[to]!.size]
      const similarity = (shared / (a + b - shared) + shared / Math.min(a, b)) / 2
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
