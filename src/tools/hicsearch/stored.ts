import { z } from 'zod'
import { localizedTextSchema } from '../../contracts/text.ts'

/** Kind of data of an assembly, and of the records that the loader adds. */
export const contactsData = 'contacts'

export const bakedContactsSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  format: z.enum(['cool', 'mcool', 'hic']),
  /** Within the bundle: the lab's own file, unchanged. */
  file: z.string(),
  genome: z.string().nullable(),
  /** From the finest to the coarsest. */
  resolutions: z.array(
    z.object({
      binBp: z.number(),
      bins: z.number(),
      /** Pairs of bins with a contact; null where only the matrices themselves tell. */
      pixels: z.number().nullable(),
      /** Names of the weights that it was balanced with. */
      normalizations: z.array(z.string()),
    }),
  ),
  /** In the file's order, each with the sequence of the assembly that it is, if any. */
  chromosomes: z.array(z.object({ name: z.string(), sequence: z.string().nullable(), lengthBp: z.number() })),
  simulated: z.boolean(),
  /** How many of each were loaded with the map; null when no file of them was. */
  features: z.object({
    tads: z.number().nullable(),
    loops: z.number().nullable(),
    compartments: z.number().nullable(),
  }),
})
/** A contact map as the loader bakes it: record of kind `contacts`. */
export type BakedContacts = z.infer<typeof bakedContactsSchema>

/** Files beside a map in its bundle. */
export const contactFiles = (map: string) => ({
  prefix: `contacts/${map}.`,
  /** Rows: plain counts, then each normalization; columns: distance in bins, chromosome after chromosome. NumPy's own format. */
  expected: (binBp: number): string => `contacts/${map}.expected.${binBp}.npy`,
  tads: `contacts/${map}.tads.bed.gz`,
  loops: `contacts/${map}.loops.bedpe`,
  compartments: `contacts/${map}.compartments.bed.gz`,
})

/** Balancing of cooler's own command, which hardly anybody calls by the name of its column. */
export const normalizationTitle = (name: string): string => (name === 'weight' ? 'ICE (weight)' : name)
