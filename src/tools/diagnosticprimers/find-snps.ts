import { readSegments } from '../../bio/alignment/lift.ts'
import {
  baseCode,
  type DiagnosticSnp,
  findDiagnosticSnps,
  findVariableSites,
} from '../../bio/comparative/discriminating-sites.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { type MarkerTemplate, markerFlankBp } from '../../kit/design-markers.ts'
import type { Groups, Place } from './find-sites.ts'
import { limits } from './tool.ts'

type Data = Pick<PortalData, 'alignments' | 'getSequence' | 'fetchSequence'>

const windowBp = 50_000
/** SNPs that are gathered before the search ends: so many more than are designed that the best can be chosen. */
const gathered = 10
/** Bases around a SNP in which every other variable site makes the assay less sure. */
const crowdedBp = 40
const ambiguous = 5

export interface FoundSnp {
  sequence: string
  position1: number
  target: string
  spare: string
  /** Variable sites beside it. */
  crowded: number
  template: MarkerTemplate
}

/** Bases of each genome opposite a window of the reference, in the order of `ids`. */
const readWindow = async (data: Data, reference: string, bases: string, window: Place, ids: readonly string[]) => {
  const own = Uint8Array.from(bases, baseCode)
  const found = new Map(ids.map((id) => [id, id === reference ? own : new Uint8Array(bases.length)]))
  const from0 = window.start1 - 1
  const to0 = window.end1
  for (const { assembly, pieces } of await data.alignments.listPieces({ assembly: reference, ...window }, ids)) {
    const codes = found.get(assembly)
    if (codes === undefined) continue
    for (const piece of pieces) {
      const segments = piece.gap ? [] : readSegments(piece, from0, to0)
      if (segments.length === 0) continue
      const first = Math.min(...segments.map(({ other0 }) => other0))
      const last = Math.max(...segments.map(({ other0, lengthBp }) => other0 + lengthBp))
      const there = segments.some(({ equal }) => equal !== true)
        ? await data.fetchSequence(assembly, piece.other, first + 1, last)
        : null
      for (const { source0, other0, lengthBp, equal } of segments) {
        const theirs =
          equal === true || there === null
            ? null
            : piece.strand === '+'
              ? there.slice(other0 - first, other0 - first + lengthBp)
              : reverseComplement(there.slice(other0 - first, other0 - first + lengthBp))
        for (let at = 0; at < lengthBp; at += 1) {
          const index = source0 - from0 + at
          const code = theirs === null ? own[index]! : baseCode(theirs[at]!)
          // Two alignments over one base: it could be either.
          codes[index] = codes[index] === 0 ? code : codes[index] === code ? code : ambiguous
        }
      }
    }
  }
  return { own, codes: (some: readonly string[]) => some.map((id) => found.get(id)!) }
}

/** Windows over all ranges, in an order that soon has some of everywhere. */
const orderWindows = (ranges: readonly Place[]): Place[] => {
  const windows = ranges.flatMap(({ sequence, start1, end1 }) =>
    Array.from({ length: Math.ceil((end1 - start1 + 1) / windowBp) }, (_, at) => ({
      sequence,
      start1: start1 + at * windowBp,
      end1: Math.min(end1, start1 + (at + 1) * windowBp - 1),
    })),
  )
  const golden = (Math.sqrt(5) - 1) / 2
  return windows
    .map((window, at) => ({ window, key: (at * golden) % 1 }))
    .sort((a, b) => a.key - b.key)
    .map(({ window }) => window)
}

/**
 * SNPs at which all targets have one base and all others another, with templates on the reference in which every site that varies
 * among these genomes is masked. The search ends once there are enough; `scannedBp` are the bases looked at.
 */
export const findSnps = async (
  data: Data,
  groups: Groups,
  ranges: readonly Place[],
  options: { signal: AbortSignal; onProgress(fraction: number): void },
): Promise<{ snps: FoundSnp[]; count: number; scannedBp: number }> => {
  const { reference, target, other } = groups
  const ids = [...new Set([...target, ...other])]
  const snps: FoundSnp[] = []
  let scannedBp = 0
  const windows = orderWindows(ranges)
  for (const [number, inner] of windows.entries()) {
    options.signal.throwIfAborted()
    if (snps.length >= gathered * limits.snps || scannedBp >= limits.scannedBp) break
    const { lengthBp } = await data.getSequence(reference, inner.sequence)
    const window = {
      sequence: inner.sequence,
      start1: Math.max(1, inner.start1 - markerFlankBp),
      end1: Math.min(lengthBp, inner.end1 + markerFlankBp),
    }
    const bases = (await data.fetchSequence(reference, window.sequence, window.start1, window.end1)).toUpperCase()
    const { own, codes } = await readWindow(data, reference, bases, window, ids)
    const variable = findVariableSites(own, codes(ids))
    const masked = bases.split('')
    for (let at = 0; at < masked.length; at += 1) if (variable[at] === 1) masked[at] = 'N'
    for (const snp of findDiagnosticSnps(codes(target), codes(other))) {
      const position1 = window.start1 + snp.offset0
      if (position1 < inner.start1 || position1 > inner.end1) continue
      snps.push(describe(snp, inner.sequence, window.start1, bases, masked, variable))
    }
    scannedBp += inner.end1 - inner.start1 + 1
    options.onProgress(Math.min(1, Math.max((number + 1) / windows.length, snps.length / (gathered * limits.snps))))
  }
  // Of those that stand alone alike, in the order of the windows: from all over the genome.
  snps.sort((a, b) => a.crowded - b.crowded)
  return { snps: snps.slice(0, limits.snps), count: snps.length, scannedBp }
}

const describe = (
  { offset0, target, spare }: DiagnosticSnp,
  sequence: string,
  start1: number,
  bases: string,
  masked: readonly string[],
  variable: Uint8Array,
): FoundSnp => {
  const from = Math.max(0, offset0 - markerFlankBp)
  const to = Math.min(bases.length, offset0 + markerFlankBp + 1)
  let crowded = 0
  for (let at = Math.max(0, offset0 - crowdedBp); at < Math.min(bases.length, offset0 + crowdedBp + 1); at += 1)
    if (at !== offset0) crowded += variable[at]!
  return {
    sequence,
    position1: start1 + offset0,
    target,
    spare,
    crowded,
    template: {
      start1: start1 + from,
      before: masked.slice(from, offset0).join(''),
      after: masked.slice(offset0 + 1, to).join(''),
      plainBefore: bases.slice(from, offset0),
      plainAfter: bases.slice(offset0 + 1, to),
      reference: target,
      alternate: spare,
    },
  }
}
