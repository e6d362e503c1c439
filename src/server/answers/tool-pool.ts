import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PortalError } from '../../contracts/errors.ts'
import { forkPortalProcess, type PortalProcess } from '../../jobs/fork-process.ts'
import type { Config } from '../config.ts'
import type { PortalCore, PortalProgram } from '../portal.ts'
import { createFairQueue } from './fair-queue.ts'
import {
  boundsOf,
  openAnswer,
  type PackedError,
  type TaskAnswer,
  type ToolTask,
  takePieces,
  unpackError,
} from './tool-tasks.ts'

/** What a process of the pool is told first. */
export interface ProcessSettings {
  config: Config
  /** Found by the server: each process need not ask them all for their versions. */
  programs: PortalProgram[]
}

/** Messages of one task, in both directions; `task` is its number among those of the process. */
export type ToProcess =
  /** `next`: the next piece of its answer is wanted; `stop`: nothing more is. */
  { settings: ProcessSettings } | { task: number; begin: ToolTask } | { task: number; say: 'next' | 'stop' }
export interface FromProcess {
  task: number
  message: FromTask
}
export type FromTask =
  | { kind: 'answer'; answer: TaskAnswer }
  | { kind: 'piece'; piece: Uint8Array | null }
  | { kind: 'error'; error: PackedError }
  /** Nothing of the task goes on any more. */
  | { kind: 'over' }

/** An answer as it is sent: what comes in pieces is made as fast as it is read, in turns with all others. */
export type ServedAnswer =
  | Exclude<TaskAnswer, { kind: 'pieces' | 'resolved' }>
  | (Omit<TaskAnswer & { kind: 'pieces' }, 'pieces'> & { pieces: AsyncIterable<Uint8Array> })

export interface About {
  /** Whoever asks, for turns. */
  client: string
  /** Fires when they have gone: what is done for them ends. */
  signal: AbortSignal
}

/**
 * Does what may take long away from the process that serves requests, when it is the client's turn. All reject with TOO_MANY_REQUESTS or
 * BUSY where too many wait, with ENGINE_LIMIT (`answer.timeLimit`, `answer.memoryLimit`) when the limits are passed.
 */
export interface ToolPool {
  /** Runs a tool that answers at once: its result and receipt as a whole answer in JSON. */
  run(
    task: Omit<ToolTask & { kind: 'run' }, 'kind' | 'directory'>,
    about: About,
  ): Promise<TaskAnswer & { kind: 'json' }>
  /** Answers a further route of a tool; `directory`, which its programs may make, is for the caller to remove. */
  answerRoute(task: Omit<ToolTask & { kind: 'route' }, 'kind'>, about: About): Promise<ServedAnswer>
  /** `PortalData.resolveGenes`, see `TaskAnswer`. */
  resolveGenes(
    task: Omit<ToolTask & { kind: 'resolve' }, 'kind'>,
    about: About,
  ): Promise<TaskAnswer & { kind: 'json' | 'resolved' }>
  close(): Promise<void>
}

/**
 * How long a task that is told to stop may take over it; then its process is ended with it. Long, for a process of low priority on a busy
 * machine is slow to hear of it, and a new one has to read every tool.
 */
const stopGraceMs = 10_000
/** By so much a program that passes its time is told of before the task that it belongs to. */
const programFirstMs = 500

/** What waits for a process beyond this is refused rather than queued without end; a class behind one address has its part. */
const longestQueue = {
  // Each may be an extraction of a genome.
  answers: { waitingOfClient: 60, waiting: 200 },
  // A page asks for a dozen at once.
  processes: { waitingOfClient: 400, waiting: 2000 },
} as const
/** Streams under way: they wait in their process for a reader. */
const maxStreams = { ofClient: 40, inAll: 120 } as const
/** Of each process's heap: one that needs more ends alone, with what it had in hand. */
const maxHeapMegabytes = 2048
/** Of what was made just now, which V8 would let grow with the heap. */
const semiSpaceMegabytes = 16
/** A process of which nothing was asked for this long ends, but for the first. */
const idleMs = 120_000

/** A task that has begun. */
interface Underway {
  answer: Promise<TaskAnswer>
  /** The next piece of an answer in pieces, null after the last. */
  next(): Promise<Uint8Array | null>
  /** Tells it to stop; where that does not help, its process is ended. */
  stop(): void
  /** Nothing more is wanted of it: a stream that waits to be read on ends. */
  leave(): void
}

type Begin = (index: number, task: ToolTask) => Underway

/** When run from source (tests) the tasks are done in this process, for others need compiled files. */
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

/** A place of the pool: a process for the tasks that have it, started when the first comes and again when it has ended. */
interface Slot {
  begin(task: ToolTask): Underway
  close(): Promise<void>
}

interface PlaceOptions {
  heapMegabytes: number
  /** Its process is started beforehand, and stays when nothing is asked of it. */
  stays: boolean
  /** How long a task may take over its end. */
  graceMs: number
  guard: readonly string[]
}

