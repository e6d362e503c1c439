import { shellWord } from '../../../contracts/tools/shell-word.ts'

/** Part of a JSON Schema as the server's OpenAPI document has it. */
export interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
  description?: string
}

interface Operation {
  summary: string
  tags: string[]
  parameters?: { name: string; in: string; required?: boolean; schema?: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  security?: unknown[]
  responses: Record<string, { description: string; content?: Record<string, { schema?: JsonSchema }> }>
}

export interface OpenApi {
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
}

export interface ApiField {
  /** With dots and `[]` for what lies within: `genes[].id`. */
  name: string
  place: 'path' | 'query' | 'header' | 'body'
  required: boolean
  type: string
  bounds: string
}

export interface ApiEndpoint {
  /** Anchor on the page: `api-get-api-search`. */
  id: string
  method: string
  path: string
  summary: string
  signedIn: boolean
  input: ApiField[]
  output: Omit<ApiField, 'place'>[]
  /** Answers with a job or a file beside the envelope. */
  statuses: { status: string; description: string }[]
}

export interface ApiGroup {
  name: string
  endpoints: ApiEndpoint[]
}

/** Fields within fields are listed to this depth; what lies deeper is in the OpenAPI document. */
const deepest = 3

/**
 * A type in a word or two: `typeOf({type: 'array', items: {type: 'string'}})` is `string[]`, of an `enum` its values,
 * and of alternatives all of them.
 */
export const typeOf = (schema: JsonSchema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' | ')
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.includes('array')) {
    const inner = schema.items === undefined ? 'any' : typeOf(schema.items)
    return [`${inner.includes(' | ') ? `(${inner})` : inner}[]`, ...types.filter((type) => type !== 'array')].join(
      ' | ',
    )
  }
  return types.length === 0 ? 'any' : types.join(' | ')
}

const bound = (low: number | undefined, high: number | undefined, unit: string): string[] => {
  // JSON Schema of an integer states the safe integers where nothing else bounds it: no news to a reader.
  const min = low === undefined || low <= Number.MIN_SAFE_INTEGER ? undefined : low
  const max = high === undefined || high >= Number.MAX_SAFE_INTEGER ? undefined : high
  if (min === undefined && max === undefined) return []
  const range = min === undefined ? `≤ ${max}` : max === undefined ? `≥ ${min}` : `${min}–${max}`
  return [unit === '' ? range : `${range} ${unit}`]
}

/** Bounds and default of a field in a few signs: `1–100; = 20`. */
const boundsOf = (schema: JsonSchema, units: { characters: string; items: string }): string =>
  [
    ...bound(schema.minimum, schema.maximum, ''),
    ...bound(schema.minLength, schema.maxLength, units.characters),
    ...bound(schema.minItems, schema.maxItems, units.items),
    ...(schema.default === undefined ? [] : [`= ${JSON.stringify(schema.default)}`]),
  ].join('; ')

const partsOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []

const listFields = (
  schema: JsonSchema,
  units: { characters: string; items: string },
  prefix = '',
  depth = 1,
): Omit<ApiField, 'place'>[] => {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const full = `${prefix}${name}`
    const inner = field.items ?? field
    return [
      {
        name: full,
        required: schema.required?.includes(name) ?? false,
        type: typeOf(field),
        bounds: boundsOf(field, units),
      },
      ...(depth < deepest
        ? listFields(inner, units, `${full}${field.items === undefined ? '' : '[]'}.`, depth + 1)
        : []),
    ]
  })
  const known = new Set(own.map((field) => field.name))
  // Alternatives share most of their fields: each is listed once.
  for (const part of partsOf(schema))
    for (const field of listFields(part, units, prefix, depth))
      if (!known.has(field.name)) {
        known.add(field.name)
        own.push(field)
      }
  return own
}

/** Endpoints by group, as a page shows them; groups in the order of the document. */
export const outlineApi = (document: OpenApi, units: { characters: string; items: string }): ApiGroup[] => {
  const groups = new Map<string, ApiEndpoint[]>()
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const body = operation.requestBody?.content['application/json']?.schema
      const answer = operation.responses['200']?.content?.['application/json']?.schema?.properties?.data
      const endpoint: ApiEndpoint = {
        id: `api-${method}-${path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')}`,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        signedIn: (operation.security?.length ?? 0) > 0,
        input: [
          ...(operation.parameters ?? []).map(
            (parameter): ApiField => ({
              name: parameter.name,
              place: parameter.in === 'path' || parameter.in === 'header' ? parameter.in : 'query',
              required: parameter.required ?? false,
              type: typeOf(parameter.schema ?? {}),
              bounds: boundsOf(parameter.schema ?? {}, units),
            }),
          ),
          ...(body === undefined
            ? []
            : listFields(body, units).map((field): ApiField => ({ ...field, place: 'body' }))),
        ],
        output: answer === undefined ? [] : listFields(answer, units),
        statuses: Object.entries(operation.responses).map(([status, { description }]) => ({ status, description })),
      }
      const group = operation.tags[0] ?? ''
      groups.set(group, [...(groups.get(group) ?? []), endpoint])
    }
  return [...groups].map(([name, endpoints]) => ({ name, endpoints }))
}

/** A value that shows what goes into a field, for an example that can be typed. */
const sample = ({ name, type, bounds }: Pick<ApiField, 'name' | 'type' | 'bounds'>): unknown => {
  const set = /= (.+)$/.exec(bounds)?.[1]
  if (set !== undefined) return JSON.parse(set) as unknown
  const first = type.split(' | ')[0]!
  if (first.startsWith('"')) return JSON.parse(first) as unknown
  if (first.endsWith('[]')) return []
  if (first === 'boolean') return false
  if (first === 'integer' || first === 'number') return Number(/^\d+/.exec(bounds)?.[0] ?? 1)
  if (first === 'object') return {}
  return name.toUpperCase()
}

/** A shell command that asks the endpoint of this portal; words in capitals are to be filled in. */
export const curlOf = (endpoint: ApiEndpoint, origin: string, example?: unknown): string => {
  const needed = endpoint.input.filter((field) => field.required && !/[.[]/.test(field.name))
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  const query = needed
    .filter((field) => field.place === 'query')
    .map((field) => `${field.name}=${encodeURIComponent(String(sample(field)))}`)
    .join('&')
  const body = endpoint.input.some((field) => field.place === 'body')
    ? (example ??
      Object.fromEntries(needed.filter((field) => field.place === 'body').map((field) => [field.name, sample(field)])))
    : undefined
  return [
    `curl${endpoint.method === 'GET' ? '' : ` -X ${endpoint.method}`} ${shellWord(`${origin}${path}${query === '' ? '' : `?${query}`}`)}`,
    ...(endpoint.signedIn ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellWord(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}
