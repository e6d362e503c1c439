import {
  classifyPresence,
  dnaState,
  isPresent,
  isWholeCopy,
  type PresenceEvidence,
  type PresenceState,
  presenceRules,
  type ReadingFrame,
  type UnknownReason,
} from '../../../bio/comparative/gene-presence.ts'
import { type OrientedPiece, readingPieces } from '../../../bio/sequence/coding-sequence.ts'
import { oppositeStrand } from '../../../bio/sequence/region.ts'
import { sharedWordShare } from '../../../bio/sequence/shared-words.ts'
import { codingFlankBp, type FollowedCoding } from '../../../bio/variation/followed-coding.ts'
import { compareProteins, type ProteinComparison } from '../../../bio/variation/protein-comparison.ts'
import { readFrame } from '../../../bio/variation/reading-frame.ts'
import type { GeneSummary } from '../../../contracts/genes.ts'
import { type AssemblyLift, liftLimitBp } from '../../../contracts/lift.ts'
import type { StoredTranscript } from '../../../database/genes.ts'
import type { AlignmentData, AlignmentState, AssemblyTrace, GenomeLocus, TracedLocus } from '../alignment-data.ts'
import { longestCoding } from '../protein-features.ts'

// Where the DNA of a gene lies in other assemblies of its species, through what is aligned. One way for one gene that a page shows and
// for all genes of a load.

/** Less is not looked up on its own: a lift takes no smaller part for a place. */
const minPartBp = 50
/** Words of the gene among other bases from which on they may be it: a tenth of a point is chance, DNA that differs by a fifth has more. */
const minWordShare = 0.03
/** Other bases that are looked through for it. */
const maxSearchedBp = 100_000
/** Genes that are named of one assembly. */
export const maxNamed = 50
/** Assemblers write a gap as at least so many unknown bases; it is looked for so far beside a place. */
const minUnknown = 10
const besideBp = 20

/** What is read of genomes to follow a gene. `PortalData` is one. */
export interface FollowedGenomes {
  getSequence(
    assembly: string,
    name: string,
  ): Promise<{ name: string; lengthBp: number; circular: boolean; geneticCode: number }>
  fetchSequence(assembly: string, sequence: string, start1: number, end1: number): Promise<string>
  listGenesInRegion(
    assembly: string,
    sequence: string,
    start1: number,
    end1: number,
    limit: number,
  ): Promise<GeneSummary[]>
  alignments: Pick<AlignmentData, 'lift' | 'trace'>
}

export interface Place {
  sequence: string
  start: number
  end: number
  strand: '+' | '-'
}

/** What an assembly has of the gene's own DNA. */
export interface FoundDna {
  bases: Pick<PresenceEvidence, 'lengthBp' | 'alignedBp' | 'goneBp' | 'replacedBp'>
  reason: UnknownReason | null
  identity: number | null
  /** On the strand of the gene there: where it lies, or would lie. */
  locus: Place | null
  /** Places that are the gene's own, of a remnant too, on the strand of the alignment; none when nothing of it is there or is known. */
  own: TracedLocus[]
  /** Places of what looks like it. */
  copies: TracedLocus[]
  moved: boolean
  through: string | null
}

/** The coding parts of a gene by which it is read: those of its longest protein. */
export interface CodingParts {
  pieces: OrientedPiece[]
  phase: number
}

export const codingPartsOf = (
  transcripts: readonly StoredTranscript[],
  strand: GeneSummary['strand'],
): CodingParts | null => {
  const longest = longestCoding(transcripts)
  if (longest === null) return null
  const cds = longest.cds.map(([start1, end1, phase]) => ({
    start1,
    end1,
    phase: (phase === 1 || phase === 2 ? phase : 0) as 0 | 1 | 2,
  }))
  const readingOrder = longest.readingOrder?.map(([start1, end1, on]) => ({ start1, end1, strand: on }))
  const pieces = readingPieces({ cds, ...(readingOrder === undefined ? {} : { readingOrder }) }, strand)
  const [first] = pieces
  return { pieces, phase: cds.find(({ start1 }) => start1 === first?.start1)?.phase ?? 0 }
}

