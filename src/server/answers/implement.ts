import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '../../contracts/endpoint.ts'
import { errorMessages } from '../../contracts/error-messages.ts'
import { type FieldProblem, fieldError, PortalError } from '../../contracts/errors.ts'
import type { Language, Messages } from '../../contracts/text.ts'
import { findUnknownFields } from '../../contracts/unknown-fields.ts'
import { formatText, readLanguage } from '../language.ts'
import type { Span } from '../traces/traces.ts'
import { beginStream } from './begin-stream.ts'

/** Who is asking, as the session says. */
export interface Caller {
  account: number | null
  username: string
  access: 'visitor' | 'user' | 'admin'
  /** A hash of the address, for fairness and limits; the address itself is not kept. */
  client: string
  /** How they came: by a session's token, an API token, the cookie that only reads, or none. */
  via: 'none' | 'session' | 'token' | 'cookie'
  /** Of the token, to tell this session from the account's others. */
  tokenHash: string | null
}

/** What a route needs to be known of before it runs; a route without one answers everybody whom the portal lets in. */
export interface RouteRights {
  access: Endpoint['access']
  /** Answers visitors also where the portal requires signing in. */
  open: boolean
  /** A token that no longer holds is passed over instead of refused: for signing in anew. */
  ignoresToken: boolean
}

/**
 * The data of an answer as JSON already: text of large answers that the database has written, or pieces of what need not be in memory at
 * once; it follows the endpoint's output.
 */
export class RenderedData {
  readonly json: string | Uint8Array | AsyncIterable<string>
  constructor(json: string | Uint8Array | AsyncIterable<string>) {
    this.json = json
  }
}

/** A whole answer of JSON that another process has written, envelope and all. */
export class WrittenAnswer {
  readonly json: Uint8Array
  readonly gzipped: boolean
  constructor({ json, gzipped }: { json: Uint8Array; gzipped: boolean }) {
    this.json = json
    this.gzipped = gzipped
  }
}

/** Whether whoever asks reads gzip (RFC 9110, section 12.5.3). */
export const readsGzip = ({ headers }: FastifyRequest): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((part) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(part))

/** Sends bytes that another process has made, packed or not. */
export const sendBytes = (
  reply: FastifyReply,
  { body, gzipped, contentType }: { body: Uint8Array | Readable; gzipped: boolean; contentType: string },
): FastifyReply => {
  if (gzipped) reply.header('Content-Encoding', 'gzip').header('Vary', 'Accept-Encoding')
  reply.header('Content-Type', contentType)
  return reply.send(body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body)
}

export const jsonType = 'application/json; charset=utf-8'
const envelope = { before: Buffer.from('{"success":true,"data":'), after: Buffer.from('}') }

async function* inEnvelope(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '{"success":true,"data":'
  for await (const piece of pieces) {
    yield before + piece
    before = ''
  }
  yield `${before}}`
}

export interface RequestContext {
  caller: Caller
  language: Language
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rights?: RouteRights
  }
  interface FastifyRequest {
    caller: Caller
    /** Null where the request is not traced. */
    span: Span | null
  }
}

/** One problem a field: whoever left it empty need not be told as well that it is too short. */
const firstOfEachField = (issues: z.core.$ZodIssue[]): z.core.$ZodIssue[] => {
  const seen = new Set<string>()
  return issues.filter((issue) => {
    const field = JSON.stringify(issue.path)
    if (seen.has(field)) return false
    seen.add(field)
    return true
  })
}

const messageParams = (params: Record<string, unknown> = {}): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )

/** What zod found wrong, as problems with texts in both languages. */
const fieldProblems = (error: z.ZodError): FieldProblem[] =>
  firstOfEachField(error.issues)
    .slice(0, 50)
    .map((issue): FieldProblem => {
      const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
      // A schema that says in a message of its own what is wrong is listened to; a field that is missing is one not filled in.
      if (issue.message in errorMessages.en)
        return { path, message: issue.message, params: issue.code === 'custom' ? messageParams(issue.params) : {} }
      switch (issue.code) {
        case 'too_small':
          return issue.origin === 'number' || issue.origin === 'int'
            ? { path, message: 'input.tooSmall', params: { minimum: Number(issue.minimum) } }
            : { path, message: 'input.tooShort', params: { minimum: Number(issue.minimum) } }
        case 'too_big':
          return issue.origin === 'number' || issue.origin === 'int'
            ? { path, message: 'input.tooBig', params: { maximum: Number(issue.maximum) } }
            : { path, message: 'input.tooLong', params: { maximum: Number(issue.maximum) } }
        case 'invalid_value':
          return { path, message: 'input.choice', params: { values: issue.values.map(String).join(', ') } }
        case 'unrecognized_keys':
          return { path, message: 'input.unknownField', params: { name: issue.keys.join(', '), near: 'none' } }
        case 'invalid_format':
          return { path, message: 'input.format' }
        case 'custom':
          return { path, message: issue.message }
        default:
          return { path, message: issue.input === undefined ? 'input.required' : 'input.type' }
      }
    })

