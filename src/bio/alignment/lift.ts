/**
 * Places of one assembly in another, through alignments of whole sequences. As UCSC's liftOver does, a place is followed through
 * chains of collinear alignments (Kent et al. 2003, PNAS 100:11484); unlike it, nothing is thrown away: parts that lie elsewhere,
 * further copies, and what the other assembly has not are all told.
 */
import { type Cigar, cigarOperation, invertCigar, type PafRecord } from './paf.ts'

/** A segment of an alignment, or the gap between two alignments of a chain (`gap`: none of its bases are aligned). */
export interface AlignmentPiece {
  /** Sequence and place in the assembly that is asked about; from 0, end excluded. */
  source: string
  sourceStart0: number
  sourceEnd0: number
  /** Sequence and place in the other assembly, on its forward strand. */
  other: string
  otherStart0: number
  otherEnd0: number
  strand: '+' | '-'
  /** Number of the chain in its pair of assemblies, and its score. */
  chain: number
  chainScore: number
  mapq: number
  gap: boolean
  /** From source start to source end: a deletion is of source bases, an insertion of the other's. */
  cigar: Cigar
}

/** Lookups read the pieces that a region touches: longer ones would make them read more, shorter ones the files larger. */
export const pieceBp = 20_000

const lengthOf = (entry: number): number => Math.floor(entry / 16)

/**
 * Cuts an alignment into pieces of about `pieceBp` of the target that begin and end with aligned bases, in the order of the target.
 * The target is the source. An alignment without operations is one piece that says how long it is and no more; it is left out.
 */
export const cutAlignment = (
  record: PafRecord,
  chain: number,
  chainScore: number,
  length = pieceBp,
): AlignmentPiece[] => {
  if (record.cigar === null) return []
  const pieces: AlignmentPiece[] = []
  const forward = record.strand === '+'
  let source0 = record.targetStart0
  // Along the query in the direction of the alignment.
  let walked = 0
  let startSource = source0
  let startWalked = 0
  let operations: number[] = []
  const close = (): void => {
    const [from, to] = forward
      ? [record.queryStart0 + startWalked, record.queryStart0 + walked]
      : [record.queryEnd0 - walked, record.queryEnd0 - startWalked]
    pieces.push({
      source: record.target,
      sourceStart0: startSource,
      sourceEnd0: source0,
      other: record.query,
      otherStart0: from,
      otherEnd0: to,
      strand: record.strand,
      chain,
      chainScore,
      mapq: record.mapq,
      gap: false,
      cigar: Uint32Array.from(operations),
    })
    startSource = source0
    startWalked = walked
    operations = []
  }
  for (const entry of record.cigar) {
    const operation = entry & 15
    let left = lengthOf(entry)
    if (operation === cigarOperation.insertion) {
      operations.push(entry)
      walked += left
      continue
    }
    if (operation === cigarOperation.deletion) {
      operations.push(entry)
      source0 += left
      continue
    }
    while (left > 0) {
      const room = Math.max(1, startSource + length - source0)
      const take = Math.min(left, room)
      operations.push(take * 16 + operation)
      source0 += take
      walked += take
      left -= take
      if (source0 - startSource >= length) close()
    }
  }
  if (operations.length > 0) close()
  return pieces
}

/** The same piece asked about from the other side. */
export const invertPiece = (piece: AlignmentPiece): AlignmentPiece => ({
  ...piece,
  source: piece.other,
  sourceStart0: piece.otherStart0,
  sourceEnd0: piece.otherEnd0,
  other: piece.source,
  otherStart0: piece.sourceStart0,
  otherEnd0: piece.sourceEnd0,
  cigar: invertCigar(piece.cigar, piece.strand),
})

/** Bases that stand opposite each other without a gap; on the minus strand `other0` is the base opposite the last of the source. */
export interface Segment {
  source0: number
  other0: number
  lengthBp: number
  /** Null where the alignment does not say whether they are equal. */
  equal: boolean | null
}

