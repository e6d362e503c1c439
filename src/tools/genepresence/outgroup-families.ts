import { fieldError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { PresenceGenes } from '../../kit/data/presence-data.ts'

/** Of the genes of an assembly, what an outgroup has of the orthogroup of each: genes are not followed there by their DNA. */
export interface OutgroupFamilies {
  id: string
  /** Genes of the outgroup in each gene's orthogroup, in genome order; null of a gene without a protein. Null where none were compared. */
  counts: (number | null)[] | null
}

/** Outgroups of the assembly's species, with what they have of its genes by orthogroup. */
export const readOutgroups = async (
  data: PortalData,
  assembly: string,
  genes: PresenceGenes,
): Promise<OutgroupFamilies[]> => {
  const { species } = await data.getAssembly(assembly)
  const ids = (await data.listAssemblies()).flatMap((one) =>
    one.outgroup && one.species === species && one.id !== assembly ? [one.id] : [],
  )
  if (ids.length === 0) return []
  const state = await data.getHomology()
  const isCompared = (id: string): boolean => state?.covered.includes(id) ?? false
  const compared = isCompared(assembly) ? ids.filter(isCompared) : []
  const counts = new Map(compared.map((id) => [id, new Array<number | null>(genes.id.length).fill(null)]))
  if (compared.length > 0) {
    const numbers = new Map(genes.id.map((id, number) => [id, number]))
    for await (const groups of data.streamOrthogroups())
      for (const { members } of groups)
        for (const gene of members.get(assembly) ?? []) {
          const number = numbers.get(gene)
          if (number === undefined) continue
          for (const [id, column] of counts) column[number] = members.get(id)?.length ?? 0
        }
  }
  return ids.map((id) => ({ id, counts: counts.get(id) ?? null }))
}

/** Whether a gene meets what is asked of the outgroups, by family. Rejects where one that is asked about is none that was compared. */
export const outgroupFilter = (
  outgroups: readonly OutgroupFamilies[],
  asked: { familyAbsent: readonly string[]; familyPresent: readonly string[] },
): ((gene: number) => boolean) => {
  const conditions = (['familyAbsent', 'familyPresent'] as const).flatMap((field) =>
    asked[field].map((id) => {
      const counts = outgroups.find((one) => one.id === id)?.counts ?? null
      if (counts === null) throw fieldError([field], 'problem.notOutgroup', { assembly: id })
      return { counts, present: field === 'familyPresent' }
    }),
  )
  // A gene without a protein has no family: nothing is known of it.
  return (gene) =>
    conditions.every(({ counts, present }) => {
      const count = counts[gene]!
      return count !== null && count > 0 === present
    })
}
