import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { PortalError } from '../contracts/errors.ts'
import type { Config } from './config.ts'
import { createFairTurns } from './fair-turns.ts'
import type { PortalCore, PortalProgram } from './portal.ts'
import {
  boundsOf,
  openAnswer,
  type PackedError,
  type TaskAnswer,
  type ToolTask,
  takePieces,
  unpackError,
} from './tool-tasks.ts'

/** What a thread is opened with. */
export interface ThreadSettings {
  config: Config
  /** Found by the server: each thread need not ask them all for their versions. */
  programs: PortalProgram[]
}

export type ThreadTask = ToolTask & { port: MessagePort }
/** To a thread: the next piece of its answer is wanted, or nothing more is. */
export type ToThread = 'next' | 'stop'
export type FromThread =
  | { kind: 'answer'; answer: TaskAnswer }
  | { kind: 'piece'; piece: Uint8Array | null }
  | { kind: 'error'; error: PackedError }

/** An answer as it is sent: what comes in pieces is made as fast as it is read, in turns with all others. */
export type ServedAnswer =
  | Exclude<TaskAnswer, { kind: 'pieces' | 'resolved' }>
  | { kind: 'pieces'; pieces: AsyncIterable<Uint8Array>; contentType: string; fileName: string | undefined }

export interface About {
  /** Whoever asks, for turns. */
  client: string
  /** Fires when they have gone: what is done for them ends. */
  signal: AbortSignal
}

/**
 * Does what may take long away from the thread that serves requests, when it is the client's turn. All reject with TOO_MANY_REQUESTS or
 * BUSY where too many wait, with ENGINE_LIMIT (`answer.timeLimit`, `answer.memoryLimit`) when the limits are passed.
 */
export interface ToolPool {
  /** Runs a tool that answers at once; UTF-8 of the JSON of its result and receipt. */
  run(tool: string, input: unknown, about: About): Promise<Uint8Array>
  /** Answers a further route of a tool; `directory`, which its programs may make, is for the caller to remove. */
  answerRoute(task: Omit<ToolTask & { kind: 'route' }, 'kind'>, about: About): Promise<ServedAnswer>
  /** `PortalData.resolveGenes` as UTF-8 of its JSON, and the names that mean no gene. */
  resolveGenes(
    names: string[],
    assembly: string | undefined,
    about: About,
  ): Promise<{ json: Uint8Array; unknown: string[] }>
  close(): Promise<void>
}

/**
 * How long a task that is told to stop may take over it; then its thread is ended with it. Long, for a thread of low priority on a busy
 * machine is slow to hear of it, and a new one has to read every tool.
 */
const stopPatienceMs = 10_000
/** By so much a program that passes its time is told of before the task that it belongs to. */
const programFirstMs = 500

/** What waits for a thread beyond this is refused rather than queued without end; a class behind one address has its part. */
const longestQueue = {
  // Each may be an extraction of a genome.
  answers: { waitingOfClient: 60, waiting: 200 },
  // A page asks for a dozen at once.
  threads: { waitingOfClient: 400, waiting: 2000 },
} as const
/** Streams under way: they wait in their thread for a reader. */
const mostStreams = { ofClient: 40, inAll: 120 } as const
/** All that one thread may have in hand: streams and the task whose turn it is. */
const tasksPerThread = 2 * mostStreams.inAll

/** Of each thread's heap: a thread that needs more ends alone, with what it had in hand. */
const mostHeapMegabytes = 2048

/** A task that has begun. */
interface Underway {
  answer: Promise<TaskAnswer>
  /** The next piece of an answer in pieces, null after the last. */
  next(): Promise<Uint8Array | null>
  /** Tells it to stop; where that does not help, its thread is ended. */
  stop(): void
  /** Nothing more is wanted of it: a stream that waits to be read on ends. */
  leave(): void
}

type Begin = (place: number, task: ToolTask) => Underway

/** When run from source (tests) the tasks are done in this thread, for threads need compiled files. */
const beginHere =
  (core: PortalCore): Begin =>
  (_, task) => {
    const stopping = new AbortController()
    const opening = openAnswer(core, task, stopping.signal)
    opening.catch(() => undefined)
    const leave = (): void => void opening.then(({ pieces }) => pieces?.return?.()).catch(() => undefined)
    return {
      answer: opening.then(({ answer }) => answer),
      next: async () => takePieces((await opening).pieces!),
      stop: () => {
        stopping.abort()
        leave()
      },
      leave,
    }
  }

