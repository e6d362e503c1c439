import { z } from 'zod'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { otherRulesSchema, promoterRules } from '../../kit/data/genes/promoter-rules.ts'
import { exampleConsensus, exampleGenes } from './example-motifs.ts'

export const limits = defineLimits('motif', {
  genes: 20_000,
  motifs: 5000,
  characters: 5_000_000,
  promoterBp: 10_000,
  scannedBp: 300_000_000,
  comparisons: 100_000_000_000,
  sites: 6_000_000,
  shownSites: 5000,
  shownSequences: 1000,
})

export const sources = ['genes', 'all', 'sequence'] as const
const motifSources = ['collection', 'matrices', 'consensus'] as const
export const anchors = ['transcript', 'coding'] as const
const backgrounds = ['genome', 'sequences', 'nrdb', 'uniform', 'own'] as const
export const orders = ['0', '1'] as const

const identifiers = identifiersSchema(limits.genes)

export const inputSchema = z.object({
  source: z.enum(sources).default('genes'),
  genes: identifiers.optional(),
  assembly: assemblyIdSchema.optional(),
  sequence: z.string().max(limits.characters, 'sequence.tooLong').default(''),
  motifSource: z.enum(motifSources).default('collection'),
  /** Species and id of a loaded collection, parted by a slash; the first of the assembly's species where absent. */
  collection: z.string().max(200).optional(),
  /** Ids or names of motifs of the collection; all where empty. */
  motifNames: z.string().max(200_000).default(''),
  matrices: z.string().max(limits.characters, 'matrices.tooLong').default(''),
  consensus: z.string().max(20_000).default(''),
  /** Of consensus words: also words that score as high without matching every letter. */
  inexact: z.boolean().default(true),
  from: z.enum(anchors).default('transcript'),
  upstreamBp: z.coerce.number().int().min(0).max(limits.promoterBp).default(Math.min(1000, limits.promoterBp)),
  /** Bases of the gene itself after the point from which is measured. */
  insideBp: z.coerce.number().int().min(0).max(limits.promoterBp).default(0),
  clip: z.boolean().default(true),
  pValue: z.coerce.number().positive().max(0.05).default(1e-4),
  qValue: z.coerce.number().positive().max(1).default(1),
  enrichment: z.boolean().default(true),
  backgroundGenes: z.string().max(limits.characters).default(''),
  codingOnly: z.boolean().default(true),
  bothStrands: z.boolean().default(true),
  background: z.enum(backgrounds).default('genome'),
  /** A Markov background model as FIMO takes it by `--bfile`. */
  backgroundModel: z.string().max(limits.characters, 'backgroundModel.tooLong').default(''),
  order: z.enum(orders).default('0'),
  pseudocount: z.coerce.number().min(0).max(10).default(0.1),
})
export type MotifInput = z.output<typeof inputSchema>

const noteSchema = z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })

const groupSchema = z.object({ found: z.number(), all: z.number() })

const enrichmentSchema = z.object({
  /** Promoters with a site, of how many. */
  set: groupSchema,
  background: groupSchema,
  /** Share in the set over share in the background; null where the background has none. */
  fold: z.number().nullable(),
  pValue: z.number(),
  adjustedPValue: z.number(),
  rankSum: z.object({ z: z.number(), pValue: z.number(), adjustedPValue: z.number() }),
})
export type Enrichment = z.infer<typeof enrichmentSchema>

const motifResultSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  width: z.number(),
  siteCount: z.number(),
  consensus: z.string(),
  /** Rows of A, C, G, T. */
  frequencies: z.array(z.array(z.number())),
  /** `weak`: no word reaches the p-value asked for; `exact`: of a consensus word, exact matches are told whatever their p-value. */
  state: z.enum(['ok', 'weak', 'exact']),
  /** The p-value in force, and the least that any word has. */
  pLimit: z.number(),
  minPValue: z.number(),
  /** In bits. */
  threshold: z.number(),
  tests: z.number(),
  sites: z.number(),
  sequences: z.number(),
  bestPValue: z.number().nullable(),
  enrichment: enrichmentSchema.nullable(),
})
export type MotifResult = z.infer<typeof motifResultSchema>

const sequenceResultSchema = z.object({
  name: z.string(),
  gene: z.string().nullable(),
  symbol: z.string().nullable(),
  lengthBp: z.number(),
  /** Position of the first base from the anchor: -1000 is the thousandth before it, 1 the first of the gene; null of a pasted one. */
  relativeStart: z.number().nullable(),
  sites: z.number(),
  /** By which rule the promoter was taken; null of a pasted sequence. */
  rule: z.enum(promoterRules).nullable(),
})

const siteSchema = z.object({
  /** Positions in `motifs` and `sequences` of the result. */
  motif: z.number(),
  sequence: z.string(),
  gene: z.string().nullable(),
  symbol: z.string().nullable(),
  /** 1-based inclusive on the sequence as it was read. */
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-']),
  /** From the anchor; null of a pasted sequence. */
  relativeStart: z.number().nullable(),
  relativeEnd: z.number().nullable(),
  locus: z
    .object({ sequence: z.string(), start: z.number(), end: z.number(), strand: z.enum(['+', '-', '.']) })
    .nullable(),
  score: z.number(),
  pValue: z.number(),
  /** Over all places, strands and motifs of the run. */
  qValue: z.number(),
  /** Over all places and strands of this motif, as FIMO has it. */
  motifQValue: z.number(),
  matched: z.string(),
})
export type Site = z.infer<typeof siteSchema>

export const resultSchema = z.object({
  assembly: z.string().nullable(),
  collection: z.string().nullable(),
  motifs: z.array(motifResultSchema),
  sequenceCount: z.number(),
  sequencesWithSites: z.number(),
  otherRules: otherRulesSchema,
  /**
   * What positions of promoters are told from: `coding` also where the transcription start was asked for and no gene model has a 5′
   * UTR. Null of pasted sequences, and of kept results.
   */
  anchor: z.enum(anchors).nullable().default(null),
  /** Promoters asked for that are the same segment as one before them, as within an operon. */
  repeatedCount: z.number(),
  /** The first of those with sites, the best first. */
  sequences: z.array(sequenceResultSchema),
  genesWithSites: z.array(z.string()),
  siteCount: z.number(),
  /** The best; the files have all. */
  sites: z.array(siteSchema),
  tests: z.number(),
  scannedBp: z.number(),
  backgroundCount: z.number().nullable(),
  background: z.object({
    kind: z.enum(backgrounds),
    order: z.number(),
    bases: z.array(z.number()),
    transitions: z.array(z.number()).nullable(),
    /** Of a model that was given: its order, which may be higher than what is used. */
    modelOrder: z.number().nullable().default(null),
  }),
  problems: z.array(noteSchema.extend({ query: z.string() })),
  problemCount: z.number(),
})
export type MotifSearchResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'motif',
  route: '/tools/motif',
  category: 'regulate',
  order: 10,
  icon: 'audio-waveform',
  mode: 'job',
  version: 4,
  input: inputSchema,
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'genome', entry: 'genome' }],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => one.reference && one.exampleGenes.length > 0) ??
      assemblies.find((one) => one.exampleGenes.length > 0)
    if (assembly === undefined) return null
    const known = exampleGenes(assembly.speciesName)
    return {
      source: 'genes' as const,
      genes: known.length > 0 ? [...known] : assembly.exampleGenes.map((gene) => gene.id),
      assembly: assembly.id,
      motifSource: 'consensus' as const,
      consensus: exampleConsensus(assembly.speciesName),
    }
  },
})
