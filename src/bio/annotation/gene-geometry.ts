// Where the parts of a gene lie: exons, introns, coding sequence, untranslated regions and flanks, in coordinates.
// Everything is 1-based and inclusive, ascending along the sequence, whatever the strand. On circular sequences coordinates may
// run below 1 or beyond the length; `placeInterval` brings them back.

import { readingExons } from '../sequence/coding-sequence.ts'

export interface Interval {
  start1: number
  end1: number
}

export type GeneStrand = '+' | '-' | '.'

/** A segment with the strand it is read on. */
export interface OrientedInterval extends Interval {
  strand: '+' | '-'
}

/** A transcript as the catalogue keeps it: ascending exons and coding parts; a coding part ends with its GFF3 phase. */
export interface TranscriptShape {
  id: string
  start: number
  end: number
  exons: readonly (readonly [start1: number, end1: number])[]
  cds: readonly (readonly [start1: number, end1: number, phase: number])[]
  /** Coding parts as they are read, each on its strand; only of a trans-spliced transcript. */
  readingOrder?: readonly (readonly [start1: number, end1: number, strand: '+' | '-'])[]
}

const toInterval = ([start1, end1]: readonly [number, number, ...number[]]): Interval => ({ start1, end1 })

/** Bases in the intervals together. Example: `intervalsLengthBp([{start1: 5, end1: 9}])` is 5. */
export function intervalsLengthBp(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { start1, end1 }) => sum + end1 - start1 + 1, 0)
}

/**
 * The exons; one exon over the whole transcript when the annotation has none (bacterial genes are often given so), and the
 * coding parts when only those are given.
 *
 * Example: a transcript 1..9 without exons and coding parts has the exon `{start1: 1, end1: 9}`.
 */
export function findExons(transcript: TranscriptShape): Interval[] {
  if (transcript.exons.length > 0) return transcript.exons.map(toInterval)
  if (transcript.cds.length > 0) return transcript.cds.map(toInterval)
  return [{ start1: transcript.start, end1: transcript.end }]
}

const readingOrderOf = (transcript: TranscriptShape): OrientedInterval[] | undefined =>
  transcript.readingOrder?.map(([start1, end1, strand]) => ({ start1, end1, strand }))

/** Ascending intervals in the direction of the strand; without strand as on `+`. */
export function inReadingDirection(intervals: readonly Interval[], strand: GeneStrand): OrientedInterval[] {
  const own = strand === '-' ? '-' : '+'
  const oriented = intervals.map(({ start1, end1 }): OrientedInterval => ({ start1, end1, strand: own }))
  return own === '-' ? oriented.reverse() : oriented
}

/** The coding parts in the order and on the strands in which they are read; empty for a transcript that codes for nothing. */
export function readCodingParts(transcript: TranscriptShape, strand: GeneStrand): OrientedInterval[] {
  return readingOrderOf(transcript) ?? inReadingDirection(findCodingParts(transcript), strand)
}

/** The exons in the order and on the strands in which they are read. */
export function readExons(transcript: TranscriptShape, strand: GeneStrand): OrientedInterval[] {
  return readingExons(findExons(transcript), strand, readingOrderOf(transcript))
}

/**
 * The introns in reading order. Between two exons that are joined by trans-splicing lies none: they come from two transcripts.
 *
 * Example: with the reading order 91..99 (-), 11..19 (+), 31..39 (+) there is the one intron 20..30 (+).
 */
export function readIntrons(transcript: TranscriptShape, strand: GeneStrand): OrientedInterval[] {
  if (!transcript.readingOrder) return inReadingDirection(findIntrons(transcript), strand)
  const exons = readExons(transcript, strand)
  return exons.slice(1).flatMap((exon, index): OrientedInterval[] => {
    const before = exons[index]!
    if (before.strand !== exon.strand) return []
    const [left, right] = exon.strand === '-' ? [exon, before] : [before, exon]
    return left.end1 + 1 < right.start1 ? [{ start1: left.end1 + 1, end1: right.start1 - 1, strand: exon.strand }] : []
  })
}

/**
 * The untranslated parts of the exons in reading order, before and after the coding sequence. See `findUntranslatedRegions`.
 */
