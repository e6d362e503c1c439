import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { geneSummarySchema, transcriptSchema } from './genes.ts'
import { publicationFields } from './publication.ts'

/** Records of what is not a gene, by their type; tools bring further types with pages of their own. */
export const detailTypes = ['transcript', 'term', 'reference', 'sequence'] as const

const namedTerm = z.object({ id: z.string(), name: z.string().nullable() })

const detailSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('transcript'),
    assembly: z.string(),
    gene: geneSummarySchema,
    transcript: transcriptSchema,
  }),
  z.object({
    type: z.literal('term'),
    species: z.string(),
    source: z.string(),
    id: z.string(),
    name: z.string().nullable(),
    namespace: z.string().nullable(),
    definition: z.string().nullable(),
    obsolete: z.boolean(),
    replacedBy: z.string().nullable(),
    synonyms: z.array(z.string()),
    alternativeIds: z.array(z.string()),
    parents: z.array(namedTerm),
    children: z.array(namedTerm),
    /** Genes of each assembly that carry the term itself or one below it, with the first of them. */
    assemblies: z.array(z.object({ assembly: z.string(), geneCount: z.number(), genes: z.array(geneSummarySchema) })),
  }),
  z.object({
    type: z.literal('reference'),
    species: z.string(),
    id: z.string(),
    ...publicationFields,
  }),
  z.object({
    type: z.literal('sequence'),
    assembly: z.string(),
    name: z.string(),
    aliases: z.array(z.string()),
    role: z.enum(['chromosome', 'accessory', 'organelle', 'plasmid', 'scaffold']),
    lengthBp: z.number(),
    gcCount: z.number(),
    nCount: z.number(),
    circular: z.boolean(),
    geneticCode: z.number(),
    geneCount: z.number(),
    md5: z.string(),
    sha512t24u: z.string(),
  }),
])
export type Detail = z.infer<typeof detailSchema>

export const getDetail = defineEndpoint({
  method: 'GET',
  path: '/api/details/{type}/{id}/',
  summary: 'The record of a transcript, an ontology term, a publication or a sequence',
  tag: 'data',
  input: z.object({
    type: z.enum(detailTypes),
    id: z.string().min(1).max(300),
    assembly: z.string().max(64).optional(),
    species: z.string().max(64).optional(),
  }),
  output: detailSchema,
})
