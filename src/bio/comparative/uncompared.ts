/** Of a result what was looked at: the assemblies of its genes, and those that were chosen beside them. */
export interface Compared {
  own: readonly string[]
  /** Empty where none was chosen. */
  chosen: readonly string[]
}

/**
 * The assemblies of `missing` that a result is about: of those chosen, or else of the species of its genes; with neither, all.
 * Example: with `missing: ['K12']`, a result about genes of `Col-0` alone names none.
 */
export const listUncompared = (
  missing: readonly string[],
  { own, chosen }: Compared,
  assemblies: readonly { id: string; species: string }[],
): string[] => {
  if (own.length === 0 && chosen.length === 0) return [...missing]
  const species = new Set(assemblies.filter(({ id }) => own.includes(id)).map((one) => one.species))
  const about = new Set([
    ...own,
    ...(chosen.length > 0 ? chosen : assemblies.filter((one) => species.has(one.species)).map(({ id }) => id)),
  ])
  return missing.filter((id) => about.has(id))
}

/** Whether what was computed over all assemblies still holds for a result: nothing has changed since, or only assemblies that it is not about. */
export const isCurrentFor = (
  { current, missing }: { current: boolean; missing: readonly string[] },
  compared: Compared,
  assemblies: readonly { id: string; species: string }[],
): boolean => current || (missing.length > 0 && listUncompared(missing, compared, assemblies).length === 0)
