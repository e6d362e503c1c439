import { z } from 'zod'

/**
 * What a form needs to know of one field, read from the tool's input schema by way of its JSON Schema: the server, the
 * API page and the form then agree on types and bounds because they come from one place.
 */
export interface SchemaField {
  name: string
  kind:
    | 'text'
    | 'long-text'
    | 'number'
    | 'integer'
    | 'choice'
    | 'choices'
    | 'boolean'
    | 'identifiers'
    | 'assembly'
    | 'assemblies'
    | 'other'
  required: boolean
  defaultValue: unknown
  minimum?: number
  maximum?: number
  choices?: string[]
}

interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Texts that may be longer than this get a box of several lines. */
const longText = 400

const withoutNull = (schema: JsonSchema): JsonSchema => {
  const kinds = (schema.anyOf ?? schema.oneOf)?.filter((one) => one.type !== 'null')
  return kinds?.length === 1 && kinds[0] !== undefined
    ? { ...kinds[0], default: schema.default ?? kinds[0].default }
    : schema
}

const readField = (name: string, given: JsonSchema, required: boolean): SchemaField => {
  const schema = withoutNull(given)
  const field = (kind: SchemaField['kind'], extra: Partial<SchemaField> = {}): SchemaField => ({
    name,
    kind,
    required: required && schema.default === undefined,
    defaultValue: schema.default,
    ...extra,
  })
  const alternatives = schema.anyOf ?? schema.oneOf
  if (name === 'assembly' && schema.type === 'string') return field('assembly')
  if (name === 'assemblies' && schema.type === 'array')
    return field('assemblies', { minimum: schema.minItems, maximum: schema.maxItems })
  if (alternatives?.some((one) => one.type === 'array') === true)
    return field('identifiers', { maximum: alternatives.find((one) => one.type === 'array')?.maxItems })
  if (alternatives?.every((one) => one.const !== undefined) === true)
    return field('choice', { choices: alternatives.map((one) => String(one.const)) })
  // A truth value that may also come as text in an address.
  if (alternatives?.some((one) => one.type === 'boolean') === true) return field('boolean')
  // A number that may also come as typed ("1,000", "1e-5"): kept as the text it is.
  if (alternatives?.some((one) => one.type === 'string') === true)
    return field('text', { maximum: alternatives.find((one) => one.type === 'string')?.maxLength })
  if (schema.enum !== undefined) return field('choice', { choices: schema.enum.map(String) })
  switch (schema.type) {
    case 'boolean':
      return field('boolean')
    case 'integer':
    case 'number':
      return field(schema.type === 'integer' ? 'integer' : 'number', {
        minimum: bound(schema.minimum ?? schema.exclusiveMinimum),
        maximum: bound(schema.maximum),
      })
    case 'string':
      return field((schema.maxLength ?? 0) > longText ? 'long-text' : 'text', {
        minimum: schema.minLength,
        maximum: schema.maxLength,
      })
    case 'array':
      if (schema.items?.enum !== undefined)
        return field('choices', {
          choices: schema.items.enum.map(String),
          minimum: schema.minItems,
          maximum: schema.maxItems,
        })
      if (schema.items?.type === 'string')
        return field('identifiers', { minimum: schema.minItems, maximum: schema.maxItems })
      return field('other')
    default:
      return field('other')
  }
}

/** The bounds that JSON Schema gives to every integer say nothing to a reader. */
const bound = (value: number | undefined): number | undefined =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value

/** Fields of an object schema in its order; `other` are those that need a form of the tool's own. Empty when it is no object. */
export const schemaFields = (input: z.ZodType): SchemaField[] => {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).map(([name, one]) => readField(name, one, required.has(name)))
}

export type Values = Record<string, unknown>

/** What the form starts from: the schema's defaults. */
export const defaultValues = (fields: SchemaField[]): Values =>
  Object.fromEntries(
    fields.flatMap((field) => (field.defaultValue === undefined ? [] : [[field.name, field.defaultValue]])),
  )

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Characters of form values that go into the address itself; longer input is kept beside it, see tool-screen.tsx. */
export const addressLimit = 1800

const marker = '~'

/**
 * Form values as query parameters: defaults are left out; texts, numbers and truth values as they are; lists of plain
 * words with commas; the rest as JSON after `~`. `writeQuery(fields, {genes: ['a', 'b']})` is `[['genes', 'a,b']]`.
 */
export const writeQuery = (fields: SchemaField[], values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]): [string, string][] => {
    const field = fields.find((one) => one.name === name)
    if (value === undefined || value === null || value === '' || same(value, field?.defaultValue)) return []
    if (typeof value === 'string') return [[name, value.startsWith(marker) ? marker + JSON.stringify(value) : value]]
    if (typeof value === 'number' || typeof value === 'boolean') return [[name, String(value)]]
    if (Array.isArray(value) && value.every((item) => typeof item === 'string' && /^[^,\s~][^,\s]*$/.test(item)))
      return value.length === 0 ? [] : [[name, value.join(',')]]
    return [[name, marker + JSON.stringify(value)]]
  })

