import { z } from 'zod'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { type GeneSequencePart, geneSequenceParts } from '../../kit/data/genes/locate-records.ts'
import { otherRulesSchema } from '../../kit/data/genes/promoter-rules.ts'

export const limits = defineLimits('sequenceextraction', {
  genes: 5000,
  flankBp: 100_000,
  insideBp: 100_000,
  shownRecords: 500,
  shownBp: 500_000,
})

export const parts = geneSequenceParts
export type Part = GeneSequencePart

/** Parts that are measured in flanks. */
export const flankParts: readonly Part[] = ['flanked', 'upstream', 'downstream']

const bases = (maximum: number, normal: number) =>
  z.coerce.number().int().min(0).max(maximum).default(Math.min(normal, maximum))

export const extractionFields = {
  genes: identifiersSchema(limits.genes),
  assembly: z.string().min(1).max(64),
  part: z.enum(parts).default('cds'),
  transcripts: z.enum(['longest', 'all']).default('longest'),
  /** Where flanks are measured from: the ends of the transcript (TSS, TES) or of the coding sequence (start, stop codon). */
  from: z.enum(['transcript', 'coding']).default('transcript'),
  upstreamBp: bases(limits.flankBp, 2000),
  downstreamBp: bases(limits.flankBp, 1000),
  /** Bases of the gene itself that an upstream or downstream sequence takes in. */
  insideBp: bases(limits.insideBp, 0),
  clip: z.boolean().default(false),
  /** Keep the asterisk of the final stop codon in proteins. */
  keepStop: z.boolean().default(false),
  lineWidth: z.coerce.number().int().min(0).max(100_000).default(60),
}

export const noteSchema = z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })

export const recordSchema = z.object({
  /** First word of the FASTA header: unique within the answer. */
  name: z.string(),
  gene: z.string(),
  symbol: z.string().nullable(),
  transcript: z.string().nullable(),
  sequence: z.string(),
  strand: z.enum(['+', '-', '.']),
  /** Placed intervals, 1-based inclusive, in the order in which the sequence reads; with a strand each where they are on both. */
  intervals: z.array(z.object({ start: z.number(), end: z.number(), strand: z.enum(['+', '-']).optional() })),
  /** Bases, or amino acids of a protein. */
  length: z.number(),
  header: z.string(),
  residues: z.string().nullable(),
  notes: z.array(noteSchema),
})
export type ExtractedRecord = z.infer<typeof recordSchema>

const problemSchema = z.object({ query: z.string(), ...noteSchema.shape })
export type ExtractionProblem = z.infer<typeof problemSchema>

export default defineTool({
  id: 'sequenceextraction',
  route: '/tools/sequenceextraction',
  category: 'find',
  order: 40,
  icon: 'dna',
  mode: 'answer',
  version: 3,
  input: z.object(extractionFields),
  result: z.object({
    assembly: z.string(),
    geneCount: z.number(),
    recordCount: z.number(),
    /** Bases of all records together, of proteins the bases that are translated. */
    totalBp: z.number(),
    /** Promoters that were taken by another rule than the settings say. */
    otherRules: otherRulesSchema,
    /** Records with a note: clipped, cut at the end of the sequence, across the origin … */
    notedCount: z.number(),
    /** The first records; the FASTA, BED and table routes give all. */
    records: z.array(recordSchema),
    /** Names that gave no sequence, one by one, with the reason. */
    problems: z.array(problemSchema),
  }),
  limits,
  needs: [
    { kind: 'data', dataType: 'genome', entry: 'genome' },
    { kind: 'data', dataType: 'genes', entry: 'genes' },
  ],
  opens: [{ target: 'geneSequences', query: { genes: '{gene}', assembly: '{assembly}' } }],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => one.reference && one.exampleGenes.length > 0) ??
      assemblies.find((one) => one.exampleGenes.length > 0)
    if (assembly === undefined) return null
    return {
      assembly: assembly.id,
      genes: assembly.exampleGenes.map((gene) => gene.id),
      part: 'upstream' as const,
      upstreamBp: 1000,
      clip: true,
    }
  },
})
