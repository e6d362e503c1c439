import { z } from 'zod'
import { entryIdSchema } from '../../contracts/manifest.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { bakedContactsSchema, contactsData } from './stored.ts'

/** `pixels`: contacts read for one answer; `side`: bins on a side of a drawn window; `compartmentBins`: bins of a chromosome. */
export const limits = defineLimits('hicsearch', {
  rows: 5000,
  side: 2000,
  chromosomeBins: 200_000,
  compartmentBins: 2000,
  pixels: 60_000_000,
})

/** A window is drawn with no more bins than this when no resolution is asked for. */
export const usualSide = 500
/** A search reads the finest resolution at which a chromosome has no more bins than this when none is asked for. */
export const usualChromosomeBins = 10_000
/** Bins of the insulation's square when nothing is said; Crane et al. took 10 to 50. */
export const usualWindow = 10

const mapTasks = ['search', 'map', 'domains'] as const

const locusSchema = z.object({ sequence: z.string(), start: z.number(), end: z.number() })
export type Place = z.infer<typeof locusSchema>

const geneSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
})
export type MapGene = z.infer<typeof geneSchema>

const shared = {
  assembly: z.string(),
  map: bakedContactsSchema,
  resolution: z.number(),
  /** "none" for plain counts. */
  normalization: z.string(),
  /** Where the mean contact by distance comes from: averaged over each chromosome at load, or as the file tells over all of them. */
  expectedFrom: z.enum(['chromosome', 'file']).nullable(),
}

const featuresSchema = z.object({
  /** Domains that reach into the window. */
  tads: z.array(locusSchema.extend({ name: z.string().nullable() })),
  /** Loops with both ends in the window, or one at the place that was searched. */
  loops: z.array(
    z.object({ a: locusSchema, b: locusSchema, name: z.string().nullable(), score: z.number().nullable() }),
  ),
  /** Segments with their value: positive of kind A, negative of kind B. */
  compartments: z.array(locusSchema.extend({ value: z.number() })),
})
export type Features = z.infer<typeof featuresSchema>

const searchSchema = z.object({
  task: z.literal('search'),
  ...shared,
  locus: locusSchema,
  gene: z.object({ id: z.string(), symbol: z.string().nullable() }).nullable(),
  /** The bins that the place lies in. */
  view: locusSchema.extend({ bins: z.number(), usable: z.number() }),
  rows: z.array(
    locusSchema.extend({
      observed: z.number(),
      balanced: z.number().nullable(),
      expected: z.number().nullable(),
      /** Observed over expected: of balanced contacts where the map is balanced, else of counts. */
      ratio: z.number().nullable(),
      /** From the middle of the place to the middle of the bin; null between chromosomes. */
      distance: z.number().nullable(),
      genes: z.array(z.object({ id: z.string(), symbol: z.string().nullable() })),
      geneCount: z.number(),
      /** False for a sequence that is on the map alone: `sequence` is then the map's own name of it. */
      inAssembly: z.boolean(),
    }),
  ),
  /** Bins with a contact that passes, of which `rows` are the strongest. */
  total: z.number(),
  /** Sum of counts within the chromosome and to others, those that the assembly lacks included; of others null when they were not read. */
  sums: z.object({ cis: z.number(), trans: z.number().nullable() }),
  /** Sequences on the map that the assembly lacks, by their names there, with the sum of counts to each; null when they were not read. */
  lacking: z.array(z.object({ name: z.string(), observed: z.number(), bins: z.number() })).nullable(),
  /** Nearer than asked for, since more could not be read at this resolution. */
  reachedBp: z.number().nullable(),
  features: featuresSchema,
})
export type SearchResult = z.infer<typeof searchSchema>
export type ContactRow = SearchResult['rows'][number]

const axisSchema = locusSchema.extend({
  bins: z.number(),
  lengthBp: z.number(),
  genes: z.array(geneSchema),
  geneCount: z.number(),
})
export type Axis = z.infer<typeof axisSchema>

