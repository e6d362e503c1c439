import { randomBytes } from 'node:crypto'
import { loadPartTool } from '../contracts/load-steps.ts'
import type { LackingSpace } from '../contracts/species.ts'
import type { Messages } from '../contracts/text.ts'
import type { ToolDefinition } from '../contracts/tools/tool.ts'
import { type LimitSettings, setToolLimits } from '../contracts/tools/tool-limits.ts'
import { type Database, namesSeveralHosts, type Sql } from '../database/connect.ts'
import { findDeathGuard } from '../jobs/program.ts'
import { type FoundProgram, findPrograms } from '../jobs/programs.ts'
import { type JobQueue, openJobQueue } from '../jobs/queue.ts'
import { type OpenPortalData, openPortalData } from '../kit/data/create-portal-data.ts'
import type { Engine } from '../kit/engine.ts'
import { findTool, findTools } from '../kit/find-tools.ts'
import type { PortalFiles } from '../store/portal-files.ts'
import { createMessenger, type Messenger } from './accounts/messenger.ts'
import { createToolPool, type ToolPool } from './answers/tool-pool.ts'
import { startCacheSweep } from './cache-sweep.ts'
import { type Config, SettingsError } from './config.ts'
import {
  type ConnectionBudget,
  type ConnectionShare,
  divideConnections,
  type PortalRole,
  readsShare,
} from './connection-budget.ts'
import { createImportRunner, type ImportRunner } from './imports/import-runner.ts'
import { createUploads, type Uploads } from './imports/uploads.ts'
import { createDiskWatch, type DiskWatch } from './loads/disk-watch.ts'
import { createLoadRunner, type LoadRunner } from './loads/load-runner.ts'
import type { Metrics } from './metrics.ts'
import { openFiles } from './open-files.ts'
import { openPortalDatabase, portalVersion } from './portal-database.ts'
import { createSearchService, type SearchService } from './search/search-service.ts'
import { openTraces, type Traces } from './traces/traces.ts'

/** A tool that can run: its definition, texts and engine. */
export interface PortalTool {
  id: string
  tool: ToolDefinition
  messages: Messages
  engine: Engine
}

export interface PortalProgram extends FoundProgram {
  /** Tools that need it. */
  tools: string[]
}

/** What the process that prepares the demo is at: null when there is none or while it loads, which the loads tell. */
export interface DemoStatus {
  stage: { en: string; zh: string } | null
  /** Space that it waits for. */
  space: LackingSpace | null
}

/** Everything that answers requests and runs jobs, opened once in a process. */
export interface Portal {
  config: Config
  version: string
  database: Database
  data: OpenPortalData
  search: SearchService
  tools: PortalTool[]
  programs: PortalProgram[]
  queue: JobQueue
  pool: ToolPool
  demo: DemoStatus
  /** Null where the settings do not ask for traces. */
  traces: Traces | null
  /** What is counted for Prometheus; null where nobody reads it. */
  metrics: Metrics | null
  /** It was told to stop, and answers on for a while. */
  draining: boolean
  disks: DiskWatch
  messenger: Messenger
  /** Loads that admin started from the page. */
  loads: LoadRunner
  /** Work on what admin imports from the page. */
  imports: ImportRunner
  uploads: Uploads
  /** What this process may have of the database's connections. */
  connections: ConnectionShare
  files: PortalFiles
  /** Mixed into hashes of addresses, so that they cannot be looked up from outside; the same in all processes of a portal. */
  clientSalt: string
  close(): Promise<void>
}

/** Programs that tools and loaders declare, found on the PATH with their versions. */
export const findPortalPrograms = async (tools: PortalTool[], searchPath: string): Promise<PortalProgram[]> => {
  const requirements = tools.flatMap((entry) => entry.engine.programs)
  const found = await findPrograms(requirements, searchPath)
  return found.map((program) => ({
    ...program,
    tools: tools
      .filter((entry) => entry.engine.programs.some((needed) => needed.program === program.program))
      .map((entry) => entry.id),
  }))
}

/**
 * Every tool that can run, with the limits of this deployment; rejects with SettingsError where it sets one that no tool has. `only` one
 * tool: nothing of the others is read, and settings are not compared with them.
 */
export const findPortalTools = async (
  { toolLimits, toolsOff = [], slurm = null }: Pick<Config, 'toolLimits'> & Partial<Pick<Config, 'toolsOff' | 'slurm'>>,
  only?: string,
): Promise<PortalTool[]> => {
  setToolLimits(toolLimits)
  const tools: PortalTool[] = []
  const one = only === undefined ? null : await findTool(only)
  for (const found of only === undefined ? await findTools() : one === null ? [] : [one]) {
    const engine = await found.importEngine()
    if (found.tool === null || found.messages === null || engine === null) continue
    tools.push({ id: found.id, tool: found.tool, messages: found.messages, engine })
  }
  // Whoever started this has looked at the settings with all tools.
  if (only !== undefined) return tools.filter(({ id }) => !toolsOff.includes(id))
  refuseUnknownLimits(toolLimits, tools)
  const unknown = toolsOff.filter((id) => !tools.some((tool) => tool.id === id))
  if (unknown.length > 0) throw new SettingsError(unknown.map((id) => `NOVODB_TOOLS_OFF: there is no tool ${id}`))
  const strange = Object.keys(slurm?.tools ?? {}).filter(
    (id) => id !== loadPartTool && !tools.some((tool) => tool.id === id),
  )
  if (strange.length > 0) throw new SettingsError(strange.map((id) => `NOVODB_SLURM: there is no tool ${id}`))
  return tools.filter((tool) => !toolsOff.includes(tool.id))
}

