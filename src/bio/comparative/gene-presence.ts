/**
 * What a genome has of a gene by its DNA: where the gene's own bases lie there, whether all of them do, and whether they can still be read.
 * A gene is followed by its place, not by its family: what only resembles it is told apart from it.
 */

import { chanceMatchBp, minVariantBp, remnantShare } from '../alignment/structural-variants.ts'

/**
 * `intact`: the gene, annotated; `unannotated`: the same, and no gene is annotated on it; `copies`: more than once; `moved`: aside from
 * where its neighbours are; `split`: in parts that lie apart, or with other DNA between them; `truncated`: a part of it is gone;
 * `disrupted`: its bases are there, and its reading frame breaks; `paralog`: it is not there, and DNA that resembles it is; `gone`: it is not
 * there, and what is beside it is; `not-found`: neither its place nor any DNA like it was found; `unknown`: nobody can say.
 */
export const presenceStates = [
  'intact',
  'unannotated',
  'copies',
  'moved',
  'split',
  'truncated',
  'disrupted',
  'paralog',
  'gone',
  'not-found',
  'unknown',
] as const
export type PresenceState = (typeof presenceStates)[number]

/**
 * Why `unknown`: the assembly is not aligned (`assembly`), nothing is aligned here (`unaligned`), the reference, through which it would be
 * followed, lacks it (`reference`), unknown bases stand in its place (`gap`), its place is beyond the end of a contig (`contig-end`), other
 * bases that may be it are in its place (`replaced`), or it is too long to be followed (`long`).
 */
export const unknownReasons = ['assembly', 'unaligned', 'reference', 'gap', 'contig-end', 'replaced', 'long'] as const
export type UnknownReason = (typeof unknownReasons)[number]

/** How the bases of a coding gene read in the other genome. */
export interface ReadingFrame {
  /** Of the gene, its stop not counted. */
  codons: number
  /** Share of 1 of them that are read in the gene's own frame before the first stop. */
  keptShare: number
  /** What comes first; null where all is read, or what differs does no harm. */
  change: 'frameshift' | 'stop' | 'start' | null
  /** Number of the codon, from 1, and the change as HGVS writes it. */
  codon1: number | null
  hgvs: string | null
}

/** What is known of a gene's bases in another genome. */
export interface PresenceEvidence {
  lengthBp: number
  /** Bases at its own place that are aligned, that alignments pass over, and in whose stead other bases are; of the rest nothing is known. */
  alignedBp: number
  goneBp: number
  replacedBp: number
  /** Why nothing is known where nothing is. */
  reason: UnknownReason | null
  /** It lies aside from where the alignment of its neighbours passes over it. */
  moved: boolean
  /** Its parts lie in places that are not collinear. */
  parts: number
  /** The longest other DNA between its bases, introns aside. */
  insertedBp: number
  /** Further places of it, which no other gene's place is. */
  copies: number
  /** Null where it is not coding, or cannot be read in the gene's own genome either. */
  frame: ReadingFrame | null
  /** Genes annotated at its place. */
  annotated: boolean
  /** Places that resemble it and are not it. */
  paralogs: number
  /** It was looked for in the whole genome: by its bases, by its protein. */
  searched: { dna: boolean; protein: boolean }
  /** Its neighbours on both sides lie beside each other there, without unknown bases between. */
  closed: boolean
}

export const presenceRules = {
  /** A gene of which less is there is not there: what is left is a remnant. */
  minShare: 0.5,
  /** A gene of which less is there is truncated, and one of which less is read is disrupted. */
  wholeShare: 0.9,
  /**
   * A further place that is less alike is a paralog: the limit of segmental duplications (Bailey et al. 2001, Genome Research 11:1005), which
   * copies that came after two genomes of a species parted are far above.
   */
  copyIdentity: 0.9,
  /** Other DNA of this length among its bases splits a gene. */
  splitBp: 500,
} as const

/** Whether a further place of a gene's DNA is a copy of it as a whole; where an alignment does not tell which bases are equal, by its length. */
export const isWholeCopy = ({
  lengthBp,
  alignedBp,
  identity,
}: {
  lengthBp: number
  alignedBp: number
  identity: number | null
}): boolean =>
  alignedBp >= presenceRules.wholeShare * lengthBp && (identity === null || identity >= presenceRules.copyIdentity)

/** Whether the gene's reading frame breaks so early that the gene is not what it was. */
export const isDisrupted = (frame: ReadingFrame | null): boolean =>
  frame !== null && frame.change !== null && (frame.change === 'start' || frame.keptShare < presenceRules.wholeShare)

/** What of the gene's own DNA is there: at least half of it, not (alignments pass over half), other bases in its stead, or not known. */
export const dnaState = ({
  lengthBp,
  alignedBp,
  goneBp,
  replacedBp,
}: Pick<PresenceEvidence, 'lengthBp' | 'alignedBp' | 'goneBp' | 'replacedBp'>):
  | 'present'
  | 'gone'
  | 'replaced'
  | 'unknown' => {
  const enough = presenceRules.minShare * lengthBp
  if (alignedBp >= enough) return 'present'
  // What is left of it is its own place still.
  if (goneBp >= enough) return 'gone'
  return goneBp + replacedBp >= enough ? 'replaced' : 'unknown'
}

/**
 * The state of a gene by all that is known. What is wrong with it comes before where it is, and that before how often.
 *
 * Example: a gene of 900 bases of which 600 are aligned and 300 are passed over is `truncated`.
 */
