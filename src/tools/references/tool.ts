import { z } from 'zod'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { citedDataSetSchema, publicationFields } from '../../contracts/publication.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('references', { pageSize: 200, chosen: 2000 })

export const sortKeys = ['relevance', 'newest', 'oldest', 'title', 'author'] as const

const word = z.string().trim().max(200).default('')
const year = z.coerce.number().int().min(1500).max(2200).nullish()

export const searchFields = {
  /** All words must be found, in any field; "…" holds words together. */
  words: z.string().trim().max(500).default(''),
  species: z.string().max(64).default(''),
  /** Publications that are about this assembly. */
  assembly: z.string().max(64).default(''),
  /** Publications that name this gene: id, symbol or alias. */
  gene: word,
  /** The assembly in which the name of the gene is looked up; every one when empty. */
  geneAssembly: z.string().max(64).default(''),
  keyword: word,
  yearFrom: year,
  yearTo: year,
  sort: z.enum(sortKeys).default('relevance'),
}

export const keySchema = z.object({ species: z.string().max(64), key: z.string().min(1).max(300) })
export type PublicationKey = z.output<typeof keySchema>

/** How a publication is known to touch a gene. */
const geneReasons = ['entry', 'keyword', 'text'] as const

const touchedGeneSchema = z.object({
  /** As the publication writes it. */
  name: z.string(),
  by: z.enum(geneReasons),
  genes: z.array(geneSummarySchema),
})

const publicationSchema = z.object({
  species: z.string(),
  key: z.string(),
  /** Under which keys which species have it, the one above first. */
  records: z.array(z.object({ species: z.string(), key: z.string() })),
  type: z.string(),
  ...publicationFields,
  dataSets: z.array(citedDataSetSchema),
  genes: z.array(touchedGeneSchema),
})
export type FoundPublication = z.output<typeof publicationSchema>

export default defineTool({
  id: 'references',
  route: '/references',
  category: 'find',
  order: 60,
  icon: 'book-marked',
  mode: 'answer',
  version: 3,
  input: z.object({
    ...searchFields,
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(limits.pageSize).default(Math.min(25, limits.pageSize)),
  }),
  result: z.object({
    publications: z.array(publicationSchema),
    total: z.number(),
    /** Publications loaded, whatever was asked. */
    loaded: z.number(),
    page: z.number(),
    pageSize: z.number(),
    /** Each counted with all other conditions in force but its own. */
    facets: z.object({
      years: z.array(z.object({ year: z.number(), count: z.number() })),
      species: z.array(z.object({ species: z.string(), name: z.string(), count: z.number() })),
      assemblies: z.array(z.object({ assembly: z.string(), count: z.number() })),
      /** Commonest first; those that are names of genes are left out. */
      keywords: z.array(z.object({ keyword: z.string(), count: z.number() })),
    }),
    /** Words that no publication has, and as what they were read. */
    corrections: z.array(z.object({ typed: z.string(), read: z.string() })),
    /** What the name of the gene was read as; null when none was asked for. */
    gene: z.object({ query: z.string(), genes: z.array(geneSummarySchema) }).nullable(),
  }),
  limits,
  needs: [],
  opens: [{ target: 'publication', query: { words: '{title}', species: '{species}' } }],
  example: ({ assemblies }) => {
    const first = assemblies.find((one) => one.reference) ?? assemblies[0]
    return first === undefined ? null : { species: first.species, sort: 'newest' as const }
  },
})