/** The ungapped parts of a piece within `[start0, end0)` of the source, in its order. */
export const readSegments = (piece: AlignmentPiece, start0: number, end0: number): Segment[] => {
  const segments: Segment[] = []
  const forward = piece.strand === '+'
  let source0 = piece.sourceStart0
  let walked = 0
  for (const entry of piece.cigar) {
    if (source0 >= end0) break
    const length = lengthOf(entry)
    const operation = entry & 15
    if (operation === cigarOperation.insertion) {
      walked += length
      continue
    }
    if (operation === cigarOperation.deletion) {
      source0 += length
      continue
    }
    const from = Math.max(source0, start0)
    const to = Math.min(source0 + length, end0)
    if (from < to) {
      const ahead = walked + from - source0
      segments.push({
        source0: from,
        other0: forward ? piece.otherStart0 + ahead : piece.otherEnd0 - ahead - (to - from),
        lengthBp: to - from,
        equal: operation === cigarOperation.equal ? true : operation === cigarOperation.mismatch ? false : null,
      })
    }
    source0 += length
    walked += length
  }
  return segments
}

/** Where the bases of an interval lie in the other assembly by one chain. */
export interface ChainPart {
  chain: number
  chainScore: number
  mapq: number
  sequence: string
  strand: '+' | '-'
  /** In the order of the source; empty when the chain passes over the interval with a gap. */
  segments: Segment[]
  /** The chain goes on at both ends of the interval, so that what of it has no partner is passed over. */
  passes: boolean
  /**
   * Between which bases of the other assembly the longest segment of the interval that the chain has none of would be; null when there
   * is none. Bases from 0, end excluded.
   */
  gapAt: { start0: number; end0: number } | null
}

/**
 * Where the other assembly has what it has in place of base `at0`: an aligner writes a replaced segment as a deletion beside an
 * insertion.
 */
const gapLocus = (piece: AlignmentPiece, at0: number): { start0: number; end0: number } => {
  if (piece.gap) return { start0: piece.otherStart0, end0: piece.otherEnd0 }
  let source0 = piece.sourceStart0
  let walked = 0
  let insertedBefore = 0
  let insertedAfter = 0
  for (const [number, entry] of piece.cigar.entries()) {
    const operation = entry & 15
    const length = lengthOf(entry)
    if (operation === cigarOperation.insertion) {
      walked += length
      insertedBefore = length
      continue
    }
    const deletion = operation === cigarOperation.deletion
    if (source0 + length > at0) {
      const next = piece.cigar[number + 1]
      if (!deletion) insertedBefore = 0
      else if (next !== undefined && (next & 15) === cigarOperation.insertion) insertedAfter = lengthOf(next)
      break
    }
    source0 += length
    if (!deletion) walked += length
    insertedBefore = 0
  }
  const [from, to] = [walked - insertedBefore, walked + insertedAfter]
  return piece.strand === '+'
    ? { start0: piece.otherStart0 + from, end0: piece.otherStart0 + to }
    : { start0: piece.otherEnd0 - to, end0: piece.otherEnd0 - from }
}

/** What stands in place of the longest segment of `[start0, end0)` without aligned bases; `pieces` and `segments` of one chain ascend. */
const longestGap = (
  pieces: readonly AlignmentPiece[],
  segments: readonly Segment[],
  start0: number,
  end0: number,
): ChainPart['gapAt'] => {
  let [at0, longest, reached] = [start0, 0, start0]
  for (const { source0, lengthBp } of [...segments, { source0: end0, lengthBp: 0 }]) {
    if (source0 - reached > longest) [at0, longest] = [reached, source0 - reached]
    reached = Math.max(reached, source0 + lengthBp)
  }
  if (longest === 0) return null
  const piece = pieces.find(({ sourceStart0, sourceEnd0 }) => sourceStart0 <= at0 && sourceEnd0 > at0) ?? pieces[0]!
  return gapLocus(piece, Math.max(at0, piece.sourceStart0))
}

