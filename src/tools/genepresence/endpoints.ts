import { z } from 'zod'
import { presenceStates, unknownReasons } from '../../bio/comparative/gene-presence.ts'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import tool, { limits } from './tool.ts'

const placeSchema = z.object({ sequence: z.string(), start: z.number(), end: z.number(), strand: z.enum(['+', '-']) })

const neighbourSchema = z
  .object({
    gene: z.string(),
    symbol: z.string().nullable(),
    state: z.enum(presenceStates),
    place: placeSchema.nullable(),
  })
  .nullable()

const evidenceSchema = z.object({
  assembly: z.string(),
  state: z.enum(presenceStates),
  reason: z.enum(unknownReasons).nullable(),
  /** How it was found; null where it was not. */
  by: z.enum(['alignment', 'dna', 'protein']).nullable(),
  /** Shares of 1: of the gene's bases (of its residues, by its protein) that are there, and of these that are equal. */
  coverage: z.number(),
  identity: z.number().nullable(),
  missingBp: z.number(),
  insertedBp: z.number(),
  parts: z.number(),
  copies: z.number(),
  paralogs: z.number(),
  moved: z.boolean(),
  searched: z.object({ dna: z.boolean(), protein: z.boolean() }),
  frame: z
    .object({
      codons: z.number(),
      keptShare: z.number(),
      change: z.enum(['frameshift', 'stop', 'start']).nullable(),
      codon1: z.number().nullable(),
      hgvs: z.string().nullable(),
    })
    .nullable(),
  /** Where it lies, or would lie; from 1, both included. */
  places: z.array(placeSchema),
  otherPlaces: z.array(placeSchema),
  genes: z.array(z.string()),
  /** Of the nearest genes on both sides those that are annotated there as one gene with it: fused, or never split. */
  oneGeneWith: z.array(z.object({ gene: z.string(), symbol: z.string().nullable() })),
  /** The nearest genes on both sides, and what they are there. */
  before: neighbourSchema,
  after: neighbourSchema,
  through: z.string().nullable(),
})
export type Evidence = z.infer<typeof evidenceSchema>

export const getGenePresence = defineEndpoint({
  method: 'GET',
  path: '/api/tools/genepresence/gene/',
  summary: 'What each other assembly of the species has of a gene by its DNA, with the evidence',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64), gene: z.string().min(1).max(200) }),
  output: z.object({
    /** False where nothing was computed of the assembly. */
    known: z.boolean(),
    evidence: z.array(evidenceSchema),
  }),
})

export const fileInput = tool.input.extend({
  /** FASTA: whose bases; the genes' own assembly where absent. */
  of: z.string().max(64).optional(),
})
export const maxFasta = limits.genes
