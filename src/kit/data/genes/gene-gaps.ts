import { type GeneGap, type GeneLocus, mostBetween } from '../../../contracts/gene-loci.ts'
import type { GeneSummary } from '../../../contracts/genes.ts'
import type { PortalData } from '../portal-data.ts'
import { findGeneLocus } from './gene-loci.ts'

/** Genes on each side of a gene among which its neighbours are looked for: a deletion takes more than one gene. */
const anchorReach = 25

/** Neighbours of a gene without a homolog that are tried as the ends of its gap, on each side of it. */
const anchorsTried = 4

/** From the outer end of one gene to that of the other: a loss that takes the inner end of a gene with it counts in full. */
const spanOf = (genes: GeneLocus['genes'], one: string, other: string): number => {
  const [p, q] = [one, other].map((id) => genes.find((gene) => gene.id === id)!)
  return Math.max(p!.end, q!.end) - Math.min(p!.start, q!.start) + 1
}

/**
 * Where a gene would lie in assemblies that have no homolog of it: between the orthologs of its nearest neighbours that have some, where
 * those stand close together.
 */
export const findGeneGaps = async (
  data: PortalData,
  gene: Pick<GeneSummary, 'id' | 'assembly'>,
  assemblies: readonly string[],
  { besides }: { besides: number },
  signal: AbortSignal,
): Promise<GeneGap[]> => {
  if (assemblies.length === 0) return []
  const own = await findGeneLocus(data, gene.assembly, gene.id, anchorReach)
  const at = own?.genes.findIndex(({ id }) => id === gene.id) ?? -1
  if (own === null || at === -1) return []
  const rows = await data.listHomologs(
    gene.assembly,
    own.genes.map(({ id }) => id),
  )
  const homologs = new Map(rows.map((row) => [row.gene, row.homologs]))
  /** Nearest first. */
  const counterparts = (neighbours: GeneLocus['genes'], assembly: string): { id: string; of: string }[] =>
    neighbours
      .flatMap(({ id }) => {
        const [best] = (homologs.get(id) ?? [])
          .filter((one) => one.assembly === assembly && one.relation === 'ortholog')
          .sort((p, q) => q.sharedNeighbours - p.sharedNeighbours || q.bitScore - p.bitScore)
        return best === undefined ? [] : [{ id: best.gene, of: id }]
      })
      .slice(0, anchorsTried)
  const findGap = async (assembly: string): Promise<GeneGap[]> => {
    const after = counterparts(own.genes.slice(at + 1), assembly)
    for (const { id: before, of: ownBefore } of counterparts(own.genes.slice(0, at).reverse(), assembly)) {
      signal.throwIfAborted()
      const locus = await findGeneLocus(data, assembly, before, besides + mostBetween)
      const place = (id: string): number => locus?.genes.findIndex((one) => one.id === id) ?? -1
      const found = after.find(({ id }) => place(id) !== -1 && Math.abs(place(id) - place(before)) <= mostBetween + 1)
      if (locus === null || found === undefined) continue
      const { id: end, of: ownEnd } = found
      const [low, high] = [Math.min(place(before), place(end)), Math.max(place(before), place(end))]
      // As many to each side of the middle as of any other row, and both ends where that is fewer than stand between them.
      const beyond = Math.max(0, besides - Math.ceil((high - low) / 2))
      const genes = locus.genes.slice(Math.max(0, low - beyond), high + beyond + 1)
      const apart = spanOf(own.genes, ownBefore, ownEnd) - spanOf(locus.genes, before, end)
      const index = (id: string): number => own.genes.findIndex((one) => one.id === id)
      const lost = { before: at - index(ownBefore) - 1, after: index(ownEnd) - at - 1, bp: apart }
      return [{ assembly, sequence: locus.sequence, before, after: end, genes, lost }]
    }
    return []
  }
  // Side by side: there are no more assemblies than a figure shows rows.
  return (await Promise.all(assemblies.map(findGap))).flat()
}
