import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { localizedTextSchema } from '../../contracts/text.ts'

const pathwaySchema = z.object({
  source: z.string(),
  id: z.string(),
  name: z.string().nullable(),
  geneCount: z.number(),
  /** A drawing of it is loaded. */
  drawn: z.boolean(),
})
export type Pathway = z.infer<typeof pathwaySchema>

const sourceSchema = z.object({
  id: z.string(),
  title: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  pathways: z.number(),
})

const pathwayGeneSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
})
export type PathwayGene = z.infer<typeof pathwayGeneSchema>

const nodeSchema = z.object({
  id: z.string(),
  kind: z.enum(['gene', 'compound', 'pathway', 'group', 'label', 'shape']),
  label: z.string(),
  names: z.array(z.string()),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  round: z.boolean(),
  genes: z.array(z.string()),
  /** Of a node that stands for another pathway: that one, where it is loaded. */
  leadsTo: z.string().nullable(),
})
export type MapNode = z.infer<typeof nodeSchema>

const arrowSchema = z.enum(['none', 'arrow', 'inhibition'])

const drawingSchema = z.object({
  format: z.enum(['kgml', 'gpml']),
  organism: z.string().nullable(),
  width: z.number(),
  height: z.number(),
  nodes: z.array(nodeSchema),
  edges: z.array(
    z.object({
      points: z.array(z.tuple([z.number(), z.number()])),
      arrow: arrowSchema,
      backArrow: arrowSchema,
      dashed: z.boolean(),
    }),
  ),
})

const namedSchema = z.object({ id: z.string(), name: z.string().nullable() })

export const getPathway = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pathway/map/',
  summary: 'A pathway: its genes, its drawing where one is loaded, and the pathways that share genes with it',
  tag: 'tools',
  input: z.object({
    assembly: z.string().max(64).optional(),
    source: z.string().max(60).default(''),
    id: z.string().min(1).max(300),
  }),
  output: z.object({
    assembly: z.string(),
    source: z.string(),
    title: localizedTextSchema.nullable(),
    licence: z.string().nullable(),
    id: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    genes: z.array(pathwayGeneSchema),
    parents: z.array(namedSchema),
    children: z.array(namedSchema),
    drawing: drawingSchema.nullable(),
    /** Other pathways of the source with most of these genes, which they share. */
    related: z.array(namedSchema.extend({ geneCount: z.number(), shared: z.array(z.string()) })),
  }),
})
export type PathwayAnswer = z.infer<typeof getPathway.output>

export const getExpressionValues = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pathway/values/',
  summary:
    'Values of the genes of a pathway: log2 fold changes of a comparison, or the mean of a group of samples above that of all others',
  tag: 'tools',
  input: z.object({
    assembly: z.string().max(64),
    source: z.string().max(60).default(''),
    id: z.string().min(1).max(300),
    dataset: z.string().max(100),
    contrast: z.string().max(100).default(''),
    /** A group of samples, by the factor that the data set is grouped by; without `contrast`. */
    level: z.string().max(200).default(''),
  }),
  output: z.object({
    dataset: z.string(),
    simulated: z.boolean(),
    /** Of genes that have one; those without a read or insertion in any sample are in `uncounted` and have none. */
    values: z.array(z.object({ gene: z.string(), value: z.number() })),
    /** Genes whose values are 0 in all samples: that they do not differ says nothing. */
    uncounted: z.array(z.string()),
    /** What these have none of. */
    counted: z.enum(['insertions', 'reads']),
  }),
})
export type ExpressionValues = z.infer<typeof getExpressionValues.output>

export const listGenePathways = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pathway/gene/',
  summary: 'Pathways of a gene',
  tag: 'tools',
  input: z.object({ assembly: z.string().min(1).max(64), gene: z.string().min(1).max(200) }),
  output: z.object({ pathways: z.array(pathwaySchema) }),
})

export const pathwayListSchema = z.object({
  assembly: z.string().nullable(),
  sources: z.array(sourceSchema),
  pathways: z.array(pathwaySchema.extend({ setGenes: z.array(z.string()) })),
  /** Of the set asked with: found, and names not found. */
  setSize: z.number(),
  /** Symbols of the genes of the set, by their ids. */
  symbols: z.record(z.string(), z.string()),
  unknown: z.array(z.string()),
})
export type PathwayList = z.infer<typeof pathwayListSchema>
