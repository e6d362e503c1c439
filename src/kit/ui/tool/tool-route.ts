import type { z } from 'zod'
import { successSchema } from '../../../contracts/endpoint.ts'
import type { TableFile } from '../gathered-files.ts'
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

/** Where a tool gives all rows of a table, of which a result holds a page or the first. */
export interface TableRoute {
  tool: string
  path: string
  input: Record<string, unknown>
}

/** Of one table beside others in an archive, which is made in the memory of the browser. */
const maxTableBytes = 64 * 1024 * 1024

/** Text of an answer, or null where it is longer than so many bytes. */
const readBounded = async (response: Response, maxBytes: number): Promise<string | null> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Rows of a table with its receipt as comments and one line of headings. */
export const countTableRows = (text: string): number =>
  Math.max(0, text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length - 1)

/**
 * A whole table as the tool's route streams it, for an archive; `shown` is how many of `of` rows the result has. Its text is null where
 * the route refuses it, or it is too long for an archive.
 */
export const gatherToolTable = async (
  { tool, path, input }: TableRoute,
  { name, shown, of }: { name: string; shown: number; of: number | null },
): Promise<TableFile> => {
  const none: TableFile = { name, table: null, rows: shown, of }
  try {
    // The archive says what it lacks.
    const response = await requestRoute('POST', tool, path, input, { skipErrorHandler: true })
    const table = await readBounded(response, maxTableBytes)
    if (table === null) return none
    const rows = countTableRows(table)
    return { name, table, rows, of: rows }
  } catch {
    return none
  }
}
