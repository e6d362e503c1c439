import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import compress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { ErrorCode } from '../contracts/errors.ts'
import { errorKinds, PortalError } from '../contracts/errors.ts'
import type { Messages } from '../contracts/text.ts'
import { findStoreDelay, isDiskFull } from '../store/store-error.ts'
import { clientOf, readCaller, visitorCaller } from './accounts/sessions.ts'
import { headersOfFile } from './answers/begin-stream.ts'
import { failureBody, mountedEndpoints, type RouteRights, refuseAnyQuery, watchRoutes } from './answers/implement.ts'
import type { Config } from './config.ts'
import { readLanguage } from './language.ts'
import { openApiDocument } from './openapi.ts'
import type { Portal } from './portal.ts'
import { mountAccount } from './routes/account.ts'
import { mountAdmin } from './routes/admin.ts'
import { mountAuth } from './routes/auth.ts'
import { mountContact } from './routes/contact.ts'
import { mountCrawlers } from './routes/crawlers.ts'
import { mountData } from './routes/data.ts'
import { mountDetails } from './routes/details.ts'
import { readUsage } from './routes/documents.ts'
import { mountFiles } from './routes/files.ts'
import { mountImports } from './routes/imports.ts'
import { mountJobs } from './routes/jobs.ts'
import { mountNotebooks } from './routes/notebooks.ts'
import { mountRefget } from './routes/refget.ts'
import { mountSystem } from './routes/system.ts'
import { readSecurityHeaders } from './security-headers.ts'
import { readTraceparent, type Span, type Traces } from './traces/traces.ts'

const openToAll: RouteRights = { access: 'anyone', open: true, ignoresToken: true }

/** Fastify's own refusals, as the portal's. */
const refusals: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'INVALID_INPUT',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_INPUT',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_INPUT',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_INPUT',
}

/** Browsers open connections beforehand; Node takes one without a request for busy, and closing would wait a minute for it. */
const closeSilentConnections = (app: FastifyInstance): void => {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
  })
}

