import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { datasetSchema } from '../../contracts/expression.ts'

export const listDatasets = defineEndpoint({
  method: 'GET',
  path: '/api/tools/differentialexpression/datasets/',
  summary: 'Expression data sets of an assembly with their samples and factors',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64) }),
  output: z.object({ datasets: z.array(datasetSchema) }),
})
