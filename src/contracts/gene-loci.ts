import { z } from 'zod'

/** A gene with what stands around it on its sequence, in order. */
export const geneLocusSchema = z.object({
  assembly: z.string(),
  sequence: z.string(),
  /** The one in the middle. */
  gene: z.string(),
  genes: z.array(
    z.object({
      id: z.string(),
      symbol: z.string().nullable(),
      start: z.number(),
      end: z.number(),
      strand: z.string(),
      orthogroup: z.string().nullable(),
    }),
  ),
})
export type GeneLocus = z.infer<typeof geneLocusSchema>
