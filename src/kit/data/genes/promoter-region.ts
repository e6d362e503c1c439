import {
  clipFlank,
  findAnchor,
  findFlank,
  type GeneStrand,
  type Interval,
} from '../../../bio/annotation/gene-geometry.ts'
import type { StoredTranscript } from '../../../database/genes.ts'
import type { CatalogueGene, GenomeSequence } from '../portal-data.ts'
import type { ExtractionChoice, FindNeighbours, NeighbourGene } from './locate-records.ts'
import type { PromoterRule } from './promoter-rules.ts'

export interface PromoterRegion {
  rule: PromoterRule
  flank: Interval
  /** What the flank lies before, and the strand that it is read on: of `operon` the first gene's. */
  anchor: Interval
  strand: GeneStrand
  /** The neighbour at which it ends or into which it runs; of `operon` the first gene. */
  gene: string | null
  /** Bases fewer than asked for, since it ends at the neighbour. */
  clippedBp: number
  /** Genes of the operon from its first to this one. */
  genes: number
}

/**
 * A segment shorter than this is none to bind to: core promoters are longer, and within operons genes are mostly no farther apart, between
 * them mostly farther (Salgado et al. 2000, Proc Natl Acad Sci USA 97:6652).
 */
export const minPromoterBp = 50

/** Genes that an operon is followed over; the longest known have some fifty. */
const maxOperonGenes = 60

/** Genetic codes of bacteria, archaea and plastids, whose genes stand in operons. */
const operonCodes: readonly number[] = [4, 11, 25]

interface Clipped {
  flank: Interval | null
  /** Bases outside the anchor. */
  outsideBp: number
  clippedBp: number
  at: NeighbourGene | null
}

/**
 * The promoter of a gene whose flank is not to run into its neighbours. Divergent genes each have the segment between them. Null
 * only where no base was asked for; bounds of the sequence are not looked at.
 */
export const findPromoter = (
  gene: CatalogueGene,
  transcript: StoredTranscript | null,
  sequence: GenomeSequence,
  asked: { anchor: Interval; strand: GeneStrand; from: ExtractionChoice['from'] },
  wantedBp: number,
  insideBp: number,
  findNeighbours: FindNeighbours,
): PromoterRegion | null => {
  const { anchor, strand } = asked
  const min = Math.min(minPromoterBp, wantedBp)
  const clip = (
    from: Interval,
    own: string,
    spanOf: (neighbour: NeighbourGene) => Interval = (neighbour) => neighbour,
  ): Clipped => {
    const options = { side: 'upstream' as const, strand, outsideBp: wantedBp, insideBp }
    const flank = findFlank(from, options)
    if (flank === null) return { flank, outsideBp: 0, clippedBp: 0, at: null }
    const neighbours = findNeighbours(gene.sequence, flank.start1, flank.end1)
      .filter(({ id }) => id !== own)
      .map((neighbour) => ({ ...spanOf(neighbour), gene: neighbour }))
    const found = clipFlank(flank, from, options, neighbours)
    const insideOwnBp = Math.min(insideBp, from.end1 - from.start1 + 1)
    const outsideBp = found.flank === null ? 0 : found.flank.end1 - found.flank.start1 + 1 - insideOwnBp
    return { flank: found.flank, outsideBp, clippedBp: found.clippedBp, at: found.at?.gene ?? null }
  }
  const reported = (rule: PromoterRule, found: Clipped, from: Interval): PromoterRegion | null =>
    found.flank === null
      ? null
      : {
          rule,
          flank: found.flank,
          anchor: from,
          strand,
          gene: found.at?.id ?? null,
          clippedBp: found.clippedBp,
          genes: 1,
        }

  const first = clip(anchor, gene.id)
  if (first.at === null || first.outsideBp >= min) return reported('asked', first, anchor)

  const coding = transcript === null ? null : findAnchor(transcript, gene.strand, 'coding', 'upstream')
  const codingAnchor = coding?.anchor ?? anchor
  const between = clip(codingAnchor, gene.id, (neighbour) => neighbour.coding ?? neighbour)
  if (between.at === null || between.outsideBp >= min) return reported('start-codon', between, codingAnchor)

  if (operonCodes.includes(sequence.geneticCode) && between.at.strand === strand) {
    const seen = new Set([gene.id])
    let leader: NeighbourGene | null = between.at
    while (leader !== null && leader.strand === strand && !seen.has(leader.id) && seen.size < maxOperonGenes) {
      seen.add(leader.id)
      const from: Interval = asked.from === 'coding' ? (leader.coding ?? leader) : leader
      const before = clip({ start1: from.start1, end1: from.end1 }, leader.id)
      if (before.at === null || before.outsideBp >= min || (before.at.strand !== strand && before.outsideBp > 0)) {
        const found = reported('operon', before, { start1: from.start1, end1: from.end1 })
        if (found !== null) return { ...found, gene: leader.id, genes: seen.size }
      }
      leader = before.at
    }
  }
  if (first.outsideBp > 0 || between.outsideBp > 0)
    return first.outsideBp >= between.outsideBp
      ? reported('asked', first, anchor)
      : reported('start-codon', between, codingAnchor)
  const flank = findFlank(anchor, { side: 'upstream', strand, outsideBp: wantedBp, insideBp })
  return flank === null
    ? null
    : { rule: 'into-neighbour', flank, anchor, strand, gene: first.at.id, clippedBp: 0, genes: 1 }
}
