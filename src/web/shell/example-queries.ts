import type { AssemblySummary } from '../../contracts/species.ts'

/** Words to try, taken from what is loaded: a symbol, an id, a word of a description, a region. */
export const exampleQueries = (assembly: AssemblySummary | undefined): string[] => {
  if (assembly === undefined) return []
  const genes = assembly.exampleGenes
  const symbol = genes.find((gene) => gene.symbol !== null && gene.symbol !== gene.id)?.symbol
  const id = genes.find((gene) => gene.symbol !== symbol)?.id ?? genes[0]?.id
  const words = genes
    .map((gene) => gene.description ?? '')
    .flatMap((text) => text.split(/[^\p{L}-]+/u))
    .find(
      (word) =>
        word.length >= 7 &&
        /^[a-z-]+$/.test(word) &&
        !/^(protein|probable|putative|hypothetical|uncharacterized|involved|required)$/.test(word),
    )
  const locus = genes[0]
  return [
    symbol,
    id,
    words,
    locus === undefined ? undefined : `${locus.sequence}:${Math.max(1, locus.start - 5000)}..${locus.end + 5000}`,
  ].filter((one): one is string => one !== undefined && one !== null)
}
