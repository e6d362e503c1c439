import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { accessionSchema, phenotypeSetSchema, traitSchema } from '../../contracts/phenotypes.ts'
import { localizedTextSchema } from '../../contracts/text.ts'

const speciesSchema = z.string().max(64)

export const listPhenotypes = defineEndpoint({
  method: 'GET',
  path: '/api/tools/phenotype/datasets/',
  summary:
    'Sets of phenotypes of a species with their traits and the figures of each, and what is known of its accessions',
  tag: 'tools',
  input: z.object({
    /** The first with phenotypes or accessions when absent. */
    species: speciesSchema.optional(),
  }),
  output: z.object({
    /** Species with phenotypes or accessions. */
    choices: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Null where no species has any. */
    species: z.string().nullable(),
    datasets: z.array(phenotypeSetSchema),
    groupings: z.array(z.string()),
    accessionCount: z.number(),
    /** Those with a place on the map. */
    placedCount: z.number(),
  }),
})
export type Phenotypes = z.infer<typeof listPhenotypes.output>

export const getAccessions = defineEndpoint({
  method: 'GET',
  path: '/api/tools/phenotype/accessions/',
  summary: 'Accessions of a species with population, origin and every other column of their table',
  tag: 'tools',
  input: z.object({ species: speciesSchema }),
  output: z.object({
    accessions: z.array(accessionSchema),
    groupings: z.array(z.string()),
    licence: z.string().nullable(),
    simulated: z.boolean(),
  }),
})
export type Accessions = z.infer<typeof getAccessions.output>

const traitOfAccession = z.object({
  dataset: z.string(),
  datasetName: localizedTextSchema,
  simulated: z.boolean(),
  trait: traitSchema.pick({ id: true, name: true, unit: true, type: true, accessions: true, method: true }),
  value: z.number().nullable(),
  level: z.string().nullable(),
  error: z.number().nullable(),
  /** Share of the accessions below, half of those equal counted, in percent. */
  percentile: z.number().nullable(),
})

export const getAccession = defineEndpoint({
  method: 'GET',
  path: '/api/tools/phenotype/accession/',
  summary: 'One accession: what is told of it, and its value of every trait with its place among all accessions',
  tag: 'tools',
  input: z.object({ species: speciesSchema, id: z.string().min(1).max(200) }),
  output: z.object({
    species: z.string(),
    /** Null for an accession that has phenotypes but no row in the table of accessions. */
    accession: accessionSchema.nullable(),
    simulated: z.boolean(),
    traits: z.array(traitOfAccession),
  }),
})
export type AccessionRecord = z.infer<typeof getAccession.output>

export const getTraitPair = defineEndpoint({
  method: 'GET',
  path: '/api/tools/phenotype/pair/',
  summary: 'Two traits of a set against each other: a point an accession that has both',
  tag: 'tools',
  input: z.object({
    species: speciesSchema,
    dataset: z.string().max(100),
    x: z.string().max(200),
    y: z.string().max(200),
    group: z.string().max(200).optional(),
  }),
  output: z.object({
    points: z.array(z.object({ accession: z.string(), x: z.number(), y: z.number(), group: z.string().nullable() })),
    grouping: z.string().nullable(),
    pearson: z.number().nullable(),
    spearman: z.number().nullable(),
    /** Least squares of y on x. */
    slope: z.number().nullable(),
    intercept: z.number().nullable(),
  }),
})
export type TraitPair = z.infer<typeof getTraitPair.output>
