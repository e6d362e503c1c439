import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'
import { type ErrorCode, type FieldProblem, PortalError, type ShowType } from '../../contracts/errors.ts'
import type { Language } from '../../contracts/text.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { createProgramRunner, type ProgramEnd, type ProgramRunner, type RunBounds } from '../../jobs/program.ts'
import { openDoneJob } from '../../jobs/queue.ts'
import type { ToolRouteContext } from '../../kit/engine.ts'
import { describeReceipt, runTool } from '../../kit/run-tool.ts'
import type { Config } from '../config.ts'
import type { PortalCore, PortalTool } from '../portal.ts'
import { traceProgram } from '../traces/job-traces.ts'

type AskedTask =
  /** `run` of a tool that answers at once; the directory is there. */
  | { kind: 'run'; tool: string; input: unknown; directory: string; gzip: boolean }
  /** A further route of a tool, by its place among them; the directory is made when a program needs it. */
  | { kind: 'route'; tool: string; route: number; input: unknown; language: Language; directory: string; gzip: boolean }
  /** The genes that many names mean. */
  | { kind: 'resolve'; names: string[]; assembly: string | undefined; gzip: boolean }

/**
 * What is done away from the process that serves requests; plain data, for it crosses to another process. `gzip`: whoever asks reads gzip, so
 * that text is packed there and less of it crosses. `traceparent`: trace context (W3C) of the request, where traces are kept.
 */
export type ToolTask = AskedTask & { traceparent?: string | undefined }

/** What comes back first, as plain data. After `pieces` the content follows piece by piece. */
export type TaskAnswer =
  /** The whole answer as UTF-8 of its JSON: written there, for the process that serves requests must not stop to write megabytes. */
  | { kind: 'json'; json: Uint8Array; gzipped: boolean }
  /** Data of genes resolved in JSON, with the names that mean none, for which the nearest are still to be found; a whole answer where all mean one. */
  | { kind: 'resolved'; json: Uint8Array; unknown: string[] }
  | ({ kind: 'body'; body: Uint8Array; gzipped: boolean } & ContentAbout)
  | ({ kind: 'file'; file: string } & ContentAbout)
  | ({ kind: 'pieces'; gzipped: boolean } & ContentAbout)

export interface ContentAbout {
  contentType: string
  fileName: string | undefined
}

/** A failure as plain data: a PortalError whole, of any other what the log and the search for its reason need. */
export type PackedError =
  | {
      known: true
      code: ErrorCode
      message: string
      params: Record<string, string | number>
      problems: FieldProblem[]
      showType: ShowType
      cause: string | null
    }
  | { known: false; message: string; stack: string | undefined; code: string | undefined }

const describeCause = (cause: unknown): string | null =>
  cause === undefined ? null : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)

export const packError = (error: unknown): PackedError => {
  if (error instanceof PortalError) {
    const { code, messageId: message, params, problems, showType } = error
    return { known: true, code, message, params, problems, showType, cause: describeCause(error.cause) }
  }
  if (!(error instanceof Error)) return { known: false, message: String(error), stack: undefined, code: undefined }
  const { code } = error as { code?: unknown }
  return {
    known: false,
    message: error.message,
    stack: error.stack,
    // By it the server knows a database that is away.
    code: typeof code === 'string' ? code : undefined,
  }
}

export const unpackError = (packed: PackedError): Error => {
  if (packed.known) {
    const { code, cause, ...options } = packed
    return new PortalError(code, { ...options, ...(cause === null ? {} : { cause: new Error(cause) }) })
  }
  const error = new Error(packed.message)
  if (packed.stack !== undefined) error.stack = packed.stack
  return packed.code === undefined ? error : Object.assign(error, { code: packed.code })
}

/** What an engine may take while somebody waits for it; a job may take what the settings say. */
const maxProgramBytes = 2 * 1024 ** 3

/** Bounds of a tool that answers at once; its programs have at most 2 GiB each, however much a job may have. */
export const answerBounds = (config: Config): RunBounds => ({
  timeoutMs: 60_000,
  memoryBytes: Math.min(config.jobMemoryBytes, maxProgramBytes),
  outputBytes: 512 * 1024 * 1024,
})

