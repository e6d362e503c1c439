import { expressionDatasetsEndpoint } from '../contracts/expression.ts'
import { listExpression } from './data/expression-data.ts'
import type { ToolRoute } from './engine.ts'
import { answerEndpoint } from './tool-endpoint.ts'

/** The route by which the form of a tool over expression asks for the data sets of an assembly. */
export const expressionRoute = (tool: string): ToolRoute =>
  answerEndpoint(expressionDatasetsEndpoint(tool), async ({ assembly }, { data }) => {
    await data.getAssembly(assembly)
    return { datasets: await listExpression(data, assembly) }
  })
