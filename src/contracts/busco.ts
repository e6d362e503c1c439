import { z } from 'zod'

/** Data type, and kind and id of the record, of an assembly's BUSCO summary. */
export const buscoKind = 'busco'

export const buscoSchema = z.object({
  /** Percent of the single-copy orthologs of the lineage, as BUSCO has them. */
  complete: z.number(),
  single: z.number(),
  duplicated: z.number(),
  fragmented: z.number(),
  missing: z.number(),
  total: z.number(),
  lineage: z.string().nullable(),
})
export type Busco = z.infer<typeof buscoSchema>
