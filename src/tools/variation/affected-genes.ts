import { consequenceBits, type Effect } from '../../bio/variation/consequences.ts'

/**
 * Genes on which the effects of a variant are what was asked for, each once; without a consequence asked for, all. A stop gained in one
 * gene that is synonymous in the gene that overlaps it affects the one alone.
 */
export const affectedGenes = (
  effects: readonly Pick<Effect, 'consequences' | 'gene'>[],
  asked: readonly string[],
): string[] => {
  const bits = consequenceBits(asked)
  return [
    ...new Set(
      effects.flatMap(({ gene, consequences }) =>
        bits === 0 || (consequenceBits(consequences) & bits) !== 0 ? [gene] : [],
      ),
    ),
  ]
}
