import { z } from 'zod'

/**
 * The Usage in one language for browsers that run no scripts: written when the browser part is built (web/documents-plugin.ts) to
 * `plain/<language>.json` among its files, and served within the page (server/routes/documents.ts). Addresses in it are those of a portal
 * at the root of its host.
 */
export const plainDocumentsSchema = z.object({
  /** Address of the style sheet. */
  style: z.string(),
  labels: z.object({
    usage: z.string(),
    lead: z.string(),
    contents: z.string(),
    search: z.string(),
    found: z.string(),
    home: z.string(),
    /** What the other language calls itself. */
    otherLanguage: z.string(),
  }),
  groups: z.array(
    z.object({
      title: z.string(),
      chapters: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          html: z.string(),
          /** The text that is searched. */
          text: z.string(),
        }),
      ),
    }),
  ),
})
export type PlainDocuments = z.infer<typeof plainDocumentsSchema>
