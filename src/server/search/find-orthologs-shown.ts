import type { SearchEntry } from '../../contracts/search.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'

/** Copies of a gene in one genome whose orthologs are looked up, one round for each; the genes of further copies stand by themselves. */
const maxRounds = 4

const isGene = (entry: SearchEntry): entry is SearchEntry & { assembly: string } =>
  entry.type === 'gene' && entry.assembly !== null

/** Numbers of entries by a property of theirs. */
const groupNumbers = (numbers: Iterable<number>, keyOf: (number: number) => string): Map<string, number[]> => {
  const groups = new Map<string, number[]>()
  for (const number of numbers) {
    const key = keyOf(number)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [number])
    else group.push(number)
  }
  return groups
}

/**
 * Of each entry the number of the one before it that is the same gene in another assembly of its species, so that both are shown as
 * one; null of all others. By orthology and not by family: paralogs are other answers.
 *
 * @example [katG of H37Rv, katG of BCG, katE of H37Rv] // [null, 0, null]
 */
export const findOrthologsShown = async (
  data: Pick<PortalData, 'listHomologs' | 'listOrthogroups'>,
  entries: readonly SearchEntry[],
): Promise<(number | null)[]> => {
  const leads: (number | null)[] = entries.map(() => null)
  const genes = [...entries.keys()].filter((number) => isGene(entries[number]!))
  const assemblyOf = (number: number): string => entries[number]!.assembly ?? ''
  const isMixed = (numbers: readonly number[]): boolean => new Set(numbers.map(assemblyOf)).size > 1
  if (!isMixed(genes)) return leads

  const families = new Map<number, string>()
  await Promise.all(
    [...groupNumbers(genes, assemblyOf)].map(async ([assembly, numbers]) => {
      const groups = await data.listOrthogroups(
        assembly,
        numbers.map((number) => entries[number]!.id),
      )
      for (const number of numbers) {
        const group = groups.get(entries[number]!.id)
        if (group !== undefined) families.set(number, `${entries[number]!.species} ${group}`)
      }
    }),
  )
  let left = [...groupNumbers(families.keys(), (number) => families.get(number)!).values()].map((group) =>
    group.sort((a, b) => a - b),
  )
  for (let round = 0; round < maxRounds; round += 1) {
    left = left.filter(isMixed)
    if (left.length === 0) break
    const orthologs = new Map<number, Set<string>>()
    await Promise.all(
      [
        ...groupNumbers(
          left.map(([first]) => first!),
          assemblyOf,
        ),
      ].map(async ([assembly, numbers]) => {
        const byId = new Map(numbers.map((number) => [entries[number]!.id, number]))
        for (const { gene, homologs } of await data.listHomologs(assembly, [...byId.keys()]))
          orthologs.set(
            byId.get(gene)!,
            new Set(
              homologs.flatMap((one) =>
                one.relation === 'ortholog' ? [JSON.stringify([one.assembly, one.gene])] : [],
              ),
            ),
          )
      }),
    )
    left = left.map(([first, ...others]) =>
      others.filter((number) => {
        const isOrtholog =
          orthologs.get(first!)?.has(JSON.stringify([assemblyOf(number), entries[number]!.id])) ?? false
        if (isOrtholog) leads[number] = first!
        return !isOrtholog
      }),
    )
  }
  return leads
}
