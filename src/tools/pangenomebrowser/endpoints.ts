import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { graphSchema } from './tool.ts'

export const listGraphs = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pangenomebrowser/graphs',
  summary: 'Pan-genome graphs of an assembly',
  tag: 'tools',
  input: z.object({ assembly: z.string().min(1).max(64) }),
  output: z.object({ graphs: z.array(graphSchema) }),
})

export const getOverview = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pangenomebrowser/overview',
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
