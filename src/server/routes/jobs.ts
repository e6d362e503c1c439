import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { errorMessages } from '../../contracts/error-messages.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import type { Language, Messages } from '../../contracts/text.ts'
import { cancelJob, getJob, getJobResult, listTools, runTool } from '../../contracts/tools/jobs.ts'
import type { ToolStatus } from '../../contracts/tools/tool.ts'
import { findGreatestRaise } from '../../contracts/tools/tool-limits.ts'
import { createCacheKey } from '../../jobs/cache-key.ts'
import type { JobRecord } from '../../jobs/job-record.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { beginStream } from '../answers/begin-stream.ts'
import {
  type Caller,
  CallerContext,
  implement,
  jsonType,
  parseInput,
  type RouteRights,
  readsGzip,
  refuseAnyQuery,
  refuseQuery,
  sendBytes,
  turnsOf,
  WrittenAnswer,
} from '../answers/implement.ts'
import type { ServedAnswer } from '../answers/tool-pool.ts'
import { renderPortalJob } from '../jobs/render-job.ts'
import { formatText } from '../language.ts'
import type { Portal, PortalTool } from '../portal.ts'

/** Whoever the portal lets in; its own rights are checked where there are any. */
const forAnyone: RouteRights = { access: 'anyone', open: false, ignoresToken: false }

/** How long a POST waits for a job to end before it answers with the job: short ones are answered at once. */
const answerWaitMs = 700

/** Open streams of events, each of which looks at its job now and then: a class behind one address watches a few jobs each. */
const maxStreams = { ofClient: 100, inAll: 1000 } as const

/** Bound on a request to a tool; a deployment that raises a limit of a tool may be sent as much more. */
const toolBodyBytes = (): number => Math.ceil(runTool.bodyLimitBytes! * findGreatestRaise())

