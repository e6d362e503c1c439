import { PortalError } from '../../contracts/errors.ts'
import type { PhenotypeSet, Trait } from '../../contracts/phenotypes.ts'
import type { PortalData } from './portal-data.ts'

/** Kinds of the records that the loader of phenotypes adds to the species' bundle: a set by its id, a trait by set and trait. */
export const phenotypeSetKind = 'phenotype-set'
export const traitKind = 'phenotype-trait'
export const traitRecord = (set: string, trait: string): string => `${set}|${trait}`

/** Values of a trait as they are baked. */
export interface StoredTrait {
  /** Accessions with a value, and their values: the number, the estimate, or the place of the level in the trait's `levels`. */
  accessions: string[]
  values: number[]
  /** Standard errors of estimates, null where they cannot be told; absent without a model. */
  errors?: (number | null)[]
  /** What was measured, where that is more than one value an accession. */
  observations?: {
    /** Place in `observed`. */
    accession: number[]
    /** Place in the trait's `environments`, -1 for none. */
    environment: number[]
    replicate: (string | null)[]
    value: number[]
  }
  /** Accessions of the observations; those without an estimate among them. */
  observed?: string[]
}

export interface TraitValue {
  accession: string
  /**
   * A number to compute with: the mean or estimate; of levels their own number where all are numbers, else 0, 1, 2 … in their order. Null
   * of a categorical trait.
   */
  value: number | null
  /** Null of a quantitative trait. */
  level: string | null
  /** Standard error of a best linear unbiased estimate. */
  error: number | null
}

export interface TraitObservation {
  accession: string
  environment: string | null
  replicate: string | null
  /** As `TraitValue` has them. */
  value: number | null
  level: string | null
}

export interface TraitData {
  set: PhenotypeSet
  trait: Trait
  /** Accessions with a value, in the order of the file. */
  values: TraitValue[]
  /** Empty where each accession was measured once. */
  observations: TraitObservation[]
}

/** Sets of phenotypes of a species, in the order of species.yaml, with their traits and the figures of each. */
export const listPhenotypeSets = async (data: PortalData, species: string): Promise<PhenotypeSet[]> =>
  (await data.speciesBundleNumber(species)) === null
    ? []
    : (await data.listRecords<PhenotypeSet>(phenotypeSetKind, { species })).map((record) => record.data)

/** Every trait of a species with the set it belongs to. */
export const listTraits = async (data: PortalData, species: string): Promise<{ set: PhenotypeSet; trait: Trait }[]> =>
  (await listPhenotypeSets(data, species)).flatMap((set) => set.traits.map((trait) => ({ set, trait })))

/** The number that a level is computed with. `levelNumber(['low', 'high'], 1)` is 1, `levelNumber(['1', '3'], 1)` is 3. */
const levelNumber = (levels: readonly string[], index: number): number =>
  levels.every((level) => Number.isFinite(Number(level))) ? Number(levels[index]) : index

const asValue = (trait: Trait, stored: number): { value: number | null; level: string | null } =>
  trait.levels === null
    ? { value: stored, level: null }
    : {
        value: trait.type === 'categorical' ? null : levelNumber(trait.levels, stored),
        level: trait.levels[stored] ?? null,
      }

/** Values of a trait by accession. Rejects with NOT_FOUND, message `problem.unknownTrait`, which is the tool's own to say. */
export const readTrait = async (
  data: PortalData,
  species: string,
  setId: string,
  traitId: string,
): Promise<TraitData> => {
  const set = (await listPhenotypeSets(data, species)).find(({ id }) => id === setId)
  const trait = set?.traits.find(({ id }) => id === traitId)
  const stored =
    trait === undefined ? null : await data.getRecord<StoredTrait>(traitKind, traitRecord(setId, traitId), { species })
  if (set === undefined || trait === undefined || stored === null)
    throw new PortalError('NOT_FOUND', {
      message: 'problem.unknownTrait',
      params: { trait: traitId, set: setId },
      problems: [{ path: ['trait'], message: 'problem.unknownTrait', params: { trait: traitId, set: setId } }],
    })
  const { observations, observed = stored.accessions } = stored
  return {
    set,
    trait,
    values: stored.accessions.map((accession, at) => ({
      accession,
      ...asValue(trait, stored.values[at]!),
      error: stored.errors?.[at] ?? null,
    })),
    observations:
      observations === undefined
        ? []
        : observations.accession.map((index, at) => ({
            accession: observed[index]!,
            environment: trait.environments[observations.environment[at]!] ?? null,
            replicate: observations.replicate[at] ?? null,
            ...asValue(trait, observations.value[at]!),
          })),
  }
}