export function readUntranslatedRegions(
  transcript: TranscriptShape,
  strand: GeneStrand,
): { five: OrientedInterval[]; three: OrientedInterval[] } {
  const coding = readingOrderOf(transcript)
  if (!coding) {
    const { five, three } = findUntranslatedRegions(transcript, strand)
    return { five: inReadingDirection(five, strand), three: inReadingDirection(three, strand) }
  }
  const five: OrientedInterval[] = []
  const three: OrientedInterval[] = []
  const first = coding[0]!
  const last = coding.at(-1)!
  let hasCoded = false
  for (const exon of readExons(transcript, strand)) {
    const isReverse = exon.strand === '-'
    const holds = (piece: Interval) => piece.start1 >= exon.start1 && piece.end1 <= exon.end1
    if (!coding.some(holds)) {
      ;(hasCoded ? three : five).push(exon)
      continue
    }
    hasCoded = true
    const { start1, end1 } = exon
    if (holds(first)) {
      if (isReverse && first.end1 < end1) five.push({ ...exon, start1: first.end1 + 1 })
      if (!isReverse && first.start1 > start1) five.push({ ...exon, end1: first.start1 - 1 })
    }
    if (holds(last)) {
      if (isReverse && last.start1 > start1) three.push({ ...exon, end1: last.start1 - 1 })
      if (!isReverse && last.end1 < end1) three.push({ ...exon, start1: last.end1 + 1 })
    }
  }
  return { five, three }
}

/**
 * The segment beside which a transcript's flank lies, with its strand: the whole transcript or its coding span, and of a
 * trans-spliced one the exon or coding part that is read first (upstream) or last (downstream). Null when nothing codes.
 */
export function findAnchor(
  transcript: TranscriptShape,
  strand: GeneStrand,
  from: 'transcript' | 'coding',
  side: FlankSide,
): { anchor: Interval; strand: GeneStrand } | null {
  if (transcript.readingOrder) {
    const pieces = from === 'coding' ? readCodingParts(transcript, strand) : readExons(transcript, strand)
    const piece = side === 'upstream' ? pieces[0] : pieces.at(-1)
    return piece ? { anchor: { start1: piece.start1, end1: piece.end1 }, strand: piece.strand } : null
  }
  const anchor = from === 'coding' ? codingSpan(transcript) : { start1: transcript.start, end1: transcript.end }
  return anchor && { anchor, strand }
}

/** The coding parts, empty for a transcript that codes for nothing. */
function findCodingParts(transcript: TranscriptShape): Interval[] {
  return transcript.cds.map(toInterval)
}

/**
 * The gaps between exons. Exons that touch or overlap (ribosomal frameshifts are written so) have no intron between them.
 *
 * Example: exons 1..10, 21..30 and 31..40 have the one intron 11..20.
 */
export function findIntrons(transcript: TranscriptShape): Interval[] {
  const introns: Interval[] = []
  let end1 = Number.NEGATIVE_INFINITY
  for (const exon of findExons(transcript)) {
    if (end1 + 1 < exon.start1 && Number.isFinite(end1)) introns.push({ start1: end1 + 1, end1: exon.start1 - 1 })
    end1 = Math.max(end1, exon.end1)
  }
  return introns
}

/**
 * The untranslated parts of the exons, before (5') and after (3') the coding sequence as the transcript is read; both empty
 * for a transcript that codes for nothing. The stop codon belongs to the coding sequence (GFF3 1.26).
 *
 * Example: on strand `-`, exons 1..10 and 21..40, coding 5..10 and 21..30: 5' is 31..40, 3' is 1..4.
 */
export function findUntranslatedRegions(
  transcript: TranscriptShape,
  strand: GeneStrand,
): { five: Interval[]; three: Interval[] } {
  const coding = codingSpan(transcript)
  if (coding === null) return { five: [], three: [] }
  const before: Interval[] = []
  const after: Interval[] = []
  for (const exon of findExons(transcript)) {
    if (exon.start1 < coding.start1) {
      before.push({ start1: exon.start1, end1: Math.min(exon.end1, coding.start1 - 1) })
    }
    if (exon.end1 > coding.end1) after.push({ start1: Math.max(exon.start1, coding.end1 + 1), end1: exon.end1 })
  }
  return strand === '-' ? { five: after, three: before } : { five: before, three: after }
}

