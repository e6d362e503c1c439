import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadPartTool } from '../../contracts/load-steps.ts'
import type { Sql } from '../../database/connect.ts'
import { runDispatcher, type WaitingJob } from '../../jobs/scheduler/dispatcher.ts'
import type { Resources } from '../../jobs/scheduler/scheduler.ts'
import { createSlurm } from '../../jobs/scheduler/slurm.ts'
import type { WorkerLog } from '../../jobs/worker.ts'
import { gibibyte, plainResources } from '../../kit/job-resources.ts'
import { installationDirectory } from '../config.ts'
import { loadBounds } from '../loads/load-bounds.ts'
import type { PortalCore, PortalTool } from '../portal.ts'
import { readSecretFiles } from '../secret-files.ts'
import { type SlurmSettings, slurmArguments, slurmOptionsOf } from '../slurm-settings.ts'

/** Tools whose jobs go to Slurm: those that always make jobs, unless the site says otherwise; parts of loads are as those. */
export const slurmTools = (settings: SlurmSettings, tools: readonly PortalTool[]): string[] =>
  [...tools.map(({ id, tool }) => ({ id, mode: tool.mode })), { id: loadPartTool, mode: 'job' as const }]
    .filter(({ id, mode }) => (settings.tools[id]?.run ?? (mode === 'job' ? 'slurm' : 'here')) === 'slurm')
    .map(({ id }) => id)

/** DIAMOND takes some 6 GB for each of its blocks of sequences, minimap2 as much for a genome of a billion bases. */
const partResources: Resources = { cores: 4, memoryBytes: 16 * gibibyte }

const schedulerFolder = (dataDir: string): string => join(dataDir, 'scheduler')
const settingsFile = (dataDir: string): string => join(schedulerFolder(dataDir), 'settings.json')

/**
 * The settings of this portal for whoever runs a job on a node: in a file that only the portal's user may read, on the file system that
 * they share. In the environment of a task they would be kept in Slurm's spool. Secrets from files are in it too: nodes lack those files.
 */
export const writeSettings = async (dataDir: string, environment: NodeJS.ProcessEnv = process.env): Promise<void> => {
  const settings = Object.fromEntries(
    Object.entries(readSecretFiles(environment).environment).filter(([name]) =>
      /^(NOVODB_.*|DATABASE_URL|PG[A-Z]+|AWS_[A-Z_]+|PATH)$/.test(name),
    ),
  )
  await mkdir(join(schedulerFolder(dataDir), 'logs'), { recursive: true, mode: 0o700 })
  const file = settingsFile(dataDir)
  await writeFile(`${file}.${process.pid}`, JSON.stringify({ ...settings, NOVODB_DATA: dataDir }), { mode: 0o600 })
  await rename(`${file}.${process.pid}`, file)
}

/** What tasks printed is kept this long. */
const keptLogsMs = 7 * 24 * 3_600_000

const removeOldLogs = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > keptLogsMs) await rm(file, { force: true })
  }
}

/** Beside the time of a job's programs: starting, reading, writing. */
const overheadMs = 10 * 60_000

/** Hands jobs to Slurm until the signal fires. */
export const runSlurm = async (
  portal: PortalCore,
  settings: SlurmSettings,
  { sql, signal, log }: { sql: Sql; signal: AbortSignal; log: WorkerLog },
): Promise<void> => {
  const { config } = portal
  await writeSettings(config.dataDir)
  const logFolder = join(schedulerFolder(config.dataDir), 'logs')
  await removeOldLogs(logFolder)
  const prefix = `novodb-${createHash('sha256').update(portal.clientSalt).digest('hex').slice(0, 8)}`
  const toolOf = (id: string): PortalTool | undefined => portal.tools.find((tool) => tool.id === id)
  const scheduler = createSlurm({
    prefix,
    optionsOf: (tool) => slurmArguments(slurmOptionsOf(settings, tool)),
    commandOf: ({ job, tool, timeLimitMs }) => [
      process.execPath,
      join(installationDirectory, 'bin', 'novodb.mjs'),
      ...[
        'worker',
        '--settings',
        settingsFile(config.dataDir),
        '--one',
        job,
        '--tool',
        tool,
        '--seconds',
        String(timeLimitMs / 1000),
      ],
    ],
    logFolder,
    searchPath: config.searchPath,
  })
  const resourcesOf = async ({ tool, input }: WaitingJob): Promise<Resources> => {
    // What is wrong with an input is for its run to say.
    const state = async (): Promise<Resources | undefined> => toolOf(tool)?.engine.resources?.(input, portal.data)
    const own = await state().catch(() => undefined)
    const { cores, memoryBytes } = slurmOptionsOf(settings, tool)
    const needed = own ?? (tool === loadPartTool ? partResources : plainResources)
    return { cores: cores ?? needed.cores, memoryBytes: memoryBytes ?? needed.memoryBytes }
  }
  await runDispatcher({
    sql,
    scheduler,
    prefix,
    tools: slurmTools(settings, portal.tools),
    resourcesOf,
    // A job may run several programs, each of which may take the tool's time.
    timeLimitMsOf: ({ tool }) =>
      slurmOptionsOf(settings, tool).timeLimitMs ??
      2 *
        (tool === loadPartTool
          ? loadBounds(config).timeoutMs
          : (toolOf(tool)?.engine.bounds?.timeoutMs ?? config.jobTimeoutMs)) +
        overheadMs,
    maxTasks: settings.maxTasks,
    signal,
    log,
  })
}

/** On a node: memory that programs may use of what Slurm granted; null outside of Slurm. */
export const grantedMemoryBytes = (environment: NodeJS.ProcessEnv = process.env): number | null => {
  const megabytes = Number(environment.SLURM_MEM_PER_NODE)
  return Number.isFinite(megabytes) && megabytes > 0 ? Math.max(2 ** 28, megabytes * 2 ** 20 - ownMemoryBytes) : null
}

/** What the process that watches over the programs takes itself. */
const ownMemoryBytes = 2 ** 29
