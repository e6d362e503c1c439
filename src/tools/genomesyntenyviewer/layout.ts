import { fittingLabels } from '../../kit/ui/figures/fitting-labels.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import type { Block, Genome, SyntenyDifference } from './tool.ts'

/** A genome as a row: its sequences one behind the other, with room between them. */
export interface Row {
  genome: number
  /** First base of each sequence on the row's own axis, from 0. */
  starts: Map<string, number>
  order: string[]
  lengths: Map<string, number>
  lengthBp: number
  /** Sequences that are drawn from their last base to their first. */
  flipped: ReadonlySet<string>
}

/** Room between two sequences, as a share of the row. */
const roomShare = 0.006

const none: ReadonlySet<string> = new Set()

export const layRow = (genome: number, { sequences }: Genome, order: string[], flipped = none): Row => {
  const lengths = new Map(sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const bases = sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
  const room = sequences.length > 1 ? Math.min(bases * roomShare, (bases * 0.25) / sequences.length) : 0
  const starts = new Map<string, number>()
  let at = 0
  for (const name of order) {
    starts.set(name, at)
    at += lengths.get(name)! + room
  }
  return { genome, starts, order, lengths, lengthBp: Math.max(1, at - room), flipped }
}

/** Whether a sequence reads on its row as it is written. */
export const directionOn = (row: Row, sequence: string): 1 | -1 => (row.flipped.has(sequence) ? -1 : 1)

/** From the bases before two places of a sequence to the row's own axis, the lower first. */
const placeBases = (row: Row, sequence: string, start0: number, end0: number): [number, number] => {
  const from = row.starts.get(sequence)!
  if (!row.flipped.has(sequence)) return [from + start0, from + end0]
  const length = row.lengths.get(sequence)!
  return [from + length - end0, from + length - start0]
}

/** The two ends of one side of a block on its row; null when its sequence is not on it. */
export const placeSide = (row: Row, sequence: string, start: number, end: number): [number, number] | null =>
  row.starts.has(sequence) ? placeBases(row, sequence, start - 1, end) : null

/** What stands at a place of a row; null between sequences. */
export const readLocus = (row: Row, at: number): { sequence: string; position: number } | null => {
  for (const name of row.order) {
    const position = at - row.starts.get(name)!
    const length = row.lengths.get(name)!
    if (position >= 0 && position < length)
      return {
        sequence: name,
        position: row.flipped.has(name) ? length - Math.floor(position) : Math.floor(position) + 1,
      }
  }
  return null
}

/**
 * Order of a genome's sequences by where their blocks lie on the row before: the mean place, weighed by pairs of genes. Sequences
 * without blocks come last, in their own order.
 */
const orderByBlocks = (
  sequences: readonly string[],
  blocks: readonly { sequence: string; at: number; weight: number }[],
): string[] => {
  const sums = new Map<string, [number, number]>()
  for (const { sequence, at, weight } of blocks) {
    const sum = sums.get(sequence) ?? [0, 0]
    sums.set(sequence, [sum[0] + at * weight, sum[1] + weight])
  }
  const place = (name: string): number => {
    const sum = sums.get(name)
    return sum === undefined ? Number.POSITIVE_INFINITY : sum[0] / sum[1]
  }
  return [...sequences].sort((p, q) => {
    const [a, b] = [place(p), place(q)]
    return a === b ? sequences.indexOf(p) - sequences.indexOf(q) : a - b
  })
}

/** The sides of a block with this genome first; null when it is not one of them. */
export const sidesFrom = (block: Block, genome: number) => {
  const a = { genome: block.first, sequence: block.sequenceA, start: block.startA, end: block.endA }
  const b = { genome: block.second, sequence: block.sequenceB, start: block.startB, end: block.endB }
  return block.first === genome ? { own: a, other: b } : block.second === genome ? { own: b, other: a } : null
}

/**
 * Segments of one side of a difference on its row: one; none where the row does not show its sequence; two over the origin of a circle, the
 * longer first. A side without bases is the place between two.
 */
export const placeDifference = (
  row: Row,
  { sequence, start, end, lengthBp }: SyntenyDifference['a'],
): [number, number][] => {
  if (!row.starts.has(sequence)) return []
  const place = (start0: number, end0: number): [number, number] => placeBases(row, sequence, start0, end0)
  if (lengthBp === 0) return [place(start, start)]
  const length = row.lengths.get(sequence)!
  if (end <= length) return [place(start - 1, end)]
  const parts = [place(start - 1, length), place(0, end - length)]
  return parts.sort((p, q) => q[1] - q[0] - (p[1] - p[0]))
}

/** Whether a side of a difference is marked: of a copy the one that is more, of all else what has bases. */
export const marksSide = (
  { copyIn, a, b }: Pick<SyntenyDifference, 'copyIn' | 'a' | 'b'>,
  which: 'first' | 'second',
): boolean => (which === 'first' ? a : b).lengthBp > 0 && (copyIn === null || copyIn === which)

/**
 * Order of rows in which each genome lies beside the first, which all are compared with: it stands between two of them.
 *
 * @example stackAround(4) // [1, 0, 2, 3, 0]
 */
export const stackAround = (count: number): number[] => {
  const rows: number[] = []
  for (let other = 1; other < count; other += 2) rows.push(other, 0, ...(other + 1 < count ? [other + 1] : []))
  return count === 2 ? [0, 1] : rows
}

/**
 * Of each genome around a circle, whether it runs clockwise: those that are compared run against each other where that can be, else the
 * ribbons of genomes in the same order would all cross, as those of an inversion do.
 *
 * @example directionsAround(2, [{ first: 0, second: 1 }]) // [true, false]
 */
export const directionsAround = (
  count: number,
  comparisons: readonly { first: number; second: number }[],
): boolean[] => {
  const directions = Array.from({ length: count }, (): boolean | null => null)
  // By breadth: who is compared with whom is a star, a row or all with all, and the first genome is in each of them.
  for (let start = 0; start < count; start += 1) {
    if (directions[start] !== null) continue
    directions[start] = true
    const queue = [start]
    for (const genome of queue)
      for (const { first, second } of comparisons) {
        const other = first === genome ? second : second === genome ? first : genome
        if (directions[other] !== null) continue
        directions[other] = !directions[genome]
        queue.push(other)
      }
  }
  return directions.map((one) => one ?? true)
}

/**
 * A genome's row with its sequences in the order of their counterparts on another row, each turned so that most of it, by pairs of genes,
 * reads as they do.
 */
export const matchRow = (genome: number, own: Genome, above: Row, blocks: readonly Block[]): Row => {
  const placed = blocks.flatMap((block) => {
    if (block.kind === 'duplicated') return []
    const sides = sidesFrom(block, genome)
    if (sides === null || sides.other.genome !== above.genome) return []
    const place = placeSide(above, sides.other.sequence, sides.other.start, sides.other.end)
    const weight = Math.max(1, block.pairs)
    if (place === null) return []
    const reads = weight * block.orientation * directionOn(above, sides.other.sequence)
    return [{ sequence: sides.own.sequence, at: (place[0] + place[1]) / 2, weight, reads }]
  })
  const sums = new Map<string, number>()
  for (const { sequence, reads } of placed) sums.set(sequence, (sums.get(sequence) ?? 0) + reads)
  const flipped = new Set([...sums].flatMap(([sequence, sum]) => (sum < 0 ? [sequence] : [])))
  const names = own.sequences.map(({ name }) => name)
  return layRow(genome, own, orderByBlocks(names, placed), flipped)
}

/**
 * Rows of the genomes in their order; a genome alone stands twice, to be compared with itself. With `matched` sequences of each row come
 * in the order and the direction of their counterparts on the row above.
 */
export const layRows = (
  genomes: readonly Genome[],
  blocks: readonly Block[],
  { matched, star }: { matched: boolean; star: boolean },
): Row[] => {
  const stacked = genomes.length === 1 ? [0, 0] : star ? stackAround(genomes.length) : genomes.map((_, at) => at)
  const rows: Row[] = []
  for (const [at, genome] of stacked.entries()) {
    const own = genomes[genome]!
    const names = own.sequences.map(({ name }) => name)
    const above = rows[at - 1]
    rows.push(
      !matched || above === undefined || above.genome === genome
        ? layRow(genome, own, names)
        : matchRow(genome, own, above, blocks),
    )
  }
  return rows
}

/** Ribbons between a row and the next, ends in bases of the two rows; of a turned block the second side's ends change places. */
export interface Ribbons {
  a0: Float64Array
  a1: Float64Array
  b0: Float64Array
  b1: Float64Array
  /** Number of each ribbon's thing in the list it was made from. */
  source: Uint32Array
  /** 0xAABBGGRR. */
  colour: Uint32Array
}

interface RibbonEnds {
  a: [number, number]
  b: [number, number]
  source: number
  colour: number
}

export const makeRibbons = (ends: readonly RibbonEnds[]): Ribbons => ({
  a0: Float64Array.from(ends, ({ a }) => a[0]),
  a1: Float64Array.from(ends, ({ a }) => a[1]),
  b0: Float64Array.from(ends, ({ b }) => b[0]),
  b1: Float64Array.from(ends, ({ b }) => b[1]),
  source: Uint32Array.from(ends, ({ source }) => source),
  colour: Uint32Array.from(ends, ({ colour }) => colour),
})

/** Whether ribbons run beside each other, none of them turned and none across another: the two rows have all in one order. */
export const isCollinear = ({ a0, a1, b0, b1 }: Ribbons): boolean => {
  const order = Array.from(a0.keys()).sort((p, q) => a0[p]! - a0[q]!)
  return order.every((ribbon, at) => {
    const before = order[at - 1]
    return (
      b0[ribbon]! < b1[ribbon]! &&
      (before === undefined || (a1[before]! <= a1[ribbon]! && b0[before]! <= b0[ribbon]! && b1[before]! <= b1[ribbon]!))
    )
  })
}

/** Where a place of one row lies on the next by the widest ribbon over it; null where there is none. */
export const followRibbon = (ribbons: Ribbons, at: number, downward: boolean): number | null => {
  const [from0, from1, to0, to1] = downward
    ? [ribbons.a0, ribbons.a1, ribbons.b0, ribbons.b1]
    : [ribbons.b0, ribbons.b1, ribbons.a0, ribbons.a1]
  let best = -1
  let width = 0
  for (let ribbon = 0; ribbon < from0.length; ribbon += 1) {
    const low = Math.min(from0[ribbon]!, from1[ribbon]!)
    const high = Math.max(from0[ribbon]!, from1[ribbon]!)
    // The widest: small ribbons are copies and noise more often than not.
    if (at < low || at > high || high - low <= width) continue
    best = ribbon
    width = high - low
  }
  if (best === -1) return null
  const share = (at - from0[best]!) / (from1[best]! - from0[best]!)
  return to0[best]! + share * (to1[best]! - to0[best]!)
}

/** Behind the name of a sequence that is drawn from its last base to its first. */
export const turnedSign = ' (−)'

/** A sequence's name where there is no room for the word. */
export const bareName = (name: string): string =>
  name.replace(/^(chr(omosome|om)?|scaffold|contig|ctg|lg)[_-]?(?=.)/i, '')

/** Names of the sequences that are in view, where they can be written above a bar: all with "chr", or all without where that is long. */
export const nameSequences = (
  spans: readonly { name: string; from: number; to: number }[],
  width: number,
  fontPx: number,
  flipped = none,
): { name: string; text: string; at: number }[] => {
  const shown = spans.flatMap(({ name, from, to }) =>
    to <= 0 || from >= width || to - from < 1 ? [] : [{ name, from: Math.max(0, from), to: Math.min(width, to) }],
  )
  const sign = (name: string): string => (flipped.has(name) ? turnedSign : '')
  const fits = shown.every(({ name, from, to }) => labelWidth(name + sign(name), fontPx) + 4 <= to - from)
  const labels = shown.map(({ name, from, to }) => {
    const text = (fits ? name : bareName(name)) + sign(name)
    const half = labelWidth(text, fontPx) / 2
    return { name, text, at: Math.max(half, Math.min(width - half, (from + to) / 2)) }
  })
  const written = fittingLabels(labels, fontPx, 0, width)
  return labels.filter((_, at) => written[at])
}
