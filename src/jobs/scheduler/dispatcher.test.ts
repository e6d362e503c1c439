import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openLocalFiles } from '../../store/portal-files.ts'
import { createTestTools } from '../fixtures/engines.ts'
import { makeRequest, openTestbed, waitForEnd, waitUntil } from '../fixtures/testbed.ts'
import type { JobRecord } from '../job-record.ts'
import type { JobQueue } from '../queue.ts'
import { runOneJob } from '../worker.ts'
import { type DispatcherOptions, runDispatcher } from './dispatcher.ts'
import type { ListedTask, Scheduler, SchedulerTask } from './scheduler.ts'

// The dispatcher over a scheduler that starts tasks in this process, one at a time; over a real Slurm: slurm.full.test.ts.

let bed: Awaited<ReturnType<typeof openTestbed>>
let queue: JobQueue
const running: { controller: AbortController; ended: Promise<void> }[] = []
beforeAll(async () => {
  bed = await openTestbed()
})
afterEach(async () => {
  for (const { controller } of running) controller.abort()
  await Promise.all(running.splice(0).map(({ ended }) => ended))
  await bed.reset()
})
afterAll(() => bed.close())

const silent = { info() {}, warn() {}, error() {} }

/** A scheduler of one processor. */
const openScheduler = () => {
  const tasks: (ListedTask & { task: SchedulerTask; controller: AbortController })[] = []
  const submitted: SchedulerTask[] = []
  let number = 0
  const startNext = (): void => {
    const next = tasks[0]
    if (next === undefined || next.state !== 'waiting') return
    next.state = 'running'
    next.reason = ''
    next.node = 'n1'
    const options = {
      database: { sql: bed.sql },
      files: openLocalFiles(bed.dataDir),
      runTool: createTestTools(bed.dataDir),
    }
    void runOneJob(
      { ...options, concurrency: 1, signal: next.controller.signal, log: silent, heartbeatMs: 300 },
      next.task.job,
      next.task.timeLimitMs,
    ).finally(() => {
      tasks.splice(tasks.indexOf(next), 1)
      startNext()
    })
  }
  const scheduler: Scheduler = {
    async submitTask(task) {
      submitted.push(task)
      number += 1
      tasks.push({
        name: task.name,
        id: String(number),
        state: 'waiting',
        reason: 'Resources',
        node: '',
        task,
        controller: new AbortController(),
      })
      startNext()
      return String(number)
    },
    listTasks: async () => tasks.map(({ name, id, state, reason, node }) => ({ name, id, state, reason, node })),
    async stopTasks(ids) {
      for (const one of tasks.filter(({ id }) => ids.includes(id))) {
        if (one.state === 'running') one.controller.abort()
        else tasks.splice(tasks.indexOf(one), 1)
      }
    },
  }
  return { scheduler, tasks, submitted }
}

const dispatch = (scheduler: Scheduler, more: Partial<DispatcherOptions> = {}): void => {
  const controller = new AbortController()
  const ended = runDispatcher({
    sql: bed.sql,
    scheduler,
    prefix: 'portal',
    tools: ['sort'],
    resourcesOf: async () => ({ cores: 2, memoryBytes: 2 ** 30 }),
    timeLimitMsOf: () => 60_000,
    maxTasks: 10,
    signal: controller.signal,
    log: silent,
    pollMs: 100,
    goneMs: 500,
    ...more,
  })
  running.push({ controller, ended })
}

test('jobs are handed over in their order, each once by several dispatchers, and why they wait is told', async () => {
  queue = await bed.openQueue()
  const { scheduler, submitted } = openScheduler()
  // Two ask at once: what one has written down the other may already be behind, so the order is that of each.
  const byEach: string[][] = [[], []]
  for (const own of byEach)
    dispatch({
      ...scheduler,
      submitTask: (task) => {
        own.push(task.job)
        return scheduler.submitTask(task)
      },
    })
  const jobs: JobRecord[] = []
  for (let at = 0; at < 4; at += 1) jobs.push(await queue.submitJob(makeRequest({ starts: [at, 1], seconds: 0.4 })))
  await waitUntil(async () => (await queue.getJob(jobs[3]!.id))?.task?.reason === 'Resources')
  await waitUntil(
    async () => (await bed.sql`select 1 from job_tasks where state = 'running' and node = 'n1'`).length > 0,
  )
  for (const { id } of jobs) expect(await waitForEnd(queue, id)).toMatchObject({ state: 'done', attempt: 1 })
  const order = jobs.map(({ id }) => id)
  for (const own of byEach) expect(own).toEqual(order.filter((id) => own.includes(id)))
  expect(submitted.map(({ name }) => name).sort()).toEqual(order.map((id) => `portal-${id}-1`).sort())
  expect(submitted[0]).toMatchObject({ resources: { cores: 2 } })
  await waitUntil(async () => (await bed.sql`select 1 from job_tasks`).length === 0)
})

