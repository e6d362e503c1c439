import { setPriority } from 'node:os'
import process from 'node:process'
import { openPortalCore, type PortalCore, type PortalTool } from './portal.ts'
import type { FromThread, ThreadSettings, ThreadTask, ToThread } from './tool-pool.ts'
import { bytesOf, openAnswer, packError, takePieces } from './tool-tasks.ts'

/**
 * What a thread of the pool does with a task: it answers on the task's port, then gives pieces as they are asked for, until it has given
 * all or is told to stop. It resolves when nothing of the task goes on.
 */
const createWork =
  (open: () => Promise<PortalCore>) =>
  async (task: ThreadTask): Promise<void> => {
    const { port, ...asked } = task
    const stopping = new AbortController()
    let pieces: AsyncIterator<string | Uint8Array> | null = null
    let taking = false
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const tell = (message: FromThread, bytes?: Uint8Array): void =>
      port.postMessage(message, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer])
    const tellError = (error: unknown): void => tell({ kind: 'error', error: packError(error) })
    const takeNext = async (): Promise<void> => {
      taking = true
      try {
        const piece = await takePieces(pieces!)
        tell({ kind: 'piece', piece }, piece ?? undefined)
        if (piece === null) end()
      } catch (error) {
        tellError(error)
        end()
      } finally {
        taking = false
        if (stopping.signal.aborted) end()
      }
    }
    const leave = (): void => {
      stopping.abort()
      if (pieces === null) return
      pieces.return?.().catch(() => undefined)
      // A piece that is being made is waited for: who makes one without an end is ended with the thread.
      if (!taking) end()
    }
    port.on('message', (message: ToThread) => {
      if (message === 'next') void takeNext()
      else leave()
    })
    port.once('close', leave)
    try {
      const opened = await openAnswer(await open(), asked, stopping.signal)
      const { answer } = opened
      pieces = opened.pieces
      tell({ kind: 'answer', answer }, bytesOf(answer))
      if (pieces === null) return
      if (stopping.signal.aborted) leave()
      await ended
    } catch (error) {
      tellError(error)
    }
  }

/** Behind the thread that serves requests and the database, where there are not processors enough for all (man 2 setpriority). */
const niceness = 10

/** Makes this thread one of the pool, with a portal of its own; `tools` are instead of those of the folders, for tests. */
export const openToolThread = (
  { config, programs }: ThreadSettings,
  tools?: PortalTool[],
): ((task: ThreadTask) => Promise<void>) => {
  // On Linux a thread has a priority of its own, and so has what it starts; elsewhere the whole process would have it.
  if (process.platform === 'linux') setPriority(0, niceness)
  let opening: Promise<PortalCore> | null = null
  // Tried again where it could not be opened, as while the database restarts.
  const open = (): Promise<PortalCore> => {
    opening ??= openPortalCore(config, 'thread', {
      log: () => undefined,
      programs,
      ...(tools === undefined ? {} : { tools }),
    }).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
  // Whoever asks first need not wait for all of it.
  open().catch(() => undefined)
  return createWork(open)
}
