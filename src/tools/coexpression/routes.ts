import type { ToolRoute } from '../../kit/engine.ts'
import { expressionRoute } from '../../kit/expression-route.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { getExample } from './endpoints.ts'
import { findExampleGene } from './example-gene.ts'
import tool from './tool.ts'

export const routes: ToolRoute[] = [
  expressionRoute(tool.id),
  answerEndpoint(getExample, async ({ assembly }, { data }) => ({ gene: await findExampleGene(data, assembly) })),
]
