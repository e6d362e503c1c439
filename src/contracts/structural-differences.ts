import { z } from 'zod'
import { differenceKinds } from '../bio/comparative/structural-differences.ts'

const sideSchema = z.object({
  sequence: z.string(),
  /** Where it has no bases, those beside. Over the origin of a circle the end is beyond the length of the sequence. */
  start: z.number(),
  end: z.number(),
  lengthBp: z.number(),
  /** Where it is not all from the start to the end: the places that were copied together. */
  parts: z.array(z.object({ start: z.number(), end: z.number() })).default([]),
})
export type DifferenceSide = z.infer<typeof sideSchema>

/** What one of two genomes has more, less, twice or the other way round; `a` is its place in the first, `b` in the second. */
export const structuralDifferenceSchema = z.object({
  /** Of the second genome, against the first. */
  kind: z.enum(differenceKinds),
  /** Which genome has the bases once more; null but of duplications. */
  copyIn: z.enum(['first', 'second']).nullable(),
  /**
   * Told from the alignment of the two genomes, or from the order of their genes: ends are those of genes then, but of a copy whose bases
   * tell them.
   */
  basis: z.enum(['alignment', 'genes']),
  sizeBp: z.number(),
  a: sideSchema,
  b: sideSchema,
  /** What lies in it wholly or in part, of the genome that has it: ids, at most so many as the limit says. */
  genes: z.array(z.string()),
  /** The first and the last of all of them, of each of its parts. */
  geneRuns: z.array(z.object({ first: z.string(), last: z.string() })).default([]),
  genesOf: z.enum(['first', 'second']),
  geneCount: z.number(),
  /** Of these, only in part. */
  partly: z.number(),
  /**
   * Of a copy whose bases tell them: the last base before each place where two copies meet, in the genome that has the bases once more. No
   * genome without the copy has the two sides beside each other.
   */
  junctions: z.array(z.number()).default([]),
  /** What it is called: features of the lab's tracks that it is the same place as, such as a published region. */
  regions: z.array(z.string()).default([]),
  /** Other assemblies that have the same variant against the reference of the alignment; null where none tells. */
  alsoIn: z.array(z.string()).nullable().default(null),
  /** Other assemblies that are aligned there and have it not. */
  notIn: z.array(z.string()).nullable().default(null),
})
export type StructuralDifference = z.infer<typeof structuralDifferenceSchema>

export const comparedDifferencesSchema = z.object({
  /** Of all that are long enough. */
  counts: z.object({
    deletion: z.number(),
    insertion: z.number(),
    replacement: z.number(),
    duplication: z.number(),
    inversion: z.number(),
  }),
  /** True when there are more variants on a sequence than are read: those towards its end are not counted. */
  truncated: z.boolean(),
})
export type ComparedDifferences = z.infer<typeof comparedDifferencesSchema>
