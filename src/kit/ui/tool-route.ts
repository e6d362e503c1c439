import type { z } from 'zod'
import { failureSchema, successSchema } from '../../contracts/endpoint.ts'
import { showTypes } from '../../contracts/errors.ts'
import { downloadBlob } from './export.ts'
import { currentLocale, translator } from './language.tsx'
import { messages } from './messages.ts'
import { addressOf, fetchAnswer, queryOf, RequestError, requestHeaders, showRequestError } from './request.ts'

const requestRoute = async (
  method: 'GET' | 'POST',
  tool: string,
  path: string,
  input: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Response> => {
  const url = addressOf(`/api/tools/${tool}/${path}${method === 'GET' ? queryOf(input) : ''}`)
  const response = await fetchAnswer(url, {
    method,
    headers: {
      ...requestHeaders(url),
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
    },
    body: method === 'GET' ? undefined : JSON.stringify(input),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    return null
  })
  if (response?.ok === true) return response
  const failure = failureSchema.safeParse(await response?.json().catch(() => null))
  throw new RequestError({
    errorCode: failure.data?.errorCode ?? 'NETWORK',
    errorMessage: failure.data?.errorMessage ?? translator(messages, currentLocale())('request.default'),
    showType: failure.data?.showType ?? showTypes.error,
    status: response?.status ?? 0,
    problems: failure.data?.details?.problems,
  })
}

/** JSON from a tool's own route, in the shape that `schema` describes. Rejects with RequestError, unshown. */
export const callToolRoute = async <Output extends z.ZodType>(
  method: 'GET' | 'POST',
  tool: string,
  path: string,
  input: Record<string, unknown>,
  schema: Output,
  signal?: AbortSignal,
): Promise<z.output<Output>> => {
  const response = await requestRoute(method, tool, path, input, signal)
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
    showRequestError(
      error instanceof RequestError
        ? error
        : new RequestError({ errorCode: 'NETWORK', errorMessage: '', showType: showTypes.error, status: 0 }),
    )
    return false
  }
}