const beginIn =
  (pools: readonly Piscina<ThreadTask, void>[], heapMegabytes: number): Begin =>
  (place, task) => {
    const { port1, port2 } = new MessageChannel()
    const pool = pools[place]!
    let failure: Error | null = null
    let told = false
    let left = false
    let patience: NodeJS.Timeout | undefined
    let waiting: { take(message: FromThread): void; refuse(error: Error): void } | null = null
    port1.on('message', (message: FromThread) => waiting?.take(message))
    // Without a signal of its own: piscina would leave a task that has one alone in its thread.
    const done = pool.run({ ...task, port: port2 }, { transferList: [port2] })
    done
      .catch((error: unknown) => {
        failure = threadError(error, heapMegabytes)
        waiting?.refuse(failure)
      })
      .finally(() => clearTimeout(patience))
    const receive = (): Promise<FromThread> =>
      new Promise<FromThread>((take, refuse) => {
        if (failure !== null) refuse(failure)
        waiting = { take, refuse }
      })
        .finally(() => {
          waiting = null
          if (left) port1.close()
        })
        .then((message) => {
          if (message.kind === 'error') throw unpackError(message.error)
          return message
        })
    const answer = receive().then((message) => {
      if (message.kind !== 'answer') throw new Error(`a thread gave ${message.kind} for an answer`)
      return message.answer
    })
    return {
      answer,
      next: async () => {
        const message = receive()
        port1.postMessage('next' satisfies ToThread)
        const received = await message
        if (received.kind !== 'piece') throw new Error(`a thread gave ${received.kind} for a piece`)
        return received.piece
      },
      // Told first, ended only when that does not help: a new thread has to read every tool and open its own connections, and a
      // reader who types hangs up on one answer after the other.
      stop: () => {
        if (told) return
        told = true
        port1.postMessage('stop' satisfies ToThread)
        patience = setTimeout(() => {
          for (const thread of pool.threads) void thread.terminate()
        }, stopPatienceMs)
        done.then(
          () => clearTimeout(patience),
          () => undefined,
        )
      },
      // Whoever waits for a message gets it first: it may be the end of a turn.
      leave: () => {
        left = true
        if (waiting === null) port1.close()
      },
    }
  }

