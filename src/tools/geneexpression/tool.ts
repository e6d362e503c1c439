import { z } from 'zod'
import { type ProfileScale, profileScales } from '../../bio/expression/expression-profile.ts'
import { clusterDistances, linkages } from '../../bio/statistics/clustering.ts'
import {
  clusteredSides,
  contrastSchema,
  datasetSchema,
  type ExpressionDataset,
  expressionData,
  geneValuesSchema,
  heatMapSchema,
} from '../../contracts/expression.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('geneexpression', { genes: 2000, cells: 1_000_000 })

const geneRowSchema = geneValuesSchema.extend({
  /** Specificity over the groups; null for logarithms, one group, and genes that are not expressed. */
  tau: z.number().nullable(),
})
export type GeneRow = z.infer<typeof geneRowSchema>

const pointSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  mean: z.number().nullable(),
  log2FoldChange: z.number().nullable(),
  pValue: z.number().nullable(),
  adjustedPValue: z.number().nullable(),
})

const resultSchema = z.object({
  assembly: z.string(),
  dataset: datasetSchema,
  expression: heatMapSchema
    .extend({
      genes: z.array(geneRowSchema),
      /** Names that mean no gene of the assembly, and genes without a row in the matrix. */
      unknown: z.array(z.string()),
      absent: z.array(z.string()),
      ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
      /** SVG whose areas are values of the data set's picture factor. */
      picture: z.string().nullable(),
    })
    .nullable(),
  differential: z.object({ contrast: contrastSchema, points: z.array(pointSchema) }).nullable(),
})
export type ExpressionResult = z.infer<typeof resultSchema>

/** Values between which genes of a data set are compared: `auto` is of z-scores, but of log2 of insertion counts. */
export const shownScale = (scale: 'auto' | ProfileScale, { sites }: Pick<ExpressionDataset, 'sites'>): ProfileScale =>
  scale !== 'auto' ? scale : sites === null ? 'zscore' : 'log'

export default defineTool({
  id: 'geneexpression',
  route: '/tools/geneexpression',
  category: 'express',
  order: 10,
  icon: 'chart-column',
  mode: 'answer',
  version: 2,
  input: z.object({
    task: z.enum(['expression', 'differential']).default('expression'),
    assembly: z.string().max(64),
    /** The first when absent. */
    dataset: z.string().max(100).optional(),
    by: z.enum(['genes', 'variable']).default('genes'),
    genes: identifiersSchema(limits.genes).optional(),
    /** How many of the most variable genes. */
    top: z.int().min(2).max(limits.genes).default(Math.min(50, limits.genes)),
    /** Factor whose values `levels` are. */
    group: z.string().max(200).optional(),
    /** Samples with these values of the factor; all when empty. */
    levels: z.array(z.string().max(200)).max(5000).default([]),
    /** What the heat map shows and is clustered by. An essential gene has few insertions in all samples: z-scores would hide it. */
    scale: z.enum(['auto', ...profileScales]).default('auto'),
    cluster: z.enum(clusteredSides).default('both'),
    distance: z.enum(clusterDistances).default('correlation'),
    linkage: z.enum(linkages).default('average'),
    /** The first of the data set when absent. */
    contrast: z.string().max(100).optional(),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: expressionData, entry: 'expression' }],
  opens: [
    {
      target: 'expressionData',
      query: { assembly: '{assembly}', dataset: '{dataset}', by: 'variable' },
      run: true,
    },
  ],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => (one.dataTypes[expressionData] ?? 0) > 0) ??
      assemblies.find((one) => (one.dataTypes.genes ?? 0) > 0)
    return assembly === undefined ? null : { assembly: assembly.id, by: 'variable' as const, top: 40 }
  },
})
