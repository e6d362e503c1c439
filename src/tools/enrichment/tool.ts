import { z } from 'zod'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('enrichment', {
  genes: 20_000,
  backgroundGenes: 100_000,
  annotationCharacters: 11_000_000,
  shownTerms: 10_000,
  graphTerms: 25,
})

const annotationKinds = ['loaded', 'own'] as const
const ownFormats = ['auto', 'gmt', 'table'] as const
const backgroundKinds = ['annotated', 'all', 'own'] as const
export const corrections = ['bh', 'holm', 'bonferroni'] as const
const testedKinds = ['all', 'hit'] as const
export const directions = ['more', 'fewer', 'both'] as const
export const correctionScopes = ['collection', 'vocabulary', 'all'] as const

export const inputSchema = z.object({
  genes: identifiersSchema(limits.genes),
  assembly: assemblyIdSchema.optional(),
  annotation: z.enum(annotationKinds).default('loaded'),
  /** Ids of collections, such as `GO/biological_process`, or of whole vocabularies, such as `GO`; all when empty. */
  collections: z
    .union([z.string().max(20_000), z.array(z.string().max(200)).max(200)])
    .default([])
    .transform((value) => (typeof value === 'string' ? value.split(',') : value).filter((id) => id !== '')),
  ownAnnotation: z.string().max(limits.annotationCharacters, 'own.tooLong').default(''),
  ownFormat: z.enum(ownFormats).default('auto'),
  background: z.enum(backgroundKinds).default('annotated'),
  backgroundGenes: z
    .string()
    .max(limits.backgroundGenes * 40, 'backgroundGenes.tooLong')
    .default(''),
  /** Of an own background: genes without any term of a collection say nothing of it, and are left out. */
  annotatedOnly: z.boolean().default(true),
  minSize: z.coerce.number().int().min(1).max(1_000_000).default(3),
  maxSize: z.coerce.number().int().min(1).max(1_000_000).default(2000),
  /** What is tested for: more genes of the set than chance puts there (enrichment), fewer (depletion), or either. */
  direction: z.enum(directions).default('more'),
  correction: z.enum(corrections).default('bh'),
  /** The tests that are corrected together: of one collection, of all collections of a vocabulary (the branches of GO), or all. */
  correctedOver: z.enum(correctionScopes).default('collection'),
  tested: z.enum(testedKinds).default('all'),
  threshold: z.coerce.number().positive().max(1).default(0.05),
  propagate: z.boolean().default(true),
})
export type EnrichmentInput = z.output<typeof inputSchema>

const noteSchema = z.object({
  query: z.string(),
  id: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

const collectionSchema = z.object({
  id: z.string(),
  /** The vocabulary: GO, InterPro …; null of an annotation that was given along. */
  source: z.string().nullable(),
  namespace: z.string().nullable(),
  /** Its terms lie above each other. */
  hierarchical: z.boolean(),
  /** Genes with any of its terms. */
  annotatedGenes: z.number(),
  backgroundGenes: z.number(),
  setGenes: z.number(),
  /** Genes of the set that are not in the background, as positions in `genes`. */
  outside: z.array(z.number()),
  /** Terms with genes of the background; of these tested, too small, too large, or without a gene of the set. */
  terms: z.number(),
  tests: z.number(),
  small: z.number(),
  large: z.number(),
  unhit: z.number(),
  /** Tests that were corrected together with those of this collection, these among them. */
  correctedTests: z.number(),
  significant: z.number(),
})
export type CollectionResult = z.infer<typeof collectionSchema>

const termSchema = z.object({
  /** Position in `collections`. */
  collection: z.number(),
  id: z.string(),
  name: z.string().nullable(),
  setCount: z.number(),
  backgroundCount: z.number(),
  /** Share of the set over share of the background. */
  fold: z.number(),
  /** Sample odds ratio of the two-by-two table; null where a cell that divides is empty. */
  oddsRatio: z.number().nullable(),
  pValue: z.number(),
  adjustedPValue: z.number(),
  /** Genes of the set that have it, as positions in `genes`. */
  genes: z.array(z.number()),
})
export type TermResult = z.infer<typeof termSchema>

const nodeSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  setCount: z.number(),
  backgroundCount: z.number(),
  /** Null where it was not tested: too small, too large. */
  adjustedPValue: z.number().nullable(),
})
export type GraphNode = z.infer<typeof nodeSchema>

const graphSchema = z.object({
  collection: z.number(),
  /** The terms that lead, with all that stand above them. */
  nodes: z.array(nodeSchema),
  /** From below to above, by positions in `nodes`; what follows from other edges is left out. */
  edges: z.array(z.tuple([z.number(), z.number()])),
  /** Enriched terms that are shown, of how many. */
  shown: z.number(),
  of: z.number(),
})
export type TermGraph = z.infer<typeof graphSchema>

export const resultSchema = z.object({
  assembly: z.string().nullable(),
  /** Genes of the set as they were found, repeats gone. */
  genes: z.array(z.object({ id: z.string(), symbol: z.string().nullable() })),
  asked: z.number(),
  problems: z.array(noteSchema),
  problemCount: z.number(),
  background: z.object({
    kind: z.enum(backgroundKinds),
    /** Names given, and genes found by them; null where no list was given. */
    given: z.number().nullable(),
    found: z.number().nullable(),
    unknown: z.array(z.string()),
  }),
  annotation: z.object({
    kind: z.enum(annotationKinds),
    format: z.enum(['gmt', 'table']).nullable(),
    /** Terms that the ontology has under another id, that are obsolete with or without one that replaces them, or that it lacks. */
    alternative: z.number(),
    replaced: z.number(),
    obsolete: z.array(z.string()),
    obsoleteCount: z.number(),
    missing: z.number(),
    /** Genes of an own annotation that no gene is known by. */
    unknownGenes: z.array(z.string()),
    unknownGeneCount: z.number(),
  }),
  collections: z.array(collectionSchema),
  /** Best first within a collection; those without a gene of the set are left out where only more is tested for. */
  terms: z.array(termSchema),
  termCount: z.number(),
  graphs: z.array(graphSchema),
})
export type EnrichmentResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'enrichment',
  route: '/tools/enrichment',
  category: 'express',
  order: 40,
  icon: 'chart-scatter',
  mode: 'answer',
  version: 2,
  input: inputSchema,
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'genes', entry: 'genes' }],
  example: ({ assemblies }) => {
    const able = assemblies.filter((one) => (one.dataTypes.annotation ?? 0) > 0 && one.exampleGenes.length > 0)
    const assembly =
      able.find((one) => one.reference) ?? able[0] ?? assemblies.find((one) => one.exampleGenes.length > 0)
    if (assembly === undefined) return null
    return { genes: assembly.exampleGenes.map((gene) => gene.id), assembly: assembly.id }
  },
})
