import { isBroken } from '../../../bio/comparative/gene-presence.ts'
import type { BrokenGene, GeneLocus } from '../../../contracts/gene-loci.ts'
import type { PortalData } from '../portal-data.ts'
import type { GenePresence } from './gene-dna.ts'
import { findGeneLocus } from './gene-loci.ts'

interface OwnGene {
  assembly: string
  sequence: string
  start: number
  end: number
  strand: string
}

/**
 * Rows of genes about a gene and its homologs, where genes of other assemblies that are annotated on what is left of a neighbour of the
 * gene are marked: split, cut short or not read to its end. `reach` genes on either side of the gene are looked at. Rows of assemblies
 * whose genes were not followed by their DNA stay as they are.
 */
export const markBrokenGenes = async <Locus extends Pick<GeneLocus, 'assembly' | 'genes'>>(
  data: PortalData,
  gene: { assembly: string; id: string },
  reach: number,
  rows: readonly Locus[],
): Promise<Locus[]> => {
  const own = await findGeneLocus(data, gene.assembly, gene.id, reach)
  const known = own === null ? null : await data.presence.genes(gene.assembly)
  if (own === null || known === null) return [...rows]
  const numbers = new Map(known.id.map((id, number) => [id, number]))
  const others = new Set(rows.map(({ assembly }) => assembly))
  others.delete(gene.assembly)
  const found = new Map<string, Map<string, BrokenGene>>()
  for (const other of others) {
    const presences = await data.presence.genesIn(
      gene.assembly,
      other,
      own.genes.flatMap(({ id }) => numbers.get(id) ?? []),
    )
    if (presences.size === 0) continue
    const broken = new Map<string, BrokenGene>()
    for (const one of own.genes) {
      const presence = presences.get(numbers.get(one.id) ?? -1)
      if (presence === undefined || !isBroken(presence.state)) continue
      const about: BrokenGene = {
        state: presence.state,
        of: one.id,
        share: Math.min(1, presence.evidence.alignedBp / Math.max(1, presence.evidence.lengthBp)),
        kept: await findKept(data, { ...one, assembly: gene.assembly, sequence: own.sequence }, other, presence),
      }
      for (const id of presence.genes) broken.set(id, about)
    }
    found.set(other, broken)
  }
  return rows.map((row) => ({
    ...row,
    genes: row.genes.map((one) => {
      const broken = found.get(row.assembly)?.get(one.id)
      return broken === undefined ? one : { ...one, broken }
    }),
  }))
}

/** What of a gene is left in another assembly, or is still read there: shares of it from its start on; null where that is not known. */
const findKept = async (
  data: PortalData,
  gene: OwnGene,
  other: string,
  { state, evidence }: GenePresence,
): Promise<BrokenGene['kept']> => {
  if (state === 'disrupted')
    return evidence.frame === null || evidence.frame.change === 'start' ? null : [0, evidence.frame.keptShare]
  if (state !== 'truncated') return null
  const [trace] = await data.alignments
    .trace({ assembly: gene.assembly, sequence: gene.sequence, start1: gene.start, end1: gene.end }, [other])
    .catch(() => [])
  const lengthOf = ({ segments }: { segments: readonly { lengthBp: number }[] }): number =>
    segments.reduce((total, { lengthBp }) => total + lengthBp, 0)
  const [locus] = (trace?.loci ?? []).toSorted((p, q) => lengthOf(q) - lengthOf(p))
  if (locus === undefined || locus.segments.length === 0) return null
  const [start0, length] = [gene.start - 1, gene.end - gene.start + 1]
  const from = Math.max(0, Math.min(...locus.segments.map(({ source0 }) => source0 - start0)) / length)
  const to = Math.min(
    1,
    Math.max(...locus.segments.map(({ source0, lengthBp }) => source0 + lengthBp - start0)) / length,
  )
  return gene.strand === '-' ? [1 - to, 1 - from] : [from, to]
}
