export interface AssemblyStats {
  sequenceCount: number
  totalBp: number
  /** Length of the sequence at which half of the assembly is reached, longest first. */
  n50Bp: number
  /** How many sequences it takes to reach that half. */
  l50: number
  /** G and C over A, C, G and T; null when there are none of these. */
  gcFraction: number | null
  nCount: number
}

/**
 * Statistics of an assembly from the counts of its sequences. N50 and L50 after Miller, Koren and Sutton 2010,
 * Genomics 95:315: the smallest set of longest sequences that holds at least half of all bases.
 *
 * Example: for lengths 80, 70, 50, 40, 30, 20 (290 in all), `n50Bp` is 70 and `l50` is 2.
 */
export function computeAssemblyStats(
  sequences: readonly { lengthBp: number; gcCount: number; nCount: number; atCount: number }[],
): AssemblyStats {
  const lengths = sequences.map((sequence) => sequence.lengthBp).sort((a, b) => b - a)
  const totalBp = lengths.reduce((sum, length) => sum + length, 0)
  let reached = 0
  let l50 = 0
  while (l50 < lengths.length && reached * 2 < totalBp) {
    reached += lengths[l50]!
    l50 += 1
  }
  const gc = sequences.reduce((sum, sequence) => sum + sequence.gcCount, 0)
  const at = sequences.reduce((sum, sequence) => sum + sequence.atCount, 0)
  return {
    sequenceCount: sequences.length,
    totalBp,
    n50Bp: l50 === 0 ? 0 : lengths[l50 - 1]!,
    l50,
    gcFraction: gc + at === 0 ? null : gc / (gc + at),
    nCount: sequences.reduce((sum, sequence) => sum + sequence.nCount, 0),
  }
}
