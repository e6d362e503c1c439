import { z } from 'zod'
import { transposonForms } from '../../bio/repeats/transposons.ts'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { elementSummarySchema } from '../../kit/data/element-data.ts'
import { elementSchema, geneElementSchema, geneRelations } from './tool.ts'

export const summaryAnswer = z.object({
  assembly: z.string(),
  /** Null where no elements are loaded for the assembly. */
  summary: elementSummarySchema.nullable(),
  /** Assemblies that have elements. */
  loaded: z.array(z.object({ assembly: z.string(), count: z.number() })),
})
export type SummaryAnswer = z.infer<typeof summaryAnswer>

const words = z.string().trim().max(200).default('')
const list = z
  .string()
  .max(500)
  .default('')
  .transform((text) => text.split(',').filter((one) => one !== ''))
/** Lengths are compared as integers of 32 bits. */
const wholeBp = z.coerce.number().int().min(0).max(2_000_000_000).optional()
const percent = z.coerce.number().min(0).max(100).optional()

export const filterFields = {
  assembly: z.string().max(64).optional(),
  /** Part of an id or a family. */
  q: words,
  /** Wicker's codes, with commas between; a code ending in X of an order stands for that code alone. */
  codes: list,
  /** Orders, with commas between. */
  orders: list,
  forms: list.refine((forms) => forms.every((form) => transposonForms.some((one) => one === form))),
  /** Exact. */
  family: words,
  /** Sequence, or region as chr1:1000-2000. */
  region: words,
  minBp: wholeBp,
  maxBp: wholeBp,
  minLtrIdentity: percent,
  /** Substitutions at 100 sites: more than 100 where sites changed more than once. */
  maxDivergence: z.coerce.number().min(0).max(1000).optional(),
}

export const pageFields = {
  sort: z.enum(['position', 'length', 'family', 'divergence', 'ltrIdentity']).default('position'),
  descending: z
    .enum(['0', '1', 'true', 'false'])
    .default('0')
    .transform((value) => value === '1' || value === 'true'),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(500).default(50),
}

export const elementsAnswer = z.object({
  assembly: z.string(),
  elements: z.array(elementSchema),
  total: z.number(),
  /** Of all that pass, overlaps counted as often as they occur. */
  bases: z.number(),
  page: z.number(),
  pageSize: z.number(),
  /** Substitutions a site and year as the administrator states them. */
  rate: z.number().nullable(),
})
export type ElementsAnswer = z.infer<typeof elementsAnswer>

const nearGene = z.object({
  gene: geneSummarySchema,
  relation: z.enum(geneRelations),
  distanceBp: z.number(),
})

export const elementAnswer = z.object({
  element: elementSchema,
  /** As the file writes it. */
  givenClass: z.string().nullable(),
  source: z.string(),
  parts: z.array(
    z.object({
      type: z.string(),
      start: z.number(),
      end: z.number(),
      strand: z.string(),
      name: z.string().nullable(),
      evalue: z.number().nullable(),
      /** What a domain's profile does, where its name tells. */
      kind: z.string().nullable(),
    }),
  ),
  targetSite: z.string().nullable(),
  genes: z.array(nearGene),
  /** Elements that overlap it, or lie within it. */
  overlapping: z.array(elementSchema),
  familyCount: z.number(),
  rate: z.number().nullable(),
  sequenceLengthBp: z.number(),
  /** On the element's strand; null where it is longer than a page shows. */
  bases: z.string().nullable(),
})
export type ElementAnswer = z.infer<typeof elementAnswer>

export const geneAnswer = z.object({
  rows: z.array(geneElementSchema),
  flankBp: z.number(),
  rate: z.number().nullable(),
})
export type GeneAnswer = z.infer<typeof geneAnswer>