/** Reads the pieces of one other assembly that overlap `[start0, end0)`, chain by chain. */
export const readChains = (pieces: readonly AlignmentPiece[], start0: number, end0: number): ChainPart[] => {
  const byChain = new Map<number, AlignmentPiece[]>()
  for (const piece of pieces) {
    if (piece.sourceEnd0 <= start0 || piece.sourceStart0 >= end0) continue
    const list = byChain.get(piece.chain)
    if (list === undefined) byChain.set(piece.chain, [piece])
    else list.push(piece)
  }
  const parts: ChainPart[] = []
  for (const [chain, list] of byChain) {
    list.sort((a, b) => a.sourceStart0 - b.sourceStart0 || a.sourceEnd0 - b.sourceEnd0)
    const [first] = list as [AlignmentPiece, ...AlignmentPiece[]]
    const segments: Segment[] = []
    let reached = start0
    for (const piece of list) {
      if (piece.gap) continue
      // Two alignments of a chain may overlap where a repeat begins and ends: the earlier one is followed.
      for (const segment of readSegments(piece, Math.max(reached, start0), end0)) segments.push(segment)
      reached = Math.max(reached, piece.sourceEnd0)
    }
    parts.push({
      chain,
      chainScore: first.chainScore,
      mapq: Math.max(...list.map(({ mapq }) => mapq)),
      sequence: first.other,
      strand: first.strand,
      segments,
      passes: first.sourceStart0 <= start0 && Math.max(...list.map(({ sourceEnd0 }) => sourceEnd0)) >= end0,
      gapAt: longestGap(list, segments, start0, end0),
    })
  }
  return parts
}

/**
 * The way from one assembly to a third: `first` leads to the middle assembly, `second` from there, over the same sequence of it.
 * What the middle assembly has not cannot be followed. Where both differ from the middle, nobody says whether they differ from
 * each other.
 */
export const composeChains = (first: ChainPart, second: ChainPart): ChainPart => {
  const segments: Segment[] = []
  const turned = first.strand === '-'
  const onward = second.strand === '-'
  // Both in the order of the middle assembly.
  const ways = turned ? [...first.segments].reverse() : first.segments
  let at = 0
  for (const way of ways) {
    while (at < second.segments.length && second.segments[at]!.source0 + second.segments[at]!.lengthBp <= way.other0)
      at += 1
    for (
      let next = at;
      next < second.segments.length && second.segments[next]!.source0 < way.other0 + way.lengthBp;
      next += 1
    ) {
      const step = second.segments[next]!
      const from = Math.max(way.other0, step.source0)
      const to = Math.min(way.other0 + way.lengthBp, step.source0 + step.lengthBp)
      if (from >= to) continue
      const ahead = from - step.source0
      segments.push({
        source0: turned ? way.source0 + (way.other0 + way.lengthBp - to) : way.source0 + (from - way.other0),
        other0: onward ? step.other0 + step.lengthBp - ahead - (to - from) : step.other0 + ahead,
        lengthBp: to - from,
        equal:
          way.equal === null || step.equal === null || (!way.equal && !step.equal) ? null : way.equal && step.equal,
      })
    }
  }
  if (turned) segments.reverse()
  return {
    chain: second.chain,
    chainScore: Math.min(first.chainScore, second.chainScore),
    mapq: Math.min(first.mapq, second.mapq),
    sequence: second.sequence,
    strand: turned === onward ? '+' : '-',
    segments,
    passes: first.passes && second.passes,
    gapAt: segments.length > 0 || second.segments.length > 0 ? null : second.gapAt,
  }
}

/** A place in the other assembly; from 0, end excluded, on its forward strand. */
export interface LiftedLocus {
  chain: number
  sequence: string
  start0: number
  end0: number
  strand: '+' | '-'
  /** Part of what was asked for that lies here, from its first to its last aligned base. */
  sourceStart0: number
  sourceEnd0: number
  /** Bases of the interval that have an aligned base here. */
  alignedBp: number
  /** Share of 1 of the aligned bases that are equal, among those of which it is known; null when of none. */
  identity: number | null
  /** Bases of the interval between its ends here that this place lacks, and those that it has more. */
  missingBp: number
  insertedBp: number
  mapq: number
  /** `best`: the place; `rest`: a part of the interval that the best place lacks; `copy`: a further place of what lies there too. */
  role: 'best' | 'rest' | 'copy'
  /** Which bases stand opposite each other here, in the order of the source. */
  segments: readonly Segment[]
}

