import { Coverage } from '../../bio/alignment/alignment-chains.ts'
import {
  type AlignedSegment,
  createDensity,
  joinPieces,
  noteUnknownBases,
  type SmallVariant,
} from '../../bio/alignment/density.ts'
import type { AlignmentPiece } from '../../bio/alignment/lift.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { type Breakpoint, type Density, limits } from './tool.ts'

/** Alignments of so many bases are in memory at a time. */
const readBp = 4_000_000
/** Of all sequences together. */
const windowCount = 200
/** Of what is drawn: gaps, and segments, of a smaller share of the genome are not seen. */
const seenShare = 1 / 2000

/** 1, 2 or 5 times a power of ten, at least 100 bp. */
export const roundWindow = (totalBp: number): number => {
  const least = Math.max(100, totalBp / windowCount)
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((step) => step * power >= least) ?? 10)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Which assembly the two are aligned on, and the other of the two; null where they are not aligned to one another. */
export const alignedOn = async (
  data: PortalData,
  strain: string,
  reference: string,
): Promise<{ base: string; other: string } | null> => {
  const state = await data.alignments.getState(reference)
  const isAligned = (id: string): boolean => state?.assemblies.some((one) => one.id === id) ?? false
  if (state?.reference === reference && isAligned(strain)) return { base: reference, other: strain }
  if (state?.reference === strain && isAligned(reference)) return { base: strain, other: reference }
  return null
}

/** Bases of an assembly that are not known, which aligners take for mismatches. */
export const readUnknownBases = async (data: PortalData, assembly: string, signal: AbortSignal): Promise<Coverage> => {
  const unknown = new Coverage()
  if ((await data.getAssembly(assembly)).gapBp === 0) return unknown
  for (const { name, lengthBp } of await data.listSequences(assembly)) {
    signal.throwIfAborted()
    if (lengthBp > 0) await noteUnknownBases(unknown, name, data.streamSequence(assembly, name, 1, lengthBp))
  }
  return unknown
}

export interface ReadAlignment {
  /** Along the assembly that the two are aligned on. */
  density: Density
  /** With the reference as the source, also where the strain is what the two are aligned on. */
  segments: AlignedSegment[]
  /** Bases of each sequence that are aligned, by genome. */
  aligned: { reference: Map<string, number>; strain: Map<string, number> }
}

/** A variant read from the other sequence. */
const turnVariant = (one: SmallVariant): SmallVariant => ({
  source: one.other,
  sourceStart0: one.otherStart0,
  sourceEnd0: one.otherEnd0,
  other: one.source,
  otherStart0: one.sourceStart0,
  otherEnd0: one.sourceEnd0,
  strand: one.strand,
})

/**
 * Substitutions and indels in windows, and collinear segments, of two assemblies of which one is aligned to the other. `onVariant` hears of
 * each variant with the reference as its source.
 */
