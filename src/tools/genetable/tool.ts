import { z } from 'zod'
import { localizedTextSchema } from '../../contracts/text.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('genetable', { genes: 5000, columns: 300 })

const geneSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  biotype: z.string(),
  sequence: z.string(),
  /** From 1, both included. */
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  /** Residues of the longest protein; null where there is none. */
  proteinLength: z.number().nullable(),
})
export type ListedGene = z.infer<typeof geneSchema>

const columnSchema = z.object({
  /** The tool that tells it, and its own key behind a dot. */
  key: z.string(),
  tool: z.string(),
  title: localizedTextSchema,
  help: localizedTextSchema.nullable(),
  /** `presence` has states of a gene by its DNA; `genes` ids of genes of `assembly`, `terms` names, with `; ` between. */
  kind: z.enum(['number', 'statistic', 'pValue', 'text', 'terms', 'genes', 'presence']),
  assembly: z.string().nullable(),
  digits: z.number().nullable(),
  hidden: z.boolean(),
  main: z.boolean(),
  /** In the order of the genes. */
  values: z.array(z.union([z.string(), z.number(), z.null()])),
})
export type ListedColumn = z.infer<typeof columnSchema>

const resultSchema = z.object({
  assembly: z.string(),
  genes: z.array(geneSchema),
  columns: z.array(columnSchema),
  /** Columns that there are beyond those given. */
  columnsCut: z.number(),
  notes: z.array(localizedTextSchema),
  simulated: z.array(localizedTextSchema),
  unknown: z.array(z.string()),
  ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
})
export type GeneTable = z.infer<typeof resultSchema>

export default defineTool({
  id: 'genetable',
  route: '/tools/genetable',
  category: 'find',
  order: 6,
  icon: 'table-properties',
  mode: 'answer',
  version: 1,
  input: z.object({ assembly: z.string().max(64), genes: identifiersSchema(limits.genes) }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'genes', entry: 'genes' }],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => one.reference && one.exampleGenes.length > 0) ??
      assemblies.find((one) => one.exampleGenes.length > 0)
    if (assembly === undefined) return null
    return { assembly: assembly.id, genes: assembly.exampleGenes.slice(0, limits.genes).map(({ id }) => id) }
  },
})
