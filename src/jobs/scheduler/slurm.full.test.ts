import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasSlurm, type SlurmCluster, startSlurm } from '../../testing/peers/slurm-cluster.ts'
import { full } from '../../testing/real-data.ts'
import { buildEntry, makeRequest, openTestbed, waitForEnd, waitUntil } from '../fixtures/testbed.ts'
import type { JobRecord } from '../job-record.ts'
import type { JobQueue } from '../queue.ts'
import { type DispatcherOptions, runDispatcher } from './dispatcher.ts'
import type { Scheduler } from './scheduler.ts'
import { createSlurm } from './slurm.ts'

// Jobs of the queue on a Slurm of this machine: the real daemons, real tasks, real deaths.
const can = full && hasSlurm

describe.runIf(can)('jobs handed to Slurm', () => {
  let cluster: SlurmCluster
  let built: Awaited<ReturnType<typeof buildEntry>>
  let bed: Awaited<ReturnType<typeof openTestbed>>
  let queue: JobQueue
  const dispatchers: { controller: AbortController; ended: Promise<void> }[] = []
  const warnings: string[] = []
  const log = {
    info() {},
    warn: (text: string) => void warnings.push(text),
    error: (text: string) => void warnings.push(text),
  }

  beforeAll(async () => {
    process.env.SLURM_CONF = undefined
    ;[cluster, built, bed] = await Promise.all([startSlurm({ nodes: 2, cores: 2 }), buildEntry(), openTestbed()])
    process.env.SLURM_CONF = cluster.environment.SLURM_CONF
    queue = await bed.openQueue({ total: 5_000 })
    mkdirSync(join(bed.dataDir, 'logs'), { recursive: true })
  }, 120_000)
  afterAll(async () => {
    await stopDispatchers()
    delete process.env.SLURM_CONF
    cluster?.close()
    built?.remove()
    await bed?.close()
  })
  afterEach(async () => {
    await stopDispatchers()
    await waitUntil(async () => {
      const tasks = await slurm().listTasks()
      await slurm().stopTasks(tasks.map(({ id }) => id))
      return tasks.length === 0
    })
    await bed.sql`truncate jobs cascade`
    warnings.length = 0
  })
  const stopDispatchers = async (): Promise<void> => {
    for (const { controller } of dispatchers) controller.abort()
    await Promise.all(dispatchers.splice(0).map(({ ended }) => ended))
  }

  const slurm = (entry = built.entry): Scheduler =>
    createSlurm({
      prefix: 'novodb-test',
      optionsOf: () => [],
      commandOf: ({ job, timeLimitMs }) => [process.execPath, entry, bed.planProcess('task'), job, String(timeLimitMs)],
      logFolder: join(bed.dataDir, 'logs'),
      searchPath: process.env.PATH!,
    })
  const dispatch = (scheduler: Scheduler = slurm(), more: Partial<DispatcherOptions> = {}): void => {
    const controller = new AbortController()
    const ended = runDispatcher({
      sql: bed.sql,
      scheduler,
      prefix: 'novodb-test',
      tools: ['sort'],
      resourcesOf: async () => ({ cores: 1, memoryBytes: 2 ** 28 }),
      timeLimitMsOf: () => 600_000,
      maxTasks: 100,
      signal: controller.signal,
      log,
      pollMs: 500,
      goneMs: 3_000,
      ...more,
    })
    dispatchers.push({ controller, ended })
  }

  test('are run on nodes, each once, more than there are processors; why they wait is told', async () => {
    dispatch()
    const jobs = await Promise.all(
      Array.from({ length: 8 }, (_, at) => queue.submitJob(makeRequest({ starts: [at, 2], seconds: 2 }))),
    )
    await waitUntil(async () => {
      const { jobs: seen } = await queue.listJobs({ states: ['queued'], limit: 100 })
      return seen.some(({ task }) => task?.reason === 'Resources' || task?.reason === 'Priority')
    })
    await waitUntil(async () => {
      const tasks = await bed.sql<{ state: string; node: string }[]>`select state, node from job_tasks`
      return tasks.some(({ state, node }) => state === 'running' && /^n[12]$/.test(node))
    })
    for (const { id } of jobs) expect(await waitForEnd(queue, id)).toMatchObject({ state: 'done', attempt: 1 })
    expect((await queue.readJobResult(jobs[3]!.id)).result).toEqual({ sorted: [2, 3] })
    expect(new Set(bed.listStarts()).size).toBe(8)
    await waitUntil(async () => (await bed.sql`select 1 from job_tasks`).length === 0)
  }, 90_000)

  test('a cancel reaches the node, and ends what waits there', async () => {
    dispatch()
    const running = await queue.submitJob(makeRequest({ seconds: 300 }))
    await waitUntil(async () => (await queue.getJob(running.id))?.state === 'running')
    const waiting = await Promise.all(
      Array.from({ length: 5 }, (_, at) => queue.submitJob(makeRequest({ seconds: 300 + at + 1 }))),
    )
    await waitUntil(async () => (await slurm().listTasks()).length === 6)
    for (const { id } of [running, ...waiting]) await queue.cancelJob(id)
    expect((await waitForEnd(queue, running.id)).state).toBe('cancelled')
    await waitUntil(async () => (await slurm().listTasks()).length === 0)
    expect((await queue.listJobs({ states: ['cancelled'], limit: 10 })).total).toBe(6)
  }, 90_000)

  test('a node that dies takes no job along: it is run on another', async () => {
    dispatch()
    // The lease is how it is found out: somebody sweeps, as the portal's worker does.
    bed.startWorker({ otherTools: ['sort'] })
    const jobs = await Promise.all(
      Array.from({ length: 4 }, (_, at) => queue.submitJob(makeRequest({ seconds: 6 + at / 10 }))),
    )
    await waitUntil(async () => (await queue.listJobs({ states: ['running'], limit: 10 })).total === 4)
    cluster.killNode('n2')
    const ended = await Promise.all(jobs.map(({ id }) => waitForEnd(queue, id, 90_000)))
    expect(ended.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done'])
    expect(ended.map(({ attempt }) => attempt).sort()).toEqual([1, 1, 2, 2])
    await bed.stopWorkers()
    await cluster.startNode('n2')
    expect((await queue.listJobs({ states: ['done'], limit: 10 })).total).toBe(4)
  }, 150_000)

  test('the controller is away: jobs wait, and are started when it is back; none twice', async () => {
    cluster.killController()
    dispatch()
    const jobs = await Promise.all(
      Array.from({ length: 3 }, (_, at) => queue.submitJob(makeRequest({ starts: [at], seconds: 1 }))),
    )
    await waitUntil(() => warnings.some((line) => line.includes('not handed over')))
    expect((await queue.getJob(jobs[0]!.id))?.state).toBe('queued')
    await cluster.startController()
    for (const { id } of jobs) expect(await waitForEnd(queue, id, 90_000)).toMatchObject({ state: 'done', attempt: 1 })
  }, 150_000)

  test('sbatch that fails though it has submitted, lists that are late, and starts beside starts: each job ends once', async () => {
    const real = slurm()
    let submitted = 0
    let listed = 0
    const unreliable: Scheduler = {
      ...real,
      submitTask: async (task) => {
        const id = await real.submitTask(task)
        submitted += 1
        if (submitted % 2 === 0) throw new Error('Socket timed out on send/recv operation')
        return id
      },
      listTasks: async () => {
        listed += 1
        if (listed % 3 === 0) throw new Error('slurm_load_jobs error: Socket timed out')
        // As old as it gets: nothing is listed yet.
        return listed % 5 === 0 ? [] : real.listTasks()
      },
    }
    dispatch(unreliable, { goneMs: 300 })
    dispatch(unreliable, { goneMs: 300 })
    const before = bed.listStarts().length
    const jobs = await Promise.all(
      Array.from({ length: 10 }, (_, at) => queue.submitJob(makeRequest({ starts: [at, 7], seconds: 0.5 }))),
    )
    for (const { id } of jobs) expect(await waitForEnd(queue, id, 90_000)).toMatchObject({ state: 'done', attempt: 1 })
    const starts = bed.listStarts().slice(before)
    expect(starts).toHaveLength(10)
    expect(new Set(starts).size).toBe(10)
  }, 150_000)

  test('a storm: nodes, the controller and dispatchers die in turn under sixty jobs; each is done, and none finishes twice', async () => {
    bed.startWorker({ otherTools: ['sort'] })
    dispatch()
    dispatch()
    const before = bed.listStarts().length
    const jobs: JobRecord[] = []
    for (let at = 0; at < 60; at += 1)
      jobs.push(await queue.submitJob(makeRequest({ starts: [at, 50], seconds: 2 + (at % 5) / 2 })))
    const watching = jobs.map(({ id }) => waitForEnd(queue, id, 400_000))
    const doneCount = async (): Promise<number> => (await queue.listJobs({ states: ['done'], limit: 1 })).total
    const killBusy = async (node: string): Promise<void> => {
      // Of four slots three are taken, so that each of the two nodes has a job.
      await waitUntil(async () => (await queue.listJobs({ states: ['running'], limit: 1 })).total >= 3, 60_000)
      cluster.killNode(node)
    }
    const trouble: (() => Promise<void>)[] = [
      () => killBusy('n1'),
      async () => cluster.startNode('n1'),
      async () => cluster.killController(),
      async () => cluster.startController(),
      stopDispatchers,
      async () => dispatch(),
      () => killBusy('n2'),
      async () => cluster.startNode('n2'),
    ]
    for (const [turn, one] of trouble.entries()) {
      await waitUntil(async () => (await doneCount()) >= turn * 5, 120_000).catch(() => undefined)
      await one()
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    }
    const ended = await Promise.all(watching)
    await bed.stopWorkers()
    expect(ended.map(({ state }) => state)).toEqual(Array(60).fill('done'))
    const results = await Promise.all(jobs.map(({ id }) => queue.readJobResult(id)))
    for (const [at, { result }] of results.entries()) expect(result).toEqual({ sorted: [at, 50].sort((a, b) => a - b) })
    // What died in the middle was run again, and nothing else was.
    const starts = bed.listStarts().slice(before)
    const again = ended.reduce((sum, { attempt }) => sum + attempt - 1, 0)
    expect(again).toBeGreaterThan(0)
    expect(starts.length).toBe(60 + again)
  }, 500_000)

  test('a node without the portal: the job fails after some starts, and says so', async () => {
    dispatch(slurm('/nowhere/entry.mjs'), { goneMs: 200, maxUnclaimed: 2 })
    const job = await queue.submitJob(makeRequest({ starts: [1] }))
    expect(await waitForEnd(queue, job.id, 90_000)).toMatchObject({
      state: 'failed',
      error: { message: 'job.notStarted', params: { count: 2 } },
    })
    await stopDispatchers()
    dispatch()
    await queue.retryJob(job.id)
    expect((await waitForEnd(queue, job.id)).state).toBe('done')
  }, 150_000)

  test('a job that outlives its time fails, and is not started again and again', async () => {
    dispatch(slurm(), { timeLimitMsOf: () => 3_000 })
    const job = await queue.submitJob(makeRequest({ seconds: 600 }))
    expect(await waitForEnd(queue, job.id)).toMatchObject({ state: 'failed', error: { message: 'job.taskTimeLimit' } })
  }, 90_000)

  test('a task that Slurm stops gives its job back, and another start takes it', async () => {
    dispatch()
    const job = await queue.submitJob(makeRequest({ seconds: 4 }))
    await waitUntil(async () => (await queue.getJob(job.id))?.state === 'running')
    const [task] = await slurm().listTasks()
    await cluster.ask('scancel', '--signal=TERM', '--batch', task!.id)
    await waitUntil(async () => (await queue.getJob(job.id))?.state === 'queued')
    expect(await waitForEnd(queue, job.id)).toMatchObject({ state: 'done', attempt: 1 })
  }, 90_000)
})
