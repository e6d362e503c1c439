import { z } from 'zod'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('pangenomebrowser', {
  regionBp: 2_000_000,
  alignedBp: 200_000,
  flankBp: 100_000,
  readNodes: 100_000,
  drawnNodes: 1500,
  variants: 5000,
})

const nodeSchema = z.object({
  name: z.string(),
  sequence: z.string().nullable(),
  lengthBp: z.number(),
})

const walkSchema = z.object({
  name: z.string(),
  sample: z.string(),
  assembly: z.string().nullable(),
  sequence: z.string(),
  start0: z.number(),
  /** It is told on its other strand. */
  turned: z.boolean(),
  /** Index among the ways. */
  way: z.number(),
})

const variantSchema = z.object({
  name: z.string(),
  type: z.enum(['substitution', 'insertion', 'deletion', 'replacement', 'inversion']),
  start0: z.number(),
  end0: z.number(),
  reference: z.string().nullable(),
  alternative: z.string().nullable(),
  referenceBp: z.number(),
  alternativeBp: z.number(),
  walks: z.array(z.number()),
})

export const graphSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
  /** Of the whole graph; null of one that is made of alignments, region by region. */
  nodes: z.number().nullable(),
  links: z.number().nullable(),
  totalBp: z.number().nullable(),
  /** Samples of its paths, the assembly's left out. */
  samples: z.array(z.string()),
  /** Segments of the assembly that it has; null of one that has all of it. */
  loci: z.array(z.object({ sequence: z.string(), start: z.number(), end: z.number() })).nullable(),
})
export type GraphAbout = z.infer<typeof graphSchema>

const resultSchema = z.object({
  assembly: z.string(),
  graph: graphSchema,
  sequence: z.string(),
  sequenceBp: z.number(),
  /** What is shown, on whole nodes: it may be a little more than was asked for. */
  start: z.number(),
  end: z.number(),
  gene: geneSummarySchema.nullable(),
  genes: z.array(geneSummarySchema),
  /** Nodes of the file in the region, before chains were joined. */
  nodeCount: z.number(),
  region: z.object({
    nodes: z.array(nodeSchema),
    walks: z.array(walkSchema),
    /** Each once, however many walks take it: of every step twice the index of its node, and 1 where it is passed backwards. */
    ways: z.array(z.array(z.number().int())),
  }),
  /** All of the region, also those too small to be drawn. */
  variants: z.array(variantSchema),
  variantTotal: z.number(),
  /** Variants of fewer bases are drawn as the reference. */
  minBp: z.number(),
  hidden: z.number(),
  /** Samples that no path of has in the region. */
  absent: z.array(z.string()),
})
export type GraphResult = z.infer<typeof resultSchema>

export const minSteps = [0, 2, 10, 50, 200, 1000, 5000, 20_000] as const

export default defineTool({
  id: 'pangenomebrowser',
  route: '/pangenome/browser',
  category: 'compare',
  order: 50,
  icon: 'git-fork',
  mode: 'answer',
  version: 2,
  computes: 'alignments',
  input: z.object({
    assembly: assemblyIdSchema,
    /** Of the graphs that the assembly has; the first with the place when absent, and that of the alignments where none has. */
    graph: z.string().max(100).optional(),
    /** A region of the assembly, or a gene of it. */
    locus: z.string().trim().min(1).max(200),
    flankBp: z.coerce.number().int().min(0).max(limits.flankBp).default(Math.min(500, limits.flankBp)),
    /** Variants of fewer bases are drawn as the reference; more are when there are too many nodes to draw. */
    minBp: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'genes', entry: 'genes' }],
  example: ({ assemblies }) => {
    const able = assemblies.filter((one) => one.exampleGenes.length > 0)
    // Without a graph of its own an assembly needs another one of its species that is aligned to it.
    const assembly =
      able.find((one) => (one.dataTypes.graphs ?? 0) > 0) ??
      able.find(({ id, species }) => assemblies.some((other) => other.species === species && other.id !== id))
    return assembly === undefined ? null : { assembly: assembly.id, locus: assembly.exampleGenes[0]!.id }
  },
})
