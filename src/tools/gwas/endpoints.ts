import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { locusFields, optionalPosition1Schema } from '../../contracts/region.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { associationSchema, limits, locusSchema } from './tool.ts'

/** Which scan: a trait of a loaded table, or the result of a job. */
const scanFields = {
  assembly: z.string().max(64).optional(),
  scan: z.string().max(100).optional(),
  trait: z.string().max(300).optional(),
  job: jobIdSchema.optional(),
}

const thinnedSchema = z.object({
  binBp: z.number(),
  cell: z.number(),
  /** Sequence, bin, first and last cell: four numbers a run. */
  runs: z.array(z.number()),
  /** Sequence, position, -log10 p: three numbers a point. */
  points: z.array(z.number()),
})

export const traitSchema = z.object({
  id: z.string(),
  count: z.number(),
  complete: z.boolean(),
  lambda: z.number().nullable(),
  threshold: z.number().nullable(),
  thresholdBy: z.enum(['stated', 'bonferroni']).nullable(),
  significant: z.number().nullable(),
  best: associationSchema.nullable(),
})

const setSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  format: z.string(),
  unit: z.string().nullable(),
  phenotypes: z.string().nullable(),
  variants: z.string().nullable(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
  rows: z.number(),
})
export type ScanSet = z.infer<typeof setSchema>

export const listScans = defineEndpoint({
  method: 'GET',
  path: '/api/tools/gwas/scans/',
  summary: 'Association scans that are loaded of an assembly, with their traits, and what one can be run on',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64).optional() }),
  output: z.object({
    assembly: z.string(),
    sets: z.array(setSchema.extend({ traits: z.array(traitSchema) })),
    /** Sets of variants with genotypes. */
    variants: z.array(
      z.object({
        id: z.string(),
        name: localizedTextSchema,
        samples: z.number(),
        sites: z.number(),
        ploidy: z.number(),
        simulated: z.boolean(),
        /** A few names of samples, for examples. */
        names: z.array(z.string()),
      }),
    ),
    phenotypes: z.array(
      z.object({
        id: z.string(),
        name: localizedTextSchema,
        simulated: z.boolean(),
        traits: z.array(z.object({ id: z.string(), name: localizedTextSchema, type: z.string() })),
      }),
    ),
    /** Other assemblies with scans. */
    loaded: z.array(z.object({ assembly: z.string(), count: z.number() })),
  }),
})
export type ScanList = z.infer<(typeof listScans)['output']>

export const getScan = defineEndpoint({
  method: 'GET',
  path: '/api/tools/gwas/scan/',
  summary: 'A scan thinned for a figure, with its quantile plot, best hits and loci with candidate genes',
  tag: 'tools',
  input: z.object({
    ...scanFields,
    /** A p-value, in place of the scan's own. */
    threshold: z.coerce.number().positive().max(1).optional(),
    windowBp: z.coerce.number().int().min(100).max(10_000_000).optional(),
    /** Hits of a locus have at least this r2 with its lead, where genotypes are loaded; 0 for by distance alone. */
    minR2: z.coerce.number().min(0).max(1).default(0),
  }),
  output: z.object({
    assembly: z.string(),
    set: setSchema.nullable(),
    trait: traitSchema,
    sequences: z.array(z.object({ name: z.string(), lengthBp: z.number() })),
    scan: thinnedSchema,
    /** Points of the quantile plot: all of the smallest p-values, then ever fewer; `rank` among all, from 1. */
    quantiles: z.array(
      z.object({
        rank: z.number().int(),
        expected: z.number(),
        observed: z.number(),
        low: z.number(),
        high: z.number(),
      }),
    ),
    hits: z.array(associationSchema),
    /** Of those kept with all they tell; `hits` may be cut. */
    hitCount: z.number(),
    /** In force: the one asked for, else the scan's own. */
    threshold: z.number().nullable(),
    loci: z.array(locusSchema),
    lociCut: z.boolean(),
    windowBp: z.number(),
    /** Set of variants by which r2 was computed; null: loci are by distance alone. */
    linkage: z.string().nullable(),
  }),
})
export type ScanView = z.infer<(typeof getScan)['output']>

export const getSegment = defineEndpoint({
  method: 'GET',
  path: '/api/tools/gwas/segment/',
  summary: 'A segment of a scan, thinned as the whole is but finer',
  tag: 'tools',
  input: z.object({ ...scanFields, ...locusFields }),
  output: z.object({ scan: thinnedSchema, rows: z.number(), sequence: z.string(), start: z.number(), end: z.number() }),
})

export const getRegion = defineEndpoint({
  method: 'GET',
  path: '/api/tools/gwas/region/',
  summary: `Tests in a region of at most ${limits.regionBp / 1e6} Mb with their linkage to the lead, and the genes there`,
  tag: 'tools',
  input: z.object({
    ...scanFields,
    ...locusFields,
    /** Name of the test that the others are compared with; the best when absent. */
    lead: z.string().max(300).optional(),
    /** Set of variants for r2; the one that the scan names, else the first of the assembly with genotypes. */
    variants: z.string().max(100).optional(),
  }),
  output: z.object({
    sequence: z.string(),
    start: z.number(),
    end: z.number(),
    lead: associationSchema.nullable(),
    /** `r2` is null where it is not known. */
    rows: z.array(associationSchema.extend({ r2: z.number().nullable() })),
    total: z.number(),
    /** Set of variants that r2 is of. */
    linkage: z.string().nullable(),
    /** Samples that the r2 is computed over. */
    linkageSamples: z.number(),
    leadInVariants: z.boolean(),
    genes: z.array(
      z.object({
        id: z.string(),
        symbol: z.string().nullable(),
        description: z.string().nullable(),
        start: z.number(),
        end: z.number(),
        strand: z.string(),
      }),
    ),
    genesCut: z.boolean(),
  }),
})
export type RegionView = z.infer<(typeof getRegion)['output']>

export const findAtLocus = defineEndpoint({
  method: 'GET',
  path: '/api/tools/gwas/locus/',
  summary: 'The best test of every trait at a place or gene: a phenome-wide look',
  tag: 'tools',
  input: z.object({
    assembly: z.string().max(64).optional(),
    gene: z.string().max(200).optional(),
    sequence: z.string().max(200).optional(),
    start: optionalPosition1Schema,
    end: optionalPosition1Schema,
    flankBp: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  output: z.object({
    assembly: z.string(),
    sequence: z.string(),
    start: z.number(),
    end: z.number(),
    gene: z.object({ id: z.string(), symbol: z.string().nullable() }).nullable(),
    rows: z.array(
      z.object({
        set: z.string(),
        setName: localizedTextSchema,
        simulated: z.boolean(),
        trait: z.string(),
        threshold: z.number().nullable(),
        complete: z.boolean(),
        /** Tests of the trait on the segment, and those of them that pass its threshold. */
        count: z.number(),
        significant: z.number(),
        best: associationSchema,
      }),
    ),
    /** Traits of the assembly, with or without a test here. */
    traitCount: z.number(),
    cut: z.boolean(),
  }),
})
export type LocusView = z.infer<(typeof findAtLocus)['output']>