export const classifyPresence = (evidence: PresenceEvidence): PresenceState => {
  const { lengthBp, alignedBp, goneBp, replacedBp, parts, insertedBp, moved, copies, annotated, frame } = evidence
  const dna = dnaState(evidence)
  if (dna === 'present') {
    if (parts > 1 || insertedBp >= presenceRules.splitBp) return 'split'
    const missingBp = lengthBp - alignedBp
    if (missingBp > (1 - presenceRules.wholeShare) * lengthBp) {
      // Beyond the end of a contig, or where nothing is aligned, the rest may be.
      if (goneBp + replacedBp < missingBp / 2) return 'unknown'
      if (goneBp >= replacedBp) return 'truncated'
    }
    if (isDisrupted(frame)) return 'disrupted'
    if (moved) return 'moved'
    if (copies > 0) return 'copies'
    return annotated ? 'intact' : 'unannotated'
  }
  if (evidence.reason === 'gap' || evidence.reason === 'contig-end') return 'unknown'
  // Other bases in its place may be it, unless neither its bases nor its protein are found in them or anywhere.
  const isLost = dna === 'gone' || (evidence.searched.protein && (dna === 'replaced' || evidence.closed))
  if (evidence.paralogs > 0 && (isLost || evidence.searched.dna)) return 'paralog'
  if (isLost) return 'gone'
  return evidence.searched.protein && alignedBp === 0 ? 'not-found' : 'unknown'
}

/** States of a gene that is there and not as a whole. */
export const brokenStates = ['split', 'truncated', 'disrupted'] as const
export type BrokenState = (typeof brokenStates)[number]

export const isBroken = (state: PresenceState): state is BrokenState =>
  (brokenStates as readonly PresenceState[]).includes(state)

/** States in which the gene is there as a whole and can be read. */
export const isWhole = (state: PresenceState): boolean => ['intact', 'unannotated', 'copies', 'moved'].includes(state)

/** States in which at least half of the gene is there. */
export const isPresent = (state: PresenceState): boolean => isBroken(state) || isWhole(state)

/** States that say that the gene is not there. `not-found` is none of them: its place is not known. */
export const isAbsent = (state: PresenceState): boolean => state === 'gone' || state === 'paralog'

/** Genes beside each other that a genome has not, by their places in the list. */
export interface LostRun {
  first: number
  last: number
}

/**
 * Runs of neighbours that are lost together. A gene of which nothing is known, or that is cut, does not part a run that goes on behind it
 * on the same sequence; nor does it begin or end one.
 */
export const findLostRuns = (states: readonly PresenceState[], sequence: readonly number[]): LostRun[] => {
  const runs: LostRun[] = []
  for (const [gene, state] of states.entries()) {
    if (!isAbsent(state)) continue
    const run = runs.at(-1)
    const joins =
      run !== undefined &&
      sequence[run.last] === sequence[gene] &&
      states.slice(run.last + 1, gene).every((one) => one === 'unknown' || one === 'not-found')
    if (joins) run.last = gene
    else runs.push({ first: gene, last: gene })
  }
  return runs
}

/** Bases that a genome has not, between two that are aligned; from 1, both included. */
export interface MissingBases {
  start: number
  end: number
  /** How many bases fewer it has there; all of them where so many others stand in their stead that these are no remnant. */
  lostBp: number
}

/**
 * Bases of a stretch that the other genome has not, from aligned parts in the order of the stretch (counted from 0), as structural variants
 * are told from the same alignment: few bases that match within a deletion are chance.
 *
 * Example: 100 aligned bases, 900 that are missing and 40 others in their stead, and 100 aligned: 101 to 1000, 860 bases fewer.
 */
export const findMissingBases = (
  parts: readonly { source0: number; other0: number; lengthBp: number }[],
  strand: '+' | '-',
): MissingBases[] => {
  const joined: { source0: number; end0: number; otherStart0: number; otherEnd0: number }[] = []
  for (const { source0, other0, lengthBp } of parts) {
    const last = joined.at(-1)
    const otherBp =
      last === undefined ? 0 : strand === '+' ? other0 - last.otherEnd0 : last.otherStart0 - other0 - lengthBp
    // Mismatches, and indels that are none of size, do not part what is aligned.
    if (last !== undefined && source0 - last.end0 < minVariantBp && otherBp < minVariantBp) {
      last.end0 = source0 + lengthBp
      last.otherStart0 = Math.min(last.otherStart0, other0)
      last.otherEnd0 = Math.max(last.otherEnd0, other0 + lengthBp)
    } else joined.push({ source0, end0: source0 + lengthBp, otherStart0: other0, otherEnd0: other0 + lengthBp })
  }
  const aligned = joined.filter(
    ({ source0, end0 }, at) => at === 0 || at === joined.length - 1 || end0 - source0 >= chanceMatchBp,
  )
  return aligned.flatMap((after, at): MissingBases[] => {
    const before = aligned[at - 1]
    if (before === undefined || after.source0 - before.end0 < minVariantBp) return []
    const otherBp = strand === '+' ? after.otherStart0 - before.otherEnd0 : before.otherStart0 - after.otherEnd0
    const spanBp = after.source0 - before.end0
    const lostBp = otherBp * remnantShare <= spanBp ? spanBp - Math.max(0, otherBp) : spanBp
    return [{ start: before.end0 + 1, end: after.source0, lostBp }]
  })
}
