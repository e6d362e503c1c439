import { readFile } from 'node:fs/promises'
import { type ErrorCode, type FieldProblem, PortalError, type ShowType } from '../contracts/errors.ts'
import type { Receipt } from '../contracts/receipt.ts'
import type { Language } from '../contracts/text.ts'
import { createProgramRunner, type ProgramRunner, type RunBounds } from '../jobs/program.ts'
import { openDoneJob } from '../jobs/queue.ts'
import type { ToolRouteContext } from '../kit/engine.ts'
import { describeReceipt, runTool } from '../kit/run-tool.ts'
import type { Config } from './config.ts'
import type { PortalCore, PortalTool } from './portal.ts'

/** What is done away from the thread that serves requests; plain data, for it crosses to another thread. */
export type ToolTask =
  /** `run` of a tool that answers at once; the directory is there. */
  | { kind: 'run'; tool: string; input: unknown; directory: string }
  /** A further route of a tool, by its place among them; the directory is made when a program needs it. */
  | { kind: 'route'; tool: string; route: number; input: unknown; language: Language; directory: string }
  /** The genes that many names mean. */
  | { kind: 'resolve'; names: string[]; assembly: string | undefined }

/** What comes back first, as plain data. After `pieces` the content follows piece by piece. */
export type TaskAnswer =
  /** Data as UTF-8 of its JSON: written there, for the thread that serves requests must not stop to write megabytes. */
  | { kind: 'json'; json: Uint8Array }
  /** The same of genes resolved, with the names that mean none. */
  | { kind: 'resolved'; json: Uint8Array; unknown: string[] }
  | ({ kind: 'body'; body: Uint8Array } & ContentAbout)
  | ({ kind: 'file'; file: string } & ContentAbout)
  | ({ kind: 'pieces' } & ContentAbout)

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
const mostProgramBytes = 2 * 1024 ** 3

/** Bounds of a tool that answers at once; its programs have at most 2 GiB each, however much a job may have. */
export const answerBounds = (config: Config): RunBounds => ({
  timeoutMs: 60_000,
  memoryBytes: Math.min(config.jobMemoryBytes, mostProgramBytes),
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
const jsonOf = (data: unknown): OpenAnswer => whole({ kind: 'json', json: writeJson(data) })

/** The bytes of an answer that may be handed on without a copy. */
export const bytesOf = (answer: TaskAnswer): Uint8Array | undefined =>
  answer.kind === 'body' ? answer.body : 'json' in answer ? answer.json : undefined

/** Does a task over a portal of this thread. */
export const openAnswer = async (core: PortalCore, task: ToolTask, signal: AbortSignal): Promise<OpenAnswer> => {
  if (task.kind === 'resolve') {
    const resolved = await core.data.resolveGenes(task.names, task.assembly)
    return whole({ kind: 'resolved', json: writeJson(resolved), unknown: resolved.unknown })
  }
  const entry = core.tools.find((candidate) => candidate.id === task.tool)
  if (entry === undefined) throw new Error(`no tool ${task.tool}`)
  if (task.kind === 'route') return openRoute(core, entry, task, signal)
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
  })
  return jsonOf(answer)
}

const openRoute = async (
  core: PortalCore,
  entry: PortalTool,
  task: ToolTask & { kind: 'route' },
  signal: AbortSignal,
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
      const opened = await openDoneJob(core.database.sql, config.dataDir, id)
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
      })
      return runner(run)
    },
  }
  const answer = await route.handle(task.input, context)
  if ('json' in answer) return jsonOf(answer.json)
  const about: ContentAbout = { contentType: answer.contentType, fileName: answer.fileName }
  if ('file' in answer) return whole({ kind: 'file', file: answer.file, ...about })
  const { body } = answer
  if (typeof body === 'string') return whole({ kind: 'body', body: encoder.encode(body), ...about })
  // A copy: what it is a part of may be somebody else's too, and cannot be handed to another thread.
  if (body instanceof Uint8Array) return whole({ kind: 'body', body: new Uint8Array(body), ...about })
  return { answer: { kind: 'pieces', ...about }, pieces: body[Symbol.asyncIterator]() }
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
