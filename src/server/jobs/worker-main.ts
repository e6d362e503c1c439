import { loadPartTool } from '../../contracts/load-steps.ts'
import { createPresence } from '../../jobs/presence.ts'
import { stepBehind } from '../../jobs/process-priority.ts'
import { findEarlierRun } from '../../jobs/queue.ts'
import { PartRefused, type RunJob, runOneJob, runWorker, type WorkerOptions } from '../../jobs/worker.ts'
import { createStopSignal } from '../../jobs/worker-process.ts'
import { runTool } from '../../kit/run-tool.ts'
import { createPartRunner } from '../../loader/portal-parts.ts'
import { createLoaderRunner, namePrograms } from '../../loader/run-loader-program.ts'
import { type Config, readConfig } from '../config.ts'
import { loadBounds } from '../loads/load-bounds.ts'
import { openPortalCore, type PortalCore } from '../portal.ts'
import { guardProcess } from '../process-guards.ts'
import { createProcessLog } from '../process-log.ts'
import { traceJobs } from '../traces/job-traces.ts'
import { grantedMemoryBytes, runSlurm, slurmTools } from './slurm-jobs.ts'

/** Runs jobs by the tools of the portal. */
export const runToolOf =
  (
    portal: Pick<PortalCore, 'config' | 'tools' | 'data' | 'programs' | 'version' | 'database' | 'files'>,
    /** Computes parts of loads; without it they are left to others. */
    runPart: RunJob = () => Promise.reject(new PartRefused('parts of loads are not computed here')),
  ): RunJob =>
  async (run) => {
    if (run.load !== null) return runPart(run)
    const { config } = portal
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
      bounds: {
        timeoutMs: config.jobTimeoutMs,
        memoryBytes: grantedMemoryBytes() ?? config.jobMemoryBytes,
        outputBytes: 8 * 1024 ** 3,
      },
      findEarlier: () => findEarlierRun(portal.database.sql, portal.files, run.id),
      onProgress: run.progress,
      onProgram: (ended) => {
        const { program, exitCode, elapsedMs } = ended
        run.log.info('program ended', { program, exitCode, ms: elapsedMs })
        run.trace?.noteProgram(ended)
      },
    })
    // Data that were loaded before or while it ran: whoever asks the same of them must not be given this.
    if (!asAsked || !(await portal.data.usesBundles(run.bundles))) await run.excludeFromCache()
    return answer
  }

/** Opens what jobs run on, and closes it when `work` is done. */
const withPortal = async <T>(
  config: Config,
  role: 'worker' | 'task',
  work: (portal: PortalCore, options: Omit<WorkerOptions, 'concurrency'>) => Promise<T>,
  only?: string,
): Promise<T> => {
  guardProcess(role)
  const log = createProcessLog(role, config)
  const signal = createStopSignal()
  const portal = await openPortalCore(config, role, { only, log: (line) => log.warn(line) })
  stepBehind()
  const sql = portal.database.connect({ max: portal.connections.queue, applicationName: `novodb ${role} queue` })
  const bounds = loadBounds(config)
  const parts = createPartRunner({
    sql: portal.database.sql,
    files: portal.files,
    programs: namePrograms(portal.programs),
    runProgram: createLoaderRunner({
      programs: portal.programs,
      searchPath: config.searchPath,
      bounds: { ...bounds, memoryBytes: grantedMemoryBytes() ?? bounds.memoryBytes },
      signal,
    }),
  })
  const places = role === 'task' ? 1 : config.workerCount
  const presence = createPresence(sql, { role, version: portal.version, places })
  const options = {
    database: { sql },
    files: portal.files,
    signal,
    log,
    runTool: runToolOf(portal, parts.run),
    presence,
    traceJob: portal.traces === null ? undefined : traceJobs(portal.traces),
  }
  try {
    return await work(portal, options)
  } finally {
    await parts.close()
    await presence.leave()
    await sql.end({ timeout: 5 })
    await portal.close()
  }
}

/**
 * Takes jobs from the queue and runs them, as many at a time as the configuration says, until told to stop; hands others to Slurm where
 * the configuration says so. `onReady` when it begins to.
 */
export const runWorkers = (config: Config, onReady: () => void = () => undefined): Promise<void> =>
  withPortal(config, 'worker', async (portal, options) => {
    onReady()
    const { slurm } = config
    const otherTools = slurm === null ? undefined : slurmTools(slurm, portal.tools)
    await Promise.all([
      runWorker({ ...options, concurrency: config.workerCount, otherTools }),
      slurm === null
        ? undefined
        : runSlurm(portal, slurm, { sql: options.database.sql, signal: options.signal, log: options.log }),
    ])
  })

/**
 * Runs one job, as a task that a scheduler started on a node; false when there was nothing to run. It ends within `limitMs`. With the job's
 * tool nothing of the others is read.
 */
export const runTask = (config: Config, id: string, limitMs: number, tool?: string): Promise<boolean> =>
  withPortal(
    config,
    'task',
    (_, options) => runOneJob({ ...options, concurrency: 1 }, id, limitMs),
    // A part of a load is of whichever tool compares the assemblies, and needs that one's programs.
    tool === loadPartTool ? undefined : tool,
  )

// Started by the server as a process of its own; the command line imports the function instead.
if (process.argv[1]?.endsWith('worker-main.js')) {
  runWorkers(readConfig()).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
      process.exit(1)
    },
  )
}
