import type { AssemblySummary } from '../../../contracts/species.ts'

/**
 * The number of the sample of a VCF that is this genome: it bears the genome's id, strain, name or accession; -1 where none does. Letter
 * case, and what parts words, do not matter, as people write strains in several ways.
 *
 * Example: of samples `BY` and `SK-1` the second is the genome of strain `SK1`.
 */
export const findGenomeSample = (
  samples: readonly string[],
  { id, strain, name, accession }: Pick<AssemblySummary, 'id' | 'strain' | 'name' | 'accession'>,
): number => {
  const plain = (text: string): string => text.toLowerCase().replace(/[\s_.-]+/g, '')
  for (const own of [id, strain, accession, name]) {
    if (own === null) continue
    const found = samples.flatMap((sample, at) => (plain(sample) === plain(own) ? [at] : []))
    if (found.length === 1) return found[0]!
  }
  return -1
}