/** Bounds of a route: a format of a large result is made once and kept, and takes longer than an answer may. */
export const routeBounds = (config: Config): RunBounds => ({
  ...answerBounds(config),
  timeoutMs: 120_000,
  outputBytes: 2 * 1024 ** 3,
})

export const boundsOf = (task: ToolTask, config: Config): RunBounds =>
  task.kind === 'route' ? routeBounds(config) : answerBounds(config)

export interface OpenAnswer {
  answer: TaskAnswer
  /** The content, where it comes in pieces. */
  pieces: AsyncIterator<string | Uint8Array> | null
}

const encoder = new TextEncoder()
const whole = (answer: TaskAnswer): OpenAnswer => ({ answer, pieces: null })
const writeJson = (data: unknown): Uint8Array => encoder.encode(JSON.stringify(data ?? null))

/** As @fastify/compress does: less is not worth it. */
const minPackedBytes = 1024
/** Text that is asked for once; a higher level takes twice the time for a tenth fewer bytes. */
const packing = { level: 4 }
const packBytes = promisify(gzip)
const isText = (contentType: string): boolean => /^text\/|[+/](?:json|xml)(?:;|$)/.test(contentType)

const packWhole = async (bytes: Uint8Array, wanted: boolean): Promise<{ bytes: Uint8Array; gzipped: boolean }> => {
  const gzipped = wanted && bytes.byteLength >= minPackedBytes
  return { bytes: gzipped ? await packBytes(bytes, packing) : bytes, gzipped }
}

/**
 * Pieces packed as they are asked for: what has been taken comes whole with its piece, however little of it that is. Nothing is taken
 * ahead, so that each piece has its turn and its time.
 */
const packPieces = (pieces: AsyncIterator<string | Uint8Array>): AsyncIterator<Uint8Array> => {
  const packer = createGzip(packing)
  let parts: Uint8Array[] = []
  let ended = false
  packer.on('data', (part: Uint8Array) => parts.push(part))
  return {
    next: async () => {
      if (ended) return { done: true, value: undefined }
      const piece = await takePieces(pieces)
      if (piece === null) {
        ended = true
        packer.end()
        await once(packer, 'end')
      } else {
        packer.write(piece)
        // What the flush brings is told in a later turn of the loop.
        await new Promise<void>((resolve) => packer.flush(constants.Z_SYNC_FLUSH, () => setImmediate(resolve)))
      }
      const value = Buffer.concat(parts)
      parts = []
      return { done: false, value }
    },
    return: async () => {
      ended = true
      await pieces.return?.()
      return { done: true, value: undefined }
    },
  }
}

const jsonOf = async (data: unknown, wanted: boolean): Promise<OpenAnswer> => {
  const { bytes: json, gzipped } = await packWhole(writeJson({ success: true, data: data ?? null }), wanted)
  return whole({ kind: 'json', json, gzipped })
}

const nameOf = (task: ToolTask): string =>
  task.kind === 'resolve' ? 'resolve genes' : `${task.kind === 'run' ? 'run' : 'route of'} ${task.tool}`

/** Does a task over a portal of this process; traced until it answers, and where its answer comes in pieces, until they begin. */
export const openAnswer = async (core: PortalCore, task: ToolTask, signal: AbortSignal): Promise<OpenAnswer> => {
  const { traces } = core
  if (traces === null || task.traceparent === undefined) return openUntraced(core, task, signal)
  const span = traces.startSpan(nameOf(task), {
    parent: task.traceparent,
    fields: task.kind === 'resolve' ? {} : { 'novodb.tool': task.tool },
  })
  try {
    const opened = await openUntraced(core, task, signal, (ended) => traceProgram(traces, span.traceparent, ended))
    span.end()
    return opened
  } catch (error) {
    span.end({}, error instanceof PortalError ? error.code : 'INTERNAL')
    throw error
  }
}

