import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { localizedTextSchema } from './text.ts'

/** Kinds of data of an assembly: matrices of genes and samples, and tables of differential expression. */
export const expressionData = 'expression'
export const differentialData = 'differentialExpression'

export const contrastSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  /** The program that wrote the table, where its headings tell. */
  program: z.string().nullable(),
  geneCount: z.number(),
  hasPValue: z.boolean(),
  hasBaseMean: z.boolean(),
  baseMeanIsLog: z.boolean(),
  /** The portal computed the adjusted p-values (Benjamini and Hochberg). */
  adjustedHere: z.boolean(),
  /** Groups of Tn-seq libraries that the portal compared by resampling when they were loaded; null of a table. */
  compared: z.object({ factor: z.string(), test: z.string(), reference: z.string() }).nullable().default(null),
})
export type Contrast = z.infer<typeof contrastSchema>

/** A matrix of genes and samples, as the loader baked it. */
export const datasetSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
  unit: z.string(),
  /** What was measured, where it is not transcripts: "insertions", "protein". */
  measure: localizedTextSchema.nullable(),
  geneCount: z.number(),
  /** Cells without a value. */
  missing: z.number(),
  /** Insertion sites of Tn-seq whose counts are kept one by one; null of data that have none. */
  sites: z.number().nullable().default(null),
  factors: z.array(z.object({ name: z.string(), levels: z.array(z.string()) })),
  samples: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      factors: z.record(z.string(), z.string()),
      /** Sum over all genes: counts are made counts per million by it. */
      sum: z.number(),
    }),
  ),
  /** The factor by which replicates are gathered at first; null when the sheet has none. */
  group: z.string().nullable(),
  /** The factor whose values are areas of the tissue picture; null without a picture. */
  pictureFactor: z.string().nullable(),
  contrasts: z.array(contrastSchema),
})
export type ExpressionDataset = z.infer<typeof datasetSchema>

/** Of a tool over expression: what it can be asked about. */
export const expressionDatasetsEndpoint = (tool: string) =>
  defineEndpoint({
    method: 'GET',
    path: `/api/tools/${tool}/datasets/`,
    summary: 'Expression data sets of an assembly with their samples, factors and comparisons',
    tag: 'tools',
    input: z.object({ assembly: z.string().max(64) }),
    output: z.object({ datasets: z.array(datasetSchema) }),
  })

/** A gene of a matrix with what was measured of it. */
export const geneValuesSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  /** As loaded, in the order of the samples; null where nothing was measured. */
  values: z.array(z.number().nullable()),
})
export type GeneValues = z.infer<typeof geneValuesSchema>

const treeSchema = z.object({
  order: z.array(z.number()),
  merges: z.array(z.tuple([z.number(), z.number(), z.number()])),
})

/** What of a heat map is clustered. */
export const clusteredSides = ['both', 'genes', 'samples', 'none'] as const
export type ClusteredSides = (typeof clusteredSides)[number]

/** Genes by samples, as a heat map draws them; a tree is null where its side was not clustered. */
export const heatMapSchema = z.object({
  /** Places of the samples in the data set's list. */
  samples: z.array(z.number()),
  genes: z.array(geneValuesSchema),
  geneTree: treeSchema.nullable(),
  sampleTree: treeSchema.nullable(),
})
export type HeatMapValues = z.infer<typeof heatMapSchema>
