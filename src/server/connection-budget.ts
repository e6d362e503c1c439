import type { Config } from './config.ts'
import { SettingsError } from './config.ts'

/** Connections to the database that one process may have at once. */
export interface ConnectionShare {
  /** Of the pool that everything runs on that has no other. */
  main: number
  /** Of the pool for look-ups, whose statements are planned once. */
  lookups: number
  /** Of the pool for ranked searches, which look-ups need not wait for; 0: they go with the look-ups. */
  searches: number
  /** Of a worker: of the pool for the queue's own statements, which jobs must not hold up. */
  queue: number
  /** Those that only listen, and the claim on the data directory. */
  fixed: number
}

export type PortalRole = 'server' | 'answers' | 'worker' | 'task'

export interface ConnectionBudget extends Record<PortalRole, ConnectionShare> {
  /** Of all processes of the portal together, loads included. */
  total: number
}

/**
 * Kept free of the database's `max_connections`: what it keeps for its superuser (three by default), a `psql` of the administrator, a backup, a
 * command of the portal.
 */
export const reservedConnections = 10

/** Of the main pool's connections those of the pool that only reads, where the database has several hosts. */
export const readsShare = (main: number): number => Math.floor(main / 2)

/** Of a load's process: one for each table that it fills, and some for questions; and of another that waits for its turn, or only looks. */
export const loadConnections = { main: 16, turn: 1, waiting: 3 } as const

/** The least that works, and more that serves: a pool never opens more connections than it has use for. */
type Wish = Record<keyof ConnectionShare, readonly [min: number, wanted: number]>

type BudgetedConfig = Pick<Config, 'answerProcessCount' | 'workerCount'> & Partial<Pick<Config, 'slurm'>>

/** A worker process runs jobs, hands them to a scheduler, or both. */
export const hasWorker = ({ workerCount, slurm = null }: Pick<BudgetedConfig, 'workerCount' | 'slurm'>): boolean =>
  workerCount > 0 || slurm !== null

const wishesOf = ({ workerCount }: Pick<Config, 'workerCount'>): Record<PortalRole, Wish> => ({
  // The listeners for loads and for jobs, and the claim.
  server: { main: [8, 24], lookups: [2, 4], searches: [1, 4], queue: [0, 0], fixed: [3, 3] },
  // One task at a time, and streams that ask in between.
  answers: { main: [2, 3], lookups: [1, 2], searches: [0, 0], queue: [0, 0], fixed: [1, 1] },
  // Jobs spend their time in programs and files. Listeners as the server has them, and what hands jobs to a scheduler.
  // Of one job on a node.
  task: { main: [2, 2], lookups: [1, 1], searches: [0, 0], queue: [2, 2], fixed: [2, 2] },
  worker: { main: [3, 4 + workerCount], lookups: [1, 2], searches: [0, 0], queue: [3, 4 + workerCount], fixed: [3, 3] },
})

const sumOf = (share: ConnectionShare): number =>
  share.main + share.lookups + share.searches + share.queue + share.fixed

/**
 * Divides what a database allows among the processes of a portal, so that together they never ask for more: each has the least
 * that it works with, and of what is left the same part of what it wants beyond. Throws SettingsError where not even that is there.
 */
export const divideConnections = (
  maxConnections: number,
  config: BudgetedConfig,
  severalHosts = false,
): ConnectionBudget => {
  const { answerProcessCount, workerCount } = config
  const wishes = wishesOf(config)
  // Two pools of it, one for what only reads: see `readsShare`.
  if (severalHosts)
    for (const wish of Object.values(wishes)) wish.main = [Math.max(4, wish.main[0]), Math.max(4, wish.main[1])]
  const times: Record<PortalRole, number> = {
    server: 1,
    answers: answerProcessCount,
    worker: hasWorker(config) ? 1 : 0,
    task: config.slurm?.maxTasks ?? 0,
  }
  const loads = loadConnections.main + loadConnections.turn + loadConnections.waiting
  const available = maxConnections - reservedConnections - loads
  const shareAt = (role: PortalRole, part: number): ConnectionShare => {
    const given = ([min, wanted]: readonly [number, number]): number => min + Math.floor((wanted - min) * part)
    const { main, lookups, searches, queue, fixed } = wishes[role]
    return {
      main: given(main),
      lookups: given(lookups),
      searches: given(searches),
      queue: given(queue),
      fixed: given(fixed),
    }
  }
  const roles = Object.keys(times) as PortalRole[]
  const allAt = (part: number): number => roles.reduce((sum, role) => sum + times[role] * sumOf(shareAt(role, part)), 0)
  const min = allAt(0)
  if (min > available)
    throw new SettingsError([
      `NOVODB_ANSWER_PROCESSES, NOVODB_WORKERS${times.task === 0 ? '' : ', NOVODB_SLURM (tasks)'}: ${answerProcessCount} processes for answers${times.task === 0 ? '' : `, ${times.task} tasks on nodes`} and ${workerCount} jobs at a time need ${min + loads + reservedConnections} connections, and the database allows ${maxConnections} (max_connections)`,
    ])
  const part = Math.min(1, (available - min) / Math.max(1, allAt(1) - min))
  return {
    server: shareAt('server', part),
    answers: shareAt('answers', part),
    worker: shareAt('worker', part),
    task: shareAt('task', part),
    total: allAt(part) + loads,
  }
}