/**
 * Path of a text with a null byte, which PostgreSQL cannot store or compare (manual, section 8.3); null when there is none. By a list
 * of what is still to be looked at: an input nested deeper than the stack must be refused by its schema, not end as a failure of ours.
 */
const findNullByte = (input: unknown): (string | number)[] | null => {
  interface Slot {
    value: unknown
    key: string | number
    within: Slot | null
  }
  const waiting: Slot[] = [{ value: input, key: '', within: null }]
  for (let slot = waiting.pop(); slot !== undefined; slot = waiting.pop()) {
    const { value } = slot
    if (typeof value === 'string' && value.includes('\0')) {
      const path: (string | number)[] = []
      for (let at: Slot = slot; at.within !== null; at = at.within) path.unshift(at.key)
      return path
    }
    if (value === null || typeof value !== 'object') continue
    for (const [key, item] of Object.entries(value))
      waiting.push({ value: item, key: Array.isArray(value) ? Number(key) : key, within: slot })
  }
  return null
}

/** A name that somebody made up: told back, never at length. */
const shownName = (name: string | number): string => {
  const text = String(name)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** A problem for each field, at any depth, that the schema does not have. */
export const unknownFieldProblems = (schema: z.ZodType, input: unknown): FieldProblem[] =>
  findUnknownFields(schema, input).map(({ path, near }) => ({
    path: path.map((part) => (typeof part === 'string' ? shownName(part) : part)),
    message: 'input.unknownField',
    params: { name: shownName(path.at(-1)!), near: near ?? 'none' },
  }))

/**
 * Parses an input at the door; rejects with INVALID_INPUT that names every wrong field, and every field, at any depth, that there is
 * none of.
 */
export const parseInput = <Input extends z.ZodType>(schema: Input, input: unknown): z.output<Input> => {
  const nullByte = findNullByte(input)
  if (nullByte !== null) throw fieldError(nullByte, 'job.unstorableCharacter')
  const parsed = schema.safeParse(input)
  const unknown = unknownFieldProblems(schema, input)
  if (parsed.success && unknown.length === 0) return parsed.data
  const known = new Set(unknown.map(({ path }) => JSON.stringify(path.slice(0, -1))))
  const wrong = parsed.success ? [] : fieldProblems(parsed.error)
  // Of strict objects zod tells the same, without the nearest.
  const reported = wrong.filter(
    ({ path, message }) => message !== 'input.unknownField' || !known.has(JSON.stringify(path)),
  )
  const problems = [...unknown, ...reported]
  throw new PortalError('INVALID_INPUT', {
    problems,
    ...(unknown[0] === undefined ? {} : { message: unknown[0].message, params: unknown[0].params ?? {} }),
  })
}

/** The query of a request whose fields are its body: there is none, and one that is given would be passed over. */
export const refuseQuery = (query: unknown, schema: z.ZodType): void => {
  if (typeof query !== 'object' || query === null) return
  const names = Object.keys(query)
  if (names.length === 0) return
  const strangers = new Map(unknownFieldProblems(schema, query).map((problem) => [problem.path[0], problem]))
  const [name] = names
  throw new PortalError('INVALID_INPUT', {
    problems: [
      strangers.get(name) ?? { path: [name!], message: 'input.notInQuery', params: { name: shownName(name!) } },
    ],
  })
}

/** The query of a request as the schema reads it: a field that it does not have is refused, not passed over. */
export const readQuery = <Input extends z.ZodType>(request: { query: unknown }, schema: Input): z.output<Input> =>
  parseInput(schema, { ...(request.query as object) })

/** Refuses every query of an address that has no fields. */
export const refuseAnyQuery = async ({ query }: { query: unknown }): Promise<void> => refuseQuery(query, noFields)
const noFields = z.object({})

const problemText = (
  { message, params = {}, line }: FieldProblem,
  language: Language,
  ...tables: (Messages | undefined)[]
): string => {
  const text = formatText(language, message, params, ...tables)
  return line === undefined ? text : formatText(language, 'input.line', { line, text })
}

/** The envelope of a failure, in the reader's language; `tables` are searched before the shared texts. */
export const failureBody = (
  error: PortalError,
  language: Language,
  requestId: string,
  ...tables: (Messages | undefined)[]
) => ({
  success: false as const,
  errorCode: error.code,
  errorMessage: formatText(language, error.messageId, { requestId, near: 'none', ...error.params }, ...tables),
  showType: error.showType,
  details: {
    requestId,
    ...(error.problems.length > 0
      ? {
          problems: error.problems.map((problem) => ({
            path: problem.path,
            message: problemText(problem, language, ...tables),
          })),
        }
      : {}),
  },
})

/** Endpoints in the order they were mounted: the source of OpenAPI and of the table test over all of them. */
export const mountedEndpoints = (app: FastifyInstance): Endpoint[] => mounted.get(app) ?? []
const mounted = new WeakMap<object, Endpoint[]>()

/** Every route that the application answers, with its rights: the table of rights is held against it. */
export const mountedRoutes = (app: FastifyInstance): MountedRoute[] => routes.get(app) ?? []
export interface MountedRoute {
  method: string
  url: string
  rights: RouteRights | null
}
const routes = new WeakMap<object, MountedRoute[]>()

/** Notes the routes of an application as they are mounted; to be called before the first. */
export const watchRoutes = (app: FastifyInstance): void => {
  const list: MountedRoute[] = []
  routes.set(app, list)
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat())
      if (method !== 'HEAD' && method !== 'OPTIONS')
        list.push({ method, url: route.url, rights: route.config?.rights ?? null })
  })
}

