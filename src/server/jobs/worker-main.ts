import { stepBehind } from '../../jobs/process-priority.ts'
import { runWorker } from '../../jobs/worker.ts'
import { createStopSignal } from '../../jobs/worker-process.ts'
import { runTool } from '../../kit/run-tool.ts'
import { type Config, readConfig } from '../config.ts'
import { openPortalCore } from '../portal.ts'
import { guardProcess } from '../process-guards.ts'

const log = {
  info: () => undefined,
  warn: (message: string) => process.stderr.write(`${message}\n`),
  error: (message: string) => process.stderr.write(`${message}\n`),
}

/**
 * Takes jobs from the queue and runs them, as many at a time as the configuration says, until told to stop; `onReady` when it begins to.
 */
export const runWorkers = async (config: Config, onReady: () => void = () => undefined): Promise<void> => {
  guardProcess('worker')
  const signal = createStopSignal()
  const portal = await openPortalCore(config, 'worker', { log: log.warn })
  stepBehind()
  const sql = portal.database.connect({ max: portal.connections.queue, applicationName: 'novodb worker queue' })
  try {
    onReady()
    await runWorker({
      database: { sql },
      dataDir: config.dataDir,
      concurrency: config.workerCount,
      signal,
      log,
      runTool: async (run) => {
        const tool = portal.tools.find((candidate) => candidate.id === run.tool)
        if (tool === undefined) throw new Error(`no tool ${run.tool}`)
        const asAsked = await portal.data.usesBundles(run.bundles)
        const answer = await runTool(tool.engine, {
          input: run.input,
          data: portal.data,
          directory: run.directory,
          dataDir: config.dataDir,
          searchPath: config.searchPath,
          programs: portal.programs,
          portalVersion: portal.version,
          signal: run.signal,
          bounds: { timeoutMs: config.jobTimeoutMs, memoryBytes: config.jobMemoryBytes, outputBytes: 8 * 1024 ** 3 },
          onProgress: run.progress,
        })
        // Data that were loaded before or while it ran: whoever asks the same of them must not be given this.
        if (!asAsked || !(await portal.data.usesBundles(run.bundles))) await run.excludeFromCache()
        return answer
      },
    })
  } finally {
    await sql.end({ timeout: 5 })
    await portal.close()
  }
}

// Started by the server as a process of its own; the command line imports the function instead.
if (process.argv[1]?.endsWith('worker-main.js')) {
  runWorkers(readConfig()).then(
    () => process.exit(0),
    (error: unknown) => {
      log.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
      process.exit(1)
    },
  )
}
