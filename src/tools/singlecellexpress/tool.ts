import { z } from 'zod'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { cellDatasetSchema, singleCellData } from './stored.ts'

export const limits = defineLimits('singlecellexpress', { genes: 100, rows: 5000, markers: 50, splits: 6 })

/** Adjusted p below which a gene is told to differ. */
export const significantAt = 0.05

/** Significant markers of each group whose values are shown with them. */
export const firstMarkers = 3

export const tasks = ['genes', 'markers', 'compare'] as const
export const tests = ['wilcoxon', 'welch'] as const
const corrections = ['bh', 'bonferroni'] as const

/** A gene in a group of cells, on the scale of the data set. */
const groupValuesSchema = z.object({
  mean: z.number(),
  /** Percent of the cells whose value is not zero. */
  percent: z.number(),
  /** Cells by value, from the gene's least to its greatest in equal steps. */
  histogram: z.array(z.number()),
})
export type GroupValues = z.infer<typeof groupValuesSchema>

const comparedSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  /** Null of scaled values. */
  log2FoldChange: z.number().nullable(),
  meanFirst: z.number(),
  meanSecond: z.number(),
  percentFirst: z.number(),
  percentSecond: z.number(),
  /** z of Wilcoxon, t of Welch. */
  statistic: z.number(),
  /** Share of pairs of cells in which the first is above; null for Welch. */
  auc: z.number().nullable(),
  pValue: z.number(),
  adjustedPValue: z.number(),
})
export type ComparedGene = z.infer<typeof comparedSchema>

const levelSchema = z.object({ name: z.string(), cells: z.number() })

const resultSchema = z.object({
  assembly: z.string(),
  dataset: cellDatasetSchema,
  /** The column by which cells are grouped; null where it plays no part. */
  group: z.object({ name: z.string(), computed: z.boolean(), levels: z.array(levelSchema) }).nullable(),
  /** The second column, by which each group is divided; its levels of most cells. */
  split: z.object({ name: z.string(), levels: z.array(levelSchema), total: z.number() }).nullable(),
  /** The genes asked for, or the first markers of each group. */
  genes: z
    .array(
      z.object({
        id: z.string(),
        symbol: z.string().nullable(),
        description: z.string().nullable(),
        /** Least and greatest value, zero included. */
        range: z.tuple([z.number(), z.number()]),
        groups: z.array(
          groupValuesSchema.extend({
            /** By level of the second column; null without one. */
            parts: z.array(groupValuesSchema.extend({ cells: z.number() })).nullable(),
          }),
        ),
      }),
    )
    .nullable(),
  markers: z.array(z.object({ level: z.number(), total: z.number(), rows: z.array(comparedSchema) })).nullable(),
  comparison: z
    .object({
      first: z.number(),
      second: z.number(),
      /** Cells in both selections, which are left out. */
      shared: z.number(),
      tested: z.number(),
      significant: z.number(),
      rows: z.array(comparedSchema),
    })
    .nullable(),
  unknown: z.array(z.string()),
  absent: z.array(z.string()),
  ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
})
export type CellResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'singlecellexpress',
  route: '/tools/SingleCellExpress',
  category: 'express',
  order: 30,
  icon: 'chart-scatter',
  mode: 'answer',
  version: 3,
  input: z.object({
    task: z.enum(tasks).default('genes'),
    assembly: z.string().max(64),
    /** The first when absent. */
    dataset: z.string().max(100).optional(),
    genes: identifiersSchema(limits.genes).optional(),
    /** A column of the cells with names; the data set's own when absent. */
    group: z.string().max(200).optional(),
    /** A second column with names, by which the violins of each group are divided. */
    split: z.string().max(200).optional(),
    /** Cells as `selection.ts` reads them; the second are all others when empty. */
    first: z.string().max(20_000).default(''),
    second: z.string().max(20_000).default(''),
    test: z.enum(tests).default('wilcoxon'),
    correction: z.enum(corrections).default('bh'),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: singleCellData, entry: 'singleCell' }],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => (one.dataTypes[singleCellData] ?? 0) > 0) ??
      assemblies.find((one) => (one.dataTypes.genes ?? 0) > 0)
    return assembly === undefined ? null : { assembly: assembly.id, task: 'markers' as const }
  },
})
