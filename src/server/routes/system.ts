import type { FastifyInstance } from 'fastify'
import { getSystem, type SystemPart } from '../../contracts/accounts/system.ts'
import { readDatabaseActivity } from '../../database/activity.ts'
import { listStoredBundles } from '../../database/catalogue.ts'
import { type KnownProcess, listProcesses } from '../../database/processes.ts'
import { listClusterTasks, listRunningJobs, listToolQueues, sumKeptResults } from '../../jobs/queue-overview.ts'
import { readReason } from '../../jobs/scheduler/wait-reasons.ts'
import type { PortalFiles } from '../../store/portal-files.ts'
import { implement } from '../answers/implement.ts'
import type { Portal } from '../portal.ts'

/** A part that takes longer is told of as one that could not be asked: a file system of the network that is away answers never. */
const partMs = 5_000

/** The whole of a portal on many machines, for the administrator. */
export const mountSystem = (app: FastifyInstance, portal: Portal): void => {
  const { sql, kind } = portal.database

  const ask = {
    servers: async () =>
      (await listProcesses(sql))
        .filter(({ role }) => role === 'server')
        .map((one) => ({ ...renderProcess(one), address: one.address, draining: one.draining })),

    workers: async () => {
      const [known, running] = await Promise.all([listProcesses(sql), listRunningJobs(sql)])
      return known
        .filter(({ role }) => role === 'worker')
        .map((one) => ({
          ...renderProcess(one),
          places: one.places ?? 0,
          jobs: running
            .filter((job) => job.process === one.name)
            .map(({ id, tool, startedAt }) => ({ id, tool, startedAt: startedAt.toISOString() })),
        }))
    },

    cluster: async () => {
      const tasks = await listClusterTasks(sql)
      // It may be another of the servers that hands them over.
      if (portal.config.slurm === null && tasks.length === 0) return null
      return tasks.map(({ reason, askedAt, runningAt, ...task }) => ({
        ...task,
        reason: readReason(reason),
        word: reason,
        askedAt: askedAt.toISOString(),
        runningAt: runningAt?.toISOString() ?? null,
      }))
    },

    queue: () => listToolQueues(sql),

    database: async () => ({ kind, ...(await readDatabaseActivity(sql)) }),

    storage: async () => {
      const [disks, store, bundles, results] = await Promise.all([
        portal.disks.read(),
        describeStore(portal.files),
        listStoredBundles(sql),
        sumKeptResults(sql),
      ])
      return {
        disks,
        store,
        bundles: { count: bundles.length, bytes: bundles.reduce((sum, { bytes }) => sum + bytes, 0) },
        results,
      }
    },
  } satisfies Record<SystemPart, () => Promise<unknown>>

  implement(app, getSystem, async (_, { request }) => {
    const unanswered: SystemPart[] = []
    const part = async <Answer>(name: SystemPart, question: () => Promise<Answer>): Promise<Answer | null> => {
      try {
        return await withinTime(question())
      } catch (error) {
        unanswered.push(name)
        request.log.warn({ part: name, reason: String(error) }, 'part of the system not asked')
        return null
      }
    }
    const [servers, workers, cluster, queue, database, storage] = await Promise.all([
      part('servers', ask.servers),
      part('workers', ask.workers),
      part('cluster', ask.cluster),
      part('queue', ask.queue),
      part('database', ask.database),
      part('storage', ask.storage),
    ])
    return { at: new Date().toISOString(), unanswered, servers, workers, cluster, queue, database, storage }
  })
}

/** How long the store is waited for; what is told then is that it does not answer. */
const storeMs = 2_000

const describeStore = async ({ objects, cache }: PortalFiles) => {
  if (objects === null || cache === null) return null
  const asked = objects.findBytes('bundles/none').then(
    () => true,
    () => false,
  )
  const answers = await Promise.race([asked, new Promise<false>((done) => setTimeout(() => done(false), storeMs))])
  const { bytes, maxBytes } = cache()
  return { name: objects.name, answers, cacheBytes: bytes, cacheMaxBytes: maxBytes }
}

const renderProcess = ({ host, pid, version, startedAt, seenAt, silent }: KnownProcess) => ({
  host,
  pid,
  version,
  startedAt: startedAt.toISOString(),
  seenAt: seenAt.toISOString(),
  silent,
})

/** Rejects after `partMs`. What was asked may go on. */
const withinTime = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${partMs} ms`)), partMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
