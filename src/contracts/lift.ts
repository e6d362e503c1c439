import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { locusFields } from './region.ts'

/** Longest region that is lifted: a few dozen genes. Longer segments are seen in a browser of blocks. */
export const liftLimitBp = 1_000_000

const strand = z.enum(['+', '-'])

/** Bases from 1, both included, numbered on the forward strand of the sequence; `strand` is where the asked strand of the region lies. */
const locusSchema = z.object({
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand,
  /** Part of the region that lies here, from its first to its last aligned base. */
  regionStart: z.number(),
  regionEnd: z.number(),
  alignedBp: z.number(),
  /** Share of 1 of the aligned bases that are equal; null when it cannot be told. */
  identity: z.number().nullable(),
  /** Bases of the region between its ends here that are not aligned, and bases that lie between them here and have no partner. */
  missingBp: z.number(),
  insertedBp: z.number(),
  /** minimap2's mapping quality: below 5 the place could as well be another. */
  mapq: z.number(),
  /** `best`: the place; `rest`: a part of the region that the best place lacks; `copy`: a further place of what lies there too. */
  role: z.enum(['best', 'rest', 'copy']),
})
export type AssemblyLocus = z.infer<typeof locusSchema>

const liftSchema = z.object({
  assembly: z.string(),
  /** The reference, when neither assembly is it: what it lacks cannot be followed. */
  through: z.string().nullable(),
  /**
   * `whole`, `partial` (some bases have no partner), `split` (parts lie in places that are not collinear), `deleted` (alignments go
   * on at both sides and pass over it), `replaced` (so they do, and other bases are there), `unaligned` (nothing is aligned here: not
   * aligned is not absent), `reference-lacks` (the
   * region has no aligned base in the reference, through which it would be followed).
   */
  outcome: z.enum(['whole', 'partial', 'split', 'deleted', 'replaced', 'unaligned', 'reference-lacks']),
  loci: z.array(locusSchema),
  /**
   * Of `deleted` and `replaced`: the bases on both sides of the place, or those that are there instead. Of the other outcomes: the same,
   * where a longer alignment passes over the region here and what was found lies elsewhere; null otherwise.
   */
  deletedAt: z.object({ sequence: z.string(), start: z.number(), end: z.number(), strand }).nullable(),
})
export type AssemblyLift = z.infer<typeof liftSchema>

export const liftRegion = defineEndpoint({
  method: 'GET',
  path: '/api/lift/',
  summary: 'The same place in every other assembly of the species, by alignments of whole genomes',
  tag: 'data',
  input: z.object({
    assembly: z.string().max(64),
    ...locusFields,
    /** Only to this assembly. */
    to: z.string().max(64).optional(),
  }),
  output: z.object({
    assembly: z.string(),
    sequence: z.string(),
    start: z.number(),
    end: z.number(),
    /** `-` where start was given above end; the strands of the places are then told from there. */
    strand,
    /** How the assemblies were aligned; null when the assembly is not aligned to another, and then there are no lifts. */
    alignment: z
      .object({ reference: z.string(), program: z.string(), computedAt: z.string(), missing: z.array(z.string()) })
      .nullable(),
    lifts: z.array(liftSchema),
  }),
})
export type LiftedRegion = z.infer<typeof liftRegion.output>