const overlapBp = (a: { start: number; end: number }, b: { start: number; end: number }): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1)

/** Overlap of two segments of one sequence, of which one may go on over the origin of a circle. */
export const overlapOn = (
  lengthBp: number,
  a: { start: number; end: number },
  b: { start: number; end: number },
): number =>
  Math.max(...[-lengthBp, 0, lengthBp].map((turn) => overlapBp(a, { start: b.start + turn, end: b.end + turn })))

const placeOf = (gene: GeneSummary): GenomeLocus => ({
  assembly: gene.assembly,
  sequence: gene.sequence,
  start1: gene.start,
  end1: gene.end,
})

/** Looks the DNA of a gene up in the other assemblies of its species; one object serves one gene. */
/** Two places follow one another where between them are no more bases than this. */
const joinedBp = 50

/** Places that are one, which an origin of either genome parts. */
const joinPlaces = (places: readonly TracedLocus[], circleBp: (sequence: string) => number | null): TracedLocus[] => {
  const sorted = [...places].sort((a, b) => a.regionStart - b.regionStart)
  const joined: TracedLocus[] = []
  for (const place of sorted) {
    const before = joined.at(-1)
    const turn = circleBp(place.sequence) ?? 0
    const shift = [0, turn, -turn].find((bp) => {
      if (before === undefined || before.sequence !== place.sequence || before.strand !== place.strand) return false
      const between = place.strand === '+' ? place.start + bp - before.end - 1 : before.start - (place.end + bp) - 1
      return Math.abs(between) <= joinedBp
    })
    if (before === undefined || shift === undefined) {
      joined.push(place)
      continue
    }
    // Both in the numbers of a place that goes on over the origin.
    const [low, high] = [Math.min(before.start, place.start + shift), Math.max(before.end, place.end + shift)]
    const up = low < 1 ? turn : 0
    joined[joined.length - 1] = {
      ...before,
      start: low + up,
      end: high + up,
      regionEnd: Math.max(before.regionEnd, place.regionEnd),
      alignedBp: before.alignedBp + place.alignedBp,
      identity:
        before.identity === null || place.identity === null
          ? null
          : (before.identity * before.alignedBp + place.identity * place.alignedBp) /
            (before.alignedBp + place.alignedBp),
      segments: [
        ...before.segments.map((one) => ({ ...one, other0: one.other0 + up })),
        ...place.segments.map((one) => ({ ...one, other0: one.other0 + shift + up })),
      ],
    }
  }
  return joined.sort((a, b) => b.alignedBp - a.alignedBp)
}

/** All that is known of a gene in an assembly. */
export interface GenePresence {
  state: PresenceState
  evidence: PresenceEvidence
  /** `protein`: found by a search with its protein, so that shares and identity are of residues. */
  by: 'alignment' | 'dna' | 'protein' | null
  identity: number | null
  /** On the gene's strand there: where it lies in its parts, the largest first; or where it would lie. */
  places: Place[]
  /** Further copies, and what resembles it. */
  copies: Place[]
  paralogs: Place[]
  /** Genes at its place. */
  genes: string[]
  through: string | null
}

/** Presence of what is not followed any further. */
export const presenceOf = (
  evidence: PresenceEvidence,
  { by, identity, places, copies, paralogs, genes, through }: Omit<GenePresence, 'state' | 'evidence'>,
): GenePresence => ({
  state: classifyPresence(evidence),
  evidence,
  by,
  identity,
  places,
  copies,
  paralogs,
  genes,
  through,
})

/** Places that a gene that is there fills: not what was inserted into it, in which others may lie. */
export const filledPlaces = ({ state, evidence, places }: GenePresence): Place[] =>
  isPresent(state) ? places.filter(({ start, end }) => end - start + 1 < evidence.lengthBp + presenceRules.splitBp) : []

