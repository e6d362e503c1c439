import { fieldError } from '../../contracts/errors.ts'
import { type AccessionTable, listAccessions } from '../../kit/data/accession-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { listVariantSets, type VariantSet } from '../../kit/data/variant-data.ts'
import { type NamedPopulation, parsePopulations } from './read-populations.ts'
import { limits, type SweepInput } from './tool.ts'

/** The set of variants that was asked for, or the first with genotypes. Throws what is wrong with the choice. */
export const chooseVariants = async (
  data: PortalData,
  assembly: string,
  asked: string | undefined,
): Promise<VariantSet> => {
  const sets = await listVariantSets(data, assembly)
  const withGenotypes = sets.filter(({ hasGenotypes }) => hasGenotypes)
  if (asked === undefined) {
    const [first] = withGenotypes
    if (first === undefined) throw fieldError(['assembly'], 'variants.none', { assembly })
    return first
  }
  const set = sets.find(({ id }) => id === asked)
  if (set === undefined)
    throw fieldError(['variants'], 'variants.unknown', {
      id: asked,
      known: withGenotypes.map(({ id }) => id).join(', '),
    })
  if (!set.hasGenotypes) throw fieldError(['variants'], 'variants.noGenotypes', { id: asked })
  return set
}

/** Value of an accession in a grouping, as text; null where it has none. */
const groupOf = (accession: AccessionTable['accessions'][number], grouping: string): string | null => {
  const value =
    grouping === 'population'
      ? accession.population
      : grouping === 'country'
        ? accession.country
        : accession.attributes[grouping]
  return value === null || value === undefined || value === '' ? null : String(value)
}

/** Populations of a grouping, those of most samples first, with the samples of a set that belong to them. */
export const listPopulations = (
  { accessions }: AccessionTable,
  grouping: string,
  samples: ReadonlySet<string>,
): NamedPopulation[] => {
  const populations = new Map<string, string[]>()
  for (const accession of accessions) {
    if (!samples.has(accession.id)) continue
    const group = groupOf(accession, grouping)
    if (group === null) continue
    const members = populations.get(group)
    if (members === undefined) populations.set(group, [accession.id])
    else members.push(accession.id)
  }
  return [...populations]
    .map(([name, members]) => ({ name, samples: members }))
    .sort((a, b) => b.samples.length - a.samples.length || a.name.localeCompare(b.name, 'en'))
}

export interface ChosenPopulations {
  populations: NamedPopulation[]
  /** Population of each sample of the set in its order; -1 of the others. */
  numbers: number[]
  unknown: string[]
}

/** Who is compared with whom. Throws what is wrong, beside its field. */
export const choosePopulations = async (
  input: SweepInput,
  set: VariantSet,
  species: string,
  data: PortalData,
): Promise<ChosenPopulations> => {
  const samples = new Set(set.samples)
  let populations: NamedPopulation[]
  let field: 'groups' | 'populations'
  const unknown: string[] = []
  if (input.groups.trim() !== '') {
    field = 'groups'
    populations = parsePopulations(input.groups).map(({ name, samples: named }) => {
      unknown.push(...named.filter((sample) => !samples.has(sample)))
      return { name, samples: named.filter((sample) => samples.has(sample)) }
    })
    if (populations.length === 0) throw fieldError(['groups'], 'groups.none')
    const empty = populations.find(({ samples: known }) => known.length === 0)
    if (empty !== undefined)
      throw fieldError(['groups'], 'groups.noSamples', {
        population: empty.name,
        examples: set.samples.slice(0, 5).join(', '),
      })
    if (input.populations.length > 0) {
      const chosen = new Set(input.populations)
      const left = populations.filter(({ name }) => chosen.has(name))
      if (left.length > 0) populations = left
    }
  } else {
    field = 'populations'
    const table = await listAccessions(data, species)
    if (table.accessions.length === 0) throw fieldError(['groups'], 'groups.noAccessions')
    if (input.grouping !== 'population' && !table.groupings.includes(input.grouping))
      throw fieldError(['grouping'], 'grouping.unknown', {
        grouping: input.grouping,
        known: table.groupings.join(', '),
      })
    const all = listPopulations(table, input.grouping, samples)
    if (all.length === 0) throw fieldError(['grouping'], 'grouping.noSamples', { grouping: input.grouping })
    populations =
      input.populations.length === 0
        ? all
        : [...new Set(input.populations)].map((name) => {
            const found = all.find((one) => one.name === name)
            if (found === undefined)
              throw fieldError(['populations'], 'populations.unknown', {
                population: name,
                known: all
                  .slice(0, 20)
                  .map((one) => one.name)
                  .join(', '),
              })
            return found
          })
  }
  if (populations.length > limits.populations)
    throw fieldError([field], 'populations.tooMany', { count: populations.length, limit: limits.populations })
  const alone = populations.find((one) => one.samples.length * set.ploidy < 2)
  if (alone !== undefined) throw fieldError([field], 'populations.tooFew', { population: alone.name })
  const numberOf = new Map(populations.flatMap(({ samples: own }, at) => own.map((sample) => [sample, at] as const)))
  return { populations, numbers: set.samples.map((sample) => numberOf.get(sample) ?? -1), unknown }
}