/** The HTTP application over an open portal; `webDir` holds the built browser part, or is null; logs go to stdout unless told. */
export const buildApp = async (
  portal: Portal,
  webDir: string | null,
  logStream?: NodeJS.WritableStream,
): Promise<FastifyInstance> => {
  const { config } = portal
  const app = Fastify({
    // Requests are logged by the hook below, without addresses, queries or headers: those can hold tokens and sequences.
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            base: { process: 'server', host: hostname() },
            ...(logStream ? { stream: logStream } : {}),
          },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // Only what the nearest proxies added is believed: what stands before it in the header, the client wrote itself.
    trustProxy: config.trustProxy === 0 ? false : (_address: string, hop: number) => hop < config.trustProxy,
    genReqId: ({ headers }) =>
      (config.trustProxy > 0 ? readRequestId(headers['x-request-id']) : null) ?? randomUUID().slice(0, 8),
    // An address that cannot be decoded reaches no route and no hook.
    frameworkErrors: (_, request, reply: FastifyReply) =>
      void reply
        .code(400)
        .header('X-Request-Id', request.id)
        .header('Content-Type', 'application/json; charset=utf-8')
        .send(
          failureBody(new PortalError('INVALID_INPUT'), readLanguage(request.headers['accept-language']), request.id),
        ),
    routerOptions: { caseSensitive: true, maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    // Served under a path of its own: with it before them, addresses mean what they mean without.
    rewriteUrl: ({ url = '/' }) => {
      const { basePath } = config
      return basePath !== '' && (url === basePath || url.startsWith(`${basePath}/`) || url.startsWith(`${basePath}?`))
        ? url.slice(basePath.length).replace(/^(?!\/)/, '/')
        : url
    },
  })

  closeSilentConnections(app)
  watchRoutes(app)
  const securityHeaders = readSecurityHeaders(config.secure)
  await app.register(compress, {
    global: true,
    threshold: 1024,
    encodings: ['br', 'gzip', 'deflate'],
    // Answers only: no client of the portal sends a packed body, and what is not unpacked cannot be a bomb.
    globalDecompression: false,
  })

  app.decorateRequest('caller')
  app.decorateRequest('span', null)
  app.addHook('onRequest', async (request, reply) => {
    if (portal.traces !== null) request.span = traceRequest(portal.traces, config, request)
    reply.headers(securityHeaders)
    reply.header('X-Request-Id', request.id)
    // A connection that is kept would be closed under the next request.
    if (portal.draining) reply.header('Connection', 'close')
    request.caller = visitorCaller
    // The route that answers, not the address as it was written: a router reads %61pi as api. What no route answers has none.
    const path = request.routeOptions.url ?? request.url.split('?')[0]!
    const isApi = path.startsWith('/api/')
    // Files and sequences for other programs ask nobody who they are, unless the portal requires signing in.
    if (!isApi && !(config.requireLogin && /^\/(data|refget)(\/|$)/.test(path))) return
    if (isApi) reply.header('Cache-Control', 'no-store')
    const rights = request.routeOptions.config.rights
    if (rights?.ignoresToken) {
      request.caller = { ...visitorCaller, client: clientOf(request, portal.clientSalt) }
      return
    }
    const reading = request.method === 'GET' || request.method === 'HEAD'
    request.caller = await readCaller(portal.database.sql, request, portal.clientSalt, {
      cookie: config.requireLogin && reading,
    })
    if (config.requireLogin && !rights?.open && request.caller.via === 'none') throw new PortalError('NOT_SIGNED_IN')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    portal.metrics?.noteRequest(route, request.method, reply.statusCode, reply.elapsedTime / 1000)
    const status = reply.statusCode
    request.span?.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : null)
    // Pages and their files, dozens at each visit, would bury what the terminal says of the portal.
    const asked = /^\/(api|data|refget)\//.test(request.routeOptions.url ?? '')
    request.log[asked || reply.statusCode >= 400 ? 'info' : 'debug'](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })

  app.setErrorHandler(async (thrown: FastifyError, request, reply) => {
    let error: PortalError
    if (thrown instanceof PortalError) error = thrown
    else if (typeof thrown.code === 'string' && refusals[thrown.code] !== undefined) {
      error = new PortalError(refusals[thrown.code]!)
    } else if (isDiskFull(thrown)) {
      portal.disks.noteRefusal()
      error = new PortalError('BUSY', { message: 'error.diskFull' })
      request.log.warn({ reason: thrown.message }, 'disk full')
    } else if (findStoreDelay(thrown) !== null) {
      const arrives = findStoreDelay(thrown) === 'still-arriving'
      error = new PortalError('BUSY', { message: arrives ? 'error.fileArriving' : 'error.storeAway' })
      request.log.warn({ reason: thrown.message }, arrives ? 'files on their way' : 'object store away')
    } else if (databaseIsAway(thrown)) {
      // A full disk ends a database in its own way: it cannot even write that it is full.
      error = new PortalError('BUSY', (await portal.disks.isFull()) ? { message: 'error.diskFull' } : {})
      request.log.warn({ reason: thrown.message }, 'database away')
    } else {
      error = new PortalError('INTERNAL')
      request.log.error({ err: thrown }, 'unexpected failure')
    }
    if (error.cause !== undefined) request.log.warn({ err: error.cause }, error.code)
    const { tool: named, id } = (request.params ?? {}) as { tool?: string; id?: string }
    let tool = named ?? /^\/api\/tools\/([a-z]+)\//.exec(request.url)?.[1]
    // The result of a job that failed is its tool's own error, in that tool's words.
    if (id !== undefined && request.routeOptions.url?.startsWith('/api/jobs/'))
      tool = (await portal.queue.getJob(id).catch(() => null))?.tool
    const messages: Messages | undefined = portal.tools.find((entry) => entry.id === tool)?.messages ?? undefined
    if (reply.sent) return
    // What was said of a file before it failed: a body that is not packed must not be called so, nor a failure be kept for ever.
    for (const header of headersOfFile) reply.removeHeader(header)
    reply.header('Cache-Control', 'no-store')
    // What only time mends is worth asking for again (RFC 9110, section 10.2.3).
    if (errorKinds[error.code].fixableBy === 'later') reply.header('Retry-After', error.params.seconds ?? busySeconds)
    return reply
      .code(error.status)
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(failureBody(error, readLanguage(request.headers['accept-language']), request.id, messages))
  })

  // For watchers of the service, which have no account: open also where the portal requires signing in.
  app.get('/api/health/', { config: { rights: openToAll }, preHandler: refuseAnyQuery }, async (_, reply) => {
    const [row] = await portal.database.sql<{ ok: number }[]>`select 1 as ok`.catch(() => [undefined])
    const fit = row !== undefined && !portal.draining
    if (!fit) reply.code(503)
    return {
      success: fit,
      data: {
        status: fit ? 'ok' : portal.draining ? 'stopping' : 'database away',
        version: portal.version,
        diskFull: await portal.disks.isFull(),
        loaded: (await portal.data.listSpecies().catch(() => [])).length,
      },
    }
  })

  mountAuth(app, portal)
  mountAccount(app, portal)
  mountContact(app, portal)
  mountData(app, portal)
  mountDetails(app, portal)
  mountJobs(app, portal)
  mountNotebooks(app, portal)
  mountAdmin(app, portal)
  mountImports(app, portal, securityHeaders)
  mountSystem(app, portal)
  mountFiles(app, portal)
  mountRefget(app, portal)
  mountCrawlers(app, portal)

  const openApi = JSON.stringify(
    openApiDocument(
      mountedEndpoints(app),
      portal.tools.map((entry) => entry.tool),
      portal.tools.flatMap((entry) => (entry.engine.routes ?? []).map((route) => ({ tool: entry.id, route }))),
      { title: config.title, version: portal.version },
    ),
  )
  app.get('/api/openapi.json', { preHandler: refuseAnyQuery }, async (_, reply) =>
    reply.header('Content-Type', 'application/json; charset=utf-8').send(openApi),
  )

  if (webDir !== null && existsSync(join(webDir, 'index.html'))) await mountBrowser(app, portal, webDir)
  else app.setNotFoundHandler(async () => Promise.reject(new PortalError('NOT_FOUND')))
  return app
}