export class GeneDnaFinder {
  private ownBases: Promise<string> | null = null
  private readonly lengthBp: number

  constructor(
    private readonly data: FollowedGenomes,
    private readonly gene: GeneSummary,
    private readonly alignment: AlignmentState | null,
  ) {
    this.lengthBp = gene.end - gene.start + 1
  }

  private isAligned(assembly: string): boolean {
    const { alignment } = this
    return (
      alignment !== null &&
      (assembly === alignment.reference || alignment.assemblies.some((one) => one.id === assembly))
    )
  }

  private async liftTo(locus: GenomeLocus, to: string): Promise<AssemblyLift | null> {
    if (locus.end1 - locus.start1 >= liftLimitBp || !this.isAligned(locus.assembly) || !this.isAligned(to)) return null
    return (await this.data.alignments.lift(locus, [to])).lifts[0] ?? null
  }

  /**
   * Whether a place of another assembly, followed back, is the gene; null when it cannot be followed. `asCopy`: also over a place that the
   * longer alignment passes, where what was doubled leads to what it is of.
   */
  async leadsBack(assembly: string, locus: { sequence: string; start: number; end: number }, asCopy = false) {
    const { sequence, start, end } = locus
    const back = await this.liftTo({ assembly, sequence, start1: start, end1: end }, this.gene.assembly)
    if (back === null || back.outcome === 'unaligned' || back.outcome === 'reference-lacks') return null
    const { lengthBp } = await this.data.getSequence(this.gene.assembly, this.gene.sequence)
    // Over a place that the longer alignment passes, only a copy is left to lead anywhere.
    if (back.deletedAt !== null && !asCopy) {
      const { sequence: on, ...interval } = back.deletedAt
      // The gap on this side is where the gene is: both may be there, too different to align.
      return back.outcome === 'replaced' && on === this.gene.sequence && overlapOn(lengthBp, this.gene, interval) > 0
        ? null
        : false
    }
    return back.loci.some(
      (one) => one.role !== 'copy' && one.sequence === this.gene.sequence && overlapOn(lengthBp, this.gene, one) > 0,
    )
  }

  /**
   * Bases of the gene's ends, beyond what is aligned, that alignments pass over, and those in whose stead others stand; the rest lies
   * where nothing is aligned.
   */
  private async goneAtEnds(assembly: string, loci: readonly (Place & { regionStart: number; regionEnd: number })[]) {
    let gone = 0
    let other = 0
    const from = Math.min(...loci.map(({ regionStart }) => regionStart))
    const to = Math.max(...loci.map(({ regionEnd }) => regionEnd))
    for (const [start1, end1] of [
      [this.gene.start, from - 1],
      [to + 1, this.gene.end],
    ] as const) {
      if (end1 - start1 + 1 < minPartBp) continue
      const lift = await this.liftTo({ ...placeOf(this.gene), start1, end1 }, assembly)
      if (lift === null || (lift.outcome !== 'deleted' && lift.outcome !== 'replaced')) continue
      const isThere = lift.deletedAt !== null && !(await this.isLost(assembly, lift, { start1, end1 }))
      if (isThere) other += end1 - start1 + 1
      else gone += end1 - start1 + 1
    }
    return { gone, other }
  }

  /**
   * Whether a part of the gene that alignments pass over is gone. Other bases where it would be may be it, too different to align;
   * not where they are too few to hold half of what they stand for, and have none of its words.
   */
  private async isLost(
    assembly: string,
    { outcome, deletedAt }: Pick<AssemblyLift, 'outcome' | 'deletedAt'>,
    part: { start1: number; end1: number },
  ): Promise<boolean> {
    if (outcome !== 'replaced' || deletedAt === null) return true
    const { sequence, start, end } = deletedAt
    const back = await this.liftTo({ assembly, sequence, start1: start, end1: end }, this.gene.assembly)
    const gap = back?.outcome === 'replaced' ? back.deletedAt : null
    const partBp = part.end1 - part.start1 + 1
    const missingBp = Math.max(partBp, gap === null || gap === undefined ? 0 : gap.end - gap.start + 1)
    if (end - start + 1 >= presenceRules.minShare * missingBp || end - start + 1 > maxSearchedBp) return false
    const [own, other] = await Promise.all([
      this.data.fetchSequence(this.gene.assembly, this.gene.sequence, part.start1, part.end1),
      this.data.fetchSequence(assembly, sequence, start, end),
    ])
    return sharedWordShare(own, other) < minWordShare
  }

