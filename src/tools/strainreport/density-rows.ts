import type { Density } from './tool.ts'

export interface DensityRow {
  sequence: string
  /** From 1, both included. */
  start: number
  end: number
  comparedBp: number
  substitutions: number
  insertions: number
  deletions: number
  /** Per kb of compared bases; null where too few of a window are, and of SNPs where they are not told. */
  snps: number | null
  indels: number | null
}

/** Of a window so many bases have a counterpart at least, or a rate of it says little. */
const leastShare = 0.1

/**
 * Windows as rows, with rates.
 *
 * Example: 3 substitutions in 1,500 compared bases are 2 SNPs per kb.
 */
export const densityRows = ({ windowBp, toldApart, sequences }: Density): DensityRow[] =>
  sequences.flatMap(({ name, lengthBp, comparedBp, substitutions, insertions, deletions }) =>
    comparedBp.map((compared, at): DensityRow => {
      const [start, end] = [at * windowBp + 1, Math.min(lengthBp, (at + 1) * windowBp)]
      const enough = compared >= leastShare * (end - start + 1)
      const rate = (count: number): number => (1000 * count) / compared
      return {
        sequence: name,
        start,
        end,
        comparedBp: compared,
        substitutions: substitutions[at]!,
        insertions: insertions[at]!,
        deletions: deletions[at]!,
        snps: enough && toldApart ? rate(substitutions[at]!) : null,
        indels: enough ? rate(insertions[at]! + deletions[at]!) : null,
      }
    }),
  )
