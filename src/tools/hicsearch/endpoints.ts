import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { bakedContactsSchema } from './stored.ts'

export const listContactMaps = defineEndpoint({
  method: 'GET',
  path: '/api/tools/hicsearch/maps/',
  summary: 'Contact maps of an assembly with their resolutions, normalizations and chromosomes, and its BigWig tracks',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64) }),
  output: z.object({
    maps: z.array(bakedContactsSchema),
    signals: z.array(z.object({ id: z.string(), name: localizedTextSchema, simulated: z.boolean() })),
    /** A gene to begin with, or a region where there are no genes; null without maps. */
    example: z.string().nullable(),
  }),
})