  /** A place with the gene's own strand there, of one with the alignment's. */
  stranded<Place extends { strand: '+' | '-' } | null>(place: Place): Place {
    if (place === null || this.gene.strand !== '-') return place
    return { ...place, strand: oppositeStrand(place.strand) }
  }

  /** The gene's own bases on the forward strand. */
  readOwn(): Promise<string> {
    const { assembly, sequence, start, end } = this.gene
    this.ownBases ??= this.data.fetchSequence(assembly, sequence, start, end)
    return this.ownBases
  }

  /** Whether unknown bases stand in a place or close beside it. */
  async hasGap(assembly: string, { sequence, start, end }: Omit<Place, 'strand'>): Promise<boolean> {
    if (end - start > maxSearchedBp) return false
    const { lengthBp } = await this.data.getSequence(assembly, sequence)
    const [from, to] = [Math.max(1, start - besideBp), Math.min(lengthBp, end + besideBp)]
    const bases = await this.data.fetchSequence(assembly, sequence, from, to)
    return (bases.match(/[nN]/g)?.length ?? 0) >= minUnknown
  }

  async findDna(assembly: string): Promise<FoundDna> {
    const { lengthBp } = this
    const nothing: FoundDna = {
      bases: { lengthBp, alignedBp: 0, goneBp: 0, replacedBp: 0 },
      reason: null,
      identity: null,
      locus: null,
      own: [],
      copies: [],
      moved: false,
      through: null,
    }
    if (!this.isAligned(this.gene.assembly) || !this.isAligned(assembly)) return { ...nothing, reason: 'assembly' }
    if (lengthBp > liftLimitBp) return { ...nothing, reason: 'long' }
    const [lift] = await this.data.alignments.trace(placeOf(this.gene), [assembly])
    if (lift === undefined) return { ...nothing, reason: 'long' }
    return this.judge(assembly, lift, { ...nothing, through: lift.through })
  }

  private async judge(
    assembly: string,
    { outcome, loci, deletedAt }: AssemblyTrace,
    nothing: FoundDna,
  ): Promise<FoundDna> {
    const { lengthBp } = this
    if (outcome === 'unaligned') return { ...nothing, reason: 'unaligned' }
    if (outcome === 'reference-lacks') return { ...nothing, reason: 'reference' }
    const lacking = { ...nothing, locus: this.stranded(deletedAt) }
    const gap = deletedAt !== null && (await this.hasGap(assembly, deletedAt)) ? ('gap' as const) : null
    const gone = { lengthBp, alignedBp: 0, goneBp: lengthBp, replacedBp: 0 }
    if (loci.length === 0) {
      const whole = { start1: this.gene.start, end1: this.gene.end }
      if (await this.isLost(assembly, { outcome, deletedAt }, whole)) return { ...lacking, bases: gone, reason: gap }
      return { ...lacking, bases: { ...gone, goneBp: 0, replacedBp: lengthBp }, reason: gap ?? 'replaced' }
    }
    const [best] = loci as [TracedLocus, ...TracedLocus[]]
    // Found aside from where its neighbours are: it has moved, or this is the place of a copy and of another gene.
    if (deletedAt !== null && (await this.leadsBack(assembly, best)) !== true)
      return { ...lacking, bases: gone, reason: gap, copies: loci }
    const own = loci.filter(({ role }) => role !== 'copy')
    const alignedBp = Math.min(
      lengthBp,
      own.reduce((sum, locus) => sum + locus.alignedBp, 0),
    )
    const { sequence, start, end, strand, identity } = best
    const found: FoundDna = {
      ...nothing,
      bases: { lengthBp, alignedBp, goneBp: 0, replacedBp: 0 },
      identity,
      locus: this.stranded({ sequence, start, end, strand }),
      own,
      copies: loci.filter(({ role }) => role === 'copy'),
      moved: deletedAt !== null,
    }
    if (alignedBp >= presenceRules.wholeShare * lengthBp) return found
    const { gone: goneAtEnds, other } = await this.goneAtEnds(assembly, own)
    let [goneBp, replacedBp] = [goneAtEnds, other]
    for (const { missingBp, insertedBp } of own) {
      goneBp += Math.max(0, missingBp - insertedBp)
      replacedBp += Math.min(missingBp, insertedBp)
    }
    const bases = { lengthBp, alignedBp, goneBp, replacedBp }
    const isUnknown = goneBp + replacedBp < (lengthBp - alignedBp) / 2
    return { ...found, bases, reason: isUnknown ? 'unaligned' : null }
  }

