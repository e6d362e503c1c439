import { z } from 'zod'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('genemapping', { genes: 5000, features: 20_000, links: 2000, characters: 5_000_000 })

const sequenceSchema = z.object({
  name: z.string(),
  lengthBp: z.number(),
  circular: z.boolean(),
  /** Features on it. */
  count: z.number(),
})
export type MappedSequence = z.infer<typeof sequenceSchema>

const featureSchema = z.object({
  name: z.string(),
  /** Id of the gene, where the feature is one. */
  gene: z.string().nullable(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-', '.']),
  group: z.string(),
})
export type MappedFeature = z.infer<typeof featureSchema>

const endSchema = z.object({ name: z.string(), sequence: z.string(), start: z.number(), end: z.number() })
const linkSchema = z.object({ from: endSchema, to: endSchema, group: z.string() })
export type MappedLink = z.infer<typeof linkSchema>

const resultSchema = z.object({
  assembly: z.string(),
  /** Those with a feature, and the longest others; in the order of the assembly. */
  sequences: z.array(sequenceSchema),
  /** Of all sequences of the assembly. */
  sequenceTotal: z.number(),
  features: z.array(featureSchema),
  links: z.array(linkSchema),
  /** Pairs of one orthogroup that there are beyond those given. */
  linksCut: z.number(),
  unknown: z.array(z.string()),
  ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
  /** Lines that gave nothing, of which the first are told. */
  problems: z.array(
    z.object({ field: z.enum(['features', 'links']), line: z.number(), id: z.string(), text: z.string() }),
  ),
  problemTotal: z.number(),
})
export type GeneMap = z.infer<typeof resultSchema>

export default defineTool({
  id: 'genemapping',
  route: '/tools/genemapping',
  category: 'compare',
  order: 60,
  icon: 'map-pinned',
  mode: 'answer',
  version: 1,
  input: z.object({
    assembly: z.string().max(64),
    genes: identifiersSchema(limits.genes).optional(),
    /** Lines of GFF3, BED or a table of positions, or genes with groups. */
    features: z.string().max(limits.characters).default(''),
    /** Pairs of genes or regions, one a line. */
    links: z.string().max(limits.characters).default(''),
    /** Joins genes of one orthogroup: the copies that a genome has. */
    family: z.boolean().default(false),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'genes', entry: 'genes' }],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => one.reference && one.exampleGenes.length > 0) ??
      assemblies.find((one) => one.exampleGenes.length > 0)
    if (assembly === undefined) return null
    return {
      assembly: assembly.id,
      genes: assembly.exampleGenes.slice(0, limits.genes).map(({ id }) => id),
      family: true,
    }
  },
})
