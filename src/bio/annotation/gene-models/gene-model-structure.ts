// Exons, coding parts and phases of a transcript.

import type { OrientedPiece } from '../../sequence/coding-sequence.ts'
import type { Strand } from '../../sequence/region.ts'
import type { Phase } from '../feature.ts'
import type { ExonModel } from '../gene-models.ts'
import type { Segment } from './gene-model-store.ts'

export function byStart(a: { start1: number; end1: number }, b: { start1: number; end1: number }): number {
  return a.start1 - b.start1 || a.end1 - b.end1
}

export function isInOrder(cds: readonly Segment[], strand: Strand): boolean {
  for (let index = 1; index < cds.length; index++) {
    const step = cds[index]!.start1 - cds[index - 1]!.start1
    if (strand === '-' ? step > 0 : step < 0) {
      // Files list the parts of a reverse gene in either order.
      return cds.every((part, at) => at === 0 || Math.sign(part.start1 - cds[at - 1]!.start1) === Math.sign(step))
    }
  }
  return true
}

export function orient(part: { start1: number; end1: number; strand: Strand }, strand: Strand): OrientedPiece {
  const own = part.strand === '.' ? strand : part.strand
  return { start1: part.start1, end1: part.end1, strand: own === '-' ? '-' : '+' }
}

/** Joins segments that overlap, and those at most `touching` bases apart. */
export function mergeExons(
  segments: readonly { start1: number; end1: number }[],
  touching: number,
): { exons: ExonModel[]; overlaps: boolean } {
  const exons: ExonModel[] = []
  let overlaps = false
  for (const { start1, end1 } of [...segments].sort(byStart)) {
    const last = exons.at(-1)
    if (last && start1 <= last.end1 + touching) {
      if (start1 <= last.end1) overlaps = true
      last.end1 = Math.max(last.end1, end1)
    } else exons.push({ start1, end1 })
  }
  return { exons, overlaps }
}

/**
 * Extends ascending coding parts over a stop codon that GTF counts apart; false when they hold it already. Parts that are new,
 * because an intron splits the codon, are added to `joined`: their phase is not the file's.
 */
export function joinStopCodon(
  segments: Segment[],
  stops: readonly Segment[],
  strand: Strand,
  joined: Set<Segment>,
): boolean {
  const holds = (stop: Segment) => segments.some((part) => part.start1 <= stop.start1 && part.end1 >= stop.end1)
  const outside = stops.filter((stop) => !holds(stop))
  if (outside.length === 0) return false
  let extended = false
  for (const stop of strand === '-' ? outside.toSorted(byStart).reverse() : outside.toSorted(byStart)) {
    const last = strand === '-' ? segments[0]! : segments.at(-1)!
    if (strand === '-') {
      if (stop.start1 >= last.start1) continue
      if (stop.end1 >= last.start1 - 1) last.start1 = stop.start1
      else {
        segments.unshift({ ...stop, phase: null })
        joined.add(segments[0]!)
      }
    } else {
      if (stop.end1 <= last.end1) continue
      if (stop.start1 <= last.end1 + 1) last.end1 = stop.end1
      else {
        segments.push({ ...stop, phase: null })
        joined.add(segments.at(-1)!)
      }
    }
    extended = true
  }
  return extended
}

/**
 * Phases of coding parts in the order of reading: the bases to skip so that the next codon begins, from the phase of the first
 * part and the lengths.
 *
 * Source: GFF3 specification 1.26, column 8. Example: `computePhases([10, 10, 10], 0)` is `[0, 2, 1]`.
 */
export function computePhases(lengthsBp: readonly number[], firstPhase: Phase): Phase[] {
  let phase: number = firstPhase
  return lengthsBp.map((lengthBp) => {
    const own = phase
    phase = (((own - lengthBp) % 3) + 3) % 3
    return own as Phase
  })
}

// The first phase is the file's, unless it has none or the others agree against it. Phases that are all the same tell nothing:
// many exporters write 0 everywhere.
export function chooseFirstPhase(lengthsBp: readonly number[], given: readonly (Phase | null)[]): Phase {
  const first = given[0] ?? null
  const fromZero = computePhases(lengthsBp, 0)
  const rest = given.flatMap((phase, index) => (index > 0 && phase !== null ? [{ phase, index }] : []))
  const telling = rest.length >= 2 && new Set(rest.map(({ phase }) => phase)).size > 1
  if (telling) {
    const shifts = new Set(rest.map(({ phase, index }) => (phase - fromZero[index]! + 3) % 3))
    if (shifts.size === 1) return [...shifts][0] as Phase
  }
  return first ?? 0
}
