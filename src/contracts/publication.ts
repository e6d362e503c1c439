import { z } from 'zod'
import { localizedTextSchema } from './text.ts'

/** What a reference manager tells of a publication; null where the file says nothing. */
export const publicationFields = {
  title: z.string().nullable(),
  authors: z.array(z.string()),
  year: z.number().nullable(),
  journal: z.string().nullable(),
  volume: z.string().nullable(),
  issue: z.string().nullable(),
  pages: z.string().nullable(),
  publisher: z.string().nullable(),
  doi: z.string().nullable(),
  pubmedId: z.string().nullable(),
  url: z.string().nullable(),
  abstract: z.string().nullable(),
  keywords: z.array(z.string()),
}

/** How a publication is known to be behind a data set. */
const dataReasons = ['entry', 'keyword', 'source'] as const

export const citedDataSetSchema = z.object({
  kind: z.enum(['assembly', 'track', 'expression']),
  assembly: z.string(),
  /** Id of the assembly, track or data set. */
  id: z.string(),
  name: localizedTextSchema,
  by: z.enum(dataReasons),
  simulated: z.boolean(),
})
export type CitedDataSet = z.output<typeof citedDataSetSchema>

/** What the data behind publications are read of. */
export const publicationDataSchema = z.object({
  publications: z.array(
    z.object({
      title: z.string().nullable(),
      records: z.array(z.object({ species: z.string(), key: z.string() })),
      dataSets: z.array(citedDataSetSchema),
    }),
  ),
})