export const readAlignment = async (
  data: PortalData,
  { base, other }: { base: string; other: string },
  reference: string,
  {
    unknownOf,
    onVariant,
  }: {
    unknownOf: (assembly: string) => Promise<Coverage>
    onVariant: ((variant: SmallVariant) => void) | undefined
  },
  signal: AbortSignal,
): Promise<ReadAlignment> => {
  // More or less than the reference: what the strain is aligned on has an insertion where the reference has a deletion.
  const turned = base !== reference
  const sequences = await data.listSequences(base)
  const totalBp = sumOf(sequences.map(({ lengthBp }) => lengthBp))
  const windowBp = roundWindow(totalBp)
  const seenBp = Math.max(1000, Math.round(totalBp * seenShare))
  const unknown = { source: await unknownOf(base), other: await unknownOf(other) }
  const told: Density['sequences'] = []
  const segments: AlignedSegment[] = []
  let toldApart = true
  const [onBase, onOther] = [new Coverage(), new Coverage()]
  const others = new Set<string>()
  for (const { name, lengthBp } of sequences) {
    const density = createDensity(lengthBp, windowBp, {
      unknown,
      onVariant: onVariant && turned ? (one) => onVariant(turnVariant(one)) : onVariant,
    })
    const light: AlignmentPiece[] = []
    for (let start1 = 1; start1 <= lengthBp; start1 += readBp) {
      signal.throwIfAborted()
      const end1 = Math.min(lengthBp, start1 + readBp - 1)
      const [found] = await data.alignments.listPieces({ assembly: base, sequence: name, start1, end1 }, [other])
      // What reaches into two readings is taken in the first.
      const pieces = (found?.pieces ?? []).filter(({ sourceStart0 }) => sourceStart0 >= start1 - 1)
      density.add(pieces)
      for (const piece of pieces) {
        if (piece.gap) continue
        onBase.add(name, piece.sourceStart0, piece.sourceEnd0)
        onOther.add(piece.other, piece.otherStart0, piece.otherEnd0)
        others.add(piece.other)
      }
      light.push(...pieces.map((piece) => ({ ...piece, cigar: new Uint32Array(0) })))
    }
    const { windows, toldApart: own } = density.finish()
    toldApart &&= own
    segments.push(...joinPieces(light, seenBp, seenBp))
    told.push({
      name,
      lengthBp,
      comparedBp: windows.map((one) => one.comparedBp),
      substitutions: windows.map((one) => one.substitutions),
      insertions: windows.map((one) => one.insertions),
      deletions: windows.map((one) => one.deletions),
    })
  }
  const covered = (by: Coverage, names: Iterable<string>): Map<string, number> =>
    new Map([...names].map((name) => [name, by.coveredBp(name, 0, Number.MAX_SAFE_INTEGER)]))
  const own = covered(
    onBase,
    sequences.map(({ name }) => name),
  )
  const there = covered(onOther, others)
  const total = (of: 'comparedBp' | 'substitutions' | 'insertions' | 'deletions'): number =>
    sumOf(told.map((one) => sumOf(one[of])))
  const byLength = told.map(({ lengthBp }) => lengthBp).sort((a, b) => b - a)
  const least = byLength[limits.sequences - 1] ?? 0
  // Of equally long ones the first.
  const shown = told.filter(({ lengthBp }) => lengthBp >= least).slice(0, limits.sequences)
  return {
    density: {
      assembly: base,
      windowBp,
      toldApart,
      comparedBp: total('comparedBp'),
      substitutions: total('substitutions'),
      insertions: total(turned ? 'deletions' : 'insertions'),
      deletions: total(turned ? 'insertions' : 'deletions'),
      omitted: told.length - shown.length,
      sequences: turned
        ? shown.map((one) => ({ ...one, insertions: one.deletions, deletions: one.insertions }))
        : shown,
    },
    aligned: turned ? { reference: there, strain: own } : { reference: own, strain: there },
    segments: turned
      ? segments.map(({ source, start, end, other: name, otherStart, otherEnd, strand }) => ({
          source: name,
          start: otherStart,
          end: otherEnd,
          other: source,
          otherStart: start,
          otherEnd: end,
          strand,
        }))
      : segments,
  }
}

/**
 * Adjacencies of the strain that the reference has not, each once, at most so many as the limit says; only of a strain that is aligned to
 * the reference.
 */
export const listBreakpoints = async (
  data: PortalData,
  strain: string,
  reference: string,
  signal: AbortSignal,
): Promise<{ breakpoints: Breakpoint[]; truncated: boolean }> => {
  const found = new Map<string, Breakpoint>()
  let truncated = false
  for (const { name, lengthBp } of await data.listSequences(reference)) {
    signal.throwIfAborted()
    // Both ends of each are records.
    const { variants, truncated: more } = await data.alignments.listVariants(
      { assembly: reference, sequence: name, start1: 1, end1: lengthBp },
      2 * limits.breakpoints,
      { classes: ['breakpoint'], carriers: [strain] },
    )
    truncated ||= more
    for (const { id, sequence, start, mate, carriers } of variants) {
      const own = carriers.find(({ assembly }) => assembly === strain)
      const key = id.replace(/_[12]$/, '')
      if (mate === null || own === undefined || found.has(key)) continue
      found.set(key, {
        sequence,
        position: mate.side === 'left' ? start : start + 1,
        side: mate.side,
        mateSequence: mate.sequence,
        matePosition: mate.position,
        mateSide: mate.otherSide,
        ownSequence: own.sequence,
        ownPosition: own.start,
      })
    }
  }
  const breakpoints = [...found.values()]
  return {
    breakpoints: breakpoints.slice(0, limits.breakpoints),
    truncated: truncated || breakpoints.length > limits.breakpoints,
  }
}