  /** The gene's bases at its place in another assembly, with what is beside them; null of a place that is too long to be read. */
  private async readBeside(
    assembly: string,
    { sequence, start, end }: TracedLocus,
  ): Promise<{ other: string; from1: number } | null> {
    if (end - start > 3 * this.lengthBp + maxSearchedBp) return null
    const { lengthBp } = await this.data.getSequence(assembly, sequence)
    const from1 = Math.max(1, start - codingFlankBp)
    // Over the origin of a circle a place ends beyond its length.
    const to1 = Math.max(end, Math.min(lengthBp, end + codingFlankBp))
    return { other: await this.data.fetchSequence(assembly, sequence, from1, to1), from1 }
  }

  private async followedAt(
    { segments, strand }: TracedLocus,
    { other, from1 }: { other: string; from1: number },
    coding: CodingParts,
  ): Promise<FollowedCoding> {
    const { geneticCode } = await this.data.getSequence(this.gene.assembly, this.gene.sequence)
    const own = await this.readOwn()
    return {
      ...coding,
      geneticCode,
      own,
      ownStart0: this.gene.start - 1,
      segments,
      strand,
      other,
      otherStart0: from1 - 1,
    }
  }

  /** How the gene reads at its place, and the longest other DNA among what is read of it. */
  async readPlace(
    assembly: string,
    place: TracedLocus,
    coding: CodingParts | null,
  ): Promise<{ frame: ReadingFrame | null; insertedBp: number }> {
    const { segments, strand } = place
    const beside = await this.readBeside(assembly, place)
    if (beside === null) return { frame: null, insertedBp: 0 }
    const { other, from1 } = beside
    let insertedBp = 0
    for (const [number, after] of segments.entries()) {
      const before = segments[number - 1]
      if (before === undefined) continue
      const [from, to] =
        strand === '+'
          ? [before.other0 + before.lengthBp, after.other0]
          : [after.other0 + after.lengthBp, before.other0]
      const more = to - from - (after.source0 - before.source0 - before.lengthBp)
      if (more <= insertedBp || more < minPartBp) continue
      const at1 = before.source0 + before.lengthBp
      if (coding?.pieces.some(({ start1, end1 }) => at1 >= start1 && at1 < end1) === false) continue
      const unknown = other.slice(from - from1 + 1, to - from1 + 1).match(/[nN]/g)?.length ?? 0
      if (unknown < minUnknown) insertedBp = more
    }
    if (coding === null) return { frame: null, insertedBp }
    return { frame: readFrame(await this.followedAt(place, beside, coding)), insertedBp }
  }

  /** What of the gene's protein differs where its bases are aligned; null where they are not, or cannot be read. */
  async compareProtein(assembly: string, coding: CodingParts): Promise<ProteinComparison | null> {
    const [place] = await this.joinOwn(assembly, (await this.findDna(assembly)).own)
    const beside = place === undefined ? null : await this.readBeside(assembly, place)
    return beside === null ? null : compareProteins(await this.followedAt(place!, beside, coding))
  }

