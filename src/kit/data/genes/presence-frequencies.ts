import { isPresent } from '../../../bio/comparative/gene-presence.ts'
import type { PortalData } from '../portal-data.ts'

/** How many genes are in exactly 0, 1, 2 … all of some genomes. */
export interface PresenceFrequencies {
  /** By their DNA. */
  dna: number[]
  /** By genes that are annotated on it. */
  annotated: number[]
}

/**
 * In how many of the genomes their genes are: a gene of one of them that k of them have stands for a k-th of a gene that is in k of them,
 * so that each is counted once whoever's genes are followed. Sums are therefore no whole numbers. Genomes whose genes were not followed
 * have none.
 */
export const countPresence = async (
  data: Pick<PortalData, 'presence'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<PresenceFrequencies> => {
  const dna = new Array<number>(ids.length + 1).fill(0)
  const annotated = new Array<number>(ids.length + 1).fill(0)
  for (const id of ids) {
    const genes = await data.presence.genes(id)
    if (genes === null) continue
    const [byDna, byGenes] = [new Uint16Array(genes.id.length).fill(1), new Uint16Array(genes.id.length).fill(1)]
    for (const other of ids) {
      signal.throwIfAborted()
      const found = other === id ? null : await data.presence.states(id, other)
      for (const [gene, state] of (found?.states ?? []).entries())
        if (isPresent(state)) {
          byDna[gene]! += 1
          byGenes[gene]! += found!.annotated[gene]!
        }
    }
    for (const count of byDna) dna[count]! += 1 / count
    for (const count of byGenes) annotated[count]! += 1 / count
  }
  return { dna, annotated }
}
