import type { DiagnosticPair } from './tool.ts'

/**
 * Message of what a pair does: that it discriminates, and what of it, if anything, is less than sure. Of several things the one that matters
 * most on a gel: mismatches in a genome to be amplified, a further product there, then a product that is not expected in one to be spared.
 */
export const verdictOf = ({
  discriminates,
  sure,
  outcomes,
}: Pick<DiagnosticPair, 'discriminates' | 'sure' | 'outcomes'>) => {
  if (!discriminates) return 'verdict.no' as const
  if (sure) return 'verdict.sure' as const
  const targets = outcomes.filter(({ group }) => group === 'target')
  if (targets.some(({ bands }) => (bands[0]?.mismatches ?? 0) > 0)) return 'verdict.mismatches' as const
  return targets.some(({ bandCount }) => bandCount > 1) ? ('verdict.further' as const) : ('verdict.unlikely' as const)
}