const refuseUnknownLimits = (given: LimitSettings, tools: PortalTool[]): void => {
  const lines = Object.entries(given).flatMap(([id, limits]) => {
    const own = tools.find((tool) => tool.id === id)?.tool.limits
    if (own === undefined) return [`NOVODB_LIMITS: there is no tool ${id}`]
    return Object.keys(limits)
      .filter((name) => !(name in own))
      .map((name) => `NOVODB_LIMITS: ${id} has no limit ${name}; it has ${Object.keys(own).join(', ')}`)
  })
  if (lines.length > 0) throw new SettingsError(lines)
}

/** What tools run on: database, data, tools and programs; its role names the process in the database's list of connections. */
export type PortalCore = Omit<
  Portal,
  | 'queue'
  | 'pool'
  | 'search'
  | 'demo'
  | 'draining'
  | 'metrics'
  | 'disks'
  | 'messenger'
  | 'loads'
  | 'imports'
  | 'uploads'
>

export const openPortalCore = async (
  config: Config,
  role: PortalRole,
  options: {
    log(line: string): void
    /** What another process has found of programs; looked for where absent. */
    programs?: PortalProgram[]
    /** The tool that alone is needed: to read all, and to ask their programs, takes longer than many a job. */
    only?: string | undefined
    /** Instead of those of the folders, for tests. */
    tools?: PortalTool[]
  },
): Promise<PortalCore> => {
  let budget: ConnectionBudget | null = null
  const severalHosts = namesSeveralHosts(config.databaseUrl)
  const database = await openPortalDatabase(config, role, {
    max: (allowed) => {
      budget = divideConnections(allowed, config, severalHosts)
      const { main } = budget[role]
      return severalHosts ? main - readsShare(main) : main
    },
    statementTimeoutMs: 60_000,
    // The server has, before it starts the others.
    migrate: role !== 'answers',
    log: options.log,
  })
  const share = budget![role] as ConnectionShare
  const tools = options.tools ?? (await findPortalTools(config, options.only))
  const programs = options.programs ?? (await findPortalPrograms(tools, config.searchPath))
  // Look-ups have their own, so that slow searches never hold them up, and in the server ranked searches too; a few are enough: look-ups
  // that come together go together, and more searches at once than processors only wait for one another.
  const connectOften = (what: string, max: number): Sql =>
    database.connect({ max, applicationName: `novodb ${role} ${what}`, planOnce: true, readsOnly: true })
  const lookupSql = connectOften('look-ups', share.lookups)
  const searchSql = share.searches === 0 ? lookupSql : connectOften('searches', share.searches)
  // While one host takes the place of another, what is loaded can still be read.
  const dataSql = severalHosts
    ? database.connect({ max: readsShare(share.main), applicationName: `novodb ${role} reads`, readsOnly: true })
    : database.sql
  const files = await openFiles(config, options.log, role === 'server' || role === 'answers' ? 'answers' : 'jobs')
  const stopSweep = role === 'server' || role === 'worker' ? startCacheSweep(database.sql, files, options.log) : null
  const data = await openPortalData({ sql: dataSql, lookupSql, searchSql, files })
  const [salt] = await database.sql<{ value: string }[]>`
    insert into portal_settings (key, value)
    values ('client_salt', to_jsonb(${randomBytes(16).toString('hex')}::text))
    on conflict (key) do update set key = excluded.key returning value`
  const traces = await openTraces(config, { role, version: portalVersion, log: options.log })
  return {
    config,
    version: portalVersion,
    database,
    data,
    traces,
    tools,
    programs,
    connections: share,
    files,
    clientSalt: String(salt?.value),
    close: async () => {
      await data.close()
      const swept = stopSweep?.()
      await files.close()
      await swept
      await Promise.all([...new Set([lookupSql, searchSql])].map((sql) => sql.end({ timeout: 5 })))
      if (dataSql !== database.sql) await dataSql.end({ timeout: 5 })
      await traces?.close()
      await database.close({ waitForStop: role === 'server' })
    },
  }
}

/** The whole that answers requests. */
export const openPortal = async (
  config: Config,
  options: {
    log(line: string): void
    /** For tests: files that other processes run, other limits, tools instead of those of the folders. */
    loadEntry?: string
    importEntry?: string
    processEntry?: string
    answerTimeoutMs?: () => number
    heapMegabytes?: number
    graceMs?: number
    tools?: PortalTool[]
  },
): Promise<Portal> => {
  const core = await openPortalCore(config, 'server', options)
  const queue = await openJobQueue({
    sql: core.database.sql,
    files: core.files,
    limits: { keptBytes: config.keptResultBytes },
  })
  const pool = createToolPool(core, {
    entry: options.processEntry,
    timeoutMs: options.answerTimeoutMs,
    heapMegabytes: options.heapMegabytes,
    graceMs: options.graceMs,
    guard: await findDeathGuard(config.searchPath),
  })
  const messenger = createMessenger(core.database.sql, config, options.log)
  const loads = createLoadRunner(core, options.log, options.loadEntry)
  const uploads = createUploads(config)
  const imports = createImportRunner(core, loads, uploads, options.log, options.importEntry)
  return {
    ...core,
    queue,
    pool,
    demo: { stage: null, space: null },
    metrics: null,
    draining: false,
    disks: createDiskWatch(config.dataDir, core.database.directory),
    messenger,
    loads,
    imports,
    uploads,
    search: createSearchService(core.data),
    close: async () => {
      await messenger.close()
      await imports.close()
      await loads.close()
      await pool.close()
      await queue.close()
      await core.close()
    },
  }
}
