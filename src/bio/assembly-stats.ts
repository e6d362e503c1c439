// What is said of an assembly: lengths, N50, GC content, gaps.

export interface SequenceCounts {
  lengthBp: number
  /** G and C, any case. */
  gcCount: number
  /** A, T and U, any case. */
  atCount: number
  nCount: number
  /** Runs of N. */
  gapCount: number
}

export interface AssemblyStats {
  sequenceCount: number
  totalBp: number
  longestBp: number
  shortestBp: number
  meanBp: number
  medianBp: number
  /** Length of the shortest sequence among the longest ones that together hold half of the assembly; 0 without sequences. */
  n50Bp: number
  /** How many those are. */
  l50: number
  n90Bp: number
  l90: number
  /** Share of G and C among A, C, G, T and U; null when there is none of them. */
  gcFraction: number | null
  nCount: number
  gapCount: number
}

/**
 * Length statistics after which a share of all bases is reached, longest sequences first.
 *
 * Source: International Human Genome Sequencing Consortium 2001, Nature 409:860 (N50). Example:
 * `computeNx([80, 70, 50, 40, 30, 20], 0.5)` is `{lengthBp: 70, count: 2}`.
 */
export function computeNx(lengthsBp: readonly number[], share: number): { lengthBp: number; count: number } {
  const sorted = [...lengthsBp].sort((a, b) => b - a)
  const wanted = sorted.reduce((sum, length) => sum + length, 0) * share
  let reached = 0
  for (const [index, lengthBp] of sorted.entries()) {
    reached += lengthBp
    if (reached >= wanted) return { lengthBp, count: index + 1 }
  }
  return { lengthBp: 0, count: 0 }
}

/**
 * The figures of an assembly from the counts of its sequences.
 *
 * Example: two sequences of 60 and 40 bases give `totalBp` 100, `n50Bp` 60, `l50` 1.
 */
export function computeAssemblyStats(sequences: readonly SequenceCounts[]): AssemblyStats {
  const lengths = sequences.map((sequence) => sequence.lengthBp).sort((a, b) => a - b)
  const sum = (key: keyof SequenceCounts) => sequences.reduce((total, sequence) => total + sequence[key], 0)
  const totalBp = sum('lengthBp')
  const gc = sum('gcCount')
  const at = sum('atCount')
  const n50 = computeNx(lengths, 0.5)
  const n90 = computeNx(lengths, 0.9)
  const middle = lengths.length >> 1
  const medianBp =
    lengths.length === 0
      ? 0
      : lengths.length % 2 === 1
        ? lengths[middle]!
        : (lengths[middle - 1]! + lengths[middle]!) / 2
  return {
    sequenceCount: lengths.length,
    totalBp,
    longestBp: lengths.at(-1) ?? 0,
    shortestBp: lengths[0] ?? 0,
    meanBp: lengths.length === 0 ? 0 : totalBp / lengths.length,
    medianBp,
    n50Bp: n50.lengthBp,
    l50: n50.count,
    n90Bp: n90.lengthBp,
    l90: n90.count,
    gcFraction: gc + at === 0 ? null : gc / (gc + at),
    nCount: sum('nCount'),
    gapCount: sum('gapCount'),
  }
}

// What a byte counts as: 1 strong (G, C), 2 weak (A, T, U), 3 N, 0 any other residue.
const baseClasses = new Uint8Array(256)
for (const [letters, kind] of [
  ['GCgc', 1],
  ['ATUatu', 2],
  ['Nn', 3],
] as const) {
  for (const letter of letters) baseClasses[letter.charCodeAt(0)] = kind
}

/**
 * Counts one sequence that comes in pieces, and reports its gaps (runs of at least `smallestGapBp` N) as half-open intervals
 * counted from 0, for a gap track.
 *
 * Example: after `add` of the bytes of "ACNNGT" and `end()`, `counts` is `{lengthBp: 6, gcCount: 2, atCount: 2, nCount: 2,
 * gapCount: 1}` and the gap 2..4 was reported.
 */
export class SequenceCounter {
  readonly counts: SequenceCounts = { lengthBp: 0, gcCount: 0, atCount: 0, nCount: 0, gapCount: 0 }
  readonly #onGap: ((start0: number, end0: number) => void) | undefined
  readonly #smallestGapBp: number
  #gapStart0 = -1

  constructor(options: { onGap?: (start0: number, end0: number) => void; smallestGapBp?: number } = {}) {
    this.#onGap = options.onGap
    this.#smallestGapBp = options.smallestGapBp ?? 1
  }

  /** Takes the next residues as ASCII, without blanks and line ends. */
  add(residues: Uint8Array): void {
    const { counts } = this
    const offset = counts.lengthBp
    let strong = 0
    let weak = 0
    let unknown = 0
    for (let index = 0; index < residues.length; index++) {
      const kind = baseClasses[residues[index]!]!
      if (kind === 3) {
        unknown++
        if (this.#gapStart0 < 0) this.#gapStart0 = offset + index
        continue
      }
      if (this.#gapStart0 >= 0) this.#closeGap(offset + index)
      if (kind === 1) strong++
      else if (kind === 2) weak++
    }
    counts.lengthBp += residues.length
    counts.gcCount += strong
    counts.atCount += weak
    counts.nCount += unknown
  }

  /** The sequence is at its end: a gap that reaches it is closed. */
  end(): void {
    if (this.#gapStart0 >= 0) this.#closeGap(this.counts.lengthBp)
  }

  #closeGap(end0: number): void {
    if (end0 - this.#gapStart0 >= this.#smallestGapBp) {
      this.counts.gapCount++
      this.#onGap?.(this.#gapStart0, end0)
    }
    this.#gapStart0 = -1
  }
}
