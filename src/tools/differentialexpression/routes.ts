import { listExpression } from '../../kit/data/expression-data.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { listDatasets } from './endpoints.ts'

export const routes: ToolRoute[] = [
  answerEndpoint(listDatasets, async ({ assembly }, { data }) => {
    await data.getAssembly(assembly)
    return { datasets: await listExpression(data, assembly) }
  }),
]
