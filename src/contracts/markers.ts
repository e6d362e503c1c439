import { z } from 'zod'

/** A primer of a marker; bases from 1 on the assembly that it was designed on, both included. Tm in °C, GC content in percent. */
export const markerPrimerSchema = z.object({
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-']),
  tm: z.number(),
  gcPercent: z.number(),
})
export type MarkerPrimer = z.infer<typeof markerPrimerSchema>

/** An assay of two allele-specific primers and a common one. */
export const kaspAssaySchema = z.object({
  /** With the tail of FAM. */
  reference: markerPrimerSchema,
  /** With the tail of HEX. */
  alternate: markerPrimerSchema,
  common: markerPrimerSchema,
  productBp: z.number(),
  penalty: z.number(),
})
export type KaspAssay = z.infer<typeof kaspAssaySchema>

/** A product that an enzyme cuts with one allele only. */
export const capsMarkerSchema = z.object({
  enzyme: z.string(),
  site: z.string(),
  cutAllele: z.enum(['reference', 'alternate']),
  left: markerPrimerSchema,
  right: markerPrimerSchema,
  productBp: z.number(),
  fragments: z.object({ reference: z.array(z.number()), alternate: z.array(z.number()) }),
  /** dCAPS: the base that the primer changes, bases from the variant; null for CAPS. */
  derived: z.object({ distance: z.number(), from: z.string(), to: z.string() }).nullable(),
})
export type CapsMarker = z.infer<typeof capsMarkerSchema>

/** Tails of the two fluorescent cassettes of KASP (FAM and HEX), 5' to 3'. */
export const kaspTails = { fam: 'GAAGGTGACCAAGTTCATGCT', hex: 'GAAGGTCGGAGTCAACGGATT' } as const
