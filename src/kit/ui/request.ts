import type { z } from 'zod'
import { type Endpoint, failureSchema, fillPath } from '../../contracts/endpoint.ts'
import { type ShowType, showTypes } from '../../contracts/errors.ts'
import { findUnknownFields } from '../../contracts/unknown-fields.ts'
import { currentLocale, translator } from './language.tsx'
import { messages } from './messages.ts'
import { showNotice } from './notices.ts'

export const tokenKey = 'novodb_access_token'

declare global {
  interface Window {
    /** Set by a host page that serves the portal under another path than "/". */
    novodbBasePath?: string
  }
}

/** Base path without a trailing slash: "" at the root. The host page's word goes before the server's. */
export const basePath = (): string => {
  const served = document.querySelector<HTMLMetaElement>('meta[name="novodb-base"]')?.content ?? '/'
  return (window.novodbBasePath ?? (served.startsWith('/') ? served : '/')).replace(/\/+$/, '')
}

/** Address of something that the server answers, under the base path. */
export const addressOf = (path: string): string => `${basePath()}${path}`

/** Session storage first, then local storage (portal specification, section 7). */
export const readToken = (): string | null => sessionStorage.getItem(tokenKey) ?? localStorage.getItem(tokenKey)

export interface RequestProblem {
  path: (string | number)[]
  message: string
}

/** A request that failed; `errorCode` is stable, the message is in the reader's language. */
export class RequestError extends Error {
  readonly errorCode: string
  readonly showType: ShowType | number
  readonly status: number
  readonly problems: RequestProblem[]

  constructor(fields: {
    errorCode: string
    errorMessage: string
    showType: number
    status: number
    problems?: RequestProblem[]
  }) {
    super(fields.errorMessage)
    this.name = 'RequestError'
    this.errorCode = fields.errorCode
    this.showType = fields.showType
    this.status = fields.status
    this.problems = fields.problems ?? []
  }
}

export interface CallOptions {
  signal?: AbortSignal
  /** The caller shows the failure itself. */
  skipErrorHandler?: boolean
  headers?: Record<string, string>
}

/** What the browser shows for a failure, by its display type (portal specification, section 4); pure, so that it can be tested. */
export const displayOf = (
  error: RequestError,
): 'nothing' | 'warning' | 'error' | 'notification' | 'redirect' | 'network' => {
  if (error.status === 504) return 'network'
  switch (error.showType) {
    case showTypes.silent:
      return 'nothing'
    case showTypes.warning:
      return 'warning'
    case showTypes.notification:
      return 'notification'
    case showTypes.redirect:
      return 'redirect'
    default:
      return 'error'
  }
}

/** Address of the error page for a failure of display type 9. */
const exceptionAddress = (errorCode: string, errorMessage: string): string =>
  addressOf(`/exception?${new URLSearchParams({ errorCode, errorMessage })}`)

/** Shows a failure as its display type asks. */
export const showRequestError = (error: RequestError): void => {
  const t = translator(messages, currentLocale())
  const text = error.message === '' ? t('request.default') : error.message
  switch (displayOf(error)) {
    case 'nothing':
      return
    case 'network':
      showNotice({ kind: 'notification', level: 'error', title: t('request.networkTitle'), text: t('request.network') })
      return
    case 'warning':
      showNotice({ kind: 'message', level: 'warning', text })
      return
    case 'notification':
      showNotice({ kind: 'notification', level: 'error', title: error.errorCode, text })
      return
    case 'redirect':
      location.assign(exceptionAddress(error.errorCode, text))
      return
    default:
      showNotice({ kind: 'message', level: 'error', text })
  }
}

