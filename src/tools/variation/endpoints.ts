import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { filterFields, setSchema, siteKinds } from './tool.ts'

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
    /** Populations of each set by each of the groupings, with their accessions. */
    populations: z.record(
      z.string(),
      z.record(z.string(), z.array(z.object({ name: z.string(), samples: z.number() }))),
    ),
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
        /** As HGVS writes it, of the effect that `consequence` is; null where no protein changes. */
        proteinChange: z.string().nullable(),
        /** That the effect is on, null between genes. */
        gene: z.string().nullable(),
        symbol: z.string().nullable(),
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

export const listCarriers = defineEndpoint({
  method: 'POST',
  path: '/api/tools/variation/carriers/',
  summary: 'Accessions that carry a haplotype of a gene or region, by its place among them: H1 has the most copies',
  tag: 'tools',
  input: z.object({
    ...filterFields,
    sites: z.enum(siteKinds).default('changing'),
    /** As the haplotypes of the same conditions are named. */
    haplotype: z
      .string()
      .trim()
      .regex(/^H[1-9]\d{0,5}$/i)
      .default('H1'),
  }),
  output: z.object({
    assembly: z.string(),
    set: z.string(),
    sequence: z.string(),
    start: z.number(),
    end: z.number(),
    haplotype: z.string(),
    /** Haplotypes in all. */
    haplotypes: z.number(),
    /** Of this one, over all accessions. */
    copies: z.number(),
    /** Positions and alleles of its sites. */
    sites: z.array(z.object({ position: z.number(), allele: z.string() })),
    /** In the order of the set. `copies` of its own `ploidy` are this haplotype. */
    accessions: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        population: z.string().nullable(),
        country: z.string().nullable(),
        copies: z.number(),
        ploidy: z.number(),
      }),
    ),
  }),
})