/** Joins an endpoint to what answers it: access is checked, input parsed, the answer put in the envelope. */
export const implement = <Input extends z.ZodType, Output extends z.ZodType>(
  app: FastifyInstance,
  endpoint: Endpoint<Input, Output>,
  handle: (input: z.output<Input>, context: RequestContext) => Promise<z.input<Output> | RenderedData | WrittenAnswer>,
): void => {
  const list = mounted.get(app) ?? []
  list.push(endpoint as unknown as Endpoint)
  mounted.set(app, list)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    config: {
      rights: {
        access: endpoint.access,
        open: endpoint.open ?? false,
        ignoresToken: endpoint.ignoresToken ?? false,
      },
    },
    bodyLimit: endpoint.bodyLimitBytes ?? 1024 * 1024,
    handler: async (request, reply) => {
      requireAccess(endpoint, request.caller)
      const fields = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? request.query : (request.body ?? {})
      if (typeof fields !== 'object' || Array.isArray(fields)) throw new PortalError('INVALID_INPUT')
      if (fields !== request.query) refuseQuery(request.query, endpoint.input)
      const input = parseInput(endpoint.input, { ...(fields as object), ...(request.params as object) })
      const data = await handle(input, new CallerContext(request, reply))
      if (reply.sent) return reply
      if (data instanceof RenderedData) {
        const { json } = data
        const body =
          json instanceof Uint8Array
            ? Buffer.concat([envelope.before, json, envelope.after])
            : typeof json === 'string'
              ? `{"success":true,"data":${json}}`
              : await beginStream(inEnvelope(json))
        return reply.header('Content-Type', jsonType).send(body)
      }
      if (data instanceof WrittenAnswer)
        return sendBytes(reply, { body: data.json, gzipped: data.gzipped, contentType: jsonType })
      return { success: true, data }
    },
  })
}

/** Refuses whoever may not ask this. */
export const requireAccess = (
  { access, sessionOnly = false }: Pick<Endpoint, 'access' | 'sessionOnly'>,
  caller: Caller,
): void => {
  if (access === 'anyone') return
  if (caller.access === 'visitor') throw new PortalError('NOT_SIGNED_IN')
  if (access === 'admin' && caller.access !== 'admin') throw new PortalError('FORBIDDEN')
  // A token in a script is easily copied: it can neither keep the portal nor make itself at home in the account.
  if (caller.via === 'token' && (sessionOnly || access === 'admin'))
    throw new PortalError('FORBIDDEN', { message: 'account.sessionNeeded' })
}

/** Whose turns they are: an account's wherever it asks from, a visitor's by the address. */
export const turnsOf = (caller: Caller): string =>
  caller.account === null ? caller.client : `account ${caller.account}`

/** The account of whoever asks, where access has made sure that there is one. */
export const accountOf = (caller: Caller): number => {
  if (caller.account === null) throw new PortalError('NOT_SIGNED_IN')
  return caller.account
}

/**
 * The caller's language, and a signal that fires when they hang up before the answer is out; few handlers ask for it. A class: of an
 * object written with a getter V8 makes a hidden class each time, which keeps all of its request until a full collection.
 */
export class CallerContext implements RequestContext {
  readonly caller: Caller
  readonly language: Language
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  #controller: AbortController | undefined

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.caller = request.caller
    this.language = readLanguage(request.headers['accept-language'])
    this.request = request
    this.reply = reply
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const made = new AbortController()
      this.#controller = made
      const { raw } = this.reply
      const abort = (): void => {
        if (!raw.writableFinished) made.abort()
      }
      if (raw.destroyed) abort()
      else raw.once('close', abort)
    }
    return this.#controller.signal
  }
}
