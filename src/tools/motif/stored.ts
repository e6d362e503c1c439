import { z } from 'zod'
import { localizedTextSchema } from '../../contracts/text.ts'

/** Records of a species' bundle: what a collection is, and its motifs. Both have the collection's id. */
export const collectionKind = 'motif-collection'
export const matricesKind = 'motif-matrices'

export const collectionSchema = z.object({
  title: localizedTextSchema,
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  motifCount: z.number(),
})
export type Collection = z.infer<typeof collectionSchema>

/** A motif as it is kept: short names, because a collection has thousands. */
export interface StoredMotif {
  id: string
  name: string | null
  sites: number
  /** Rows of A, C, G, T. */
  rows: number[][]
}