/** What becomes of a task whose thread has ended. */
const threadError = (error: unknown, megabytes: number): Error => {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new PortalError('ENGINE_LIMIT', {
      message: 'answer.memoryLimit',
      params: { megabytes },
      cause: error,
    })
  // It was another task's doing: the same may go well in a new thread.
  if (/^(Terminating worker thread|worker exited)/.test(message ?? '')) return new PortalError('BUSY', { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}

/** What `ask` resolves to; the task is told to stop when the time is over or the reader has gone. */
const within = async <T>(
  underway: Underway,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  ask: () => Promise<T>,
): Promise<T> => {
  let reason: PortalError | null = null
  const halt = (error: PortalError): void => {
    reason ??= error
    underway.stop()
  }
  const onAbort = (): void => halt(new PortalError('JOB_CANCELLED'))
  const timer = setTimeout(
    () =>
      halt(
        new PortalError('ENGINE_LIMIT', {
          message: 'answer.timeLimit',
          params: { seconds: Math.ceil(timeoutMs / 1000) },
        }),
      ),
    timeoutMs + programFirstMs,
  )
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await ask()
  } catch (error) {
    throw reason ?? error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * Threads for what may take long: a heavy extraction blocks neither look-ups nor another reader's answer.
 *
 * Of the threads one client never has all, so that whoever comes next finds one; tools that answer at once have all but one of them, so
 * that pages and figures of what has been computed need not wait for a minute's computing. A stream has a turn for each piece, and none
 * while its reader reads.
 */
export const createToolPool = (
  core: PortalCore,
  options: {
    /** The file that threads run; the compiled one beside this file unless a test gives another. */
    entry?: string | undefined
    /** Instead of the tasks' own limits, for tests. */
    timeoutMs?: (() => number) | undefined
    heapMegabytes?: number | undefined
  } = {},
): ToolPool => {
  const { threadCount } = core.config
  const { heapMegabytes = mostHeapMegabytes } = options
  const allButOne = Math.max(1, threadCount - 1)
  const threadTurns = createFairTurns({ atOnce: threadCount, atOnceOfClient: allButOne, ...longestQueue.threads })
  const answerTurns = createFairTurns({
    atOnce: allButOne,
    atOnceOfClient: Math.max(1, threadCount - 2),
    ...longestQueue.answers,
  })

  const entry = options.entry ?? join(dirname(fileURLToPath(import.meta.url)), 'tool-thread.js')
  // A pool of one thread for each place: a stream goes on in the thread that it began in.
  const pools = existsSync(entry)
    ? Array.from(
        { length: threadCount },
        (_, place) =>
          new Piscina<ThreadTask, void>({
            filename: entry,
            minThreads: place === 0 ? 1 : 0,
            maxThreads: 1,
            concurrentTasksPerWorker: tasksPerThread,
            idleTimeout: 120_000,
            // An idle thread must not sleep in Atomics.wait, piscina's default: it would hear of no load and answer from the release before.
            atomics: 'disabled',
            workerData: { config: core.config, programs: core.programs } satisfies ThreadSettings,
            resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 48 },
          }),
      )
    : []
  // An end that belongs to no task: the next task makes a new thread.
  for (const pool of pools) pool.on('error', () => undefined)
  const begin = pools.length > 0 ? beginIn(pools, heapMegabytes) : beginHere(core)

  const limitsOf = (task: ToolTask, { signal }: About) => ({
    signal,
    timeoutMs: options.timeoutMs?.() ?? boundsOf(task, core.config).timeoutMs,
  })

  /** The answer of a task that has only one kind of answers. */
  const answerAs = <Kind extends TaskAnswer['kind']>(
    kind: Kind,
    task: ToolTask,
    about: About,
  ): Promise<TaskAnswer & { kind: Kind }> =>
    threadTurns.take(about.client, about.signal, async (place) => {
      const underway = begin(place, task)
      try {
        const answer = await within(underway, limitsOf(task, about), () => underway.answer)
        if (answer.kind !== kind) throw new Error(`${task.kind} gave ${answer.kind}`)
        return answer as TaskAnswer & { kind: Kind }
      } finally {
        underway.leave()
      }
    })

  /** Of somebody who has gone in the meantime nothing went wrong. */
  const forReader = <T>(answer: Promise<T>, { signal }: About): Promise<T> =>
    answer.catch((error: unknown) => {
      throw signal.aborted && !(error instanceof PortalError) ? new PortalError('JOB_CANCELLED') : error
    })

  const streams = new Map<string, number>()
  let streamsInAll = 0
  const takeStream = (client: string): (() => void) => {
    const ofClient = streams.get(client) ?? 0
    if (ofClient >= mostStreams.ofClient)
      throw new PortalError('TOO_MANY_REQUESTS', {
        message: 'tool.clientLimit',
        params: { limit: mostStreams.ofClient, seconds: 2 },
      })
    if (streamsInAll >= mostStreams.inAll) throw new PortalError('BUSY')
    streams.set(client, ofClient + 1)
    streamsInAll += 1
    return () => {
      const left = streams.get(client)! - 1
      if (left > 0) streams.set(client, left)
      else streams.delete(client)
      streamsInAll -= 1
    }
  }

  const openRoute: ToolPool['answerRoute'] = async (asked, about) => {
    const task: ToolTask = { kind: 'route', ...asked }
    const limits = limitsOf(task, about)
    let began: { place: number; underway: Underway; answer: TaskAnswer & { kind: 'pieces' }; first: Uint8Array | null }
    const opened = await threadTurns.take(about.client, about.signal, async (place) => {
      const underway = begin(place, task)
      let stays = false
      try {
        const answer = await within(underway, limits, () => underway.answer)
        if (answer.kind === 'resolved') throw new Error('a route gave genes resolved')
        if (answer.kind !== 'pieces') return answer
        // The first piece comes with the head: what is refused while it is made is an answer of its own and no broken file.
        const first = await within(underway, limits, () => underway.next())
        began = { place, underway, answer, first }
        stays = true
        return null
      } finally {
        if (!stays) underway.leave()
      }
    })
    if (opened !== null) return opened
    const { place, underway, answer, first } = began!
    let leaveStream: () => void
    try {
      leaveStream = takeStream(about.client)
    } catch (error) {
      underway.leave()
      throw error
    }
    let over = false
    const finish = (): void => {
      if (over) return
      over = true
      about.signal.removeEventListener('abort', finish)
      leaveStream()
      // A piece that is being made is stopped by whoever waits for it.
      underway.leave()
    }
    about.signal.addEventListener('abort', finish, { once: true })
    if (about.signal.aborted) finish()
    async function* pieces(): AsyncGenerator<Uint8Array> {
      try {
        let piece = first
        while (piece !== null) {
          yield piece
          piece = await threadTurns.take(
            about.client,
            about.signal,
            () => within(underway, limits, () => underway.next()),
            place,
          )
        }
      } finally {
        finish()
      }
    }
    return { kind: 'pieces', pieces: pieces(), contentType: answer.contentType, fileName: answer.fileName }
  }

  return {
    run: (tool, input, about) =>
      forReader(
        answerTurns.take(about.client, about.signal, async () => {
          const directory = await mkdtemp(join(tmpdir(), 'novodb-answer-'))
          try {
            return (await answerAs('json', { kind: 'run', tool, input, directory }, about)).json
          } finally {
            await rm(directory, { recursive: true, force: true })
          }
        }),
        about,
      ),
    answerRoute: (task, about) => forReader(openRoute(task, about), about),
    resolveGenes: (names, assembly, about) =>
      forReader(answerAs('resolved', { kind: 'resolve', names, assembly }, about), about),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}