/** From the first to the last coding base, introns included; null for a transcript that codes for nothing. */
export function codingSpan(transcript: TranscriptShape): Interval | null {
  if (transcript.cds.length === 0) return null
  let start1 = Number.POSITIVE_INFINITY
  let end1 = Number.NEGATIVE_INFINITY
  for (const [start, end] of transcript.cds) {
    start1 = Math.min(start1, start)
    end1 = Math.max(end1, end)
  }
  return { start1, end1 }
}

/**
 * The phase of the coding part that is read first: the bases to skip before the first whole codon. Other than 0 only where the
 * annotation is incomplete at its 5' end.
 *
 * Example: on strand `-` it is the phase of the last part along the sequence.
 */
export function firstPhase(transcript: TranscriptShape, strand: GeneStrand): 0 | 1 | 2 {
  const first = transcript.readingOrder?.[0]
  const part = first
    ? transcript.cds.find(([start1, end1]) => start1 === first[0] && end1 === first[1])
    : strand === '-'
      ? transcript.cds.at(-1)
      : transcript.cds[0]
  return part?.[2] === 1 ? 1 : part?.[2] === 2 ? 2 : 0
}

export type FlankSide = 'upstream' | 'downstream'

export interface FlankOptions {
  side: FlankSide
  strand: GeneStrand
  /** Bases outside the anchor. */
  outsideBp: number
  /** Bases on the inner side of the edge, counted from the anchor's first (upstream) or last base (downstream). */
  insideBp?: number
}

/**
 * The flank of an anchor (a transcript from its start to its end, or its coding span) on the side meant, as the strand has it.
 * Bounds of the sequence are not looked at: `placeInterval` does. Null when it holds no base.
 *
 * Example: `findFlank({start1: 1001, end1: 2000}, {side: 'upstream', strand: '-', outsideBp: 500})` is 2001..2500.
 */
export function findFlank(anchor: Interval, options: FlankOptions): Interval | null {
  const { outsideBp } = options
  const insideBp = Math.min(options.insideBp ?? 0, anchor.end1 - anchor.start1 + 1)
  if (outsideBp + insideBp <= 0) return null
  return isLeft(options)
    ? { start1: anchor.start1 - outsideBp, end1: anchor.start1 - 1 + insideBp }
    : { start1: anchor.end1 + 1 - insideBp, end1: anchor.end1 + outsideBp }
}

/** Whether that side of a feature is towards the start of the sequence. A feature without strand is read as `+`. */
function isLeft({ side, strand }: { side: FlankSide; strand: GeneStrand }): boolean {
  return (side === 'upstream') !== (strand === '-')
}

/**
 * Shortens a flank so that it holds no base of a neighbouring gene: it ends at the neighbour that is nearest to the anchor.
 * Neighbours count on either strand. One that covers the base next to the anchor leaves nothing outside it. The inner part of
 * the flank (`insideBp`) is never shortened.
 *
 * Example: upstream 501..1000 of an anchor that starts at 1001, with a neighbour 300..700, becomes 701..1000.
 */
export function clipFlank<Neighbour extends Interval>(
  flank: Interval,
  anchor: Interval,
  options: FlankOptions,
  neighbours: readonly Neighbour[],
): { flank: Interval | null; clippedBp: number; at: Neighbour | null } {
  let { start1, end1 } = flank
  let at: Neighbour | null = null
  if (isLeft(options)) {
    const edge = anchor.start1 - 1
    for (const neighbour of neighbours) {
      if (neighbour.start1 > edge || neighbour.end1 < start1) continue
      start1 = Math.min(neighbour.end1, edge) + 1
      at = neighbour
    }
  } else {
    const edge = anchor.end1 + 1
    for (const neighbour of neighbours) {
      if (neighbour.end1 < edge || neighbour.start1 > end1) continue
      end1 = Math.max(neighbour.start1, edge) - 1
      at = neighbour
    }
  }
  const clippedBp = start1 - flank.start1 + (flank.end1 - end1)
  return { flank: start1 > end1 ? null : { start1, end1 }, clippedBp, at }
}

