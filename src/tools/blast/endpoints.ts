import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { databaseKinds } from './programs.ts'
import { limits } from './tool.ts'

// What the tool answers about a search that is done, a part at a time: the server answers these endpoints, the screen calls them.

const strandSchema = z.enum(['+', '-']).nullable()

const hitSchema = z.object({
  rank: z.number(),
  subject: z.string(),
  gene: z.string().nullable(),
  symbol: z.string().nullable(),
  title: z.string(),
  assembly: z.string().nullable(),
  kind: z.enum(databaseKinds).nullable(),
  subjectLength: z.number(),
  hspCount: z.number(),
  evalue: z.number(),
  bitScore: z.number(),
  score: z.number(),
  totalBitScore: z.number(),
  identityPercent: z.number(),
  identical: z.number(),
  lengthColumns: z.number(),
  mismatches: z.number(),
  positives: z.number(),
  positivesPercent: z.number(),
  gapOpens: z.number(),
  gaps: z.number(),
  queryFrame: z.number(),
  subjectFrame: z.number(),
  strand: strandSchema,
  queryStart1: z.number(),
  queryEnd1: z.number(),
  subjectStart1: z.number(),
  subjectEnd1: z.number(),
  queryCoveragePercent: z.number(),
  hsps: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])),
  /**
   * Of a hit in a genome: genes under its best HSP, those that it covers most first, a dozen of them, and how many there are. Absent where
   * they were not looked up, or where the assembly has no gene models.
   */
  under: z
    .object({
      genes: z.array(z.object({ id: z.string(), symbol: z.string().nullable() })),
      count: z.number().int(),
      /** False when counting stopped at the bound. */
      countExact: z.boolean(),
    })
    .optional(),
})
export type HitAnswer = z.infer<typeof hitSchema>

const overviewAnswerSchema = z.object({
  total: z.number(),
  drawn: z.number(),
  hits: z.array(hitSchema),
  assemblies: z.array(
    z.object({
      assembly: z.string(),
      sequences: z.array(z.object({ name: z.string(), lengthBp: z.number() })),
    }),
  ),
})
export type OverviewAnswer = z.infer<typeof overviewAnswerSchema>

const hspSchema = z.object({
  number: z.number(),
  identityPercent: z.number(),
  lengthColumns: z.number(),
  identical: z.number(),
  positives: z.number(),
  positivesPercent: z.number(),
  gaps: z.number(),
  queryStart1: z.number(),
  queryEnd1: z.number(),
  subjectStart1: z.number(),
  subjectEnd1: z.number(),
  queryFrame: z.number(),
  subjectFrame: z.number(),
  evalue: z.number(),
  bitScore: z.number(),
  score: z.number(),
  strand: strandSchema,
  queryRow: z.string(),
  middleRow: z.string(),
  subjectRow: z.string(),
  cut: z.boolean(),
  genes: z.array(
    z.object({
      id: z.string(),
      symbol: z.string().nullable(),
      description: z.string().nullable(),
      start: z.number(),
      end: z.number(),
      strand: z.enum(['+', '-', '.']),
    }),
  ),
})
export type HspAnswer = z.infer<typeof hspSchema>

/** Columns by which a table of hits can be put in order; `rank` is that of BLAST. */
const hitOrders = [
  'rank',
  'subject',
  'assembly',
  'subjectLength',
  'hspCount',
  'evalue',
  'bitScore',
  'totalBitScore',
  'identityPercent',
  'lengthColumns',
  'positivesPercent',
  'gaps',
  'queryCoveragePercent',
  'queryStart1',
  'subjectStart1',
] as const
export type HitOrder = (typeof hitOrders)[number]

/** Number of a query of the search, the first being 1. */
export const querySchema = z.coerce.number().int().min(1)

/** Ranks of hits, such as "1-40,52": ranges, so that thousands fit an address; read by `parseRanks` where they are used. */
export const ranksSchema = z
  .string()
  .max(60_000)
  .regex(/^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/)
  .optional()

const address = (name: string): string => `/api/tools/blast/jobs/{job}/${name}/`

export const listJobHits = defineEndpoint({
  method: 'GET',
  path: address('hits'),
  summary: 'Hits of one query of a search: filtered, in any order, a page at a time',
  tag: 'blast',
  input: z.object({
    job: jobIdSchema,
    query: querySchema.default(1),
    page: z.coerce.number().int().min(1).default(1),
    pageSize: z.coerce.number().int().min(1).max(limits.targetSequences).default(Math.min(100, limits.targetSequences)),
    order: z.enum(hitOrders).default('rank'),
    descending: z.stringbool().default(false),
    text: z.string().max(200).optional(),
    assembly: z.string().max(64).optional(),
    kind: z.enum(databaseKinds).optional(),
    maximumEvalue: z.coerce.number().min(0).optional(),
    minimumIdentity: z.coerce.number().min(0).max(100).optional(),
    minimumCoverage: z.coerce.number().min(0).max(100).optional(),
  }),
  output: z.object({ total: z.number(), found: z.number(), hits: z.array(hitSchema) }),
})

export const listJobHsps = defineEndpoint({
  method: 'GET',
  path: address('hsps'),
  summary: 'Alignments of one hit, a page at a time, with the genes under them',
  tag: 'blast',
  input: z.object({
    job: jobIdSchema,
    query: querySchema.default(1),
    hit: z.coerce.number().int().min(1),
    page: z.coerce.number().int().min(1).default(1),
    pageSize: z.coerce.number().int().min(1).max(200).default(20),
  }),
  output: z.object({ hit: hitSchema, total: z.number(), hsps: z.array(hspSchema) }),
})

export const getJobOverview = defineEndpoint({
  method: 'GET',
  path: address('overview'),
  summary: 'Places of the best hits of one query on it and on the sequences hit, for drawings',
  tag: 'blast',
  input: z.object({ job: jobIdSchema, query: querySchema.default(1) }),
  output: overviewAnswerSchema,
})

export const listJobGenes = defineEndpoint({
  method: 'GET',
  path: address('genes'),
  summary: 'Genes of the hits, or under the hits of a genome, each once, for a gene set',
  tag: 'blast',
  input: z.object({ job: jobIdSchema, query: querySchema.optional(), hits: ranksSchema }),
  output: z.object({ genes: z.array(z.object({ assembly: z.string(), id: z.string() })), cut: z.boolean() }),
})
