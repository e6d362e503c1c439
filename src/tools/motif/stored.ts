import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
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

export const listCollections = defineEndpoint({
  method: 'GET',
  path: '/api/tools/motif/collections/',
  summary: 'Collections of motifs that are loaded, by species',
  tag: 'tools',
  input: z.object({}),
  output: z.object({
    collections: z.array(collectionSchema.extend({ id: z.string(), species: z.string(), speciesName: z.string() })),
  }),
})
