import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { datasetSchema } from '../../contracts/expression.ts'

export const listDatasets = defineEndpoint({
  method: 'GET',
  path: '/api/tools/coexpression/datasets/',
  summary: 'Expression data sets of an assembly over which genes can be correlated',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64) }),
  output: z.object({ datasets: z.array(datasetSchema) }),
})

export const getExample = defineEndpoint({
  method: 'GET',
  path: '/api/tools/coexpression/example/',
  summary: 'A gene of an assembly whose expression many others follow closely; null where there is none',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64) }),
  output: z.object({ gene: z.string().nullable() }),
})