const openUntraced = async (
  core: PortalCore,
  task: ToolTask,
  signal: AbortSignal,
  onProgram?: (ended: ProgramEnd) => void,
): Promise<OpenAnswer> => {
  if (task.kind === 'resolve') {
    const resolved = await core.data.resolveGenes(task.names, task.assembly)
    if (resolved.unknown.length === 0) return jsonOf({ ...resolved, nearest: [] }, task.gzip)
    return whole({ kind: 'resolved', json: writeJson(resolved), unknown: resolved.unknown })
  }
  const entry = core.tools.find((candidate) => candidate.id === task.tool)
  if (entry === undefined) throw new Error(`no tool ${task.tool}`)
  if (task.kind === 'route') return openRoute(core, entry, task, signal, onProgram)
  const { config } = core
  const answer = await runTool(entry.engine, {
    input: task.input,
    data: core.data,
    directory: task.directory,
    dataDir: config.dataDir,
    searchPath: config.searchPath,
    programs: core.programs,
    portalVersion: core.version,
    signal,
    bounds: answerBounds(config),
    onProgress: () => undefined,
    ...(onProgram === undefined ? {} : { onProgram }),
  })
  return jsonOf(answer, task.gzip)
}

const openRoute = async (
  core: PortalCore,
  entry: PortalTool,
  task: ToolTask & { kind: 'route' },
  signal: AbortSignal,
  onProgram?: (ended: ProgramEnd) => void,
): Promise<OpenAnswer> => {
  const route = entry.engine.routes?.[task.route]
  if (route === undefined) throw new Error(`no route ${task.route} of ${task.tool}`)
  const { config } = core
  let runner: ProgramRunner | null = null
  const context: ToolRouteContext = {
    data: core.data,
    signal,
    language: task.language,
    openJob: async (id) => {
      const opened = await openDoneJob(core.database.sql, core.files, id)
      // A job of another tool has an address of this form too, and a directory that this one cannot read.
      if (opened.job.tool !== entry.id) throw new PortalError('NOT_FOUND', { message: 'job.unknown' })
      const [result, receipt] = await Promise.all([
        readFile(opened.resultFile, 'utf8'),
        readFile(opened.receiptFile, 'utf8'),
      ])
      return {
        directory: opened.directory,
        input: opened.input,
        result: JSON.parse(result) as unknown,
        receipt: JSON.parse(receipt) as Receipt,
      }
    },
    describeReceipt: (about) =>
      describeReceipt(about, { tool: entry.id, portalVersion: core.version, data: core.data }),
    runProgram: (run) => {
      runner ??= createProgramRunner({
        directory: task.directory,
        signal,
        searchPath: config.searchPath,
        programs: core.programs,
        bounds: routeBounds(config),
        ...(onProgram === undefined ? {} : { onEnd: onProgram }),
      })
      return runner(run)
    },
  }
  const answer = await route.handle(task.input, context)
  if ('json' in answer) return jsonOf(answer.json, task.gzip)
  const about: ContentAbout = { contentType: answer.contentType, fileName: answer.fileName }
  if ('file' in answer) return whole({ kind: 'file', file: answer.file, ...about })
  const { body } = answer
  const packs = task.gzip && isText(about.contentType)
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const { bytes, gzipped } = await packWhole(typeof body === 'string' ? encoder.encode(body) : body, packs)
    return whole({ kind: 'body', body: bytes, gzipped, ...about })
  }
  const pieces = body[Symbol.asyncIterator]()
  return { answer: { kind: 'pieces', gzipped: packs, ...about }, pieces: packs ? packPieces(pieces) : pieces }
}

/** Bytes of a stream that are handed on at once, and how long they are gathered for. */
const gathered = { bytes: 128 * 1024, ms: 100 } as const

/** The next bytes of a stream; null when it has ended. */
export const takePieces = async (pieces: AsyncIterator<string | Uint8Array>): Promise<Uint8Array | null> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  const began = performance.now()
  while (bytes < gathered.bytes && performance.now() - began < gathered.ms) {
    const next = await pieces.next()
    if (next.done) break
    const part = typeof next.value === 'string' ? encoder.encode(next.value) : next.value
    parts.push(part)
    bytes += part.byteLength
  }
  if (parts.length === 0) return null
  const joined = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.byteLength
  }
  return joined
}
