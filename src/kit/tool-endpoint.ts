import type { z } from 'zod'
import type { Endpoint } from '../contracts/endpoint.ts'
import type { ToolRoute, ToolRouteContext } from './engine.ts'

/**
 * Makes a route of the tool out of an endpoint value under `/api/tools/{tool}/` and what answers it. So server, browser and the
 * API page have method, path, input and answer from one place. Only GET and POST: a tool's routes read.
 */
export const answerEndpoint = <Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  handle: (input: z.output<Input>, context: ToolRouteContext) => Promise<z.input<Output>>,
): ToolRoute => {
  const path = /^\/api\/tools\/[a-z]+\/(.+)$/.exec(endpoint.path)?.[1]
  const { method } = endpoint
  if (path === undefined || (method !== 'GET' && method !== 'POST'))
    throw new Error(`${method} ${endpoint.path} is no route of a tool.`)
  return {
    method,
    path,
    summary: endpoint.summary,
    input: endpoint.input,
    endpoint,
    handle: async (input, context) => ({ json: await handle(input as z.output<Input>, context) }),
  }
}
