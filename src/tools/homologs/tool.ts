import { z } from 'zod'
import { orthologyTypes } from '../../bio/comparative/orthology.ts'
import { geneGapSchema, geneLocusSchema } from '../../contracts/gene-loci.ts'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('homologs', {
  genes: 500,
  cells: 50_000,
  sequences: 20,
  residues: 20_000,
  rows: 2000,
})

/** As the database keeps them (database/homologs.ts), so that the browser need not know it. */
export const relations = ['ortholog', 'coortholog', 'paralog', 'member', 'similar'] as const

/** As bio/comparative/orthology.ts tells them. */
const chosenBy = ['only', 'score', 'order', 'equal'] as const

const homologSchema = z.object({
  assembly: z.string(),
  gene: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  relation: z.enum(relations),
  orthogroup: z.string().nullable(),
  /** Percent; null, as the four below, where a member of the group has no hit of its own within the limit. */
  identity: z.number().nullable(),
  /** Shares of the query's and of the homolog's protein in the alignment, in percent. */
  coverage: z.number().nullable(),
  targetCoverage: z.number().nullable(),
  evalue: z.number().nullable(),
  bitScore: z.number().nullable(),
  /** Null for pasted sequences: they were not searched from the other side. */
  reciprocalBest: z.boolean().nullable(),
  /** Neighbours of the query gene with a member of their orthogroup beside the homolog, of how many; null for pasted sequences. */
  sharedNeighbours: z.number().nullable(),
  neighbours: z.number().nullable(),
  /**
   * Why an ortholog was taken: `only` no other candidate (score of at least 0.6 of the best of either gene), `score` the highest of both
   * genes, `order` by the order of its neighbours where scores are equal or another's is higher, `equal` where several are left; null
   * for other relations.
   */
  chosenBy: z.enum(chosenBy).nullable(),
})
export type FoundHomolog = z.infer<typeof homologSchema>

const querySchema = z.object({
  name: z.string(),
  /** The gene asked for; null for a pasted sequence. */
  gene: geneSummarySchema.nullable(),
  /** Other genes that the name means as well. */
  otherInterpretations: z.array(z.object({ assembly: z.string(), id: z.string() })),
  /** Residues or bases of a pasted sequence. */
  length: z.number().nullable(),
  orthogroup: z
    .object({
      id: z.string(),
      source: z.enum(['clustered', 'table']),
      /** Genes of the group by assembly; 0 is absence. */
      counts: z.array(z.object({ assembly: z.string(), genes: z.array(z.string()) })),
    })
    .nullable(),
  homologs: z.array(homologSchema),
  /** Of all; `homologs` may be cut. */
  total: z.number(),
  /** Assemblies of its species that lack the gene by its DNA: homologs there are paralogs. None of a server before it. */
  lacking: z.array(z.string()).default([]),
  /** The gene and its best homolog in each assembly, with what stands around them. */
  loci: z.array(geneLocusSchema),
  /** Assemblies without a homolog, and where the gene would lie in those of them whose neighbours tell it; none of a server before it. */
  without: z.array(z.string()).default([]),
  gaps: z.array(geneGapSchema).default([]),
})
export type HomologQuery = z.infer<typeof querySchema>

/** What a genome has of a gene: `below` has orthologs that do not meet the bounds asked for, `unknown` is a partial genome. */
export const orthologStates = ['own', 'ortholog', 'below', 'paralogs', 'none', 'unknown'] as const

const orthologSchema = z.object({
  gene: z.string(),
  symbol: z.string().nullable(),
  /** Percent; null, as the two below, for a member of the orthogroup without a hit of its own. */
  identity: z.number().nullable(),
  coverage: z.number().nullable(),
  targetCoverage: z.number().nullable(),
})

const orthologCellSchema = z.object({
  state: z.enum(orthologStates),
  /** Of an ortholog; by all orthologs and co-orthologs, also those that do not meet the bounds. */
  type: z.enum(orthologyTypes).nullable(),
  /** Orthologs and co-orthologs; with `paralogs`, the nearest other members of the orthogroup. */
  genes: z.array(orthologSchema),
  /** All other members of the orthogroup in the genome. */
  paralogs: z.number(),
})
export type OrthologCell = z.infer<typeof orthologCellSchema>

const orthologRowSchema = z.object({
  query: z.string(),
  gene: geneSummarySchema,
  otherInterpretations: z.array(z.object({ assembly: z.string(), id: z.string() })),
  orthogroup: z.string().nullable(),
  /** Paralogs in the gene's own genome. */
  paralogs: z.array(z.string()),
  /** Of each genome; none where the gene has no protein (no orthogroup), or its genome has not been compared. */
  cells: z.array(orthologCellSchema),
})
export type OrthologRow = z.infer<typeof orthologRowSchema>

const orthologTableSchema = z.object({
  /** The genomes, in the order of the cells. */
  assemblies: z.array(z.string()),
  rows: z.array(orthologRowSchema),
  unknown: z.array(z.string()),
})
export type OrthologTable = z.infer<typeof orthologTableSchema>

export default defineTool({
  id: 'homologs',
  route: '/tools/homologs',
  category: 'compare',
  order: 10,
  icon: 'git-fork',
  mode: 'answer',
  version: 6,
  computes: 'homology',
  input: z.object({
    by: z.enum(['genes', 'sequence']).default('genes'),
    genes: identifiersSchema(limits.genes).optional(),
    /** Where the names are looked up; everywhere when absent. */
    assembly: z.string().max(64).optional(),
    /** FASTA or bare residues, protein or coding DNA. */
    sequence: z.string().max(1_000_000).optional(),
    /** Assemblies whose genes are shown; empty for all. */
    assemblies: z.array(z.string().max(64)).max(500).default([]),
    /** Also hits that are not in the orthogroup. */
    similar: z.boolean().default(false),
    /** Percent. */
    minimumIdentity: z.number().min(0).max(100).default(0),
    /** Percent of the query. */
    minimumCoverage: z.number().min(0).max(100).default(0),
    evalue: z.number().positive().max(10).default(1e-5),
  }),
  result: z.object({
    computedAt: z.string(),
    /** False when assemblies were loaded or removed since. */
    current: z.boolean(),
    /** Assemblies that the computation does not know. */
    missing: z.array(z.string()),
    orthogroupCount: z.number(),
    assemblies: z.array(z.object({ id: z.string(), name: z.string(), speciesName: z.string(), partial: z.boolean() })),
    /** One gene, or the sequences, with everything that is known of their homologs. */
    queries: z.array(querySchema),
    /** Several genes: their orthologs, genome by genome; none of a server before it, which answered them one by one. */
    orthologs: orthologTableSchema.nullable().default(null),
  }),
  limits,
  needs: [
    { kind: 'program', program: 'diamond', package: 'diamond-aligner' },
    { kind: 'program', program: 'blastp', package: 'ncbi-blast+' },
    { kind: 'program', program: 'mcl', package: 'mcl' },
    { kind: 'data', dataType: 'proteins', entry: 'genes' },
  ],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => one.reference && one.codingGeneCount > 0) ??
      assemblies.find((one) => one.codingGeneCount > 0)
    const gene = assembly?.exampleGenes[0]
    if (assembly === undefined || gene === undefined) return null
    return { by: 'genes' as const, genes: [gene.id], assembly: assembly.id }
  },
})
