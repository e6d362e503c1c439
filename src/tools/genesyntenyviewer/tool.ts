import { z } from 'zod'
import { blockKinds } from '../../bio/comparative/block-kinds.ts'
import { geneGapSchema, geneLocusSchema } from '../../contracts/gene-loci.ts'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('genesyntenyviewer', { tracks: 20, besides: 25, blocks: 500 })

const trackSchema = geneLocusSchema.extend({
  speciesName: z.string(),
  /**
   * What the gene of the track is to the first gene, `duplicate` its partner in a duplicated block; null for that one, and for genes that
   * were asked for.
   */
  relation: z.enum(['ortholog', 'coortholog', 'paralog', 'member', 'duplicate']).nullable(),
  /** Percent; null as above. */
  identity: z.number().nullable(),
  /** Neighbours that have a member of their orthogroup on the first track, of all neighbours with an orthogroup. */
  shared: z.number(),
  neighbours: z.number(),
})
export type Track = z.infer<typeof trackSchema>

const blockSchema = z.object({
  /** Segment on the gene's own side. */
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  otherAssembly: z.string(),
  otherSequence: z.string(),
  otherStart: z.number(),
  otherEnd: z.number(),
  orientation: z.union([z.literal(1), z.literal(-1)]),
  kind: z.enum(blockKinds),
  pairs: z.number(),
  score: z.number().nullable(),
  evalue: z.number().nullable(),
  /** The gene's partner in the block; null where it lies in the segment without one. */
  partner: z.string().nullable(),
  partnerSymbol: z.string().nullable(),
})
export type GeneBlock = z.infer<typeof blockSchema>

const resultSchema = z.object({
  computedAt: z.string(),
  current: z.boolean(),
  missing: z.array(z.string()),
  gene: geneSummarySchema,
  orthogroup: z.string().nullable(),
  /** Genes asked for that stand at the one locus of `gene`; empty where one gene was asked for, or each has a track of its own. */
  together: z.array(z.string()).default([]),
  otherInterpretations: z.array(z.object({ assembly: z.string(), id: z.string() })),
  tracks: z.array(trackSchema),
  /** Tracks that there would be without the limit. */
  found: z.number(),
  /** Chosen assemblies, or all, without a homolog of the gene. */
  without: z.array(z.string()),
  /** Of those: where the gene would lie, as its neighbours have counterparts beside each other; none of a server before it. */
  gaps: z.array(geneGapSchema).default([]),
  blocks: z.array(blockSchema),
  totalBlocks: z.number(),
})
export type GeneSyntenyResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'genesyntenyviewer',
  route: '/tools/genesyntenyviewer',
  category: 'compare',
  order: 30,
  icon: 'rows-3',
  mode: 'answer',
  version: 6,
  input: z.object({
    /** One gene, or several beside each other, with its homologs; genes of several loci are a track each. */
    genes: identifiersSchema(limits.tracks),
    assembly: z.string().max(64).optional(),
    /** Assemblies that tracks are taken from; empty for all. */
    assemblies: z.array(z.string().max(64)).max(500).default([]),
    /** Also the gene's paralogs in its own assembly, and its partners in duplicated blocks of it. */
    paralogs: z.boolean().default(false),
    /** Neighbours on each side. */
    besides: z.int().min(1).max(limits.besides).default(Math.min(8, limits.besides)),
    scale: z.enum(['genes', 'bases']).default('genes'),
  }),
  result: resultSchema,
  limits,
  needs: [
    { kind: 'program', program: 'diamond', package: 'diamond-aligner' },
    { kind: 'program', program: 'blastp', package: 'ncbi-blast+' },
    { kind: 'program', program: 'mcl', package: 'mcl' },
    { kind: 'data', dataType: 'proteins', entry: 'genes' },
  ],
  opens: [{ target: 'gene', query: { genes: '{gene}', assembly: '{assembly}' }, run: true }],
  example: ({ assemblies }) => {
    const coding = assemblies.filter((one) => one.codingGeneCount > 0 && one.exampleGenes.length > 0)
    const assembly = coding.find((one) => one.reference) ?? coding[0]
    const gene = assembly?.exampleGenes[0]
    return assembly === undefined || gene === undefined ? null : { genes: [gene.id], assembly: assembly.id }
  },
})