/**
 * `whole`: all bases are opposite others, save for small gaps; `partial`: some are not; `split`: parts lie in places that are not
 * collinear; `deleted`: alignments go on at both sides and pass over it; `replaced`: so they do, and other bases are there, too different
 * to align; `unaligned`: nothing is aligned here.
 */
export type LiftOutcome = 'whole' | 'partial' | 'split' | 'deleted' | 'replaced' | 'unaligned'

export interface Lifted {
  outcome: LiftOutcome
  /** The best first, then what is left of the interval, then copies, by falling number of aligned bases. */
  loci: LiftedLocus[]
  /**
   * Of `deleted`: where it would be; of `replaced`: what is there. With places: a chain of a higher score than that of the best place
   * goes on at both sides and passes over the interval here, so what was found lies elsewhere and may be a copy's. What lies among
   * the other bases there (turned round, or beside an insertion) is at its place, and this is null.
   */
  deletedAt: { sequence: string; start0: number; end0: number; strand: '+' | '-' } | null
}

const describe = (part: ChainPart, role: LiftedLocus['role']): LiftedLocus => {
  let alignedBp = 0
  let equal = 0
  let known = 0
  let start0 = Number.POSITIVE_INFINITY
  let end0 = 0
  for (const segment of part.segments) {
    alignedBp += segment.lengthBp
    if (segment.equal !== null) known += segment.lengthBp
    if (segment.equal === true) equal += segment.lengthBp
    start0 = Math.min(start0, segment.other0)
    end0 = Math.max(end0, segment.other0 + segment.lengthBp)
  }
  const last = part.segments.at(-1)!
  const sourceStart0 = part.segments[0]!.source0
  const sourceEnd0 = last.source0 + last.lengthBp
  return {
    chain: part.chain,
    sequence: part.sequence,
    start0,
    end0,
    strand: part.strand,
    sourceStart0,
    sourceEnd0,
    alignedBp,
    identity: known === 0 ? null : equal / known,
    missingBp: sourceEnd0 - sourceStart0 - alignedBp,
    insertedBp: Math.max(0, end0 - start0 - alignedBp),
    mapq: part.mapq,
    role,
    segments: part.segments,
  }
}

/** Bases of the segments that lie in what is covered; both ascend, and no two of either overlap. */
const coveredBp = (segments: readonly Segment[], covered: readonly [number, number][]): number => {
  let sum = 0
  let first = 0
  for (const { source0, lengthBp } of segments) {
    const end0 = source0 + lengthBp
    while (first < covered.length && covered[first]![1] <= source0) first += 1
    for (let at = first; at < covered.length && covered[at]![0] < end0; at += 1)
      sum += Math.min(covered[at]![1], end0) - Math.max(covered[at]![0], source0)
  }
  return sum
}

/** The point where the few aligned bases of a part lie. */
const edgeOf = ({ segments, strand }: ChainPart): { start0: number; end0: number } => {
  const { other0, lengthBp } = segments[0]!
  const position0 = strand === '+' ? other0 + lengthBp : other0
  return { start0: position0, end0: position0 }
}

const spansOf = (segments: readonly Segment[]): [number, number][] => {
  const spans: [number, number][] = []
  for (const { source0, lengthBp } of segments) {
    const last = spans.at(-1)
    if (last !== undefined && last[1] === source0) last[1] += lengthBp
    else spans.push([source0, source0 + lengthBp])
  }
  return spans
}

/** Two lists of segments as one, ascending, those that meet joined. */
const uniteSpans = (some: readonly [number, number][], more: readonly [number, number][]): [number, number][] => {
  const united: [number, number][] = []
  for (const [from, to] of [...some, ...more].sort((a, b) => a[0] - b[0])) {
    const last = united.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else united.push([from, to])
  }
  return united
}

interface Aligned {
  part: ChainPart
  bp: number
}

