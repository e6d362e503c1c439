import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

/** OTLP/HTTP in JSON (opentelemetry-proto 1.7, trace.proto): ids in hexadecimal, 64-bit numbers as text or numbers. */
const valueSchema = z.union([
  z.object({ stringValue: z.string() }),
  z.object({ intValue: z.union([z.number(), z.string()]) }),
  z.object({ doubleValue: z.number() }),
  z.object({ boolValue: z.boolean() }),
])
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0] as unknown])))
const time = z.union([z.string().regex(/^\d+$/), z.number()]).transform((nanoseconds) => Number(nanoseconds) / 1e6)
const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z
                .string()
                .regex(/^[0-9a-f]{16}$/)
                .optional(),
              name: z.string().min(1),
              /** 1 internal, 2 server, 5 consumer. */
              kind: z.number(),
              startTimeUnixNano: time,
              endTimeUnixNano: time,
              attributes: attributesSchema,
              /** 2: an error. */
              status: z.object({ code: z.number() }),
            }),
          ),
        }),
      ),
    }),
  ),
})

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  startMs: number
  endMs: number
  attributes: Record<string, unknown>
  failed: boolean
  resource: Record<string, unknown>
}

/** Takes traces as a collector does, at a port of its own, and refuses what is not OTLP. */
export const startTraceCollector = async (): Promise<{
  url: string
  spans: CollectedSpan[]
  /** All that was sent, as it came. */
  bodies: string[]
  refused: string[]
  close(): Promise<void>
}> => {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const refused: string[] = []
  const server = createServer(async (request, response) => {
    try {
      if (request.method !== 'POST' || request.url !== '/v1/traces') throw new Error(`${request.method} ${request.url}`)
      if (request.headers['content-type'] !== 'application/json') throw new Error(request.headers['content-type'])
      const body: unknown = await json(request)
      bodies.push(JSON.stringify(body))
      for (const { resource, scopeSpans } of requestSchema.parse(body).resourceSpans)
        for (const scope of scopeSpans)
          for (const {
            startTimeUnixNano: startMs,
            endTimeUnixNano: endMs,
            status,
            parentSpanId,
            ...span
          } of scope.spans)
            spans.push({
              ...span,
              parentSpanId,
              startMs,
              endMs,
              failed: status.code === 2,
              resource: resource.attributes,
            })
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    } catch (error) {
      refused.push(String(error))
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
