import { z } from 'zod'

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