/** Fields that hold lists: their parameter may stand several times, as other programs write lists. */
const listKinds: ReadonlySet<SchemaField['kind']> = new Set(['choices', 'assemblies', 'identifiers'])

/**
 * Reads what {@link writeQuery} wrote; parameters that are no fields are passed over. A list is written with commas or by repeating its
 * parameter: `assemblies=a,b` and `assemblies=a&assemblies=b` are the same.
 */
export const readQuery = (fields: SchemaField[], query: Iterable<[string, string]>): Values => {
  const values: Values = {}
  for (const [name, text] of joinLists(fields, query)) {
    const field = fields.find((one) => one.name === name)
    if (field === undefined) continue
    if (text.startsWith(marker)) {
      try {
        values[name] = JSON.parse(text.slice(1))
        continue
      } catch {
        // A typed text that only looks like ours.
      }
    }
    if (field.kind === 'number' || field.kind === 'integer') {
      const number = Number(text)
      values[name] = text !== '' && Number.isFinite(number) ? number : text
    } else if (field.kind === 'boolean') values[name] = text === 'true' || text === '1'
    else if (field.kind === 'choices' || field.kind === 'assemblies') values[name] = text === '' ? [] : text.split(',')
    else values[name] = text
  }
  return values
}

/** Values with lists of identifiers that are one text, as an address has them, an identifier a line: as they are typed, and are read. */
export const identifierLines = (fields: readonly SchemaField[], values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isList = fields.some((one) => one.name === name && one.kind === 'identifiers')
      return [name, isList && typeof value === 'string' && !/\s/.test(value) ? value.replaceAll(',', '\n') : value]
    }),
  )

/** The query with repeated parameters of a list as one, in their order; texts of identifiers keep their lines. */
const joinLists = (fields: SchemaField[], query: Iterable<[string, string]>): Map<string, string> => {
  const joined = new Map<string, string>()
  for (const [name, text] of query) {
    const kind = fields.find((one) => one.name === name)?.kind
    const before = kind !== undefined && listKinds.has(kind) ? joined.get(name) : undefined
    joined.set(
      name,
      before === undefined || before === '' ? text : `${before}${kind === 'identifiers' ? '\n' : ','}${text}`,
    )
  }
  return joined
}

/** What is wrong with a field, as a message of the kit with its numbers. */
export interface Problem {
  path: (string | number)[]
  key:
    | 'problem.required'
    | 'problem.tooSmall'
    | 'problem.tooBig'
    | 'problem.tooShort'
    | 'problem.tooLong'
    | 'problem.tooFew'
    | 'problem.tooMany'
    | 'problem.number'
    | 'problem.integer'
    | 'problem.choice'
    | 'problem.format'
    | 'problem.other'
  parameters: { minimum?: number; maximum?: number }
  /** The schema's own words: a message id of the tool, when it set one. */
  own: string
}

/** One zod issue in the form's words. An absent value is "needed", whatever type was expected. */
export const problemOf = (issue: z.core.$ZodIssue, values: Values): Problem => {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  const value = path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? (at as Values)[part] : undefined),
    values,
  )
  const problem = (key: Problem['key'], parameters: Problem['parameters'] = {}): Problem => ({
    path,
    key,
    parameters,
    own: issue.message,
  })
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return problem('problem.required')
  switch (issue.code) {
    case 'too_small': {
      const minimum = Number(issue.minimum)
      return problem(
        issue.origin === 'string'
          ? 'problem.tooShort'
          : issue.origin === 'array'
            ? 'problem.tooFew'
            : 'problem.tooSmall',
        { minimum },
      )
    }
    case 'too_big': {
      const maximum = Number(issue.maximum)
      return problem(
        issue.origin === 'string' ? 'problem.tooLong' : issue.origin === 'array' ? 'problem.tooMany' : 'problem.tooBig',
        { maximum },
      )
    }
    case 'invalid_type':
      return problem(
        issue.expected === 'int'
          ? 'problem.integer'
          : issue.expected === 'number'
            ? 'problem.number'
            : 'problem.format',
      )
    case 'invalid_value':
      return problem('problem.choice')
    case 'invalid_format':
      return problem('problem.format')
    case 'custom':
      return problem('problem.other', (issue.params ?? {}) as Problem['parameters'])
    default:
      return problem('problem.other')
  }
}

/** An end of a range that nobody comes near says nothing: 0 to a billion contacts. */
const farEnd = 1e8

/** What a number may be, as far as an end of it tells something. `rangeText({ minimum: 0, maximum: 1e9 }, String)` is `≥ 0`. */
export const rangeText = (
  { minimum, maximum }: { minimum?: number | undefined; maximum?: number | undefined },
  written: (end: number) => string,
): string | undefined => {
  const [low, high] = [minimum, maximum].map((end) =>
    end === undefined || Math.abs(end) >= farEnd ? undefined : written(end),
  )
  if (low !== undefined && high !== undefined) return `${low} – ${high}`
  if (low !== undefined) return `≥ ${low}`
  return high === undefined ? undefined : `≤ ${high}`
}
