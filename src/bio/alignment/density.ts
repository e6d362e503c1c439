/**
 * Small variants along an alignment of whole sequences: substitutions and indels in windows, read from its operations, and the segments
 * that are collinear.
 */
import { Coverage } from './alignment-chains.ts'
import type { AlignmentPiece } from './lift.ts'
import { ambiguousMapq, cigarOperation } from './paf.ts'
import { minVariantBp } from './structural-variants.ts'

/** Of bases of the source from `start0`, one window after the other. */
export interface DensityWindow {
  /** Bases with exactly one counterpart, alike or not. */
  comparedBp: number
  substitutions: number
  /** Of fewer bases than a structural variant has. */
  insertions: number
  deletions: number
}

/** Where two sequences differ; from 0, ends excluded, those of the other on its forward strand. An indel has no bases on one side. */
export type SmallVariant = Pick<
  AlignmentPiece,
  'source' | 'sourceStart0' | 'sourceEnd0' | 'other' | 'otherStart0' | 'otherEnd0' | 'strand'
>

export interface SmallVariants {
  windowBp: number
  windows: DensityWindow[]
  /** False where an alignment does not tell matches from mismatches (operations M): substitutions are not counted then. */
  toldApart: boolean
}

/**
 * Notes where bases of a sequence are not A, C, G or T, which aligners take for mismatches.
 *
 * Example: of `ACNN` and `NGT` these are the bases from 2 to 5, the end excluded.
 */
export const noteUnknownBases = async (
  unknown: Coverage,
  sequence: string,
  pieces: AsyncIterable<string>,
): Promise<void> => {
  let from0 = 0
  for await (const piece of pieces) {
    for (const { index, 0: found } of piece.matchAll(/[^ACGT]+/gi))
      unknown.add(sequence, from0 + index, from0 + index + found.length)
    from0 += piece.length
  }
}

/**
 * Counts in windows of one sequence, from pieces of it in any order and over several calls. A base that two alignments have is counted
 * in the better chain of a call, and in the call that comes first. Bases that are unknown in either genome are not compared. `onVariant`
 * hears of each substitution and each indel within an alignment, of any length, of which all bases are known.
 *
 * Example: 10 bases aligned as `4=1X2=1D2=` are 9 compared, 1 substitution, 1 deletion.
 */
