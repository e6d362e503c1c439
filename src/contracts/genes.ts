import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { locusFields } from './region.ts'

export const strandSchema = z.enum(['+', '-', '.'])

/** Coordinates are 1-based and inclusive. */
export const geneSummarySchema = z.object({
  assembly: z.string(),
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  biotype: z.string(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: strandSchema,
})
export type GeneSummary = z.infer<typeof geneSummarySchema>

const intervalSchema = z.object({ start: z.number(), end: z.number() })

export const transcriptSchema = z.object({
  id: z.string(),
  biotype: z.string(),
  start: z.number(),
  end: z.number(),
  exons: z.array(intervalSchema),
  cds: z.array(intervalSchema.extend({ phase: z.number() })),
  proteinId: z.string().nullable(),
  proteinLength: z.number().nullable(),
  /** Spliced lengths in bases. */
  cdnaLengthBp: z.number(),
  cdsLengthBp: z.number(),
  /** Coding parts in the order in which they are read, each on its strand; given only where the transcript is trans-spliced. */
  readingOrder: z.array(intervalSchema.extend({ strand: z.enum(['+', '-']) })).optional(),
})
export type Transcript = z.infer<typeof transcriptSchema>

const geneTermSchema = z.object({
  source: z.string(),
  term: z.string(),
  name: z.string().nullable(),
  namespace: z.string().nullable(),
  evidence: z.string().nullable(),
  qualifier: z.string().nullable(),
  /** What carries the term when it is not the whole gene: a transcript or protein, with residues. */
  start: z.number().nullable(),
  end: z.number().nullable(),
})
export type GeneTerm = z.infer<typeof geneTermSchema>

const geneSchema = geneSummarySchema.extend({
  species: z.string(),
  speciesName: z.string(),
  name: z.string().nullable(),
  aliases: z.array(z.string()),
  attributes: z.record(z.string(), z.array(z.string())),
  transcripts: z.array(transcriptSchema),
  terms: z.array(geneTermSchema),
  /** The genes that start before and after this one on the sequence. */
  previous: geneSummarySchema.nullable(),
  next: geneSummarySchema.nullable(),
})
export type Gene = z.infer<typeof geneSchema>

export const getGene = defineEndpoint({
  method: 'GET',
  path: '/api/genes/{id}/',
  summary: 'Everything the catalogue knows about one gene; id, symbol or alias',
  tag: 'genes',
  input: z.object({ id: z.string().min(1).max(200), assembly: z.string().max(64).optional() }),
  output: z.object({
    gene: geneSchema,
    /** Other genes the same name could have meant, when it was ambiguous. */
    alternatives: z.array(geneSummarySchema),
  }),
})

export const listFormerGenes = defineEndpoint({
  method: 'GET',
  path: '/api/genes/{id}/former/',
  summary: 'What a gene id of an earlier annotation has become: renamed, split, merged, gone, or used for another gene',
  tag: 'genes',
  input: z.object({ id: z.string().min(1).max(200), assembly: z.string().max(64).optional() }),
  output: z.object({
    former: z.array(
      geneSummarySchema.omit({ biotype: true }).extend({
        relation: z.enum(['elsewhere', 'renamed', 'split', 'merged', 'gone']),
        /** By what the genes were found; null of one that is gone. */
        evidence: z.enum(['id', 'place', 'product', 'order']).nullable(),
        /** Part of the old gene that the genes have, 0 to 1. */
        share: z.number().nullable(),
        genes: z.array(geneSummarySchema.pick({ id: true, symbol: true, description: true })),
      }),
    ),
  }),
})
export type FormerGene = z.infer<typeof listFormerGenes.output>['former'][number]

export const listGenesInRegion = defineEndpoint({
  method: 'GET',
  path: '/api/genes/',
  summary: 'Genes that overlap a region, in order of their start',
  tag: 'genes',
  input: z.object({
    assembly: z.string().max(64),
    ...locusFields,
    limit: z.coerce.number().int().min(1).max(5000).default(500),
  }),
  output: z.object({ genes: z.array(geneSummarySchema), truncated: z.boolean() }),
})

export const resolveGenes = defineEndpoint({
  method: 'POST',
  path: '/api/genes/resolve/',
  summary: 'Looks up ids, symbols and aliases, one to 5,000',
  tag: 'genes',
  input: z.object({
    ids: z.array(z.string().max(200)).min(1).max(5000),
    assembly: z.string().max(64).optional(),
  }),
  output: z.object({
    /** `former`: no gene has the name now, but one of an annotation before had it that became this one. */
    found: z.array(
      z.object({
        query: z.string(),
        gene: geneSummarySchema,
        former: z.literal(true).optional(),
        /** In an annotation before the id was that of another gene. */
        elsewhere: z.literal(true).optional(),
      }),
    ),
    ambiguous: z.array(z.object({ query: z.string(), genes: z.array(geneSummarySchema) })),
    unknown: z.array(z.string()),
    /** Of the first unknown ones: genes that may have been meant, nearest first. None is taken by itself. */
    nearest: z.array(
      z.object({
        query: z.string(),
        genes: z.array(geneSummarySchema.pick({ assembly: true, id: true, symbol: true, description: true })),
      }),
    ),
  }),
})
export type ResolvedGenes = Omit<z.infer<typeof resolveGenes.output>, 'nearest'>
export type NearestGenes = z.infer<typeof resolveGenes.output>['nearest']

/** What the search reads of the answer of the tool that opens `geneChange`: the variants that are the change. See `openTargets` in tool.ts. */
export const geneChangeSchema = z.object({ variants: z.object({ rows: z.array(z.object({ key: z.string() })) }) })

/** What the tool that opens `genesOfTerm` answers at its route `ids/`: all ids up to its limit, and how many there are; see `openTargets` in tool.ts. */
export const geneIdsSchema = z.object({ assembly: z.string(), genes: z.array(z.string()), total: z.number() })

/** What the gene page reads of the answer of the tool that opens `geneSequences`; see `openTargets` in tool.ts. */
export const geneSequencesSchema = z.object({
  records: z.array(z.object({ name: z.string(), header: z.string(), residues: z.string().nullable() })),
})
