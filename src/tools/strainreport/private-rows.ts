import type { StructuralDifference } from '../../contracts/structural-differences.ts'
import type { ChangedGene, StrainReport } from './tool.ts'

export type PrivateRow = { difference: StructuralDifference; gene: null } | { difference: null; gene: ChangedGene }

/** Other genomes in which what was found is known not to be; none where another has it too. */
export const withoutCount = ({ difference, gene }: PrivateRow): number =>
  difference === null ? gene.notIn : (difference.notIn?.length ?? 0)

/**
 * What no other genome of the species has: differences and changed genes that one other genome at least is known to be without, and that
 * none shares. The reference, which lacks them all, is counted by neither.
 */
export const listPrivate = (report: StrainReport, reference: string): PrivateRow[] => [
  ...(report.structure?.differences ?? [])
    .filter(({ alsoIn, notIn }) => alsoIn?.length === 0 && (notIn ?? []).some((id) => id !== reference))
    .map((difference) => ({ difference, gene: null })),
  ...(report.genes?.rows ?? [])
    .filter(({ alsoIn, notIn }) => alsoIn === 0 && notIn > 0)
    .map((gene) => ({ difference: null, gene })),
]
