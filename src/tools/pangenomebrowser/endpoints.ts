import { z } from 'zod'
import { variantClasses } from '../../bio/alignment/structural-variants.ts'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { locusFields } from '../../contracts/region.ts'
import { graphSchema } from './tool.ts'

export const listGraphs = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pangenomebrowser/graphs/',
  summary: 'Pan-genome graphs of an assembly',
  tag: 'tools',
  input: z.object({ assembly: z.string().min(1).max(64) }),
  output: z.object({ graphs: z.array(graphSchema) }),
})

export const getOverview = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pangenomebrowser/overview/',
  summary: 'How much of an assembly’s sequence each sample of a graph has, and what it has besides, by bins',
  tag: 'tools',
  input: z.object({
    assembly: z.string().min(1).max(64),
    graph: z.string().min(1).max(100),
    sequence: z.string().min(1).max(200),
  }),
  output: z.object({
    segments: z.array(
      z.object({
        binBp: z.number(),
        start0: z.number(),
        samples: z.array(
          z.object({
            name: z.string(),
            /** Percent of the bin's bases; -1 where the sample has no path near. */
            present: z.array(z.number()),
            insertedBp: z.array(z.number()),
          }),
        ),
      }),
    ),
  }),
})
export type OverviewAnswer = z.infer<typeof getOverview.output>

const locus = {
  /** The reference assembly of its species. */
  assembly: z.string().min(1).max(64),
  ...locusFields,
}

const strand = z.enum(['+', '-'])
const side = z.enum(['left', 'right'])

/** Most variants that one answer has. */
export const maxListed = 5000

export const listStructuralVariants = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pangenomebrowser/structural-variants/',
  summary: 'Structural variants of the assemblies of a species against its reference, in a region of that',
  tag: 'tools',
  input: z.object({
    ...locus,
    /** Only of this class. */
    class: z.enum(variantClasses).optional(),
    /** Only of at least so many bases; breakpoints have no length and are always listed. */
    minBp: z.coerce.number().int().min(0).optional(),
    /** Only those that this assembly has. */
    carrier: z.string().max(64).optional(),
    limit: z.coerce.number().int().min(1).max(maxListed).default(1000),
  }),
  output: z.object({
    variants: z.array(
      z.object({
        id: z.string(),
        class: z.enum(variantClasses),
        sequence: z.string(),
        start: z.number(),
        end: z.number(),
        lengthBp: z.number(),
        mate: z.object({ sequence: z.string(), position: z.number(), side, otherSide: side }).nullable(),
        carriers: z.array(
          z.object({ assembly: z.string(), sequence: z.string(), start: z.number(), end: z.number(), strand }),
        ),
        without: z.array(z.string()),
      }),
    ),
    truncated: z.boolean(),
  }),
})

export const listAlignedSegments = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pangenomebrowser/aligned/',
  summary:
    'What each assembly of a species has of a region of its reference: aligned, deleted, replaced, or nothing known',
  tag: 'tools',
  input: z.object(locus),
  output: z.object({
    /** Whether other assemblies are aligned to this one, which takes a while after a load. */
    aligned: z.boolean(),
    assemblies: z.array(
      z.object({
        assembly: z.string(),
        spans: z.array(
          z.object({ start: z.number(), end: z.number(), state: z.enum(['aligned', 'deleted', 'replaced']) }),
        ),
      }),
    ),
  }),
})
