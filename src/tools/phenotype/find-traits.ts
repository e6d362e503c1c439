import { fieldError, PortalError } from '../../contracts/errors.ts'
import { type Accession, groupOf, type PhenotypeSet, type Trait } from '../../contracts/phenotypes.ts'
import { type AccessionTable, listAccessions } from '../../kit/data/accession-data.ts'
import { listPhenotypeSets, readTrait, type TraitData } from '../../kit/data/phenotype-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'

/** Species with phenotypes or accessions, those with phenotypes first. */
export const listDescribed = async (
  data: PortalData,
): Promise<{ id: string; name: string; sets: PhenotypeSet[]; table: AccessionTable }[]> => {
  const all = await Promise.all(
    (await data.listSpecies()).map(async ({ id, name }) => ({
      id,
      name,
      sets: await listPhenotypeSets(data, id),
      table: await listAccessions(data, id),
    })),
  )
  const described = all.filter(({ sets, table }) => sets.length > 0 || table.accessions.length > 0)
  return [...described.filter(({ sets }) => sets.length > 0), ...described.filter(({ sets }) => sets.length === 0)]
}

/** The set that an input means. Rejects where there is none, beside the field that is wrong. */
export const findSet = async (
  data: PortalData,
  species: string | undefined,
  dataset: string | undefined,
): Promise<{ species: string; set: PhenotypeSet; table: AccessionTable }> => {
  const all = (await listDescribed(data)).filter(({ sets }) => sets.length > 0)
  if (all.length === 0) throw new PortalError('NOT_FOUND', { message: 'problem.noPhenotypes' })
  const found = species === undefined ? all[0] : all.find(({ id }) => id === species)
  if (found === undefined)
    throw fieldError(['species'], 'problem.noSpecies', {
      species: species ?? '',
      names: all.map(({ id }) => id).join(', '),
    })
  const set = dataset === undefined ? found.sets[0] : found.sets.find(({ id }) => id === dataset)
  if (set === undefined)
    throw fieldError(['dataset'], 'problem.noDataset', {
      dataset: dataset ?? '',
      names: found.sets.map(({ id }) => id).join(', '),
    })
  return { species: found.id, set, table: found.table }
}

export const findTrait = (set: PhenotypeSet, trait: string | undefined): Trait => {
  const found = trait === undefined ? set.traits[0] : set.traits.find(({ id }) => id === trait)
  if (found === undefined)
    throw fieldError(['trait'], 'problem.noTrait', {
      trait: trait ?? '',
      names: set.traits
        .slice(0, 8)
        .map(({ id }) => id)
        .join(', '),
    })
  return found
}

/** The column that groups accessions: the one asked for, else the usual one; null where there is none. */
export const findGrouping = (table: AccessionTable, asked: string | undefined): string | null => {
  if (asked === undefined) return table.groupings[0] ?? null
  if (!table.groupings.includes(asked))
    throw fieldError(['group'], 'problem.noGroup', { group: asked, names: table.groupings.join(', ') || '–' })
  return asked
}

/** Group of each accession by its id. */
export const groupsOf = (table: AccessionTable, grouping: string | null): Map<string, string> =>
  new Map(
    grouping === null
      ? []
      : table.accessions.flatMap((one) => {
          const group = groupOf(one, grouping)
          return group === null ? [] : [[one.id, group] as const]
        }),
  )

export const byId = (table: AccessionTable): Map<string, Accession> =>
  new Map(table.accessions.map((one) => [one.id, one]))

/**
 * Share of values below each, half of those equal counted, in percent.
 *
 * @example percentiles([1, 2, 2, 3]) // [12.5, 50, 50, 87.5]
 */
export const percentiles = (values: readonly number[]): number[] => {
  const sorted = Float64Array.from(values).sort()
  const count = (value: number, orEqual: boolean): number => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]! < value || (orEqual && sorted[middle] === value)) low = middle + 1
      else high = middle
    }
    return low
  }
  return values.map((value) => (50 * (count(value, false) + count(value, true))) / sorted.length)
}

/** What a result is computed from is the species' own; the receipt names it by the assembly that stands for the species. */
export const assemblyOf = async (data: PortalData, species: string): Promise<string | undefined> => {
  const own = (await data.listAssemblies()).filter((one) => one.species === species)
  return (own.find((one) => one.reference) ?? own[0])?.id
}

export const readSome = async (
  data: PortalData,
  species: string,
  set: string,
  traits: readonly string[],
): Promise<TraitData[]> => Promise.all(traits.map((trait) => readTrait(data, species, set, trait)))
