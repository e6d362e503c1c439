import type { z } from 'zod'
import { successSchema } from '../../../contracts/endpoint.ts'
import {
  addressOf,
  type CallOptions,
  failureFrom,
  queryOf,
  RequestError,
  requestAnswer,
  showRequestError,
} from '../request.ts'
import { downloadBlob } from '../table/export.ts'

const requestRoute = (
  method: 'GET' | 'POST',
  tool: string,
  path: string,
  input: Record<string, unknown>,
  options?: CallOptions,
): Promise<Response> =>
  requestAnswer(
    addressOf(`/api/tools/${tool}/${path}${method === 'GET' ? queryOf(input) : ''}`),
    method === 'GET'
      ? { method }
      : { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input) },
    options,
  )

/** JSON from a tool's own route, in the shape that `schema` describes. Throws RequestError, as `call` does. */
export const callToolRoute = async <Output extends z.ZodType>(
  method: 'GET' | 'POST',
  tool: string,
  path: string,
  input: Record<string, unknown>,
  schema: Output,
  options?: CallOptions,
): Promise<z.output<Output>> => {
  const response = await requestRoute(method, tool, path, input, options)
  return (successSchema(schema).parse(await response.json()) as { data: z.output<Output> }).data
}

/**
 * Saves what a tool's route streams, under the name that the server gives it. The input goes in the body, so that it may hold
 * thousands of genes. A failure is shown; resolves to whether the file came.
 */
export const downloadToolRoute = async (
  tool: string,
  path: string,
  input: Record<string, unknown>,
  fallbackName: string,
): Promise<boolean> => {
  try {
    const response = await requestRoute('POST', tool, path, input)
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
    downloadBlob(await response.blob(), name ?? fallbackName)
    return true
  } catch (error) {
    // Broken off on its way; what the server refused has been shown.
    if (!(error instanceof RequestError)) showRequestError(failureFrom(null, 0))
    return false
  }
}