/** Input as a query string: undefined, null and empty strings are left out; lists repeat their key. */
export const queryOf = (input: Record<string, unknown>): string => {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === null || value === '') continue
    if (Array.isArray(value)) for (const item of value) query.append(key, String(item))
    else query.append(key, String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * Every address with the authentication segment that is not a login carries the token (portal specification, section 7), and
 * so does the rest of the API, where the same token opens what belongs to the account. What stands after "?" decides nothing.
 */
export const needsToken = (url: string): boolean => {
  const path = url.split(/[?#]/)[0] ?? ''
  return path.includes('/api/') && !path.endsWith('/api/auth/login/')
}

/** Headers of a request to the API: the reader's language, and the token where the address takes it. */
export const requestHeaders = (url: string): Record<string, string> => {
  const token = readToken()
  return {
    Accept: 'application/json',
    'Accept-Language': currentLocale(),
    ...(token !== null && needsToken(url) ? { Authorization: `Bearer ${token}` } : {}),
  }
}

const signedOutListeners = new Set<() => void>()

/** Calls the listener whenever the server says that nobody is signed in; gives back how to end it. */
export const onSignedOut = (listener: () => void): (() => void) => {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

const answerListeners = new Set<(came: boolean) => Promise<void>>()

/**
 * Calls the listener whenever the server answered, whatever it said, and whenever no answer came; gives back how to end it. A request
 * without an answer fails only when the listener is done: whoever handles the failure knows then whether the connection is lost.
 */
export const onAnswer = (listener: (came: boolean) => Promise<void>): (() => void) => {
  answerListeners.add(listener)
  return () => answerListeners.delete(listener)
}

const tellAnswer = async (came: boolean): Promise<void> => {
  await Promise.all([...answerListeners].map((listener) => listener(came)))
}

/** The browser's own `fetch` to the server of the portal, told to {@link onAnswer}; one that was aborted tells nothing. */
export const fetchAnswer = async (url: string, init: RequestInit): Promise<Response> => {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted !== true) await tellAnswer(false)
    throw error
  }
  void tellAnswer(true)
  return response
}

const failureFrom = (body: unknown, status: number): RequestError => {
  const parsed = failureSchema.safeParse(body)
  if (parsed.success) {
    const { errorCode, errorMessage, showType, details } = parsed.data
    return new RequestError({ errorCode, errorMessage, showType, status, problems: details?.problems })
  }
  const t = translator(messages, currentLocale())
  return new RequestError({
    errorCode: status === 0 ? 'NETWORK' : 'INTERNAL',
    errorMessage: t('request.default'),
    showType: showTypes.error,
    status,
  })
}

/**
 * Calls an endpoint and gives back what its output schema describes. Throws {@link RequestError}; the failure has then
 * been shown already unless `skipErrorHandler` was asked. An aborted call throws the browser's own AbortError, unshown.
 */
export const call = async <Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: z.input<Input>,
  options: CallOptions = {},
): Promise<z.output<Output>> => {
  const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>)
  // A page hands over a thing with more to it than is asked for; the server refuses what it does not know.
  for (const { path: field } of findUnknownFields(endpoint.input, rest)) if (field.length === 1) delete rest[field[0]!]
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE'
  const url = addressOf(inQuery ? path + queryOf(rest) : path)
  const headers: Record<string, string> = { ...requestHeaders(url), ...options.headers }
  if (!inQuery) headers['Content-Type'] = 'application/json'

  const fail = (error: RequestError): never => {
    if (error.status === 401 && error.errorCode === 'NOT_SIGNED_IN') for (const tell of signedOutListeners) tell()
    if (options.skipErrorHandler !== true) showRequestError(error)
    throw error
  }

  let response: Response
  try {
    response = await fetchAnswer(url, {
      method: endpoint.method,
      headers,
      body: inQuery ? undefined : JSON.stringify(rest),
      signal: options.signal ?? null,
    })
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    return fail(failureFrom(null, 0))
  }
  let body: unknown = null
  try {
    body = await response.json()
  } catch (error) {
    if (options.signal?.aborted === true) throw error
  }
  if (typeof body === 'object' && body !== null && 'success' in body && body.success === true && 'data' in body) {
    const parsed = endpoint.output.safeParse(body.data)
    if (parsed.success) return parsed.data
    console.error(`Unexpected answer of ${endpoint.method} ${endpoint.path}`, parsed.error.issues)
    return fail(failureFrom(null, 500))
  }
  return fail(failureFrom(body, response.status))
}