export interface PlacedInterval {
  /** Parts within 1..length, in the order of the unplaced interval; two where it crosses the origin of a circular sequence. */
  pieces: Interval[]
  /** Bases that were asked for before the first and after the last base of the sequence. */
  missingBeforeBp: number
  missingAfterBp: number
  crossesOrigin: boolean
}

/**
 * Brings an interval onto its sequence. On a linear sequence what lies outside is left out and counted; on a circular one it goes
 * on across the origin, at most once around.
 *
 * Example: -4..5 on a linear sequence of 100 is 1..5 with 5 bases missing before; on a circular one it is 96..100 and 1..5.
 */
export function placeInterval(interval: Interval, sequence: { lengthBp: number; circular: boolean }): PlacedInterval {
  const { lengthBp, circular } = sequence
  const { start1, end1 } = interval
  if (!circular) {
    const low = Math.max(1, start1)
    const high = Math.min(lengthBp, end1)
    return {
      pieces: low <= high ? [{ start1: low, end1: high }] : [],
      missingBeforeBp: Math.min(end1 - start1 + 1, Math.max(0, 1 - start1)),
      missingAfterBp: Math.min(end1 - start1 + 1, Math.max(0, end1 - lengthBp)),
      crossesOrigin: false,
    }
  }
  const wholeBp = end1 - start1 + 1
  const keptBp = Math.min(wholeBp, lengthBp)
  const first1 = ((((start1 - 1) % lengthBp) + lengthBp) % lengthBp) + 1
  const last1 = first1 + keptBp - 1
  const crossesOrigin = last1 > lengthBp
  return {
    pieces: crossesOrigin
      ? [
          { start1: first1, end1: lengthBp },
          { start1: 1, end1: last1 - lengthBp },
        ]
      : [{ start1: first1, end1: last1 }],
    missingBeforeBp: 0,
    missingAfterBp: wholeBp - keptBp,
    crossesOrigin,
  }
}

/**
 * The transcript that stands for its gene: the longest coding sequence, then the longest spliced transcript, then the first id
 * in the order of its characters. Null when there is none.
 *
 * Example: of a coding transcript and a longer non-coding one, the coding one.
 */
export function chooseRepresentative<Transcript extends TranscriptShape>(
  transcripts: readonly Transcript[],
): Transcript | null {
  let best: Transcript | null = null
  let bestCodingBp = -1
  let bestSplicedBp = -1
  for (const transcript of transcripts) {
    const codingBp = intervalsLengthBp(findCodingParts(transcript))
    const splicedBp = intervalsLengthBp(findExons(transcript))
    const better =
      best === null ||
      codingBp > bestCodingBp ||
      (codingBp === bestCodingBp &&
        (splicedBp > bestSplicedBp || (splicedBp === bestSplicedBp && transcript.id < best.id)))
    if (!better) continue
    best = transcript
    bestCodingBp = codingBp
    bestSplicedBp = splicedBp
  }
  return best
}

/**
 * Finds the genes that overlap a segment of one sequence in logarithmic time and the number found: genes sorted by start, with
 * the farthest end so far, so that long genes that reach in from far away are not missed.
 *
 * Example: `createIntervalIndex([{start1: 1, end1: 900}, {start1: 5, end1: 9}]).find(500, 600)` is the first of them.
 */
export function createIntervalIndex<Item extends Interval>(
  items: readonly Item[],
): { find(start1: number, end1: number): Item[] } {
  const sorted = [...items].sort((a, b) => a.start1 - b.start1 || a.end1 - b.end1)
  const farthest = new Float64Array(sorted.length)
  let end = Number.NEGATIVE_INFINITY
  for (const [index, item] of sorted.entries()) {
    end = Math.max(end, item.end1)
    farthest[index] = end
  }
  return {
    find: (start1, end1) => {
      let low = 0
      let high = sorted.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (sorted[middle]!.start1 <= end1) low = middle + 1
        else high = middle
      }
      const found: Item[] = []
      for (let index = low - 1; index >= 0 && farthest[index]! >= start1; index--) {
        if (sorted[index]!.end1 >= start1) found.push(sorted[index]!)
      }
      return found.reverse()
    },
  }
}