/** The span of a request for data; none of pages, their files, and the questions of a proxy whether the server is well. */
const traceRequest = (
  traces: Traces,
  { trustProxy }: Config,
  { method, headers, id, routeOptions }: FastifyRequest,
): Span | null => {
  const route = routeOptions.url ?? ''
  if (!/^\/(api|data|refget)\//.test(route) || route === '/api/health/') return null
  return traces.startSpan(`${method} ${route}`, {
    // As with the request's id, whoever comes without a proxy names none of ours.
    parent: trustProxy > 0 ? readTraceparent(headers.traceparent) : null,
    kind: 'server',
    // The pattern of the route, never the address: that may hold a name or a secret.
    fields: { 'http.request.method': method, 'http.route': route, 'novodb.request_id': id },
  })
}

/** The id that a proxy gave a request, by which its own log knows it; null for what cannot be one: it goes into logs and a header. */
const readRequestId = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/.test(header) ? header : null

/** After which a busy portal may have room again. */
const busySeconds = 5

/** The database is restarting, out of connections or out of disk: the same request may go well in a moment. */
const databaseIsAway = (error: { code?: unknown }): boolean =>
  typeof error.code === 'string' && /^(CONNECTION_|CONNECT_|ECONN|ENOENT|EPIPE|08|53|57P|58)/.test(error.code)

/** The built browser part: hashed assets for ever, the page itself checked each time, every other path the page. */
const mountBrowser = async (app: FastifyInstance, portal: Portal, webDir: string): Promise<void> => {
  const page = (await readFile(join(webDir, 'index.html'), 'utf8'))
    .replaceAll('%TITLE%', escapeHtml(portal.config.title))
    .replaceAll('%FILING%', escapeHtml(portal.config.filing ?? ''))
    .replaceAll('%LIMITS%', escapeHtml(JSON.stringify(portal.config.toolLimits)))
    .replaceAll('%BASE%', `${portal.config.basePath}/`)
    .replaceAll('%LANGUAGES%', portal.config.languages.join(' '))
    .replaceAll('%RELEASE%', escapeHtml(portal.version))
    .replaceAll('%OFF%', portal.config.toolsOff.join(' '))
    // The build's addresses are relative; the page is served at any depth.
    .replaceAll(/(src|href)="\.\//g, `$1="${portal.config.basePath}/`)
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    wildcard: false,
    // Else its own Cache-Control is written over the one below.
    cacheControl: false,
    setHeaders: (response, path) => {
      response.setHeader(
        'Cache-Control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  const renderUsage = await readUsage(webDir, { basePath: portal.config.basePath, off: portal.config.toolsOff })
  app.setNotFoundHandler(async (request, reply) => {
    const [path, query] = request.url.split('?', 2) as [string, string | undefined]
    if (request.method !== 'GET' || /^\/(api|data|refget|assets)(\/|$)/.test(path)) throw new PortalError('NOT_FOUND')
    const language = readLanguage(request.headers['accept-language'])
    return reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .header('Vary', 'Accept-Language')
      .send(renderUsage(page, { path, query: new URLSearchParams(query), language }))
  })
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
