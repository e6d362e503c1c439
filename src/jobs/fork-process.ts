import { type ChildProcess, fork } from 'node:child_process'
import process from 'node:process'

/**
 * Starts another process of the portal from a compiled entry file, with this one's environment (and `settings` over it) and output. The
 * channel between
 * the two closes when either dies, by which the child knows that it is alone (see `createStopSignal`).
 */
export const forkPortalProcess = (entry: string, args: string[], settings: Record<string, string> = {}): ChildProcess =>
  fork(entry, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...settings },
    execArgv: [],
  })
