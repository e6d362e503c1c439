import { remnantShare } from '../../../bio/alignment/structural-variants.ts'
import { type GeneGap, type GeneLocus, mostBetween } from '../../../contracts/gene-loci.ts'
import type { GeneSummary } from '../../../contracts/genes.ts'
import type { PortalData } from '../portal-data.ts'
import { findGeneLocus } from './gene-loci.ts'

type Deletion = NonNullable<NonNullable<GeneGap['lost']>['deletions']>[number]

/** Genes on each side of a gene among which its neighbours are looked for: a deletion takes more than one gene. */
const anchorReach = 25

/** Neighbours of a gene without a homolog that are tried as the ends of its gap, on each side of it. */
const anchorsTried = 4

/** Less is not called lost where genes are. */
const leastDeletionBp = 50
/** Deletions between the two ends of a gap that are read. */
const mostDeletions = 50

interface Interval {
  sequence: string
  start: number
  end: number
}

/**
 * What the alignment of two genomes says is deleted in the second, between two genes of the first: each deletion by itself, by the first
 * genome's bases. Null where neither is the reference that the other is aligned to, and where no deletion lies there.
 */
const findDeletions = async (
  data: PortalData,
  { assembly, ...own }: Interval & { assembly: string },
  other: Interval & { assembly: string },
): Promise<Deletion[] | null> => {
  const state = await data.alignments.getState(assembly)
  const isAligned = (id: string): boolean => state?.assemblies.some((one) => one.id === id) ?? false
  const isReference = state?.reference === assembly && isAligned(other.assembly)
  if (!isReference && !(state?.reference === other.assembly && isAligned(assembly))) return null
  const place = isReference ? { assembly, ...own } : other
  const carrier = isReference ? other.assembly : assembly
  const { variants } = await data.alignments.listVariants(
    { assembly: place.assembly, sequence: place.sequence, start1: place.start, end1: place.end },
    mostDeletions,
    { classes: [isReference ? 'deletion' : 'insertion', 'replacement'], carriers: [carrier], minBp: leastDeletionBp },
  )
  const found = variants.flatMap((variant): Deletion[] => {
    const there = variant.carriers.find((one) => one.assembly === carrier)
    if (there === undefined) return []
    const [gone, left] = isReference ? [variant, there] : [there, variant]
    // Of what is not all gone the length is that of the change.
    const isPoint = variant.class !== 'replacement'
    const goneBp = gone.end - gone.start + 1
    const leftBp = isPoint ? 0 : left.end - left.start + 1
    const overlaps = gone.sequence === own.sequence && gone.start <= own.end && gone.end >= own.start
    if (!overlaps || leftBp * remnantShare > goneBp) return []
    const lengthBp = isPoint ? Math.abs(variant.lengthBp) : goneBp - leftBp
    return [{ start: gone.start, end: gone.end, lengthBp }]
  })
  return found.length === 0 ? null : found.sort((p, q) => p.start - q.start)
}

/**
 * From the outer end of one gene to that of the other: a loss that takes the inner end of a gene with it counts in full. Across the
 * origin of a circular sequence an end lies before 1 or beyond its length.
 */
const spanOf = (
  { sequence, genes }: Pick<GeneLocus, 'sequence' | 'genes'>,
  one: string,
  other: string,
): Interval & { isAcrossOrigin: boolean } => {
  const both = [one, other].map((id) => genes.find((gene) => gene.id === id)!)
  const shift = (gene: GeneLocus['genes'][number]): number => gene.originShift ?? 0
  return {
    sequence,
    start: Math.min(...both.map((gene) => gene.start + shift(gene))),
    end: Math.max(...both.map((gene) => gene.end + shift(gene))),
    isAcrossOrigin: both.some((gene) => shift(gene) !== shift(both[0]!)),
  }
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
      const [ownSpan, span] = [spanOf(own, ownBefore, ownEnd), spanOf(locus, before, end)]
      const deletions =
        ownSpan.isAcrossOrigin || span.isAcrossOrigin
          ? null
          : await findDeletions(data, { assembly: gene.assembly, ...ownSpan }, { assembly, ...span })
      const bp = ownSpan.end - ownSpan.start - (span.end - span.start)
      const index = (id: string): number => own.genes.findIndex((one) => one.id === id)
      const lost = { before: at - index(ownBefore) - 1, after: index(ownEnd) - at - 1, bp, deletions }
      return [{ assembly, sequence: locus.sequence, before, after: end, genes, lost }]
    }
    return []
  }
  // Side by side: there are no more assemblies than a figure shows rows.
  return (await Promise.all(assemblies.map(findGap))).flat()
}