export const createDensity = (
  lengthBp: number,
  windowBp: number,
  {
    unknown = { source: new Coverage(), other: new Coverage() },
    onVariant,
  }: {
    /** Unknown bases of both genomes. */
    unknown?: { source: Coverage; other: Coverage }
    onVariant?: ((variant: SmallVariant) => void) | undefined
  } = {},
): { add(pieces: readonly AlignmentPiece[]): void; finish(): SmallVariants } => {
  const windows = Array.from(
    { length: Math.max(1, Math.ceil(lengthBp / windowBp)) },
    (): DensityWindow => ({ comparedBp: 0, substitutions: 0, insertions: 0, deletions: 0 }),
  )
  const windowAt = (at0: number): DensityWindow => windows[Math.min(windows.length - 1, Math.floor(at0 / windowBp))]!
  const covered = new Coverage()
  const name = 'source'
  let toldApart = true
  const addPiece = (piece: AlignmentPiece): void => {
    const taken = new Coverage()
    for (const [from, to] of covered.within(name, piece.sourceStart0, piece.sourceEnd0)) taken.add(name, from, to)
    for (const [from, to] of unknown.source.within(piece.source, piece.sourceStart0, piece.sourceEnd0))
      taken.add(name, from, to)
    const areUnknown = unknown.other.coveredBp(piece.other, piece.otherStart0, piece.otherEnd0) > 0
    const isForward = piece.strand === '+'
    let at0 = piece.sourceStart0
    // Of the other genome: the first base not read yet, on its reverse strand the base behind it.
    let there0 = isForward ? piece.otherStart0 : piece.otherEnd0
    const tell = (sourceStart0: number, sourceEnd0: number, otherStart0: number, otherEnd0: number): void => {
      const { source, other, strand } = piece
      onVariant?.({ source, sourceStart0, sourceEnd0, other, otherStart0, otherEnd0, strand })
    }
    for (const entry of piece.cigar) {
      const operation = entry & 15
      const length = Math.floor(entry / 16)
      const [first0, past0] = isForward ? [there0, there0 + length] : [there0 - length, there0]
      if (operation === cigarOperation.insertion) {
        there0 = isForward ? past0 : first0
        if (taken.coveredBp(name, at0, at0 + 1) === 0 && unknown.other.coveredBp(piece.other, first0, past0) === 0) {
          if (length < minVariantBp) windowAt(at0).insertions += 1
          tell(at0, at0, first0, past0)
        }
        continue
      }
      if (operation === cigarOperation.deletion) {
        if (taken.coveredBp(name, at0, at0 + length) === 0) {
          if (length < minVariantBp) windowAt(at0).deletions += 1
          tell(at0, at0 + length, there0, there0)
        }
        at0 += length
        continue
      }
      there0 = isForward ? past0 : first0
      if (operation === cigarOperation.either) toldApart = false
      if (areUnknown)
        for (const [from, to] of unknown.other.within(piece.other, first0, past0)) {
          const [low, high] = [Math.max(from, first0), Math.min(to, past0)]
          if (isForward) taken.add(name, at0 + low - first0, at0 + high - first0)
          else taken.add(name, at0 + past0 - high, at0 + past0 - low)
        }
      if (operation === cigarOperation.mismatch && onVariant !== undefined) {
        const end0 = at0 + length
        let from = at0
        for (const [takenFrom, takenTo] of [...taken.within(name, at0, end0), [end0, end0] as const]) {
          if (takenFrom > from) {
            const [low, high] = [from - at0, takenFrom - at0]
            if (isForward) tell(from, takenFrom, first0 + low, first0 + high)
            else tell(from, takenFrom, past0 - high, past0 - low)
          }
          from = Math.max(from, takenTo)
        }
      }
      for (let from = at0; from < at0 + length; ) {
        const to = Math.min(at0 + length, (Math.floor(from / windowBp) + 1) * windowBp)
        const free = to - from - taken.coveredBp(name, from, to)
        const window = windowAt(from)
        window.comparedBp += free
        if (operation === cigarOperation.mismatch) window.substitutions += free
        from = to
      }
      at0 += length
    }
    covered.add(name, piece.sourceStart0, piece.sourceEnd0)
  }
  return {
    add: (pieces) => {
      const counted = pieces.filter(({ gap, mapq }) => !gap && mapq >= ambiguousMapq)
      for (const piece of counted.sort((a, b) => b.chainScore - a.chainScore)) addPiece(piece)
    },
    finish: () => ({ windowBp, windows, toldApart }),
  }
}

/** A stretch of a chain; places from 1, both included, those of the other on its forward strand. */
export interface AlignedSegment {
  source: string
  start: number
  end: number
  other: string
  otherStart: number
  otherEnd: number
  strand: '+' | '-'
}

/**
 * Pieces of one chain that follow each other within `joinBp` on both sides as one segment; segments shorter than `leastBp` are left out.
 * Gaps that a chain passes over part segments where they are longer.
 */
export const joinPieces = (pieces: readonly AlignmentPiece[], joinBp: number, leastBp: number): AlignedSegment[] => {
  const open = new Map<string, AlignedSegment>()
  const found: AlignedSegment[] = []
  const sorted = pieces
    .filter(({ gap, mapq }) => !gap && mapq >= ambiguousMapq)
    .sort((a, b) => a.sourceStart0 - b.sourceStart0)
  for (const piece of sorted) {
    const key = `${piece.chain} ${piece.source} ${piece.other} ${piece.strand}`
    const last = open.get(key)
    const apart =
      last === undefined
        ? 0
        : piece.strand === '+'
          ? piece.otherStart0 - last.otherEnd
          : last.otherStart - 1 - piece.otherEnd0
    if (last !== undefined && piece.sourceStart0 - last.end <= joinBp && Math.abs(apart) <= joinBp) {
      last.end = Math.max(last.end, piece.sourceEnd0)
      last.otherStart = Math.min(last.otherStart, piece.otherStart0 + 1)
      last.otherEnd = Math.max(last.otherEnd, piece.otherEnd0)
      continue
    }
    const segment: AlignedSegment = {
      source: piece.source,
      start: piece.sourceStart0 + 1,
      end: piece.sourceEnd0,
      other: piece.other,
      otherStart: piece.otherStart0 + 1,
      otherEnd: piece.otherEnd0,
      strand: piece.strand,
    }
    open.set(key, segment)
    found.push(segment)
  }
  return found.filter(({ start, end }) => end - start + 1 >= leastBp)
}
