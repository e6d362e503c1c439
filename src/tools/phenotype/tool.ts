import { z } from 'zod'
import { entryIdSchema } from '../../contracts/manifest.ts'
import { phenotypeSetSchema, traitSchema } from '../../contracts/phenotypes.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('phenotype', { traits: 150, rows: 20_000, groups: 40 })

export const tasks = ['trait', 'correlation'] as const
export const methods = ['pearson', 'spearman'] as const

const outlierKinds = ['none', 'mild', 'far'] as const

const rowSchema = z.object({
  accession: z.string(),
  name: z.string().nullable(),
  /** Null of a categorical trait. */
  value: z.number().nullable(),
  /** Null of a quantitative trait. */
  level: z.string().nullable(),
  /** Standard error of a best linear unbiased estimate. */
  error: z.number().nullable(),
  /** Measurements behind the value. */
  count: z.number(),
  group: z.string().nullable(),
  country: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Share of the accessions below, half of those equal counted, in percent. */
  percentile: z.number().nullable(),
  /** Beyond one and a half (mild) or three (far) times the box from its ends. */
  outlier: z.enum(outlierKinds),
})
export type TraitRow = z.infer<typeof rowSchema>

const testSchema = z.object({
  statistic: z.number(),
  degrees: z.number(),
  residualDegrees: z.number().nullable(),
  pValue: z.number(),
  effect: z.number(),
})

const groupSchema = z.object({
  name: z.string(),
  count: z.number(),
  mean: z.number().nullable(),
  deviation: z.number().nullable(),
  lowerWhisker: z.number().nullable(),
  lowerQuartile: z.number().nullable(),
  median: z.number().nullable(),
  upperQuartile: z.number().nullable(),
  upperWhisker: z.number().nullable(),
  /** Accessions with each level, in the order of the trait's levels; null of a quantitative trait. */
  levelCounts: z.array(z.number()).nullable(),
})
export type TraitGroup = z.infer<typeof groupSchema>

const pairSchema = z.object({
  first: z.string(),
  second: z.string(),
  /** Mean of the first less that of the second. */
  difference: z.number(),
  welch: z.object({ t: z.number(), degrees: z.number(), pValue: z.number(), adjustedPValue: z.number() }).nullable(),
  /** Mann and Whitney's test; `auc` is the share of pairs in which the first group is above. */
  ranks: z.object({ auc: z.number(), pValue: z.number(), adjustedPValue: z.number() }).nullable(),
})
export type GroupPair = z.infer<typeof pairSchema>

const traitReportSchema = z.object({
  trait: traitSchema,
  /** Columns of the accessions by which they can be grouped. */
  groupings: z.array(z.string()),
  /** The one in force; null where there is none. */
  grouping: z.string().nullable(),
  rows: z.array(rowSchema),
  /** Of so many; `rows` has the first. */
  total: z.number(),
  groups: z.array(groupSchema),
  /** Accessions without a group, which take no part in tests. */
  ungrouped: z.number(),
  variance: testSchema.nullable(),
  ranks: testSchema.nullable(),
  /** Of levels by groups. */
  table: testSchema.extend({ fewExpected: z.number() }).nullable(),
  pairs: z.array(pairSchema),
  normality: z.object({ w: z.number(), pValue: z.number() }).nullable(),
  skewness: z.number().nullable(),
  environments: z.array(
    z.object({
      name: z.string(),
      count: z.number(),
      accessions: z.number(),
      mean: z.number(),
      deviation: z.number().nullable(),
      lowerWhisker: z.number(),
      lowerQuartile: z.number(),
      median: z.number(),
      upperQuartile: z.number(),
      upperWhisker: z.number(),
    }),
  ),
})
export type TraitReport = z.infer<typeof traitReportSchema>

const correlationSchema = z.object({
  method: z.enum(methods),
  traits: z.array(traitSchema.pick({ id: true, name: true, unit: true, type: true, accessions: true })),
  /** Traits in the order of a clustering by 1 - |r|, average linkage. */
  order: z.array(z.number()),
  /** Pairs of traits, 0 with 1, 2 …, then 1 with 2 …; null where too few accessions have both, or one is constant among them. */
  r: z.array(z.number().nullable()),
  n: z.array(z.number()),
  pValue: z.array(z.number().nullable()),
  adjustedPValue: z.array(z.number().nullable()),
  /** Traits that no number stands for, or that are more than are taken. */
  leftOut: z.array(traitSchema.pick({ id: true, name: true })),
})
export type TraitCorrelation = z.infer<typeof correlationSchema>

/** Names of traits as a list, or as text with commas or line breaks between. */
const traitsSchema = z
  .union([z.string().max(40_000), z.array(z.string().max(200)).meta({ maxItems: limits.traits })])
  .transform((value) =>
    typeof value === 'string'
      ? value
          .split(/[,\n]+/)
          .map((one) => one.trim())
          .filter((one) => one !== '')
      : value,
  )
  .pipe(z.array(z.string().max(200)).max(limits.traits))

const setHeadSchema = phenotypeSetSchema.omit({ traits: true })

export const resultSchema = z.object({
  species: z.string(),
  dataset: setHeadSchema,
  trait: traitReportSchema.nullable(),
  correlation: correlationSchema.nullable(),
})
export type PhenotypeResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'phenotype',
  route: '/tools/phenotype',
  category: 'vary',
  order: 20,
  icon: 'ruler',
  mode: 'answer',
  version: 3,
  input: z.object({
    task: z.enum(tasks).default('trait'),
    /** The first with phenotypes when absent. */
    species: z.string().max(64).optional(),
    /** The first of the species when absent. */
    dataset: entryIdSchema.optional(),
    /** The first of the set when absent. */
    trait: z.string().max(200).optional(),
    /** Column of the accessions that groups them; the usual one when absent. */
    group: z.string().max(200).optional(),
    /** Traits to be compared; the first of the set when empty. */
    traits: traitsSchema.default([]),
    method: z.enum(methods).default('pearson'),
  }),
  result: resultSchema,
  limits,
  needs: [],
  opens: [{ target: 'trait', query: { species: '{species}', dataset: '{dataset}', trait: '{trait}' }, run: true }],
  records: {
    accession: '/detail?type=accession&species={id.0}&id={id.1}',
    trait: '/detail?type=trait&species={id.0}&id={id.1}',
  },
  // Assemblies do not tell of phenotypes: the screen asks for a better one, and without a choice the first trait is taken.
  example: ({ assemblies }) => (assemblies.length === 0 ? null : {}),
})