/** A process and the tasks that are in its hands. */
interface Running {
  child: PortalProcess
  tasks: Map<number, { receive(message: FromTask): void; fail(error: Error): void }>
  ended: Promise<void>
}

const send = (child: PortalProcess, message: ToProcess): void => {
  // Of a process that has just ended the end is told by itself.
  if (child.connected) child.send(message, () => undefined)
}

const startProcess = (entry: string, settings: ProcessSettings, { heapMegabytes, guard }: PlaceOptions): Running => {
  const child = forkPortalProcess(entry, [], {
    serialization: 'advanced',
    guard,
    execArgv: [`--max-old-space-size=${heapMegabytes}`, `--max-semi-space-size=${semiSpaceMegabytes}`],
  })
  const tasks: Running['tasks'] = new Map()
  const ended = new Promise<void>((resolve) => {
    const end = (error: Error): void => {
      for (const task of tasks.values()) task.fail(error)
      tasks.clear()
      resolve()
    }
    child.once('exit', (_, signal) => end(endError(signal, heapMegabytes)))
    // Where there was none to end.
    child.on('error', (error) => {
      if (child.pid === undefined) end(new PortalError('BUSY', { cause: error }))
    })
  })
  child.on('message', ({ task, message }: FromProcess) => tasks.get(task)?.receive(message))
  send(child, { settings })
  return { child, tasks, ended }
}

const createPlace = (entry: string, settings: ProcessSettings, options: PlaceOptions): Slot => {
  const { stays, graceMs } = options
  let running: Running | null = null
  let tasksBegun = 0
  let idle: NodeJS.Timeout | undefined

  const start = (): Running => {
    const started = startProcess(entry, settings, options)
    void started.ended.then(() => {
      if (running === started) running = null
    })
    running = started
    return started
  }
  const endWhenIdle = (): void => {
    clearTimeout(idle)
    if (stays) return
    idle = setTimeout(() => {
      if (running === null || running.tasks.size > 0) return
      running.child.disconnect()
      running = null
    }, idleMs).unref()
  }
  if (stays) start()

  return {
    begin: (task) => {
      const { child, tasks } = running?.child.connected ? running : start()
      const number = tasksBegun
      tasksBegun += 1
      let failure: Error | null = null
      let left = false
      let timeout: NodeJS.Timeout | undefined
      let waiting: { take(message: FromTask): void; refuse(error: Error): void } | null = null
      const say = (word: 'next' | 'stop'): void => {
        if (tasks.has(number)) send(child, { task: number, say: word })
      }
      const end = (): void => {
        clearTimeout(timeout)
        tasks.delete(number)
        if (tasks.size === 0) endWhenIdle()
      }
      const fail = (error: Error): void => {
        failure = error
        end()
        waiting?.refuse(error)
      }
      tasks.set(number, {
        receive: (message) => {
          // Whoever then still waits was told to go: nothing comes any more.
          if (message.kind === 'over') fail(new PortalError('JOB_CANCELLED'))
          else waiting?.take(message)
        },
        fail,
      })
      send(child, { task: number, begin: task })
      const receive = (): Promise<FromTask> =>
        new Promise<FromTask>((take, refuse) => {
          if (failure !== null) refuse(failure)
          waiting = { take, refuse }
        })
          .finally(() => {
            waiting = null
            if (left) say('stop')
          })
          .then((message) => {
            if (message.kind === 'error') throw unpackError(message.error)
            return message
          })
      return {
        answer: receive().then((message) => {
          if (message.kind !== 'answer') throw new Error(`a process gave ${message.kind} for an answer`)
          return message.answer
        }),
        next: async () => {
          const message = receive()
          say('next')
          const received = await message
          if (received.kind !== 'piece') throw new Error(`a process gave ${received.kind} for a piece`)
          return received.piece
        },
        // Told first, ended only when that does not help: a new process has to read every tool and open its own connections, and a
        // reader who types hangs up on one answer after the other.
        stop: () => {
          if (timeout !== undefined || !tasks.has(number)) return
          say('stop')
          timeout = setTimeout(() => child.kill('SIGKILL'), graceMs)
        },
        // Whoever waits for a message gets it first: it may be the end of a turn.
        leave: () => {
          left = true
          if (waiting === null) say('stop')
        },
      }
    },
    close: async () => {
      clearTimeout(idle)
      if (running === null) return
      const { child, ended } = running
      if (child.connected) child.disconnect()
      const killer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(killer)
    },
  }
}

