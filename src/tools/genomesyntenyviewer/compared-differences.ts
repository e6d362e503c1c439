import type { DifferenceKind } from '../../bio/comparative/structural-differences.ts'
import type { SyntenyResult } from './tool.ts'

type Comparison = SyntenyResult['comparisons'][number]

/** Differences of each kind in all comparisons, also those beyond the ones that are listed. */
export const countDifferences = ({
  comparisons,
}: Pick<SyntenyResult, 'comparisons'>): Record<DifferenceKind, number> => {
  const sums = { deletion: 0, insertion: 0, replacement: 0, duplication: 0, inversion: 0 }
  for (const { differences } of comparisons) {
    if (differences === null) continue
    sums.deletion += differences.counts.deletion
    sums.insertion += differences.counts.insertion
    sums.replacement += differences.counts.replacement
    sums.duplication += differences.counts.duplication
    sums.inversion += differences.counts.inversion
  }
  return sums
}

/** Comparisons of two genomes whose differences are listed, whose are not since they are too distant, and of the first those that are incomplete. */
export const partComparisons = ({
  comparisons,
}: Pick<SyntenyResult, 'comparisons'>): Record<'compared' | 'distant' | 'truncated', Comparison[]> => {
  const pairs = comparisons.filter(({ first, second }) => first !== second)
  const compared = pairs.filter(({ differences }) => differences !== null)
  return {
    compared,
    distant: pairs.filter(({ differences }) => differences === null),
    truncated: compared.filter(({ differences }) => differences?.truncated),
  }
}
