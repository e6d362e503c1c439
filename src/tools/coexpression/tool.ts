import { z } from 'zod'
import { datasetSchema, expressionData } from '../../contracts/expression.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('coexpression', { genes: 200, rows: 2000, nodes: 150 })

/** A coefficient of fewer samples says little: data sets of fewer are not the first to be taken. */
export const minSamples = 6

export const directions = ['positive', 'negative', 'both'] as const

const namedSchema = z.object({ id: z.string(), symbol: z.string().nullable(), description: z.string().nullable() })

const rowSchema = namedSchema.extend({
  /** Correlation with the gene asked for; of several, their mean or the strongest. */
  correlation: z.number(),
  /** Null where another measure was asked for. */
  mutualRank: z.number().nullable(),
  /** Samples in which both genes have values; of several genes asked for, the fewest. */
  pairs: z.number(),
  /** Of one gene alone: two-sided, and adjusted over all genes of the matrix (Benjamini and Hochberg). */
  pValue: z.number().nullable(),
  adjustedPValue: z.number().nullable(),
  /** With each gene asked for, in their order; null where it cannot be told. */
  each: z.array(z.number().nullable()),
})
export type CorrelatedGene = z.infer<typeof rowSchema>

const resultSchema = z.object({
  assembly: z.string(),
  dataset: datasetSchema,
  sampleCount: z.number(),
  guides: z.array(namedSchema),
  /** Genes of the matrix with which a correlation could be told. */
  tested: z.number(),
  rows: z.array(rowSchema),
  /** Genes that pass, of which `rows` are the first. */
  total: z.number(),
  /** Mutual ranks up to this one are complete; null where they were not asked for. */
  completeTo: z.number().nullable(),
  /** Genes of the network: those asked for, then the first rows. Pairs by place in this list, with their correlation. */
  network: z.object({
    nodes: z.array(z.string()),
    pairs: z.array(z.tuple([z.number(), z.number(), z.number()])),
  }),
  unknown: z.array(z.string()),
  absent: z.array(z.string()),
  ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
})
export type CoexpressionResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'coexpression',
  route: '/tools/Coexpression',
  category: 'express',
  order: 20,
  icon: 'chart-network',
  mode: 'answer',
  version: 1,
  input: z.object({
    assembly: z.string().max(64),
    /** The first with samples enough when absent. */
    dataset: z.string().max(100).optional(),
    genes: identifiersSchema(limits.genes),
    measure: z.enum(['pearson', 'spearman', 'mutualRank']).default('pearson'),
    direction: z.enum(directions).default('positive'),
    /** How several genes are taken together. */
    combine: z.enum(['mean', 'best', 'among']).default('mean'),
    keep: z.enum(['top', 'threshold']).default('top'),
    top: z.int().min(1).max(limits.rows).default(Math.min(100, limits.rows)),
    /** Absolute correlation. */
    threshold: z.number().min(0).max(1).default(0.8),
    /** Samples that both genes must have. */
    minimumPairs: z.int().min(3).max(100_000).default(minSamples),
    group: z.string().max(200).optional(),
    levels: z.array(z.string().max(200)).max(5000).default([]),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: expressionData, entry: 'expression' }],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => (one.dataTypes[expressionData] ?? 0) > 0 && one.exampleGenes.length > 0) ??
      assemblies.find((one) => one.exampleGenes.length > 0)
    const gene = assembly?.exampleGenes[0]
    return assembly === undefined || gene === undefined ? null : { assembly: assembly.id, genes: [gene.id] }
  },
})
