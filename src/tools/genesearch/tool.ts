import { z } from 'zod'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('genesearch', {
  names: 5000,
  groups: 10,
  rowsAGroup: 10,
  pageSize: 500,
  setGenes: 5000,
})

const not = z.boolean().default(false)
const text = z.string().trim().min(1).max(500)
const bound = z.number().int().min(0).max(2_000_000_000).nullish()

/** The last two are of a comparison. */
export const expressionMeasures = ['mean', 'tau', 'log2FoldChange', 'adjustedPValue'] as const
export type ExpressionMeasure = (typeof expressionMeasures)[number]

/** One row of the form; `not` turns it round. */
const criterionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('names'), not, names: identifiersSchema(limits.names) }),
  z.object({ kind: z.literal('text'), not, text }),
  z.object({ kind: z.literal('prefix'), not, text }),
  z.object({
    kind: z.literal('location'),
    not,
    /** As in Sequence fetch: `chr1`, `chr1:1000..2000`. */
    region: text,
    strand: z.enum(['any', '+', '-']).default('any'),
    within: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('term'),
    not,
    /** Empty for any vocabulary. */
    source: z.string().max(60).default(''),
    /** Id or name; empty for any term of the vocabulary. */
    term: z.string().trim().max(500).default(''),
    descendants: z.boolean().default(true),
  }),
  z.object({ kind: z.literal('biotype'), not, biotypes: z.array(z.string().max(200)).min(1).max(100) }),
  z.object({
    kind: z.literal('length'),
    not,
    measure: z.enum(['gene', 'protein', 'exons', 'transcripts']),
    minimum: bound,
    maximum: bound,
  }),
  z.object({
    kind: z.literal('expression'),
    not,
    /** By id; the assembly's first when empty. */
    dataset: z.string().max(100).default(''),
    /** Mean of the samples (counts as counts per million), specificity over the groups of samples, or what a loaded comparison says. */
    measure: z.enum(expressionMeasures).default('mean'),
    /** Of the data set, for the measures of a comparison; its first when empty. */
    contrast: z.string().max(100).default(''),
    /** A group of samples by which the data set is grouped at first; all samples when empty. */
    level: z.string().max(200).default(''),
    minimum: z.number().nullish(),
    maximum: z.number().nullish(),
  }),
])
export type Criterion = z.output<typeof criterionSchema>
export type CriterionInput = z.input<typeof criterionSchema>

/** Groups that must all hold, of rows of which any is enough. */
export type SearchQuestion = readonly { rows: readonly Criterion[] }[]

export const sortKeys = [
  'position',
  'id',
  'symbol',
  'biotype',
  'lengthBp',
  'proteinLength',
  'exonCount',
  'transcriptCount',
] as const
export type SortKey = (typeof sortKeys)[number]

export const searchFields = {
  /** Empty for all assemblies. */
  assemblies: z.array(z.string().max(64)).max(500).default([]),
  /** All groups must hold; in a group any row is enough. No group: every gene. */
  groups: z
    .array(z.object({ rows: z.array(criterionSchema).min(1).max(limits.rowsAGroup) }))
    .max(limits.groups)
    .default([]),
  sort: z.enum(sortKeys).default('position'),
  descending: z.boolean().default(false),
  /** Vocabularies whose terms are columns of the table. */
  annotations: z.array(z.string().max(60)).max(20).default([]),
  /** Comparisons that are columns of the table, `data set/comparison`. */
  comparisons: z.array(z.string().max(201)).max(10).default([]),
}

const changeSchema = z.object({
  log2FoldChange: z.number().nullable(),
  pValue: z.number().nullable(),
  adjustedPValue: z.number().nullable(),
})
export type Change = z.infer<typeof changeSchema>

const foundGeneSchema = geneSummarySchema.extend({
  name: z.string().nullable(),
  aliases: z.array(z.string()),
  lengthBp: z.number(),
  proteinLength: z.number().nullable(),
  exonCount: z.number(),
  transcriptCount: z.number(),
  /** By vocabulary: ids with their names. */
  terms: z.record(z.string(), z.array(z.object({ term: z.string(), name: z.string().nullable() }))),
  /** By comparison asked for: only those whose table has the gene. */
  comparisons: z.record(z.string(), changeSchema),
})
export type FoundGene = z.infer<typeof foundGeneSchema>

/** How a row was read, or why it finds nothing; `message` is a message id. */
const readingSchema = z.object({
  group: z.number(),
  row: z.number(),
  message: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Reading = z.infer<typeof readingSchema>

export default defineTool({
  id: 'genesearch',
  route: '/tools/GeneSearch',
  category: 'find',
  order: 5,
  icon: 'list-filter',
  mode: 'answer',
  version: 1,
  input: z.object({
    ...searchFields,
    page: z.number().int().min(1).max(100_000).default(1),
    pageSize: z.number().int().min(1).max(limits.pageSize).default(Math.min(50, limits.pageSize)),
  }),
  result: z.object({
    genes: z.array(foundGeneSchema),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
    byAssembly: z.array(z.object({ assembly: z.string(), count: z.number() })),
    readings: z.array(readingSchema),
  }),
  limits,
  needs: [{ kind: 'data', dataType: 'genes', entry: 'genes' }],
  opens: [
    {
      target: 'genesInRegion',
      query: {
        assemblies: '{assembly}',
        groups: [{ rows: [{ kind: 'location', region: '{region}' }] }],
      },
      run: true,
      look: 'primary',
    },
    {
      target: 'genesOfTerm',
      query: { assemblies: '{assemblies}', groups: [{ rows: [{ kind: 'term', term: '{term}' }] }] },
      run: true,
    },
    { target: 'genesOfAssemblies', query: { assemblies: '{assemblies}' }, run: true },
  ],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => one.reference && one.geneCount > 0) ?? assemblies.find((one) => one.geneCount > 0)
    if (assembly === undefined) return null
    // A word that a well described gene of the portal and of this length has, so that there is something to find.
    const minimum = 500
    const long = assembly.exampleGenes.filter(({ start, end }) => end - start + 1 >= minimum)
    const words = long.flatMap((gene) => gene.description?.match(/[A-Za-z]{6,}/g) ?? [])
    const groups: z.input<typeof searchFields.groups> = []
    const word = words.find((one) => !/protein|putative|hypothetical|probable/i.test(one))
    if (word !== undefined) groups.push({ rows: [{ kind: 'text', text: word.toLowerCase() }] })
    groups.push({ rows: [{ kind: 'length', measure: 'gene', minimum }] })
    return { assemblies: [assembly.id], groups }
  },
})
