import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { localizedTextSchema } from './text.ts'

const downloadSchema = z.object({
  species: z.string(),
  assembly: z.string().nullable(),
  /** genome, genes, proteins, cds, annotation, track, other … */
  kind: z.string(),
  name: z.string(),
  title: localizedTextSchema.nullable(),
  description: localizedTextSchema.nullable(),
  url: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  createdAt: z.string(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
})
export type Download = z.infer<typeof downloadSchema>

export const listDownloads = defineEndpoint({
  method: 'GET',
  path: '/api/downloads/',
  summary: 'Files to download, with size, date and SHA-256',
  tag: 'data',
  input: z.object({
    species: z.string().max(64).optional(),
    assembly: z.string().max(64).optional(),
    kind: z.string().max(40).optional(),
  }),
  output: z.object({ files: z.array(downloadSchema) }),
})
