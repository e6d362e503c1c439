import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

/** What an entry of the search index is; a tool's loader may add further types. */
const searchEntrySchema = z.object({
  type: z.string(),
  /** Identity within its type and assembly. */
  id: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  species: z.string(),
  assembly: z.string().nullable(),
  sequence: z.string().nullable(),
  start: z.number().nullable(),
  end: z.number().nullable(),
  strand: z.string().nullable(),
})
export type SearchEntry = z.infer<typeof searchEntrySchema>

const scope = {
  type: z.string().max(40).optional(),
  species: z.string().max(64).optional(),
  assembly: z.string().max(64).optional(),
  sequence: z.string().max(200).optional(),
}

/** Of entries that are one gene in several assemblies (`orthologs=true`). */
const orthologs = z.stringbool().optional()
/** The same gene in another assembly of its species stands before it in the same answer: its number there, from 0; null of all others, and where `orthologs` was not asked for. */
const orthologOf = z.number().int().nullable()

const namedGeneSchema = z.object({ assembly: z.string(), id: z.string(), symbol: z.string().nullable() })

export const search = defineEndpoint({
  method: 'GET',
  path: '/api/search/',
  summary: 'Ranked search over genes, transcripts, terms, references and all that is loaded',
  tag: 'search',
  input: z.object({
    q: z.string().max(500),
    ...scope,
    page: z.coerce.number().int().min(1).max(500).default(1),
    pageSize: z.coerce.number().int().min(1).max(100).default(20),
    /** `true`: entries that are one gene in several assemblies are marked as such (`orthologOf`), for which homologs are looked up. */
    orthologs,
  }),
  output: z.object({
    entries: z.array(searchEntrySchema.extend({ orthologOf })),
    total: z.number(),
    /** False when counting stopped at the bound: `total` is then a lower bound. */
    totalExact: z.boolean(),
    facets: z.object({
      type: z.record(z.string(), z.number()),
      species: z.record(z.string(), z.number()),
      assembly: z.record(z.string(), z.number()),
    }),
    /** Words that were read as others because nothing has them as typed. */
    corrections: z.array(z.object({ typed: z.string(), read: z.string() })),
    /** What names species or assemblies, to which the search was narrowed for it; `species` where these are named as a whole. */
    narrowed: z.object({ typed: z.string(), assemblies: z.array(z.string()), species: z.array(z.string()) }).nullable(),
    /** Names of genes that are nearly what was typed, where nothing is found; of a change of an unknown gene each with the change. */
    near: z.array(z.string()),
    /** True when nothing has all the words, and these entries have some of them. */
    anyWord: z.boolean(),
    /** With `anyWord`: the words of which these entries have some, and those that were not searched for: nothing has them, or too much. */
    anyOf: z
      .object({ searched: z.array(z.string()), dropped: z.array(z.string()) })
      .nullable()
      .default(null),
    /**
     * A change of a gene, when the query is one (`katG S315T`, `katG:c.944G>C`): how HGVS writes it, and the genes of that name, those of
     * references first. The entries are then what the gene's name alone finds.
     */
    change: z
      .object({ written: z.string(), genes: z.array(namedGeneSchema) })
      .nullable()
      .default(null),
    /**
     * That the query asks what genomes lack (`absent in BCG`, `esxA deleted`): the word that asks it, the genomes that it names, and the
     * genes. Of both there is at least one.
     */
    absence: z
      .object({ typed: z.string(), assemblies: z.array(z.string()), genes: z.array(namedGeneSchema) })
      .nullable()
      .default(null),
    /** A region, when the query is one. */
    region: z
      .object({
        assembly: z.string(),
        sequence: z.string(),
        start: z.number(),
        end: z.number(),
        /** `-` where it was written with the start above the end. */
        strand: z.enum(['+', '-']),
      })
      .nullable(),
  }),
})
export type SearchAnswer = z.infer<typeof search.output>

export const suggest = defineEndpoint({
  method: 'GET',
  path: '/api/search/suggest/',
  summary: 'Names that begin with what is typed',
  tag: 'search',
  input: z.object({
    q: z.string().max(200),
    ...scope,
    limit: z.coerce.number().int().min(1).max(100).default(8),
    /** As in the search: which suggestions are one gene is then looked up. */
    orthologs,
  }),
  output: z.object({ entries: z.array(searchEntrySchema.extend({ matched: z.string(), orthologOf })) }),
})
