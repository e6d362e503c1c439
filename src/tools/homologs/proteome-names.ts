import type { GeneMatch } from '../../bio/annotation/gene-matches.ts'
import { streamGeneRows } from '../../database/genes.ts'
import { GeneNames, namesOfGene } from '../../kit/data/genes/gene-names.ts'
import type { PortalBakeContext } from '../../kit/loader.ts'
import type { Proteome } from './proteome.ts'

/** Coding genes of an assembly by any of their names, as every reader matches them. */
export interface ProteomeNames {
  /** As for genes; one that does not code is none. */
  match(name: string): GeneMatch
  /** The number of a gene in its proteome. */
  numberOf(gene: string): number
  /** The number of the gene that a name means. */
  find(name: string): number | null
}

/** Puts names beside the numbers that their genes have. */
export const numberNames = ({ genes }: Pick<Proteome, 'genes'>, match: (name: string) => GeneMatch): ProteomeNames => {
  const numbers = new Map(genes.map((gene, number) => [gene, number]))
  const matchCoding = (name: string): GeneMatch => {
    const found = match(name)
    return found === null || found === 'ambiguous' || numbers.has(found.gene) ? found : null
  }
  return {
    match: matchCoding,
    numberOf: (gene) => numbers.get(gene)!,
    find: (name) => {
      const found = matchCoding(name)
      return found === null || found === 'ambiguous' ? null : numbers.get(found.gene)!
    },
  }
}

/** Reads the names of all genes of a proteome's assembly. */
export const readProteomeNames = async (
  proteome: Proteome,
  { sql }: Pick<PortalBakeContext, 'sql'>,
): Promise<ProteomeNames> => {
  const names = new GeneNames()
  for await (const rows of streamGeneRows(sql, proteome.assembly.bundle))
    for (const row of rows) names.add(row.id, namesOfGene(row))
  return numberNames(proteome, (name) => names.match(name))
}
