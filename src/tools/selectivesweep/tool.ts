import { z } from 'zod'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { seriesSchema } from './series.ts'

export const limits = defineLimits('selectivesweep', {
  populations: 8,
  characters: 2_000_000,
  windows: 2_000_000,
  sums: 30_000_000,
  shownWindows: 200_000,
  regions: 5000,
})

export const siteKinds = ['snps', 'biallelic', 'all'] as const
export const lengths = ['window', 'records'] as const

/** Names of populations, which may hold blanks: parted by commas or line ends. */
export const splitNames = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，;；\r\n]+/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

const localized = z.union([z.string(), z.object({ en: z.string(), zh: z.string() })])

export const inputSchema = z.object({
  assembly: assemblyIdSchema,
  /** A loaded set of variants; the first with genotypes where absent. */
  variants: z.string().max(100).optional(),
  /** Column of the accessions that says who belongs to which population. */
  grouping: z.string().max(200).default('population'),
  /** Those of it that are compared, in this order; all where empty. */
  populations: z
    .union([z.string(), z.array(z.string().max(200)).meta({ maxItems: limits.populations })])
    .transform((value) => (typeof value === 'string' ? splitNames(value) : value))
    .pipe(z.array(z.string().max(200)).max(limits.populations))
    .default([]),
  /** Populations as pasted: a sample and its population a line, or a population, a colon and its samples. */
  groups: z.string().max(limits.characters, 'groups.tooLong').default(''),
  windowBp: z.coerce.number().int().min(10).max(100_000_000).default(20_000),
  stepBp: z.coerce.number().int().min(10).max(100_000_000).default(10_000),
  minSites: z.coerce.number().int().min(0).max(1_000_000).default(5),
  sites: z.enum(siteKinds).default('snps'),
  minCalled: z.coerce.number().min(0).max(1).default(0.5),
  minorFrequency: z.coerce.number().min(0).max(0.5).default(0),
  length: z.enum(lengths).default('window'),
})
export type SweepInput = z.output<typeof inputSchema>

const overallSchema = z.array(z.number().nullable())

export const resultSchema = z.object({
  assembly: z.string(),
  variants: z.object({ id: z.string(), name: localized, simulated: z.boolean() }),
  populations: z.array(z.object({ name: z.string(), samples: z.number() })),
  series: z.array(seriesSchema),
  windowCount: z.number(),
  /** Of all sequences together, as quotients of sums. */
  overall: z.object({
    sites: z.number(),
    pi: overallSchema,
    fst: overallSchema,
    hudson: overallSchema,
    dxy: overallSchema,
  }),
  records: z.object({
    read: z.number(),
    used: z.number(),
    notSnps: z.number(),
    /** SNPs of more than two alleles, `*` counted, where only biallelic ones are wanted. */
    multiallelic: z.number().default(0),
    withoutGenotypes: z.number(),
    damaged: z.number(),
    /** On sequences that the assembly has not, or beyond their ends. */
    elsewhere: z.number(),
    elsewhereNames: z.array(z.string()),
  }),
  /** Samples that were named and are not in the file. */
  unknownSamples: z.array(z.string()),
  unknownSampleCount: z.number(),
  /** Samples of the file that belong to no population that is compared. */
  otherSamples: z.number(),
})
export type SweepResult = z.infer<typeof resultSchema>

/** A population of fewer individuals tells little: said with the result. */
export const fewIndividuals = 5

export default defineTool({
  id: 'selectivesweep',
  route: '/tools/selectivesweep',
  category: 'vary',
  order: 40,
  icon: 'waves',
  mode: 'job',
  version: 3,
  input: inputSchema,
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'variants', entry: 'variants' }],
  example: ({ assemblies }) => {
    const assembly = assemblies.find(({ dataTypes }) => (dataTypes.variants ?? 0) > 0)
    return assembly === undefined ? null : { assembly: assembly.id }
  },
})
