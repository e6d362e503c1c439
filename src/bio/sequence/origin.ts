// Parts of a feature over the origin of a circular sequence, which files number in three ways: on beyond the length (GFF3 1.26),
// from 1 again (GenBank, and GFF3 written from it), or as one span that runs backwards.

import type { Strand } from './region.ts'

interface StrandedPart {
  start1: number
  end1: number
  strand: Strand
}

/**
 * Parts in the order of reading, those behind the origin counted on beyond the length. The origin is crossed where two parts
 * abut at it; with `introns` also between two parts that run backwards, where the whole then takes at most half of the circle (the
 * order of parts that are no introns apart says nothing: trans-splicing). Only the run of parts that goes on in one direction
 * is counted on.
 *
 * Example: 561..600 and 1..56 of a circle of 600 are 561..600 and 601..656.
 */
export function unrollReadParts<Part extends StrandedPart>(
  parts: readonly Part[],
  lengthBp: number,
  introns: boolean,
): Part[] {
  const crossing = parts.findIndex((part, index) => {
    const next = parts[index + 1]
    if (!next || next.strand !== part.strand) return false
    const [before, behind] = part.strand === '-' ? [next, part] : [part, next]
    if (before.end1 === lengthBp && behind.start1 === 1) return true
    return introns && behind.end1 < before.start1 && spanOverOrigin(parts, index, lengthBp) <= lengthBp / 2
  })
  if (crossing < 0) return [...parts]
  const shifted = new Set<number>()
  if (parts[crossing]!.strand === '-') {
    for (let index = crossing; index >= 0; index--) {
      const part = parts[index]!
      if (part.strand !== '-' || (index < crossing && part.start1 < parts[index + 1]!.start1)) break
      shifted.add(index)
    }
  } else {
    for (let index = crossing + 1; index < parts.length; index++) {
      const part = parts[index]!
      if (part.strand === '-' || (index > crossing + 1 && part.start1 < parts[index - 1]!.start1)) break
      shifted.add(index)
    }
  }
  return parts.map((part, index) =>
    shifted.has(index) ? { ...part, start1: part.start1 + lengthBp, end1: part.end1 + lengthBp } : part,
  )
}

function spanOverOrigin(parts: readonly StrandedPart[], crossing: number, lengthBp: number): number {
  const isReverse = parts[crossing]!.strand === '-'
  const low = isReverse ? parts.slice(crossing + 1) : parts.slice(0, crossing + 1)
  const high = isReverse ? parts.slice(0, crossing + 1) : parts.slice(crossing + 1)
  const start1 = Math.min(...low.map((part) => part.start1))
  return Math.max(...high.map((part) => part.end1)) + lengthBp - start1 + 1
}

/**
 * Counts parts behind the origin on beyond the length, in place. `span`, the feature's own, tells them when it ends beyond the
 * length; else parts that begin at 1 and end at the length do, those before the widest gap then lying behind the origin. Of
 * parts on two strands, or said to be trans-spliced (`scattered`), only one that begins at 1 is moved.
 */
export function unrollPlacedParts(
  parts: readonly StrandedPart[],
  lengthBp: number,
  span: { start1: number; end1: number } | null,
  scattered: boolean,
): void {
  const shift = (part: StrandedPart, byBp: number): void => {
    part.start1 += byBp
    part.end1 += byBp
  }
  if (span !== null && span.end1 > lengthBp && span.start1 <= lengthBp) {
    for (const part of parts) if (part.start1 < span.start1 && part.end1 + lengthBp <= span.end1) shift(part, lengthBp)
  } else if (parts.length > 1) {
    const isSplit = (first: StrandedPart) =>
      parts.some((part) => part !== first && part.end1 === lengthBp && part.start1 > 1 && part.strand === first.strand)
    const first = parts.find((part) => part.start1 === 1 && part.end1 < lengthBp && isSplit(part))
    if (first && scattered) shift(first, lengthBp)
    else if (first) {
      const gapEnd1 = findGapEnd(parts)
      for (const part of parts) if (gapEnd1 !== null && part.start1 < gapEnd1) shift(part, lengthBp)
    }
  }
  if (parts.length > 0 && parts.every((part) => part.start1 > lengthBp))
    for (const part of parts) shift(part, -lengthBp)
}

function findGapEnd(parts: readonly StrandedPart[]): number | null {
  const sorted = parts.toSorted((a, b) => a.start1 - b.start1)
  let gapBp = 1
  let gapEnd1: number | null = null
  let end1 = sorted[0]!.end1
  for (const part of sorted) {
    if (part.start1 - end1 > gapBp) {
      gapBp = part.start1 - end1
      gapEnd1 = part.start1
    }
    end1 = Math.max(end1, part.end1)
  }
  return gapEnd1
}

/**
 * Makes one part of two that abut at the origin, so that no exon ends there; the phase is that of the part read first.
 *
 * Example: 561..600 and 601..656 of a circle of 600 are 561..656.
 */
export function joinAtOrigin<Part extends StrandedPart & { phase: unknown }>(
  parts: readonly Part[],
  lengthBp: number,
): Part[] {
  const behind = parts.find((part) => part.start1 === lengthBp + 1)
  if (!behind) return [...parts]
  const before = parts.find((part) => part.end1 === lengthBp && part.strand === behind.strand)
  if (!before) return [...parts]
  const joined = {
    ...before,
    end1: behind.end1,
    phase: behind.strand === '-' ? behind.phase : before.phase,
  }
  return parts.flatMap((part) => (part === before ? [joined] : part === behind ? [] : [part]))
}
