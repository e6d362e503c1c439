import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { interactionSetSchema } from './stored.ts'

export const listDatasets = defineEndpoint({
  method: 'GET',
  path: '/api/tools/ppi/datasets/',
  summary:
    'Data sets of interacting proteins of an assembly, and the assemblies from which interactions can be transferred to it',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64) }),
  output: z.object({
    datasets: z.array(interactionSetSchema),
    /** Other assemblies with interactions whose orthologs are known, each with the data set that is transferred. */
    sources: z.array(z.object({ assembly: z.string(), dataset: interactionSetSchema })),
  }),
})