const mapSchema = z.object({
  task: z.literal('map'),
  ...shared,
  values: z.enum(['contacts', 'ratio']),
  x: axisSchema,
  y: axisSchema,
  /** Both axes are the same segment: of the matrix the half above the diagonal is told, row after row from the diagonal on. */
  symmetric: z.boolean(),
  /** Numbers of 32 bits, little-endian, in base64; NaN where the map says nothing. Rows are bins of x. */
  cells: z.string(),
  /** Contacts in the window, and the values below which this part of the cells that have one lie. */
  total: z.number(),
  quantiles: z.object({ low: z.number(), middle: z.number(), high: z.number(), highest: z.number() }).nullable(),
  features: featuresSchema,
  /** Of a BigWig track of the assembly: mean value by bin of x. */
  signal: z.object({ id: z.string(), values: z.array(z.number().nullable()) }).nullable(),
  /** Resolutions at which this window could be drawn. */
  fitting: z.array(z.number()),
})
export type MapResult = z.infer<typeof mapSchema>

const domainsSchema = z.object({
  task: z.literal('domains'),
  ...shared,
  sequence: z.string(),
  lengthBp: z.number(),
  window: z.number(),
  insulation: z.array(z.number().nullable()),
  boundaries: z.array(locusSchema.extend({ strength: z.number() })),
  tads: z.array(locusSchema),
  /** Computed at a resolution of its own; null when the chromosome is too short or has too few contacts. */
  compartments: z
    .object({
      resolution: z.number(),
      values: z.array(z.number().nullable()),
      share: z.number(),
      /** Positive where genes are dense; false when there are no genes to tell by. */
      oriented: z.boolean(),
    })
    .nullable(),
})
export type DomainsResult = z.infer<typeof domainsSchema>

const resultSchema = z.discriminatedUnion('task', [searchSchema, mapSchema, domainsSchema])
export type HicResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'hicsearch',
  route: '/tools/HicSearch',
  category: 'regulate',
  order: 70,
  icon: 'grid-3-x-3',
  mode: 'answer',
  version: 2,
  input: z.object({
    assembly: z.string().max(64),
    /** A gene by id, symbol or alias, or a region; of a map its horizontal axis. */
    locus: z.string().trim().min(1).max(200),
    /** The first of the assembly when absent. */
    map: entryIdSchema.optional(),
    /** Bin size in bases; fitting to what is asked for when absent. */
    resolution: z.int().min(1).max(100_000_000).optional(),
    /** The first of the map when absent; "none" for plain counts. */
    normalization: z.string().max(40).optional(),
    partners: z.enum(['all', 'cis', 'trans']).default('all'),
    /** Bases within the chromosome up to which contacts are listed; the whole chromosome when absent. */
    distance: z.int().min(1).max(10_000_000_000).optional(),
    /** Contacts that a bin needs to be listed. */
    minimum: z.number().min(0).max(1_000_000_000).default(1),
    task: z.enum(mapTasks).default('search'),
    /** Of a map: its vertical axis, the same as the horizontal one when absent. */
    otherLocus: z.string().trim().max(200).optional(),
    /** Of a map: contacts, or observed over expected. */
    values: z.enum(['contacts', 'ratio']).default('contacts'),
    /** Of a map: a BigWig track of the assembly whose values stand beside it. */
    signal: z.string().max(100).optional(),
    /** Of domains: bins to each side over which the insulation is averaged. */
    window: z.int().min(3).max(200).default(usualWindow),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: contactsData, entry: contactsData }],
  opens: [
    { target: 'gene', query: { locus: '{gene}', assembly: '{assembly}' }, run: true },
    { target: 'region', query: { locus: '{region}', assembly: '{assembly}' }, run: true },
  ],
  example: ({ assemblies }) => {
    const assembly = assemblies.find((one) => (one.dataTypes[contactsData] ?? 0) > 0) ?? assemblies[0]
    if (assembly === undefined) return null
    const gene = assembly.exampleGenes[0]
    if (gene !== undefined) return { assembly: assembly.id, locus: gene.id }
    const longest = [...assembly.sequences].sort((a, b) => b.lengthBp - a.lengthBp)[0]
    if (longest === undefined) return null
    const middle = Math.max(1, Math.floor(longest.lengthBp / 2))
    return { assembly: assembly.id, locus: `${longest.name}:${middle}..${Math.min(longest.lengthBp, middle + 999)}` }
  },
})