test('no more are handed over than may be at a time; jobs of other tools stay with the workers', async () => {
  queue = await bed.openQueue()
  const { scheduler, tasks, submitted } = openScheduler()
  dispatch(scheduler, { maxTasks: 2 })
  const other = await queue.submitJob(makeRequest({ starts: [9] }, { tool: 'other', cacheKey: 'other' }))
  const jobs = await Promise.all(
    Array.from({ length: 5 }, (_, at) => queue.submitJob(makeRequest({ starts: [at, 3], seconds: 0.3 }))),
  )
  await waitUntil(() => tasks.length === 2)
  bed.startWorker({ otherTools: ['sort'] })
  for (const { id } of [other, ...jobs]) expect((await waitForEnd(queue, id)).state).toBe('done')
  expect(submitted.map(({ job }) => job).sort()).toEqual(jobs.map(({ id }) => id).sort())
})

test('tasks that only wait at the scheduler count among those that may be there', async () => {
  queue = await bed.openQueue()
  const waiting: ListedTask[] = []
  let lists = 0
  dispatch(
    {
      async submitTask({ name }) {
        waiting.push({ name, id: String(waiting.length + 1), state: 'waiting', reason: 'Resources', node: '' })
        return String(waiting.length)
      },
      async listTasks() {
        lists += 1
        return waiting
      },
      stopTasks: async () => undefined,
    },
    { maxTasks: 2 },
  )
  for (let at = 0; at < 5; at += 1) await queue.submitJob(makeRequest({ starts: [at, 4] }))
  await waitUntil(() => lists >= 5)
  expect(waiting).toHaveLength(2)
})

test('of equal jobs one is handed over, and all have its result', async () => {
  queue = await bed.openQueue()
  const { scheduler, submitted } = openScheduler()
  dispatch(scheduler)
  const jobs = await Promise.all(
    Array.from({ length: 3 }, () => queue.submitJob(makeRequest({ starts: [4], seconds: 0.3 }))),
  )
  for (const { id } of jobs) expect((await waitForEnd(queue, id)).state).toBe('done')
  expect(submitted).toHaveLength(1)
})

test('a task that is lost before it takes its job is asked for again; one that is stopped while it runs gives it back', async () => {
  queue = await bed.openQueue()
  const { scheduler, tasks, submitted } = openScheduler()
  dispatch(scheduler)
  const [first, second] = [
    await queue.submitJob(makeRequest({ starts: [1], seconds: 1.5 })),
    await queue.submitJob(makeRequest({ starts: [2] })),
  ]
  await waitUntil(async () => (await queue.getJob(first.id))?.state === 'running' && tasks.length === 2)
  tasks.pop()
  await waitUntil(() => submitted.some(({ name }) => name === `portal-${second.id}-2`))
  tasks[0]!.controller.abort()
  for (const { id } of [first, second]) expect(await waitForEnd(queue, id)).toMatchObject({ state: 'done', attempt: 1 })
  expect(submitted.filter(({ job }) => job === first.id)).toHaveLength(2)
})

test('a list that fails tells nothing: no job is started a second time for it', async () => {
  queue = await bed.openQueue()
  const { scheduler, submitted } = openScheduler()
  dispatch({ ...scheduler, listTasks: () => Promise.reject(new Error('timed out')) }, { goneMs: 1 })
  const jobs = [
    await queue.submitJob(makeRequest({ starts: [1], seconds: 1 })),
    await queue.submitJob(makeRequest({ starts: [2] })),
  ]
  for (const { id } of jobs) expect((await waitForEnd(queue, id)).state).toBe('done')
  expect(submitted).toHaveLength(2)
})

test('a cancelled job leaves no task, and one of a time limit fails', async () => {
  queue = await bed.openQueue()
  const { scheduler, tasks } = openScheduler()
  dispatch(scheduler, { timeLimitMsOf: ({ input }) => ((input as { seconds: number }).seconds > 50 ? 500 : 60_000) })
  const long = await queue.submitJob(makeRequest({ seconds: 99 }))
  const waiting = await queue.submitJob(makeRequest({ seconds: 9 }))
  await waitUntil(() => tasks.length === 2)
  await queue.cancelJob(waiting.id)
  expect(await waitForEnd(queue, long.id)).toMatchObject({ state: 'failed', error: { message: 'job.taskTimeLimit' } })
  await waitUntil(() => tasks.length === 0)
  expect((await queue.getJob(waiting.id))?.state).toBe('cancelled')
})