/** Tools: what there is, running one, its further routes; jobs: state, result, events, cancel. */
export const mountJobs = (app: FastifyInstance, portal: Portal): void => {
  const { queue } = portal

  const findTool = (id: string): PortalTool => {
    const tool = portal.tools.find((candidate) => candidate.id === id)
    if (tool === undefined) throw new PortalError('NOT_FOUND')
    return tool
  }

  const makeExample = async ({ tool, engine }: PortalTool, assemblies: AssemblySummary[]): Promise<unknown> => {
    const example = tool.example({ assemblies })
    return example === null || engine.completeExample === undefined
      ? example
      : engine.completeExample(example, portal.data)
  }
  /** By tool, of the bundles in use: every page asks for the tools, and an example may take reading what is loaded. */
  let examples = { of: '', made: new Map<string, Promise<unknown>>() }
  const findExample = async (
    entry: PortalTool,
    assemblies: AssemblySummary[],
    log: FastifyRequest['log'],
  ): Promise<unknown> => {
    const of = (await portal.data.listBundlesInUse()).map(({ uid }) => uid).join()
    if (examples.of !== of) examples = { of, made: new Map() }
    const { made } = examples
    const { id } = entry.tool
    const example = made.get(id) ?? makeExample(entry, assemblies)
    made.set(id, example)
    // One example that could not be read takes no tool from anyone; it is tried again by the next who asks.
    return example.catch((error: unknown) => {
      made.delete(id)
      log.error({ err: error, tool: id }, 'example not read')
      return null
    })
  }

  // A tool's schema says its limits, which are settings of the start.
  const inputSchemas = new Map(
    portal.tools.map(({ tool }) => [tool.id, z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })]),
  )
  const resultSchemas = new Map(
    portal.tools.map(({ tool }) => [tool.id, z.toJSONSchema(tool.result, { io: 'output', unrepresentable: 'any' })]),
  )
  implement(app, listTools, async (_, { caller, language, request }) => {
    const tools: ToolStatus[] = []
    const assemblies = await portal.data.listAssemblies()
    for (const entry of portal.tools) {
      const { tool } = entry
      const reasons = await unavailableReasons(portal, entry, language, caller)
      tools.push({
        id: tool.id,
        route: tool.route,
        category: tool.category,
        order: tool.order,
        icon: tool.icon,
        mode: tool.mode,
        available: reasons.length === 0,
        unavailable: reasons,
        limits: tool.limits,
        inputSchema: inputSchemas.get(tool.id)!,
        example: reasons.length === 0 ? await findExample(entry, assemblies, request.log) : null,
      })
    }
    return { tools }
  })

  const run = { ...runTool, bodyLimitBytes: toolBodyBytes() }
  implement(app, run, async ({ tool: id, ...fields }, { caller, language, reply, request, signal }) => {
    const entry = findTool(id)
    const reasons = await unavailableReasons(portal, entry, language, caller)
    if (reasons.length > 0) {
      throw new PortalError('TOOL_UNAVAILABLE', {
        message: 'error.toolUnavailable',
        params: { reasons: reasons.join(' ') },
      })
    }
    const given = parseInput(entry.tool.input, fields)
    const wantsJob = /(^|,)\s*respond-async\b/.test(String(request.headers.prefer ?? ''))
    if (entry.tool.mode === 'answer' && !wantsJob) {
      const asked = { tool: id, input: given, gzip: readsGzip(request), traceparent: request.span?.traceparent }
      return new WrittenAnswer(await portal.pool.run(asked, { client: turnsOf(caller), signal }))
    }
    const input =
      entry.engine.completeInput === undefined ? given : await entry.engine.completeInput(given, portal.data)
    const bundles = await portal.data.listBundlesInUse()
    const keyOf = (of: unknown): string =>
      createCacheKey({
        tool: id,
        toolVersion: entry.tool.version,
        resultSchema: resultSchemas.get(id),
        input: of,
        bundles: bundles.map((bundle) => bundle.uid),
        programs: portal.programs
          .filter((program) => program.tools.includes(id))
          .map(({ program, version }) => ({ program, version })),
      })
    const marks: readonly string[] | undefined = entry.engine.marks
    const job = await queue.submitJob({
      tool: id,
      toolVersion: entry.tool.version,
      input,
      owner: caller.account,
      client: caller.client,
      requestId: request.id,
      traceparent: request.span?.traceparent,
      bundles: bundles.map((bundle) => bundle.bundle),
      cacheKey: keyOf(input),
      baseKey:
        marks === undefined
          ? null
          : keyOf(Object.fromEntries(Object.entries(input as object).filter(([name]) => !marks.includes(name)))),
    })
    request.log.info({ job: job.id, tool: id }, 'job accepted')
    const settled = wantsJob ? job : await waitForJob(job)
    if (settled.state === 'done') {
      const { result, receipt } = await queue.readJobResult(settled.id)
      reply.header('X-Job-Id', settled.id)
      return { result, receipt, job: renderPortalJob(portal, settled, language) }
    }
    reply.code(202).header('Location', `/api/jobs/${settled.id}/`)
    return { job: renderPortalJob(portal, settled, language) }
  })

  const waitForJob = async (job: JobRecord): Promise<JobRecord> => {
    const timeout = AbortSignal.timeout(answerWaitMs)
    let last = job
    try {
      for await (const state of queue.watchJob(job.id, timeout)) {
        last = state
        if (state.endedAt !== null) break
      }
    } catch (error) {
      if (!timeout.aborted) throw error
    }
    return last
  }

  const requireJob = async (id: string): Promise<JobRecord> => {
    const job = await queue.getJob(id)
    if (job === null) throw new PortalError('NOT_FOUND', { message: 'job.unknown' })
    return job
  }

  implement(app, getJob, async ({ id }, { language }) => ({
    job: renderPortalJob(portal, await requireJob(id), language),
    input: (await queue.getJobInput(id))?.input ?? null,
  }))

  implement(app, getJobResult, async ({ id }) => queue.readJobResult(id))

  implement(app, cancelJob, async ({ id }, { language, caller }) => {
    const job = await requireJob(id)
    // Whoever has the address of a visitor's job may end it; an account's job only its owner and the administrator.
    if (job.owner !== null && job.owner !== caller.account && caller.access !== 'admin')
      throw new PortalError('FORBIDDEN')
    return { job: renderPortalJob(portal, await queue.cancelJob(id), language) }
  })

  const streams = new Map<string, number>()
  let streamsInAll = 0
  const settings = { compress: false as const, config: { rights: forAnyone }, preHandler: refuseAnyQuery }
  app.get('/api/jobs/:id/events', settings, async (request, reply) => {
    const { id } = request.params as { id: string }
    await requireJob(id)
    const { client } = request.caller
    const ofClient = streams.get(client) ?? 0
    // The browser asks now and then instead.
    if (ofClient >= maxStreams.ofClient || streamsInAll >= maxStreams.inAll) throw new PortalError('BUSY')
    streams.set(client, ofClient + 1)
    streamsInAll += 1
    reply.raw.once('close', () => {
      const left = streams.get(client)! - 1
      if (left > 0) streams.set(client, left)
      else streams.delete(client)
      streamsInAll -= 1
    })
    const { signal, language } = new CallerContext(request, reply)
    async function* events() {
      const beat = 15_000
      const states = queue.watchJob(id, signal)[Symbol.asyncIterator]()
      let next = states.next()
      try {
        while (true) {
          let timer: NodeJS.Timeout | undefined
          const pause = new Promise<'pause'>((resolve) => {
            timer = setTimeout(() => resolve('pause'), beat)
          })
          const state = await Promise.race([next, pause])
          clearTimeout(timer)
          if (state === 'pause') {
            // A comment keeps proxies from closing a quiet connection.
            yield ': waiting\n\n'
            continue
          }
          if (state.done) return
          yield `event: job\ndata: ${JSON.stringify(renderPortalJob(portal, state.value, language))}\n\n`
          next = states.next()
        }
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        await states.return?.()
      }
    }
    return reply
      .header('Content-Type', 'text/event-stream; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .header('X-Accel-Buffering', 'no')
      .send(Readable.from(events()))
  })

  for (const entry of portal.tools)
    for (const [number, route] of (entry.engine.routes ?? []).entries())
      mountToolRoute(app, portal, { entry, route, number })
}

