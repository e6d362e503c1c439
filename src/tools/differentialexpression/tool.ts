import { z } from 'zod'
import { datasetSchema, expressionData, heatMapSchema } from '../../contracts/expression.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('differentialexpression', {
  samples: 500,
  values: 30_000_000,
  covariates: 10,
  sets: 2000,
  genes: 2000,
})

/** Genes of the heat map: so many names can be read beside it. */
export const mostMapGenes = 50

/** A set of fewer genes is not tested as one. */
export const smallestSet = 5

/** Of each group: from fewer nothing is known of how samples of one group differ. */
export const minReplicates = 2

const methods = ['auto', 'deseq2', 'edger', 'voom', 'limma', 'resampling'] as const
export type Method = Exclude<(typeof methods)[number], 'auto'>

/** Names of samples as they are typed: a line each, or parted by commas, semicolons or tabs; names may have spaces. */
export const listNames = (text: string): string[] =>
  text
    .split(/[\n\r\t,;，；]+/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
const splitNames = (text: string): string[] => [...new Set(listNames(text))]
const samplesSchema = z
  .union([z.string().max(100_000), z.array(z.string().max(500)).meta({ maxItems: limits.samples })])
  .transform((value) => (typeof value === 'string' ? splitNames(value) : [...new Set(value)]))
  .pipe(z.array(z.string().max(500)).max(limits.samples))

const sampleSchema = z.object({
  /** Place in the data set's list of samples. */
  at: z.number(),
  group: z.enum(['test', 'reference']),
  /** Sum of its values, and genes above zero, before any gene is left out. */
  total: z.number(),
  detected: z.number(),
  /** Size factor (DESeq2), normalisation factor (edgeR's TMM) or factor of trimmed total reads (resampling); null for values. */
  factor: z.number().nullable(),
  /** Genes in which its count is an outlier by Cook's distance; null where the method does not tell. */
  outliers: z.number().nullable(),
  components: z.array(z.number().nullable()).length(3),
  /** Nearer to samples of the other group than to its own, in the mean distance. */
  nearerToOther: z.boolean(),
})
export type CheckedSample = z.infer<typeof sampleSchema>

const pointSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  /** Mean of normalised counts (DESeq2; per site for resampling), mean log2 CPM (edgeR, voom), or mean of the values (limma). */
  mean: z.number().nullable(),
  log2FoldChange: z.number().nullable(),
  shrunken: z.number().nullable(),
  standardError: z.number().nullable(),
  /** Wald statistic (DESeq2), F (edgeR), moderated t (limma), difference of the mean counts per site (resampling). */
  statistic: z.number().nullable(),
  pValue: z.number().nullable(),
  adjustedPValue: z.number().nullable(),
  /** Insertion sites of the gene; null where the method does not use them. */
  sites: z.number().nullable().default(null),
  /** Those of them with an insertion in any of the samples: of a gene that is needed to live, few or none. */
  sitesHit: z.number().nullable().default(null),
})
export type ComparedGene = z.infer<typeof pointSchema>

const setSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** Vocabulary, and its branch where it has several: `GO/biological_process`. */
  collection: z.string(),
  source: z.string().nullable(),
  namespace: z.string().nullable(),
  /** Genes of it that were ranked. */
  size: z.number(),
  direction: z.enum(['up', 'down']),
  pValue: z.number(),
  /** By Benjamini and Hochberg within its collection. */
  adjustedPValue: z.number(),
})
export type TestedSet = z.infer<typeof setSchema>

/** What became of the genes that were asked for. */
const chosenSchema = z.object({
  /** Those with a row in the data set, in the order asked. */
  genes: z.array(z.string()),
  /** Names that mean no gene of the assembly, and genes without a row. */
  unknown: z.array(z.string()),
  absent: z.array(z.string()),
  ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
  /** All of them against all other genes; null of fewer than `smallestSet` that were tested, and of all genes. */
  set: setSchema.pick({ size: true, direction: true, pValue: true }).nullable(),
})

const resultSchema = z.object({
  assembly: z.string(),
  dataset: datasetSchema,
  method: z.enum(methods).exclude(['auto']),
  /** Of R and the packages. */
  versions: z.array(z.object({ name: z.string(), version: z.string() })),
  design: z.string(),
  covariates: z.array(z.string()),
  testName: z.string(),
  referenceName: z.string(),
  samples: z.array(sampleSchema),
  /** Shares of the variance of three principal components, and of how many genes they were made. */
  componentShares: z.array(z.number().nullable()).length(3),
  componentGenes: z.number(),
  transformation: z.enum(['vst', 'log2', 'logcpm', 'loaded']),
  /** Euclidean distances of the samples, row by row. */
  distances: z.array(z.number()),
  genes: z.array(pointSchema),
  /**
   * The genes with the smallest adjusted p-values within `alpha`, at most `mostMapGenes`, with their values as loaded; null of fewer than
   * two, and of results that were kept before there was one.
   */
  heatMap: heatMapSchema.nullable().default(null),
  /** Sets of the annotation over the ranks of all genes, the surest first; at most `limits.sets`, of `setCount`. */
  sets: z.array(setSchema),
  setCount: z.number(),
  /** Null where no genes were asked for. */
  chosen: chosenSchema.nullable().default(null),
  /** Left out: too few counts (or nothing to compare), and without a value in a sample. */
  lowGenes: z.number(),
  incompleteGenes: z.number(),
  /** Counts were not whole and were rounded. */
  rounded: z.boolean(),
  notes: z.array(z.enum(['poscounts', 'gene-wise', 'normTransform'])),
  alpha: z.number(),
})
export type ComparisonResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'differentialexpression',
  route: '/tools/differentialexpression',
  category: 'express',
  order: 15,
  icon: 'scale',
  mode: 'job',
  version: 4,
  input: z.object({
    assembly: z.string().max(64),
    /** The first with counts when absent. */
    dataset: z.string().max(100).optional(),
    /** Ids or labels of samples. */
    test: samplesSchema.default([]),
    reference: samplesSchema.default([]),
    /** What the groups are called; by a factor that parts them, where there is one, else "test" and "reference". */
    testName: z.string().max(200).optional(),
    referenceName: z.string().max(200).optional(),
    /** Factors of the samples beside the groups: batch, or the pair that samples belong to. */
    covariates: z
      .union([z.string().max(2000), z.array(z.string().max(200))])
      .default([])
      .transform((value) => (typeof value === 'string' ? splitNames(value) : value))
      .pipe(z.array(z.string().max(200)).max(limits.covariates)),
    /** Genes to be told of by themselves, beside all. */
    genes: identifiersSchema(limits.genes).optional(),
    method: z.enum(methods).default('auto'),
    minCount: z.coerce.number().int().min(0).max(100_000).default(10),
    alpha: z.coerce.number().min(0.000001).max(0.5).default(0.05),
  }),
  result: resultSchema,
  limits,
  needs: [
    { kind: 'data', dataType: expressionData, entry: 'expression' },
    { kind: 'program', program: 'Rscript', package: 'r-bioc-deseq2 r-bioc-edger r-bioc-limma' },
  ],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => (one.dataTypes[expressionData] ?? 0) > 0) ??
      assemblies.find((one) => (one.dataTypes.genes ?? 0) > 0)
    return assembly === undefined ? null : { assembly: assembly.id }
  },
})
