import type { SearchAnswer } from '../../contracts/search.ts'

type Found = Pick<SearchAnswer['entries'][number], 'assembly' | 'orthologOf'>

/**
 * What is found as it is shown: a gene with its orthologs of the other strains is one answer, for which that of a reference stands. In
 * the order of the first of each.
 *
 * @example groupOrthologs([katG of BCG, katG of H37Rv (orthologOf 0), katE of H37Rv], new Set(['H37Rv']))
 * // [{ entry: katG of H37Rv, others: [katG of BCG] }, { entry: katE of H37Rv, others: [] }]
 */
export const groupOrthologs = <Entry extends Found>(
  found: readonly Entry[],
  references: ReadonlySet<string>,
): { entry: Entry; others: Entry[] }[] => {
  const groups = new Map<number, Entry[]>()
  for (const [number, entry] of found.entries()) {
    if (entry.orthologOf === null) groups.set(number, [entry])
    else groups.get(entry.orthologOf)?.push(entry)
  }
  return [...groups.values()].map((members) => {
    const entry = members.find(({ assembly }) => assembly !== null && references.has(assembly)) ?? members[0]!
    return { entry, others: members.filter((one) => one !== entry) }
  })
}
