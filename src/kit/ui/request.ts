import { z } from 'zod'
import { type Endpoint, fillPath } from '../../contracts/endpoint.ts'
import { type ShowType, showTypes } from '../../contracts/errors.ts'
import { findUnknownFields } from '../../contracts/unknown-fields.ts'
import { isConnected } from './connection-state.ts'
import { currentLocale, type Translate, translator } from './language.tsx'
import { messages } from './messages.ts'
import { closeNotice, showNotice } from './notices.ts'

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
  /** Whoever asked shows it: the error handler passes it over. */
  skipped = false

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
  /**
   * Stands in the context that a query gives its function, which is handed over as it is. A query asks again by itself what may pass:
   * its failure is shown once it gives up, by `makeQueryClient`, and not at every try.
   */
  queryKey?: readonly unknown[]
  /** Failures that the error handler does not show, all or some: an exception, whose reason stands beside it. */
  skipErrorHandler?: boolean | ((error: RequestError) => boolean)
  headers?: Record<string, string>
}

/** What is wrong with single fields is said beside them, in a form that has them; everything else is the handler's. */
export const shownBesideFields = (error: RequestError): boolean =>
  error.problems.length > 0 && displayOf(error) === 'error'

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

/** What a failure says to its reader: the server's own words, or that it could not be reached. */
export const failureText = (error: Error | null, t: Translate<keyof (typeof messages)['en']>): string => {
  if (error instanceof RequestError && (error.status === 0 || error.status === 504)) return t('request.network')
  return error instanceof RequestError && error.message !== '' ? error.message : t('request.default')
}

/** Addresses to which the gateway said that the server cannot be reached, and what tells so. */
const unreached = { addresses: new Set<string>(), notice: null as number | null }

/** Takes the word of a lost server back once one of the addresses that it was lost for answers; another that does not says so anew. */
const noteReached = (url: string, status: number): void => {
  if (status === 504) {
    unreached.addresses.add(url)
    return
  }
  if (!unreached.addresses.has(url)) return
  unreached.addresses.clear()
  if (unreached.notice !== null) closeNotice(unreached.notice)
  unreached.notice = null
}

/** Shows a failure as its display type asks; the same is not shown twice at a time. */
export const showRequestError = (error: RequestError): void => {
  // The shell says already that the connection is lost, for as long as it is.
  if (error.status === 0 && !isConnected()) return
  const t = translator(messages, currentLocale())
  const text = error.message === '' ? t('request.default') : error.message
  const display = displayOf(error)
  // The error page asks for what stands around it, too: refused in the same way, it would be opened without end.
  const isOnErrorPage = display === 'redirect' && location.pathname === addressOf('/exception')
  switch (isOnErrorPage ? 'error' : display) {
    case 'nothing':
      return
    case 'network':
      unreached.notice = showNotice({
        kind: 'notification',
        level: 'error',
        title: t('request.networkTitle'),
        text: t('request.network'),
      })
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
const requestHeaders = (url: string): Record<string, string> => {
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

const reportAnswer = async (came: boolean): Promise<void> => {
  await Promise.all([...answerListeners].map((listener) => listener(came)))
}

/** The browser's own `fetch` to the server of the portal, told to {@link onAnswer}; one that was aborted tells nothing. */
const fetchAnswer = async (url: string, init: RequestInit): Promise<Response> => {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted !== true) await reportAnswer(false)
    throw error
  }
  void reportAnswer(true)
  return response
}

/** A failure as the server tells it; of one that is not as it should be, every part that can be read. */
const failureSchema = z.object({
  errorCode: z.string().min(1).optional().catch(undefined),
  errorMessage: z.string().optional().catch(undefined),
  showType: z.number().optional().catch(undefined),
  details: z
    .object({
      problems: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).catch([]),
    })
    .optional()
    .catch(undefined),
})

/** The failure that an answer tells of, by its body, read as JSON, and its status; 0 where no answer came. */
export const failureFrom = (body: unknown, status: number): RequestError => {
  const reported = failureSchema.safeParse(body).data ?? {}
  return new RequestError({
    errorCode: reported.errorCode ?? (status === 0 ? 'NETWORK' : 'INTERNAL'),
    errorMessage: reported.errorMessage || translator(messages, currentLocale())('request.default'),
    showType: reported.showType ?? showTypes.error,
    status,
    problems: reported.details?.problems,
  })
}

const failRequest = (error: RequestError, { queryKey, skipErrorHandler = false }: CallOptions): never => {
  if (error.status === 401 && error.errorCode === 'NOT_SIGNED_IN') for (const listener of signedOutListeners) listener()
  error.skipped = typeof skipErrorHandler === 'function' ? skipErrorHandler(error) : skipErrorHandler
  if (queryKey === undefined && !error.skipped) showRequestError(error)
  throw error
}

/**
 * An answer of the server that is none of an endpoint's: a file, an array, what a tool's own route says. Throws {@link RequestError} where
 * none came or it is a failure, which the error handler has then been given as in {@link call}.
 */
export const requestAnswer = async (url: string, init: RequestInit, options: CallOptions = {}): Promise<Response> => {
  const { signal = null } = options
  const headers = { ...requestHeaders(url), ...(init.headers as Record<string, string>), ...options.headers }
  let response: Response
  try {
    response = await fetchAnswer(url, { ...init, headers, signal })
  } catch (error) {
    if (signal?.aborted === true) throw error
    return failRequest(failureFrom(null, 0), options)
  }
  noteReached(url, response.status)
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => null)
  signal?.throwIfAborted()
  return failRequest(failureFrom(body, response.status), options)
}

/**
 * Calls an endpoint and gives back what its output schema describes. Throws {@link RequestError}, which the error handler is given unless
 * `skipErrorHandler` says otherwise. An aborted call throws the browser's own AbortError, unshown.
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
  const response = await requestAnswer(
    addressOf(inQuery ? path + queryOf(rest) : path),
    inQuery
      ? { method: endpoint.method }
      : { method: endpoint.method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(rest) },
    options,
  )
  const body: unknown = await response.json().catch(() => null)
  options.signal?.throwIfAborted()
  if (typeof body !== 'object' || body === null || !('success' in body) || body.success !== true || !('data' in body))
    return failRequest(failureFrom(body, response.status), options)
  const parsed = endpoint.output.safeParse(body.data)
  if (parsed.success) return parsed.data
  console.error(`Unexpected answer of ${endpoint.method} ${endpoint.path}`, parsed.error.issues)
  return failRequest(failureFrom(null, 500), options)
}