/** Whether a part lies, by half at least, among the bases that another chain passes over. */
const liesWithin = (part: ChainPart, over: ChainPart, gap: { start0: number; end0: number }): boolean => {
  if (part.sequence !== over.sequence) return false
  const start0 = Math.min(...part.segments.map(({ other0 }) => other0))
  const end0 = Math.max(...part.segments.map(({ other0, lengthBp }) => other0 + lengthBp))
  return 2 * (Math.min(end0, gap.end0) - Math.max(start0, gap.start0)) >= end0 - start0
}

/** A chain that has at least this share of what the fullest one has is the place if its score is higher: what is around it counts. */
const rivalShare = 0.5
/** Less of an interval left over is a small gap, not a part of its own: a structural variant begins at this size. */
const minPartBp = 50
/** Of an interval of one gene's length a few bases at its ends are lost to alignment. */
const wholeShare = 0.95
const maxPositions = 20

/**
 * Decides where `[start0, end0)` lies by the chains that reach it. The best place is that of the chain with the highest score among
 * those that have at least half as much of the interval as the fullest: a gene of a family is where its neighbours are, not where
 * its most similar copy is. Nothing is guessed: without an aligned base there is no place.
 *
 * Example: bases 100–200 of a chain that runs on the minus strand of chr2 are one place with strand '-'.
 */
export const liftInterval = (parts: readonly ChainPart[], start0: number, end0: number): Lifted => {
  // A few bases at the edge of a gap are no place of a gene.
  const min = Math.min(minPartBp, (end0 - start0) / 2)
  const aligned: Aligned[] = parts
    .map((part) => ({ part, bp: part.segments.reduce((sum, { lengthBp }) => sum + lengthBp, 0) }))
    .filter(({ bp }) => bp > 0 && bp >= min)
  const [over] = parts
    .filter((part) => part.passes && !aligned.some((one) => one.part === part))
    .sort((a, b) => b.chainScore - a.chainScore)
  const passedAt =
    over === undefined ? null : { sequence: over.sequence, ...(over.gapAt ?? edgeOf(over)), strand: over.strand }
  if (aligned.length === 0) {
    if (passedAt === null) return { outcome: 'unaligned', loci: [], deletedAt: null }
    const outcome = passedAt.end0 - passedAt.start0 >= minPartBp ? 'replaced' : 'deleted'
    return { outcome, loci: [], deletedAt: passedAt }
  }
  const fullest = Math.max(...aligned.map(({ bp }) => bp))
  aligned.sort((a, b) => b.part.chainScore - a.part.chainScore || b.bp - a.bp)
  const rivals = aligned.filter(({ bp }) => bp >= rivalShare * fullest) as [Aligned, ...Aligned[]]
  const isPassed = (by: Aligned): boolean => over !== undefined && over.chainScore > by.part.chainScore
  const isWithin = (one: Aligned): boolean =>
    over !== undefined && passedAt !== null && liesWithin(one.part, over, passedAt)
  const best = (isPassed(rivals[0]) ? rivals.find(isWithin) : undefined) ?? rivals[0]
  const loci = [describe(best.part, 'best')]
  let covered = spansOf(best.part.segments)
  let total = best.bp
  let split = false
  const copies: LiftedLocus[] = []
  for (const { part, bp } of aligned) {
    if (part === best.part) continue
    const again = coveredBp(part.segments, covered)
    if (bp - again >= minPartBp && bp - again > again) {
      loci.push(describe(part, 'rest'))
      covered = uniteSpans(covered, spansOf(part.segments))
      total += bp - again
      split = true
    } else copies.push(describe(part, 'copy'))
  }
  copies.sort((a, b) => b.alignedBp - a.alignedBp)
  const length = end0 - start0
  const outcome = split
    ? 'split'
    : total >= wholeShare * length || length - total < Math.min(minPartBp, length / 2)
      ? 'whole'
      : 'partial'
  const elsewhere = isPassed(best) && !isWithin(best)
  return { outcome, loci: [...loci, ...copies].slice(0, maxPositions), deletedAt: elsewhere ? passedAt : null }
}
