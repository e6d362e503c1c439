import type { SearchAnswer } from '../../contracts/search.ts'

type Found = Pick<SearchAnswer['entries'][number], 'assembly' | 'orthologOf'>

/**
 * What is found as it is shown: a gene with its orthologs of the other strains is one answer, for which that of the first genome stands,
 * whatever the words that were searched rank higher: `order` has the ids of the assemblies, the reference of each species before its others.
 * In the order of the first of each.
 *
 * @example groupOrthologs([katG of BCG, katG of H37Rv (orthologOf 0), katE of H37Rv], ['H37Rv', 'BCG'])
 * // [{ entry: katG of H37Rv, others: [katG of BCG] }, { entry: katE of H37Rv, others: [] }]
 */
export const groupOrthologs = <Entry extends Found>(
  found: readonly Entry[],
  order: readonly string[],
): { entry: Entry; others: Entry[] }[] => {
  const groups = new Map<number, Entry[]>()
  for (const [number, entry] of found.entries()) {
    if (entry.orthologOf === null) groups.set(number, [entry])
    else groups.get(entry.orthologOf)?.push(entry)
  }
  const places = new Map(order.map((id, place) => [id, place]))
  const placeOf = ({ assembly }: Entry): number => places.get(assembly ?? '') ?? order.length
  return [...groups.values()].map((members) => {
    const [entry, ...others] = members.sort((a, b) => placeOf(a) - placeOf(b))
    return { entry: entry!, others }
  })
}
