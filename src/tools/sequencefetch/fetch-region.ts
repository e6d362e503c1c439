import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { FoundRegion } from './find-regions.ts'

/** Bases read at once: large enough to be fast, small enough that many readers fit in memory. */
const chunkBp = 1_000_000

/** The region's bases in pieces, in the direction asked for, case kept. */
export async function* fetchRegion(data: PortalData, assembly: string, region: FoundRegion): AsyncGenerator<string> {
  const { sequence, start1, end1, strand } = region
  if (strand === '+') {
    for (let from1 = start1; from1 <= end1; from1 += chunkBp) {
      yield await data.fetchSequence(assembly, sequence, from1, Math.min(end1, from1 + chunkBp - 1))
    }
    return
  }
  for (let to1 = end1; to1 >= start1; to1 -= chunkBp) {
    const piece = await data.fetchSequence(assembly, sequence, Math.max(start1, to1 - chunkBp + 1), to1)
    // A genome is DNA even where a piece of it has no T: without this, such a piece could be taken for RNA.
    yield reverseComplement(piece, { rna: false })
  }
}

/**
 * The header says what and where: `chrI:1000-2000(-) assembly=R64 length=1001`, with the BED name before it when there is
 * one, and what was clipped after it. Coordinates are 1-based, inclusive.
 */
export const fastaHeader = (assembly: string, region: FoundRegion): string => {
  const { name, sequence, start1, end1, strand, notes } = region
  const clipped = notes.find((note) => note.id === 'note.clipped')
  return [
    ...(name === null ? [] : [name]),
    `${sequence}:${start1}-${end1}(${strand})`,
    `assembly=${assembly}`,
    `length=${end1 - start1 + 1}`,
    ...(clipped === undefined ? [] : [`clipped_at_sequence_end=${clipped.params.missing}bp`]),
  ].join(' ')
}

/** Breaks pieces of residues into lines of `width`, one line when it is 0. */
async function* wrapPieces(pieces: AsyncIterable<string>, width: number): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    if (width === 0) {
      yield piece
      continue
    }
    const text = rest + piece
    const whole = text.length - (text.length % width)
    const lines: string[] = []
    for (let from = 0; from < whole; from += width) lines.push(text.slice(from, from + width))
    if (lines.length > 0) yield `${lines.join('\n')}\n`
    rest = text.slice(whole)
  }
  if (width === 0 || rest !== '') yield `${rest}\n`
}

/** Every region as FASTA with `note` at the end of its description, read while it is sent: memory does not grow with what is asked for. */
export async function* renderRegions(
  data: PortalData,
  assembly: string,
  regions: readonly FoundRegion[],
  { lineWidth, note }: { lineWidth: number; note: string },
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (const region of regions) {
    signal.throwIfAborted()
    yield `>${fastaHeader(assembly, region)} ${note}\n`
    yield* wrapPieces(fetchRegion(data, assembly, region), lineWidth)
  }
}

export interface Composition {
  strongBp: number
  weakBp: number
  unknownBp: number
  maskedBp: number
}

/** Adds a piece's G/C/S, A/T/U/W, N and lower-case letters to the counts. */
export const addComposition = (counts: Composition, piece: string): void => {
  for (let index = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index)
    if (code >= 97) counts.maskedBp++
    switch (code | 32) {
      case 103: // g
      case 99: // c
      case 115: // s
        counts.strongBp++
        break
      case 97: // a
      case 116: // t
      case 117: // u
      case 119: // w
        counts.weakBp++
        break
      case 110: // n
        counts.unknownBp++
    }
  }
}
