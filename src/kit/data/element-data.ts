import { z } from 'zod'
import type { PortalData } from './portal-data.ts'

/** Kind of the record in which an assembly's transposable elements are summed up. */
export const summaryKind = 'te-summary'

/** What an assembly's elements are, computed when they are loaded; bases are counted once where elements overlap. */
export const elementSummarySchema = z.object({
  count: z.number(),
  coveredBp: z.number(),
  genomeBp: z.number(),
  longestBp: z.number(),
  familyCount: z.number(),
  /** How the elements came: a file of the lab, programs at load, or both. */
  sources: z.array(z.string()),
  /** Candidates of the programs at load and how many of them are kept; absent where the portal looked for none, or did not count them. */
  found: z.object({ candidates: z.number(), kept: z.number() }).optional(),
  /** Substitutions a site and year that the administrator states; null where none is stated. */
  rate: z.number().nullable(),
  codes: z.array(
    z.object({
      code: z.string(),
      count: z.number(),
      full: z.number(),
      solo: z.number(),
      families: z.number(),
      bp: z.number(),
    }),
  ),
  families: z.array(
    z.object({ family: z.string(), code: z.string(), count: z.number(), full: z.number(), bp: z.number() }),
  ),
  windowBp: z.number(),
  /** Covered share of each window, by order; orders without an element are left out. */
  sequences: z.array(
    z.object({
      name: z.string(),
      lengthBp: z.number(),
      count: z.number(),
      bp: z.number(),
      windows: z.record(z.string(), z.array(z.number())),
    }),
  ),
  /** By distance from the family's consensus and by distance between LTRs: bases in bins of one substitution per 100 sites. */
  ages: z.object({
    consensus: z.array(z.object({ code: z.string(), bins: z.array(z.number()) })),
    ltr: z.array(z.object({ code: z.string(), bins: z.array(z.number()), counts: z.array(z.number()) })),
  }),
})
export type ElementSummary = z.infer<typeof elementSummarySchema>

/** The figures of an assembly's elements; null where none are loaded. */
export const findElementSummary = (data: PortalData, assembly: string): Promise<ElementSummary | null> =>
  data.getRecord<ElementSummary>(summaryKind, 'summary', { assembly })
