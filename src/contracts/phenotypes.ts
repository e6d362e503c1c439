import { z } from 'zod'
import { localizedTextSchema } from './text.ts'

/** Kinds of data of a species: its accessions, and sets of measured traits. */
export const accessionData = 'accessions'
export const phenotypeData = 'phenotypes'

/** A strain, line or individual of the species: a sample of its variants, a row of its phenotypes. */
export const accessionSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  population: z.string().nullable(),
  country: z.string().nullable(),
  /** Degrees (WGS 84), north and east above zero. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Every other column of the table; empty cells are left out. */
  attributes: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Accession = z.infer<typeof accessionSchema>

/** Columns by which accessions can be grouped have the names of the fields above, or of attributes. */
export const groupOf = (accession: Accession, grouping: string): string | null => {
  if (grouping === 'population') return accession.population
  if (grouping === 'country') return accession.country
  const value = accession.attributes[grouping]
  return value === undefined ? null : String(value)
}

export const traitTypes = ['quantitative', 'ordinal', 'binary', 'categorical'] as const
export type TraitType = (typeof traitTypes)[number]

/** How the value of an accession came of its observations. */
const traitMethods = ['single', 'mean', 'blue', 'majority'] as const

const figuresSchema = z.object({
  mean: z.number(),
  /** With n - 1; null of a single value. */
  deviation: z.number().nullable(),
  min: z.number(),
  lowerQuartile: z.number(),
  median: z.number(),
  upperQuartile: z.number(),
  max: z.number(),
})

/** Broad-sense heritability of entry means, with what it was computed from (bio/phenotype/field-trial.ts). */
const heritabilitySchema = z.object({
  value: z.number(),
  accessionVariance: z.number(),
  /** Accession by environment; null where the design does not tell it from the residual. */
  interactionVariance: z.number().nullable(),
  residualVariance: z.number(),
  /** Harmonic means over accessions. */
  environmentsPerAccession: z.number(),
  observationsPerAccession: z.number(),
  /** A component that came out below zero counts as zero. */
  truncated: z.boolean(),
})
export type Heritability = z.infer<typeof heritabilitySchema>

export const traitSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  unit: z.string().nullable(),
  description: localizedTextSchema.nullable(),
  type: z.enum(traitTypes),
  /** The type was stated by the lab; else it was told from the values. */
  stated: z.boolean(),
  /** In order; null of a quantitative trait. */
  levels: z.array(z.string()).nullable(),
  /** Accessions with each level. */
  levelCounts: z.array(z.number()).nullable(),
  /** Accessions with a value, of those of the set. */
  accessions: z.number(),
  missing: z.number(),
  observations: z.number(),
  environments: z.array(z.string()),
  method: z.enum(traitMethods),
  /** The linear model behind estimates, as a formula; null without one. */
  model: z.string().nullable(),
  /** Accessions that share no environment with the others, so that nothing compares them; they have no estimate. */
  unconnected: z.number(),
  /** Over the values of the accessions; null where values are no numbers. */
  figures: figuresSchema.nullable(),
  heritability: heritabilitySchema.nullable(),
})
export type Trait = z.infer<typeof traitSchema>

export const phenotypeSetSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
  /** Accessions with a row. */
  accessionCount: z.number(),
  /** Those of them that the table of accessions does not have; all where there is none. */
  undescribed: z.number(),
  traits: z.array(traitSchema),
})
export type PhenotypeSet = z.infer<typeof phenotypeSetSchema>
