import { z } from 'zod'
import { entryIdSchema } from '../../contracts/manifest.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { interactionData, interactionSetSchema } from './stored.ts'

export const limits = defineLimits('ppi', { genes: 500, partners: 500, nodes: 1000, edges: 6000 })

/** Partners of a single gene that are shown when nothing is said; of several genes none. */
export const usualPartners = 20
/** STRING's medium confidence. */
export const usualScore = 0.4

const interologSchema = z.object({
  assembly: z.string(),
  dataset: z.string(),
  a: z.string(),
  b: z.string(),
  /** Of the pair that it was transferred from. */
  score: z.number(),
  /** Geometric mean of the identities of the two pairs of orthologs, in percent. */
  jointIdentity: z.number(),
  /** Pairs of the other assembly that give this one; the best of them is told. */
  pairs: z.number(),
})
export type Interolog = z.infer<typeof interologSchema>

const edgeSchema = z.object({
  /** Places among the nodes, the lower first. */
  a: z.number(),
  b: z.number(),
  /** 0 to 1; records where the data set counts those. */
  score: z.number(),
  /** In the order of the data set's channels; null for an interaction that is only transferred. */
  evidence: z.array(z.number()).nullable(),
  /** Nothing but evidence from other organisms speaks for it. */
  transferred: z.boolean(),
  interolog: interologSchema.nullable(),
})
export type NetworkEdge = z.infer<typeof edgeSchema>

const nodeSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  /** 0 was asked for, 1 is a partner of those, 2 a partner of partners. */
  shell: z.number(),
  /** Partners within the network. */
  degree: z.number(),
  /** From 1, the largest first; null outside of any. */
  cluster: z.number().nullable(),
})
export type NetworkNode = z.infer<typeof nodeSchema>

const resultSchema = z.object({
  assembly: z.string(),
  /** The assembly's own; null where all interactions are transferred. */
  dataset: interactionSetSchema.nullable(),
  /** Where interologs come from. */
  interologSource: z.object({ assembly: z.string(), dataset: interactionSetSchema }).nullable(),
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
  /** Interactions among these genes, of which `edges` are the strongest. */
  edgeTotal: z.number(),
  /** Genes that interact with those asked for, shown or not. */
  partnerTotal: z.number(),
  /** Interactions among the genes asked for, and how many a network of the same degrees would have by chance; of the own data set. */
  among: z.object({ observed: z.number(), expected: z.number(), pValue: z.number() }).nullable(),
  clustering: z.object({ method: z.enum(['louvain', 'mcl', 'none']), inflation: z.number(), count: z.number() }),
  unknown: z.array(z.string()),
  ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
  /** Asked for, but without an interaction that passes. */
  alone: z.array(z.string()),
})
export type NetworkResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'ppi',
  route: '/tools/ppi',
  category: 'regulate',
  order: 60,
  icon: 'waypoints',
  mode: 'answer',
  version: 2,
  input: z.object({
    assembly: z.string().max(64),
    genes: identifiersSchema(limits.genes),
    /** The first of the assembly when absent. */
    dataset: entryIdSchema.optional(),
    /** An assembly whose interactions are transferred through orthologs; taken by itself where the assembly has none of its own. */
    interologs: z.string().max(64).optional(),
    minimumScore: z.number().min(0).max(1).default(usualScore),
    /** Of data sets that count records. */
    minimumRecords: z.int().min(1).max(1000).default(1),
    /** Of interologs, in percent. */
    minimumIdentity: z.number().min(0).max(100).default(0),
    /** Kinds of evidence that count; all when empty. */
    evidence: z.array(z.string().max(100)).max(200).default([]),
    /** Whether STRING's evidence from other organisms counts. */
    transferred: z.boolean().default(true),
    firstShell: z.int().min(0).max(limits.partners).optional(),
    secondShell: z.int().min(0).max(limits.partners).default(0),
    clustering: z.enum(['louvain', 'mcl', 'none']).default('louvain'),
    inflation: z.number().min(1.1).max(10).default(2),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: interactionData, entry: interactionData }],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => (one.dataTypes[interactionData] ?? 0) > 0 && one.exampleGenes.length > 0) ??
      assemblies.find((one) => one.exampleGenes.length > 0)
    const gene = assembly?.exampleGenes[0]
    return assembly === undefined || gene === undefined ? null : { assembly: assembly.id, genes: [gene.id] }
  },
})
