import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import process from 'node:process'

/**
 * Starts another process of the portal from a compiled entry file, with this one's environment and output. The channel between the two
 * closes when either dies, by which the child knows that it is alone (see `createStopSignal`).
 */
export const forkPortalProcess = (
  entry: string,
  args: string[],
  options: Pick<ForkOptions, 'execArgv' | 'serialization'> & {
    /** Over the environment. */
    settings?: Record<string, string>
  } = {},
): ChildProcess => {
  const { settings, ...others } = options
  return fork(entry, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...settings },
    execArgv: [],
    ...others,
  })
}