  /** Places of the gene that an origin of either genome parts are one; the largest first. */
  private async joinOwn(assembly: string, places: readonly TracedLocus[]): Promise<TracedLocus[]> {
    const circles = new Map<string, number | null>()
    for (const { sequence } of places) {
      const { circular, lengthBp } = await this.data.getSequence(assembly, sequence)
      circles.set(sequence, circular ? lengthBp : null)
    }
    return joinPlaces(places, (sequence) => circles.get(sequence) ?? null)
  }

  /** The gene in an assembly by what is aligned, as it is told. */
  async findPresence(assembly: string, coding: CodingParts | null): Promise<GenePresence> {
    const found = await this.findDna(assembly)
    return this.describe(assembly, found, coding, found.own.length > 0 || found.reason === null ? 'alignment' : null)
  }

  async describe(
    assembly: string,
    found: FoundDna,
    coding: CodingParts | null,
    by: GenePresence['by'],
  ): Promise<GenePresence> {
    const own = await this.joinOwn(assembly, found.own)
    const [best] = own
    const isThere = best !== undefined && dnaState(found.bases) === 'present'
    const read = isThere ? await this.readPlace(assembly, best, coding) : { frame: null, insertedBp: 0 }
    const genes = await this.genesAt(
      assembly,
      own.map((place) => this.stranded(place)),
    )
    const copies = isThere ? await this.ownCopies(assembly, found.copies) : []
    const paralogs = found.copies.filter((place) => !copies.includes(place))
    const placesOf = (places: readonly TracedLocus[]): Place[] =>
      places
        .slice(0, maxNamed)
        .map(({ sequence, start, end, strand }) => this.stranded({ sequence, start, end, strand }))
    return presenceOf(
      {
        ...found.bases,
        reason: found.reason,
        moved: found.moved,
        parts: own.length,
        insertedBp: read.insertedBp,
        copies: copies.length,
        frame: read.frame,
        annotated: genes.length > 0,
        paralogs: paralogs.length,
        searched: { dna: false, protein: false },
        closed: false,
      },
      {
        by,
        identity: found.identity,
        places: own.length > 0 ? placesOf(own) : found.locus === null ? [] : [found.locus],
        copies: placesOf(copies),
        paralogs: placesOf(paralogs),
        genes: genes.map(({ id }) => id),
        through: found.through,
      },
    )
  }

  /** Those of places that look like the gene that are further copies of it: no other gene's places. */
  async ownCopies(assembly: string, places: readonly TracedLocus[]): Promise<TracedLocus[]> {
    const copies: TracedLocus[] = []
    for (const place of places.slice(0, maxNamed))
      if (isWholeCopy({ ...place, lengthBp: this.lengthBp }) && (await this.leadsBack(assembly, place, true)) === true)
        copies.push(place)
    return copies
  }

  /** Genes of the gene's kind, on its strand there, that fill half of one of the places, or lie there by half. */
  async genesAt(assembly: string, loci: readonly Place[]): Promise<GeneSummary[]> {
    const found = new Map<string, GeneSummary>()
    const coding = this.gene.biotype === 'protein_coding'
    for (const locus of loci.slice(0, maxNamed)) {
      const { lengthBp } = await this.data.getSequence(assembly, locus.sequence)
      const genes = await this.data.listGenesInRegion(assembly, locus.sequence, locus.start, locus.end, maxNamed)
      const turned = this.gene.strand === '.' ? '.' : locus.strand
      for (const one of genes) {
        if (turned !== '.' && one.strand !== '.' && one.strand !== turned) continue
        if (coding !== (one.biotype === 'protein_coding') && !one.biotype.includes('pseudogene')) continue
        const bp = overlapOn(lengthBp, one, locus)
        if (bp >= presenceRules.minShare * Math.min(one.end - one.start + 1, locus.end - locus.start + 1))
          found.set(one.id, one)
      }
    }
    return [...found.values()]
  }
}
