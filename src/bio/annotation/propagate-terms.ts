/** What is known of a term beside its genes. */
export interface TermAbout {
  id: string
  source: string | null
  namespace: string | null
  name: string | null
  /** All terms above it over is_a and part_of. */
  ancestors: readonly string[]
}

/** A term with the genes that have it, as positions among all genes, ascending. */
export interface AnnotatedTerm extends TermAbout {
  genes: Uint32Array
}

/**
 * Gives to every term the genes of all terms below it: a gene that has a term has all above it too (the true path rule, Gene Ontology
 * Consortium). Terms above that `about` does not know stay out. Without `propagate` each keeps its own genes.
 */
export const propagateTerms = (
  direct: ReadonlyMap<string, Uint32Array>,
  about: ReadonlyMap<string, TermAbout>,
  geneCount: number,
  propagate: boolean,
): AnnotatedTerm[] => {
  const parts = new Map<string, Uint32Array[]>()
  for (const [term, genes] of direct) {
    const known = about.get(term)
    if (known === undefined) continue
    for (const one of propagate ? [term, ...known.ancestors] : [term]) {
      const list = parts.get(one)
      if (list === undefined) parts.set(one, [genes])
      else list.push(genes)
    }
  }
  // Which term saw a gene last: cheaper than emptying a set for every term.
  const seen = new Int32Array(geneCount).fill(-1)
  const terms: AnnotatedTerm[] = []
  let number = 0
  for (const [id, lists] of parts) {
    const known = about.get(id)
    if (known === undefined) continue
    const genes: number[] = []
    for (const list of lists)
      for (const gene of list) {
        if (seen[gene] === number) continue
        seen[gene] = number
        genes.push(gene)
      }
    terms.push({ ...known, genes: Uint32Array.from(genes).sort() })
    number += 1
  }
  return terms
}

/**
 * The edges of "lies above" among some terms, from below to above, without those that follow from others (the transitive reduction),
 * by positions. Ancestors alone say it, so that links of other kinds between terms do not come in.
 */
export const reduceEdges = (terms: readonly Pick<TermAbout, 'id' | 'ancestors'>[]): [number, number][] => {
  const at = new Map(terms.map(({ id }, position) => [id, position]))
  const above = terms.map(({ ancestors }) => ancestors.flatMap((id) => at.get(id) ?? []))
  const sets = above.map((list) => new Set(list))
  return above.flatMap((list, from) =>
    list
      .filter(
        (to) =>
          to !== from &&
          !list.some((other) => other !== to && other !== from && sets[other]!.has(to) && !sets[to]!.has(other)),
      )
      .map((to): [number, number] => [from, to]),
  )
}
