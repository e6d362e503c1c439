import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { collectionSchema } from './stored.ts'

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
