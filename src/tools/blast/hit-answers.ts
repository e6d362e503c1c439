import { z } from 'zod'
import { databaseKinds } from './programs.ts'

// What the tool's routes answer, as its screen reads it.

const strandSchema = z.enum(['+', '-']).nullable()

export const hitSchema = z.object({
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
})
export type HitAnswer = z.infer<typeof hitSchema>

export const hitsAnswerSchema = z.object({ total: z.number(), found: z.number(), hits: z.array(hitSchema) })

export const overviewAnswerSchema = z.object({
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

export const hspSchema = z.object({
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

export const hspsAnswerSchema = z.object({ hit: hitSchema, total: z.number(), hsps: z.array(hspSchema) })

export const genesAnswerSchema = z.object({
  genes: z.array(z.object({ assembly: z.string(), id: z.string() })),
  cut: z.boolean(),
})
