import { z } from 'zod'
import type { Endpoint } from '../contracts/endpoint.ts'
import { failureSchema } from '../contracts/endpoint.ts'
import type { ToolDefinition } from '../contracts/tools/tool.ts'
import type { ToolRoute } from '../kit/engine.ts'

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return rest
}

/** The schema of an input: what it does not name is refused (`parseInput`), at any depth. */
const inputSchema = (schema: z.ZodType): InputSchema => closed(jsonSchema(schema, 'input')) as InputSchema

interface InputSchema extends Record<string, unknown> {
  properties?: Record<string, Record<string, unknown>>
  required?: string[]
  additionalProperties?: unknown
}

const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  // Objects of an intersection are closed together or not at all.
  if (inner.properties !== undefined && inner.additionalProperties === undefined && inner.type === 'object')
    inner.additionalProperties = false
  return inner
}

const envelope = (data: Record<string, unknown>) => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: true }, data },
})

const failure = {
  description: 'The envelope of a failure',
  content: { 'application/json': { schema: jsonSchema(failureSchema, 'output') } },
}

/** The OpenAPI 3.1 document: an export of the endpoint values and the tools' schemas, never a source. */
export const openApiDocument = (
  endpoints: Endpoint[],
  tools: ToolDefinition[],
  toolRoutes: { tool: string; route: ToolRoute }[],
  about: { title: string; version: string },
) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const schema = inputSchema(endpoint.input)
    const pathNames = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    const others = Object.entries(schema.properties ?? {}).filter(([name]) => !pathNames.includes(name))
    const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
    const parameters = [
      ...pathNames.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: schema.properties?.[name] ?? { type: 'string' },
      })),
      ...(hasBody
        ? []
        : others.map(([name, property]) => ({
            name,
            in: 'query',
            required: schema.required?.includes(name) ?? false,
            schema: property,
          }))),
    ]
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = {
      summary: endpoint.summary,
      tags: [endpoint.tag],
      parameters,
      ...(hasBody && others.length > 0
        ? {
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: Object.fromEntries(others),
                    required: schema.required?.filter((name) => !pathNames.includes(name)) ?? [],
                    // Save where the fields are a tool's own, described at its own path.
                    ...(schema.additionalProperties === undefined || schema.additionalProperties === false
                      ? { additionalProperties: false }
                      : {}),
                  },
                },
              },
            },
          }
        : {}),
      ...(endpoint.access === 'anyone' ? {} : { security: [{ bearer: [] }] }),
      responses: {
        200: {
          description: 'The envelope of success',
          content: { 'application/json': { schema: envelope(jsonSchema(endpoint.output, 'output')) } },
        },
        default: failure,
      },
    }
  }
  for (const tool of tools) {
    paths[`/api/tools/${tool.id}/`] = {
      post: {
        summary: `Runs the tool "${tool.id}"; 202 with a job when it does not answer at once`,
        tags: ['tools'],
        parameters: [
          { name: 'Prefer', in: 'header', required: false, schema: { type: 'string', examples: ['respond-async'] } },
        ],
        requestBody: { required: true, content: { 'application/json': { schema: inputSchema(tool.input) } } },
        responses: {
          200: {
            description: 'Result and receipt',
            content: {
              'application/json': {
                schema: envelope({
                  type: 'object',
                  properties: { result: jsonSchema(tool.result, 'output'), receipt: { type: 'object' } },
                }),
              },
            },
          },
          202: { description: 'Accepted as a job: see /api/jobs/{id}/' },
          default: failure,
        },
      },
    }
  }
  for (const { tool, route } of toolRoutes) {
    const schema = inputSchema(route.input)
    const path = `/api/tools/${tool}/${route.path}`
    const method = (route.method ?? 'GET').toLowerCase()
    const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    const others = Object.entries(schema.properties ?? {}).filter(([name]) => !pathNames.includes(name))
    paths[path] = {
      ...paths[path],
      [method]: {
        summary: route.summary,
        tags: ['tools'],
        parameters: [
          ...pathNames.map((name) => ({
            name,
            in: 'path',
            required: true,
            schema: schema.properties?.[name] ?? { type: 'string' },
          })),
          ...(method === 'post'
            ? []
            : others.map(([name, property]) => ({
                name,
                in: 'query',
                required: schema.required?.includes(name) ?? false,
                schema: property,
              }))),
        ],
        ...(method === 'post'
          ? {
              requestBody: {
                required: true,
                content: { 'application/json': { schema: inputSchema(route.input) } },
              },
            }
          : {}),
        responses: { 200: { description: 'The envelope of success, or a file' }, default: failure },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: about.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}
