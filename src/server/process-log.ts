import { hostname } from 'node:os'
import pino, { type DestinationStream } from 'pino'
import type { WorkerLog } from '../jobs/worker.ts'
import type { Config } from './config.ts'

/**
 * The log of a process that runs jobs, in the form of the server's: a JSON line each, with the process's role and the host. Lines of a
 * job name it and the request that asked for it.
 */
export const createProcessLog = (
  role: string,
  { logLevel }: Pick<Config, 'logLevel'>,
  // At once: a task that its scheduler kills loses no line.
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): WorkerLog => {
  const log = pino({ level: logLevel, base: { process: role, host: hostname() } }, destination)
  return {
    info: (message, fields) => log.info(fields ?? {}, message),
    warn: (message, fields) => log.warn(fields ?? {}, message),
    error: (message, fields) => log.error(fields ?? {}, message),
  }
}
