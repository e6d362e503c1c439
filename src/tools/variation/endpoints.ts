import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { filterFields, setSchema } from './tool.ts'

export const listSets = defineEndpoint({
  method: 'GET',
  path: '/api/tools/variation/sets/',
  summary: 'Variant sets of an assembly, with what accessions can be grouped by and the traits measured on them',
  tag: 'tools',
  input: z.object({ assembly: z.string().min(1).max(64) }),
  output: z.object({
    assembly: z.string(),
    sets: z.array(setSchema),
    /** The first samples of each set, as examples of what can be typed. */
    samples: z.record(z.string(), z.array(z.string())),
    groupings: z.array(z.string()),
    traits: z.array(z.object({ value: z.string(), name: localizedTextSchema, unit: z.string().nullable() })),
  }),
})

export const getMatrix = defineEndpoint({
  method: 'POST',
  path: '/api/tools/variation/matrix/',
  summary: 'Genotypes of accessions at the variants of a place, evenly taken where there are too many',
  tag: 'tools',
  input: z.object(filterFields),
  output: z.object({
    sites: z.array(
      z.object({
        row: z.number(),
        key: z.string(),
        sequence: z.string(),
        position: z.number(),
        reference: z.string(),
        alternates: z.array(z.string()),
        consequence: z.string(),
      }),
    ),
    /** Variants that pass; of those that were looked at, where that is not all. */
    total: z.number(),
    /** False where genotypes of a part were held against a condition on accessions. */
    complete: z.boolean(),
    samples: z.array(z.object({ id: z.string(), name: z.string().nullable(), population: z.string().nullable() })),
    /** Accessions that are not shown, beyond the limit. */
    samplesLeftOut: z.number(),
    ploidy: z.number(),
    /**
     * For each accession a letter a site: how many of its copies are not REF, in tenths of all (`0` to `9`, `a` for all), `.` where not
     * called.
     */
    rows: z.array(z.string()),
    /** Places of the accessions so that like stand beside like: average linkage of the shares of alleles in which they differ. */
    clustered: z.array(z.number()),
  }),
})
