import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { type ErrorCode, errorKinds, type FieldProblem, PortalError, type ShowType } from '../contracts/errors.ts'
import type { Receipt } from '../contracts/receipt.ts'
import { runTool } from '../kit/run-tool.ts'
import type { Config } from './config.ts'
import { createFairTurns } from './fair-turns.ts'
import type { PortalCore } from './portal.ts'

/** What crosses to a thread and back: plain data only. */
export interface ThreadTask {
  tool: string
  input: unknown
  directory: string
  /** A message on it tells the tool to stop. */
  stop: MessagePort
}
export type ThreadAnswer =
  | { ok: true; result: unknown; receipt: Receipt }
  | {
      ok: false
      code: ErrorCode
      message: string
      params: Record<string, string | number>
      problems: FieldProblem[]
      showType: ShowType
    }

/** A PortalError as plain data; anything else is passed on as the defect it is. */
export const packError = (error: unknown): ThreadAnswer => {
  if (!(error instanceof PortalError)) throw error
  return {
    ok: false,
    code: error.code,
    message: error.messageId,
    params: error.params,
    problems: error.problems,
    showType: error.showType,
  }
}

export const answerBounds = (config: Config) => ({
  timeoutMs: 60_000,
  memoryBytes: config.jobMemoryBytes,
  outputBytes: 512 * 1024 * 1024,
})

export interface ToolPool {
  /**
   * Runs a tool that answers at once, away from the thread that serves requests, when it is the client's turn. Rejects with
   * TOO_MANY_REQUESTS or BUSY where too many wait.
   */
  run(
    tool: string,
    input: unknown,
    about: { client: string; signal: AbortSignal },
  ): Promise<{ result: unknown; receipt: Receipt }>
  close(): Promise<void>
}

/** How long a tool that is told to stop may take over it; then its thread is ended with it. */
const stopPatienceMs = 2_000

/** Answers waiting for a thread beyond this are refused rather than queued without end; a class behind one address has its part. */
const longestQueue = { ofClient: 60, inAll: 200 } as const

/**
 * Threads for tools that answer at once: a heavy extraction blocks neither look-ups nor another reader's answer. When run from
 * source (tests) the tools run in this thread, for threads need compiled files.
 */
export const createToolPool = (portal: PortalCore): ToolPool => {
  const here = dirname(fileURLToPath(import.meta.url))
  const entry = join(here, 'tool-thread.js')
  const turns = createFairTurns({
    atOnce: portal.config.threadCount,
    waitingOfClient: longestQueue.ofClient,
    waiting: longestQueue.inAll,
  })
  const inDirectory = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
    const directory = await mkdtemp(join(tmpdir(), 'novodb-answer-'))
    try {
      return await work(directory)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
  if (!existsSync(entry)) {
    return {
      run: (id, input, { client, signal }) =>
        turns.take(client, signal, () =>
          inDirectory(async (directory) => {
            const tool = portal.tools.find((candidate) => candidate.id === id)!
            return runTool(tool.engine, {
              input,
              data: portal.data,
              directory,
              dataDir: portal.config.dataDir,
              searchPath: portal.config.searchPath,
              programs: portal.programs,
              portalVersion: portal.version,
              signal,
              bounds: answerBounds(portal.config),
              onProgress: () => undefined,
            })
          }),
        ),
      close: async () => undefined,
    }
  }
  const pool = new Piscina<ThreadTask, ThreadAnswer>({
    filename: entry,
    minThreads: 1,
    maxThreads: portal.config.threadCount,
    // Who comes next is settled before: at most one task a thread is handed on.
    maxQueue: portal.config.threadCount,
    idleTimeout: 120_000,
    // An idle thread must not sleep in Atomics.wait, piscina's default: it would hear of no load and answer from the release before.
    atomics: 'disabled',
    workerData: { config: portal.config },
    // A thread that eats the memory ends alone, and its answer fails alone.
    resourceLimits: { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 48 },
  })
  return {
    run: (tool, input, { client, signal }) =>
      turns.take(client, signal, () =>
        inDirectory(async (directory) => {
          signal.throwIfAborted()
          // Told first, ended only when that does not help: a new thread has to read every tool and open its own connections, and
          // a reader who types hangs up on one answer after the other.
          const { port1, port2 } = new MessageChannel()
          const end = new AbortController()
          let patience: NodeJS.Timeout | undefined
          const onAbort = (): void => {
            port1.postMessage('stop')
            patience = setTimeout(() => end.abort(), stopPatienceMs)
          }
          signal.addEventListener('abort', onAbort)
          const answer = await pool
            .run({ tool, input, directory, stop: port2 }, { signal: end.signal, transferList: [port2] })
            .finally(() => {
              signal.removeEventListener('abort', onAbort)
              clearTimeout(patience)
              port1.close()
            })
          if (answer.ok) return { result: answer.result, receipt: answer.receipt }
          const { code, message, params, problems, showType } = answer
          throw new PortalError(code in errorKinds ? code : 'INTERNAL', { message, params, problems, showType })
        }),
      ),
    close: () => pool.destroy(),
  }
}
