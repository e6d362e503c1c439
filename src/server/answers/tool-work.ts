import { stepBehind } from '../../jobs/process-priority.ts'
import { openPortalCore, type PortalCore, type PortalTool } from '../portal.ts'
import { guardProcess } from '../process-guards.ts'
import type { FromProcess, FromTask, ProcessSettings, ToProcess } from './tool-pool.ts'
import { openAnswer, packError, type ToolTask, takePieces } from './tool-tasks.ts'

/** One task in hand. */
interface Working {
  next(): void
  stop(): void
}

/**
 * Does a task: gives its answer, then pieces as they are asked for, until it has given all or is told to stop; `over` when nothing of it
 * goes on.
 */
const work = (open: () => Promise<PortalCore>, task: ToolTask, send: (message: FromTask) => void): Working => {
  const stopping = new AbortController()
  let pieces: AsyncIterator<string | Uint8Array> | null = null
  let taking = false
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const describeError = (error: unknown): void => send({ kind: 'error', error: packError(error) })
  const stop = (): void => {
    stopping.abort()
    if (pieces === null) return
    pieces.return?.().catch(() => undefined)
    // A piece that is being made is waited for: who makes one without an end is ended with the process.
    if (!taking) end()
  }
  const answer = async (): Promise<void> => {
    const opened = await openAnswer(await open(), task, stopping.signal)
    pieces = opened.pieces
    send({ kind: 'answer', answer: opened.answer })
    if (pieces === null) return
    if (stopping.signal.aborted) stop()
    await ended
  }
  answer()
    .catch(describeError)
    .finally(() => send({ kind: 'over' }))
  return {
    stop,
    next: async () => {
      taking = true
      try {
        const piece = await takePieces(pieces!)
        send({ kind: 'piece', piece })
        if (piece === null) end()
      } catch (error) {
        describeError(error)
        end()
      } finally {
        taking = false
        if (stopping.signal.aborted) end()
      }
    },
  }
}

/** Makes this process one of the pool, with a portal of its own; `tools` are instead of those of the folders, for tests. */
export const serveTasks = (tools?: PortalTool[]): void => {
  guardProcess('answers')
  let settings: ProcessSettings
  let opening: Promise<PortalCore> | null = null
  // Tried again where it could not be opened, as while the database restarts.
  const open = (): Promise<PortalCore> => {
    if (opening !== null) return opening
    opening = openPortalCore(settings.config, 'answers', {
      log: () => undefined,
      programs: settings.programs,
      ...(tools === undefined ? {} : { tools }),
    })
    opening.then(stepBehind, () => {
      opening = null
    })
    return opening
  }
  const working = new Map<number, Working>()
  process.on('message', (message: ToProcess) => {
    if ('settings' in message) {
      ;({ settings } = message)
      // Whoever asks first need not wait for all of it.
      open().catch(() => undefined)
      return
    }
    const { task } = message
    if ('begin' in message) {
      const send = (reported: FromTask): void => {
        if (reported.kind === 'over') working.delete(task)
        // Nobody is there to hear it where the server has gone.
        if (process.connected)
          process.send?.({ task, message: reported } satisfies FromProcess, undefined, {}, () => undefined)
      }
      working.set(task, work(open, message.begin, send))
      return
    }
    working.get(task)?.[message.say]()
  })
  // It ends with the server, or when that says so: what ends the whole group, as a terminal's Ctrl-C, reaches the server too, which has
  // answers to finish.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('disconnect', () => {
    for (const one of working.values()) one.stop()
    const ending = opening?.then((core) => core.close()).catch(() => undefined)
    void Promise.resolve(ending).then(() => process.exit(0))
  })
}
