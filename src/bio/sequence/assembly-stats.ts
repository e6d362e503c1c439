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
  /** Length of the shortest sequence among the longest ones that together hold half of the assembly; 0 without sequences. */
  n50Bp: number
  /** How many those are. */
  l50: number
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
  return {
    sequenceCount: lengths.length,
    totalBp,
    longestBp: lengths.at(-1) ?? 0,
    shortestBp: lengths[0] ?? 0,
    n50Bp: n50.lengthBp,
    l50: n50.count,
    gcFraction: gc + at === 0 ? null : gc / (gc + at),
    nCount: sum('nCount'),
    gapCount: sum('gapCount'),
  }
}
