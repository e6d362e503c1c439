import { listExpression } from '../../kit/data/expression-data.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { getExample, listDatasets } from './endpoints.ts'
import { findExampleGene } from './example-gene.ts'

export const routes: ToolRoute[] = [
  answerEndpoint(listDatasets, async ({ assembly }, { data }) => {
    await data.getAssembly(assembly)
    return { datasets: await listExpression(data, assembly) }
  }),
  answerEndpoint(getExample, async ({ assembly }, { data }) => ({ gene: await findExampleGene(data, assembly) })),
]
