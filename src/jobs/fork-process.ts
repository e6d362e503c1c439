import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import process from 'node:process'

/** Another process of the portal. */
export type PortalProcess = ChildProcess

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
    /** `findDeathGuard`, for a child that may be too busy to hear that it is alone. */
    guard?: readonly string[]
  } = {},
): PortalProcess => {
  const { settings, guard: [guard, ...guardArguments] = [], execArgv = [], ...others } = options
  return fork(entry, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...settings },
    ...(guard === undefined
      ? { execArgv }
      : { execPath: guard, execArgv: [...guardArguments, process.execPath, ...execArgv] }),
    ...others,
  })
}
