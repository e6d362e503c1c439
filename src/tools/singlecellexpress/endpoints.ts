import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { cellDatasetSchema } from './stored.ts'

export const listCellDatasets = defineEndpoint({
  method: 'GET',
  path: '/api/tools/singlecellexpress/datasets/',
  summary: 'Single-cell data sets of an assembly, or those that have a gene: their maps, columns of cells and groups',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64), gene: z.string().max(200).optional() }),
  output: z.object({ datasets: z.array(cellDatasetSchema) }),
})
