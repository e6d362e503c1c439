import { z } from 'zod'
import { brokenStates } from '../bio/comparative/gene-presence.ts'

/** What a gene is a remnant of, where the DNA of a gene of the first assembly is not whole there. */
const brokenGeneSchema = z.object({
  state: z.enum(brokenStates),
  /** The gene of the first assembly. */
  of: z.string(),
  /** Of its bases that are there, 0 to 1. */
  share: z.number(),
  /** Of one that is cut short: from where to where it is left, as shares of it from its start on; null where no alignment tells. */
  kept: z.tuple([z.number(), z.number()]).nullable(),
})
export type BrokenGene = z.infer<typeof brokenGeneSchema>

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
      /**
       * Beyond the origin of a circular sequence from the gene in the middle: bases to add to `start` and `end` so that it is laid out
       * beside that gene, the length of the sequence or its negative. Absent of all others.
       */
      originShift: z.number().optional(),
      orthogroup: z.string().nullable(),
      /** Absent of one that is whole, and where nothing is known of its DNA. */
      broken: brokenGeneSchema.optional(),
    }),
  ),
})
export type GeneLocus = z.infer<typeof geneLocusSchema>

/** Genes between the two ends of a gap, at most: with more it is another place. */
export const mostBetween = 6

/** Where a gene would lie in an assembly that has no homolog of it: between the counterparts of neighbours on either side of it. */
export const geneGapSchema = geneLocusSchema.omit({ gene: true }).extend({
  /** Both among the genes: counterpart of a neighbour before the gene, and of one after it, by coordinates of the gene's own assembly. */
  before: z.string(),
  after: z.string(),
  /**
   * Of the gene's own assembly: genes between the two neighbours there and the gene, on either side, and how many bases more lie between
   * the neighbours there than here. `deletions` are what the alignment of the two genomes tells of it, in bases of the gene's own assembly:
   * each by itself, exact; null where none is loaded or none lies there. Null of a server before it.
   */
  lost: z
    .object({
      before: z.number(),
      after: z.number(),
      bp: z.number(),
      deletions: z
        .array(z.object({ start: z.number(), end: z.number(), lengthBp: z.number() }))
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
})
export type GeneGap = z.infer<typeof geneGapSchema>