/** What is sent of a file's answer, once its first bytes are there. */
const openContent = async (
  answer: Exclude<ServedAnswer, { kind: 'json' }>,
): Promise<{ body: Uint8Array | Readable; length?: number }> => {
  if (answer.kind === 'body') return { body: answer.body }
  if (answer.kind === 'pieces') return { body: await beginStream(answer.pieces) }
  const { size } = await stat(answer.file)
  return { body: await beginStream(createReadStream(answer.file)), length: size }
}

/**
 * Mounts a further route of a tool. None is answered in this process, however cheap it looks: what it costs depends on what is loaded and
 * asked for, and only the tool's author knows of either.
 */
const mountToolRoute = (
  app: FastifyInstance,
  portal: Portal,
  { entry, route, number }: { entry: PortalTool; route: ToolRoute; number: number },
): void => {
  const method = route.method ?? 'GET'
  app.route({
    method,
    url: `/api/tools/${entry.id}/${route.path.replace(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: toolBodyBytes(),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const fields = method === 'GET' ? request.query : request.body
      if (method !== 'GET') refuseQuery(request.query, route.input)
      const input = parseInput(route.input, { ...(fields as object), ...(request.params as object) })
      const { signal, language } = new CallerContext(request, reply)
      // Made only where a program runs; removed when the answer is out, for it may be a file in it.
      const directory = join(tmpdir(), `novodb-route-${randomUUID()}`)
      const cleanUp = (): void => void rm(directory, { recursive: true, force: true })
      const answer = await portal.pool
        .answerRoute(
          {
            tool: entry.id,
            route: number,
            input,
            language,
            directory,
            gzip: readsGzip(request),
            traceparent: request.span?.traceparent,
          },
          { client: turnsOf(request.caller), signal },
        )
        .catch((error: unknown) => {
          cleanUp()
          throw error
        })
      if (reply.raw.closed) cleanUp()
      else reply.raw.once('close', cleanUp)
      if (answer.kind === 'json')
        return sendBytes(reply, { body: answer.json, gzipped: answer.gzipped, contentType: jsonType })
      const { body, length } = await openContent(answer)
      if (answer.fileName !== undefined) {
        const plain = answer.fileName.replace(/[^\w.-]+/g, '_')
        reply.header('Content-Disposition', `attachment; filename="${plain}"`)
      }
      if (length !== undefined) reply.header('Content-Length', length)
      reply.header('X-Content-Type-Options', 'nosniff')
      return sendBytes(reply, {
        body,
        gzipped: answer.kind !== 'file' && answer.gzipped,
        contentType: answer.contentType,
      })
    },
  })
}

/**
 * What a tool lacks on this portal, in the reader's language; empty when it can be used. The administrator is told how it is mended, others
 * that it is so.
 */
const unavailableReasons = async (
  portal: Portal,
  entry: PortalTool,
  language: Language,
  { access }: Pick<Caller, 'access'>,
): Promise<string[]> => {
  const reasons: string[] = []
  const messages: Messages = errorMessages as Messages
  const assemblies = await portal.data.listAssemblies()
  for (const need of entry.tool.needs) {
    if (need.kind === 'program') {
      const found = portal.programs.find((program) => program.program === need.program)
      if (found?.path === null || found === undefined) {
        reasons.push(
          formatText(language, 'tool.needsProgram', { program: need.program, package: need.package }, messages),
        )
      }
    } else if (!assemblies.some((assembly) => (assembly.dataTypes[need.dataType] ?? 0) > 0)) {
      const message = access === 'admin' ? 'tool.needsData' : 'tool.noData'
      reasons.push(formatText(language, message, { entry: need.entry, dataType: need.dataType }, messages))
    }
  }
  return reasons
}
