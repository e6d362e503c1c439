export interface GeneReference {
  id: string
  assembly: string
}

/** Genes of one assembly of which the page has but the number: their ids are asked for once something is done with them. */
export interface GenesAtServer {
  assembly: string
  /** How many come, and how many there are. */
  count: number
  total: number
  /** Their ids. Throws RequestError, which has then been shown. */
  ask: () => Promise<string[]>
}

/** Genes to do something with: at hand, or at the server. */
export type ChosenGenes = GeneReference[] | GenesAtServer

/** One of several lists that the same menu is for. */
export interface GeneChoice {
  key: string
  /** What it is, with its number: “All 17 genes of H37Rv”. */
  label: string
  /** What a set of them is called unless the reader calls it otherwise. */
  name?: string | undefined
  genes: ChosenGenes
}

export const countGenes = (genes: ChosenGenes): number => (Array.isArray(genes) ? genes.length : genes.count)

/** The assembly that all genes share, or null. */
export const sharedAssembly = (genes: ChosenGenes): string | null => {
  if (!Array.isArray(genes)) return genes.assembly
  const first = genes[0]?.assembly ?? null
  return genes.every((gene) => gene.assembly === first) ? first : null
}

/** The genes of the assembly that most are of: tools work on one at a time, and a name may be a gene of several. */
export const genesOfMost = (genes: ChosenGenes): ChosenGenes => {
  if (!Array.isArray(genes)) return genes
  const byAssembly = new Map<string, GeneReference[]>()
  for (const gene of genes) byAssembly.set(gene.assembly, [...(byAssembly.get(gene.assembly) ?? []), gene])
  return [...byAssembly.values()].reduce((max, one) => (one.length > max.length ? one : max), [])
}

/** Their ids, asked for where they are not at hand. */
export const idsOf = async (genes: ChosenGenes): Promise<string[]> =>
  Array.isArray(genes) ? genes.map(({ id }) => id) : await genes.ask()

/**
 * The genes of several assemblies as choices: all of them first, then those of each, where there is more than one.
 * Example: of a1, a2 (A) and b1 (B) the choices are [a1, a2, b1], [a1, a2] and [b1].
 */
export const choicesByAssembly = (
  genes: GeneReference[],
  labelOf: (count: number, assembly: string | null) => string,
): [GeneChoice, ...GeneChoice[]] => {
  const assemblies = [...new Set(genes.map(({ assembly }) => assembly))]
  const all: GeneChoice = { key: '', label: labelOf(genes.length, null), genes }
  if (assemblies.length < 2) return [all]
  return [
    all,
    ...assemblies.map((assembly) => {
      const own = genes.filter((gene) => gene.assembly === assembly)
      return { key: assembly, label: labelOf(own.length, assembly), genes: own }
    }),
  ]
}