/** What becomes of the tasks of a process that has ended. */
const endError = (signal: NodeJS.Signals | null, megabytes: number): Error =>
  // V8 ends a process that way when its heap is full.
  signal === 'SIGABRT' || signal === 'SIGTRAP'
    ? new PortalError('ENGINE_LIMIT', { message: 'answer.memoryLimit', params: { megabytes } })
    : // It was another task's doing: the same may go well in a new process.
      new PortalError('BUSY')

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
 * Processes for what may take long: a heavy extraction blocks neither look-ups nor another reader's answer. Threads would
 * share the garbage collector's helpers with the server, and starting a program from a thread stops the whole server while its page tables
 * are copied (decision 21).
 *
 * Of the processes one client never has all, so that whoever comes next finds one; tools that answer at once have all but one of them, so
 * that pages and figures of what has been computed need not wait for a minute's computing. A stream has a turn for each piece, and none
 * while its reader reads.
 */
export const createToolPool = (
  core: PortalCore,
  options: {
    /** The file that processes run; the compiled one beside this file unless a test gives another. */
    entry?: string | undefined
    /** Instead of the tasks' own limits, for tests. */
    timeoutMs?: (() => number) | undefined
    heapMegabytes?: number | undefined
    graceMs?: number | undefined
    guard?: readonly string[]
  } = {},
): ToolPool => {
  const { answerProcessCount } = core.config
  const { heapMegabytes = maxHeapMegabytes, graceMs = stopGraceMs, guard = [] } = options
  const allButOne = Math.max(1, answerProcessCount - 1)
  const turns = createFairQueue({ atOnce: answerProcessCount, atOnceOfClient: allButOne, ...longestQueue.processes })
  const answerTurns = createFairQueue({
    atOnce: allButOne,
    atOnceOfClient: Math.max(1, answerProcessCount - 2),
    ...longestQueue.answers,
  })

  const entry = options.entry ?? join(dirname(fileURLToPath(import.meta.url)), 'tool-process.js')
  const settings: ProcessSettings = { config: core.config, programs: core.programs }
  // A stream goes on in the process that it began in.
  const slots = existsSync(entry)
    ? Array.from({ length: answerProcessCount }, (_, number) =>
        createPlace(entry, settings, { heapMegabytes, graceMs, guard, stays: number === 0 }),
      )
    : []
  const begin: Begin = slots.length > 0 ? (index, task) => slots[index]!.begin(task) : beginHere(core)

  const limitsOf = (task: ToolTask, { signal }: About) => ({
    signal,
    timeoutMs: options.timeoutMs?.() ?? boundsOf(task, core.config).timeoutMs,
  })

  /** The answer of a task that has only such answers. */
  const answerAs = <Kind extends TaskAnswer['kind']>(
    kinds: readonly Kind[],
    task: ToolTask,
    about: About,
  ): Promise<TaskAnswer & { kind: Kind }> =>
    turns.take(about.client, about.signal, async (index) => {
      const underway = begin(index, task)
      try {
        const answer = await within(underway, limitsOf(task, about), () => underway.answer)
        if (!(kinds as readonly string[]).includes(answer.kind)) throw new Error(`${task.kind} gave ${answer.kind}`)
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
    if (ofClient >= maxStreams.ofClient)
      throw new PortalError('TOO_MANY_REQUESTS', {
        message: 'tool.clientLimit',
        params: { limit: maxStreams.ofClient, seconds: 2 },
      })
    if (streamsInAll >= maxStreams.inAll) throw new PortalError('BUSY')
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
    let began: { slot: number; underway: Underway; answer: TaskAnswer & { kind: 'pieces' }; first: Uint8Array | null }
    const opened = await turns.take(about.client, about.signal, async (index) => {
      const underway = begin(index, task)
      let stays = false
      try {
        const answer = await within(underway, limits, () => underway.answer)
        if (answer.kind === 'resolved') throw new Error('a route gave genes resolved')
        if (answer.kind !== 'pieces') return answer
        // The first piece comes with the head: what is refused while it is made is an answer of its own and no broken file.
        const first = await within(underway, limits, () => underway.next())
        began = { slot: index, underway, answer, first }
        stays = true
        return null
      } finally {
        if (!stays) underway.leave()
      }
    })
    if (opened !== null) return opened
    const { slot: index, underway, answer, first } = began!
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
          piece = await turns.take(
            about.client,
            about.signal,
            () => within(underway, limits, () => underway.next()),
            index,
          )
        }
      } finally {
        finish()
      }
    }
    return { ...answer, pieces: pieces() }
  }

  return {
    run: (asked, about) =>
      forReader(
        answerTurns.take(about.client, about.signal, async () => {
          const directory = await mkdtemp(join(tmpdir(), 'novodb-answer-'))
          try {
            return await answerAs(['json'], { kind: 'run', ...asked, directory }, about)
          } finally {
            await rm(directory, { recursive: true, force: true })
          }
        }),
        about,
      ),
    answerRoute: (task, about) => forReader(openRoute(task, about), about),
    resolveGenes: (task, about) =>
      forReader(answerAs(['json', 'resolved'], { kind: 'resolve', ...task }, about), about),
    close: async () => {
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
