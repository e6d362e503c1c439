import type { ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { WorkerLog } from './worker.ts'

export interface WorkerSupervisorOptions {
  count: number
  /** Starts one worker process; `slot` is 0 … count - 1. */
  spawn(slot: number): ChildProcess
  log: WorkerLog
  /** What a worker may take over SIGTERM before SIGKILL; more than its own `graceMs`. */
  graceMs?: number
  /** Wait before the first new start of a worker that died at once; doubled each time up to `backoffMaxMs`. */
  backoffMs?: number
  backoffMaxMs?: number
}

export interface WorkerSupervisor {
  /** Process numbers of the workers that run now. */
  listWorkers(): number[]
  /** Ends all workers and resolves when they are gone; no new ones are started. */
  stop(): Promise<void>
}

/** A worker that lived this long was well: the next death starts the waits anew. */
const healthyMs = 30_000

/** Keeps `count` worker processes running: one that dies is started again, at once the first time, later with growing waits. */
export function superviseWorkers(options: WorkerSupervisorOptions): WorkerSupervisor {
  const { count, spawn, log, graceMs = 15_000, backoffMs = 250, backoffMaxMs = 30_000 } = options
  const children = new Map<number, ChildProcess>()
  const timers = new Set<NodeJS.Timeout>()
  const ended = new Set<Promise<void>>()
  let stopping = false

  const start = (slot: number, deaths: number) => {
    if (stopping) return
    const startedMs = performance.now()
    const child = spawn(slot)
    children.set(slot, child)
    const end = new Promise<void>((resolve) => {
      let over = false
      const onEnd = (reason: string) => {
        if (over) return
        over = true
        children.delete(slot)
        resolve()
        ended.delete(end)
        if (stopping) return
        const inRow = performance.now() - startedMs > healthyMs ? 1 : deaths + 1
        const waitMs = Math.min(backoffMs * 2 ** (inRow - 1), backoffMaxMs)
        log.warn(`worker ${slot} ended (${reason}); starting another in ${waitMs} ms`)
        const timer = setTimeout(() => {
          timers.delete(timer)
          start(slot, inRow)
        }, waitMs)
        timers.add(timer)
      }
      child.on('error', (error) => onEnd(error.message))
      child.on('exit', (exitCode, signal) => onEnd(signal ?? `status ${exitCode}`))
    })
    ended.add(end)
  }
  for (let slot = 0; slot < count; slot++) start(slot, 0)

  return {
    listWorkers: () => [...children.values()].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    async stop() {
      stopping = true
      for (const timer of timers) clearTimeout(timer)
      const waiting = [...ended]
      for (const child of children.values()) child.kill('SIGTERM')
      const killer = setTimeout(() => {
        for (const child of children.values()) child.kill('SIGKILL')
      }, graceMs)
      await Promise.all(waiting)
      clearTimeout(killer)
    },
  }
}

/**
 * For a worker process's entry: fires on SIGTERM, SIGINT and when the process that started it is gone (its IPC channel
 * closes, also when it was killed).
 */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  // A listener makes Node wait for the channel; a worker that has finished is to exit.
  process.channel?.unref()
  return controller.signal
}
