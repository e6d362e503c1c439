import { z } from 'zod'

/** Kinds of the rows and files of a bundle. */
export const summaryKind = 'te-summary'
export const gff3File = 'transposable-elements.gff3.gz'
export const libraryKind = 'te-library'
export const profilesKind = 'te-profiles'

/** What an assembly's elements are, computed when they are loaded; bases are counted once where elements overlap. */
export const summarySchema = z.object({
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
export type ElementSummary = z.infer<typeof summarySchema>

/** Last bin holds all that is older. */
export const ageBins = 51
