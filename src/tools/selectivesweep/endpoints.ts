import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import { locusFields } from '../../contracts/region.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { seriesSchema } from './series.ts'
import { limits } from './tool.ts'

const tableSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
  series: z.array(seriesSchema),
  windowCount: z.number(),
  /** Commonest length of its windows. */
  windowBp: z.number(),
})
export type LoadedTable = z.infer<typeof tableSchema>

export const listChoices = defineEndpoint({
  method: 'GET',
  path: '/api/tools/selectivesweep/choices/',
  summary: 'Sets of variants with genotypes, groupings of their samples, and loaded tables of windows of an assembly',
  tag: 'tools',
  input: z.object({ assembly: assemblyIdSchema, variants: z.string().max(100).optional() }),
  output: z.object({
    variantSets: z.array(
      z.object({
        id: z.string(),
        name: localizedTextSchema,
        samples: z.number(),
        sites: z.number(),
        simulated: z.boolean(),
      }),
    ),
    /** Columns of the accessions, with how many samples of the chosen set each value has. */
    groupings: z.array(
      z.object({ name: z.string(), populations: z.array(z.object({ name: z.string(), samples: z.number() })) }),
    ),
    tables: z.array(tableSchema),
  }),
})

/** Windows of a job, or of a loaded table of an assembly. */
const sourceFields = {
  job: jobIdSchema.optional(),
  assembly: assemblyIdSchema.optional(),
  table: z.string().max(100).optional(),
}

export const getWindows = defineEndpoint({
  method: 'GET',
  path: '/api/tools/selectivesweep/windows/',
  summary: 'Windows with the values of chosen series, in order along the genome',
  tag: 'tools',
  input: z.object({ ...sourceFields, series: z.string().max(2000) }),
  output: z.object({
    sequences: z.array(z.object({ name: z.string(), lengthBp: z.number(), windows: z.number() })),
    start: z.array(z.number()),
    end: z.array(z.number()),
    sites: z.array(z.number()).nullable(),
    values: z.record(z.string(), z.array(z.number().nullable())),
    /** Windows that there are; more than are told when the extreme ones of each segment stand for the others. */
    total: z.number(),
  }),
})
export type ShownWindows = z.infer<typeof getWindows.output>

const tailSchema = z.enum(['high', 'low'])
const shareSchema = z.coerce.number().gt(0).max(0.5)

export const regionFields = {
  ...sourceFields,
  series: z.string().max(200),
  tail: tailSchema.optional(),
  /** Outermost share of the windows; 0.05 where neither it nor a cut-off is given. */
  share: shareSchema.optional(),
  cutoff: z.coerce.number().optional(),
  /** A second series that must stand out in the same windows. */
  second: z.string().max(200).optional(),
  secondTail: tailSchema.optional(),
  secondShare: shareSchema.optional(),
  secondCutoff: z.coerce.number().optional(),
  gapBp: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
}

const regionSchema = z.object({
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  windows: z.number(),
  peakStart: z.number(),
  peakEnd: z.number(),
  peakValue: z.number(),
  /** Of the second series in the same window. */
  peakSecond: z.number().nullable(),
  geneCount: z.number(),
  genes: z.array(z.object({ id: z.string(), symbol: z.string().nullable() })),
})
export type Region = z.infer<typeof regionSchema>

export const findRegions = defineEndpoint({
  method: 'GET',
  path: '/api/tools/selectivesweep/regions/',
  summary: `Windows beyond a threshold joined into regions, with their genes; the first ${limits.regions} regions`,
  tag: 'tools',
  input: z.object(regionFields),
  output: z.object({
    assembly: z.string(),
    cutoff: z.number().nullable(),
    secondCutoff: z.number().nullable(),
    /** Windows with a value of the series (of both), and those that stand out. */
    windows: z.number(),
    outliers: z.number(),
    regions: z.array(regionSchema),
    regionCount: z.number(),
    /** All genes of the regions that are told, once each. */
    genes: z.array(z.string()),
  }),
})
export type FoundRegions = z.infer<typeof findRegions.output>

export const windowsOfLocus = defineEndpoint({
  method: 'GET',
  path: '/api/tools/selectivesweep/locus/',
  summary:
    'Windows of the loaded tables that overlap a place, with the share of the genome’s windows at or below their values',
  tag: 'tools',
  input: z.object({
    assembly: assemblyIdSchema,
    ...locusFields,
  }),
  output: z.object({
    tables: z.array(
      tableSchema.extend({
        /** Most extreme window of each series, towards where a sweep shows. */
        found: z.array(
          z.object({
            key: z.string(),
            windows: z.number(),
            start: z.number(),
            end: z.number(),
            value: z.number(),
            /** Share of windows of the genome that are as extreme or more. */
            share: z.number(),
          }),
        ),
      }),
    ),
  }),
})
