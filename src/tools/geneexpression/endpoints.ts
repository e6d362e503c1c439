import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { datasetSchema } from '../../contracts/expression.ts'

const assemblySchema = z.string().max(64)

export const getGeneExpression = defineEndpoint({
  method: 'GET',
  path: '/api/tools/geneexpression/gene/',
  summary: 'Expression of one gene in every data set of its assembly, and what their comparisons say of it',
  tag: 'tools',
  input: z.object({ assembly: assemblySchema, gene: z.string().max(200) }),
  output: z.object({
    profiles: z.array(
      z.object({
        dataset: datasetSchema,
        /** In the order of the data set's samples. */
        values: z.array(z.number().nullable()),
        tau: z.number().nullable(),
        /** Of those comparisons of the data set that have the gene. */
        comparisons: z.array(
          z.object({
            contrast: z.string(),
            log2FoldChange: z.number().nullable(),
            pValue: z.number().nullable(),
            adjustedPValue: z.number().nullable(),
          }),
        ),
      }),
    ),
  }),
})
