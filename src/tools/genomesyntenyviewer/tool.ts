import { z } from 'zod'
import { blockKinds } from '../../bio/comparative/block-kinds.ts'
import { comparedDifferencesSchema, structuralDifferenceSchema } from '../../contracts/structural-differences.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('genomesyntenyviewer', {
  assemblies: 12,
  sequences: 100,
  blocks: 20_000,
  pairs: 500,
  ksPairs: 2000,
  differences: 2000,
  differenceGenes: 500,
  features: 5000,
})

const sequenceSchema = z.object({ name: z.string(), lengthBp: z.number(), genes: z.number() })

const genomeSchema = z.object({
  id: z.string(),
  name: z.string(),
  speciesName: z.string(),
  partial: z.boolean(),
  codingGenes: z.number(),
  /** In the order of the assembly: those with coding genes, the longest where there are more than can be shown. */
  sequences: z.array(sequenceSchema),
  /** Sequences with coding genes that are not among them. */
  omitted: z.number(),
})
export type Genome = z.infer<typeof genomeSchema>

const blockSchema = z.object({
  /** Place of the two genomes in `genomes`; the same for a genome against itself. */
  first: z.number(),
  second: z.number(),
  /** Number of the block among those of its two genomes. */
  number: z.number(),
  kind: z.enum(blockKinds),
  sequenceA: z.string(),
  startA: z.number(),
  endA: z.number(),
  sequenceB: z.string(),
  startB: z.number(),
  endB: z.number(),
  orientation: z.union([z.literal(1), z.literal(-1)]),
  /** Null where a lab's file has none. */
  score: z.number().nullable(),
  evalue: z.number().nullable(),
  pairs: z.number(),
})
export type Block = z.infer<typeof blockSchema>

const differenceSchema = structuralDifferenceSchema.extend({ first: z.number(), second: z.number() })
export type SyntenyDifference = z.infer<typeof differenceSchema>

const ksSchema = z.object({
  first: z.number(),
  second: z.number(),
  /** Named pairs of genes in the blocks of the two genomes, and those of them that were compared. */
  pairs: z.number(),
  measured: z.number(),
  /** Ks of those whose Ks can be told, ascending: Nei and Gojobori, substitutions a synonymous site. */
  values: z.array(z.number()),
})
export type KsDistribution = z.infer<typeof ksSchema>

const resultSchema = z.object({
  computedAt: z.string(),
  /** False when assemblies were loaded or removed since. */
  current: z.boolean(),
  /** Assemblies that the computation does not know. */
  missing: z.array(z.string()),
  genomes: z.array(genomeSchema),
  comparisons: z.array(
    z.object({
      first: z.number(),
      second: z.number(),
      /** The file that a lab gave; null where the blocks were computed here. */
      file: z.string().nullable(),
      blocks: z.number(),
      pairs: z.number(),
      /** Coding genes of either genome that are in a block. */
      genesA: z.number(),
      genesB: z.number(),
      /** Null where differences are not listed: of distant genomes, and of a genome and itself. */
      differences: comparedDifferencesSchema.nullable().default(null),
    }),
  ),
  blocks: z.array(blockSchema),
  /** Of genomes of one species, the largest first; none of a server before it. */
  differences: z.array(differenceSchema).default([]),
  /** Of all that are long enough; `differences` may be cut to the largest. */
  totalDifferences: z.number().default(0),
  /** Of each comparison, where it was asked for. */
  ks: z.array(ksSchema).nullable(),
  /** Of all that pass the bounds; `blocks` may be cut to the largest. */
  total: z.number(),
})
export type SyntenyResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'genomesyntenyviewer',
  route: '/tools/genomesyntenyviewer',
  category: 'compare',
  order: 40,
  icon: 'chart-gantt',
  mode: 'answer',
  version: 5,
  input: z.object({
    /** In the order in which they are stacked. One alone is compared with itself. */
    assemblies: z.array(z.string().max(64)).min(1).max(limits.assemblies),
    /** Which of them are compared: each with the next, all with the first, or every pair. */
    compare: z.enum(['next', 'first', 'all']).default('next'),
    /** Also each genome with itself, for duplicated segments. */
    within: z.boolean().default(false),
    /** Also Ks of the pairs of genes in the blocks. */
    ksDistribution: z.boolean().default(false),
    minimumGenes: z.int().min(2).max(10_000).default(5),
    evalue: z.number().positive().max(1).default(1e-5),
    /** Of a deletion, an insertion, a duplication or an inversion that is listed; 50 bp is the least that is called. */
    minimumBp: z.int().min(50).max(10_000_000).default(1000),
  }),
  result: resultSchema,
  limits,
  needs: [
    { kind: 'program', program: 'diamond', package: 'diamond-aligner' },
    { kind: 'program', program: 'blastp', package: 'ncbi-blast+' },
    { kind: 'program', program: 'mcl', package: 'mcl' },
    { kind: 'data', dataType: 'proteins', entry: 'genes' },
  ],
  example: ({ assemblies }) => {
    const coding = assemblies.filter((one) => one.codingGeneCount > 0)
    const first = coding.find((one) => one.reference) ?? coding[0]
    if (first === undefined) return null
    // Its own species first: collinear segments are long there.
    const others = coding
      .filter((one) => one.id !== first.id)
      .sort((a, b) => Number(b.species === first.species) - Number(a.species === first.species))
    // With the reference each, by whose features regions are named.
    return { assemblies: [first, ...others.slice(0, 3)].map((one) => one.id), compare: 'first' as const }
  },
})
