import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { localizedTextSchema } from '../../contracts/text.ts'

/** What an assembly can be tested for. */
export const listCollections = defineEndpoint({
  method: 'GET',
  path: '/api/tools/enrichment/collections/',
  summary: 'Collections of terms that an assembly’s genes are annotated with',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64).optional() }),
  output: z.object({
    assembly: z.string().nullable(),
    collections: z.array(
      z.object({
        id: z.string(),
        source: z.string().nullable(),
        namespace: z.string().nullable(),
        genes: z.number(),
        terms: z.number(),
      }),
    ),
  }),
})

export const listExamples = defineEndpoint({
  method: 'GET',
  path: '/api/tools/enrichment/examples/',
  summary: 'Gene sets of an assembly to try an enrichment with',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64).optional() }),
  output: z.object({
    assembly: z.string().nullable(),
    /** Gene sets of the experiments that are loaded, the most telling first; where there are none, the genes of terms. */
    examples: z.array(
      z.object({
        genes: z.array(z.string()),
        term: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
        experiment: z
          .object({
            name: localizedTextSchema,
            measure: localizedTextSchema.nullable(),
            simulated: z.boolean(),
            contrast: localizedTextSchema.nullable(),
            level: z.string().nullable(),
            other: z.string().nullable(),
            direction: z.enum(['high', 'low']),
          })
          .nullable(),
      }),
    ),
  }),
})
