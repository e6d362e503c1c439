import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLoad } from '../database/catalogue.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { createTestTools } from './fixtures/engines.ts'
import { makeRequest, openTestbed, waitForEnd, waitUntil } from './fixtures/testbed.ts'
import { computeParts, type LoadPartsOptions, type PartsProgress } from './load-parts.ts'
import { runDispatcher } from './scheduler/dispatcher.ts'
import { type JobRun, PartRefused, type RunJob } from './worker.ts'

let bed: Awaited<ReturnType<typeof openTestbed>>
beforeAll(async () => {
  bed = await openTestbed()
})
afterEach(() => bed.reset())
afterAll(() => bed.close())

const silent = { info() {}, warn() {}, error() {} }
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const numberOf = (run: JobRun): number => (run.input as { number: number }).number

/** Computes parts 0 … count - 1 of a new load; what each process computed is noted in `by`. */
const divide = async (count: number, more: Partial<LoadPartsOptions> = {}) => {
  const about = { species: 'made', folder: '/nowhere', host: 'test', pid: process.pid, startedBy: 'test' }
  const load = await createLoad(bed.sql, about)
  const own: number[] = []
  const progress: PartsProgress[] = []
  const ended = computeParts({
    database: { sql: bed.sql },
    files: openLocalFiles(bed.dataDir),
    log: silent,
    load,
    parts: Array.from({ length: count }, (_, number) => ({ name: `made/${load}-${number}`, input: { number } })),
    compute: async (run) => {
      await pause(100)
      own.push(numberOf(run))
      return null
    },
    signal: AbortSignal.timeout(60_000),
    onProgress: (told) => void progress.push(told),
    heartbeatMs: 300,
    leaseMs: 4_000,
    ...more,
  })
  ended.catch(() => undefined)
  return { load, own, progress, ended }
}

/** A tool of a worker: parts as `compute` has them, other jobs as ever. */
const workerTool =
  (compute: (run: JobRun) => Promise<void>): RunJob =>
  async (run) => {
    if (run.load === null) return createTestTools(bed.dataDir)(run)
    await compute(run)
    return null
  }

test('a load computes its parts alone where no worker runs', async () => {
  const { own, progress, ended } = await divide(7)
  await ended
  expect(own.sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(progress.at(-1)).toEqual({ done: 7, total: 7, workers: 0 })
  expect(await bed.sql`select id from jobs`).toEqual([])
})

test('load and worker compute each part once; the load takes the last, the worker the first', async () => {
  const helped: number[] = []
  bed.startWorker({
    concurrency: 1,
    runTool: workerTool(async (run) => {
      await pause(100)
      helped.push(numberOf(run))
    }),
  })
  const { own, ended } = await divide(12)
  await ended
  expect([...own, ...helped].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at))
  expect(helped.length).toBeGreaterThan(2)
  expect(helped).toEqual([...helped].sort((a, b) => a - b))
  expect(own).toEqual([...own].sort((a, b) => b - a))
})

test('what people ask for goes before parts, finds a place free, and knows nothing of them', async () => {
  const queue = await bed.openQueue({ total: 3, perClient: 1 })
  bed.startWorker({ concurrency: 2, runTool: workerTool(() => pause(400)) })
  const { load, ended } = await divide(30)
  await waitUntil(async () => (await bed.sql`select 1 from jobs where state = 'running'`).length === 2)
  const asked = await queue.submitJob(makeRequest({ starts: [2, 1] }, { client: 'somebody' }))
  expect(asked.position).toBe(0)
  // Both places of the worker and the load's own would be taken by parts otherwise: thirty of them go before by number.
  expect((await waitForEnd(queue, asked.id)).state).toBe('done')
  const [left] = await bed.sql<{ count: number }[]>`
    select count(*)::int as count from jobs where load = ${load} and state = 'queued'`
  expect(left!.count).toBeGreaterThan(10)
  expect((await queue.listJobs({ limit: 100 })).total).toBe(1)
  const [part] = await bed.sql<{ id: string }[]>`select id from jobs where load = ${load} limit 1`
  expect(await queue.getJob(part!.id)).toBeNull()
  await ended
})

test('where a worker has one place, what people ask for is run beside the part that has taken it', async () => {
  const begun: number[] = []
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  bed.startWorker({
    concurrency: 1,
    runTool: workerTool(async (run) => {
      begun.push(numberOf(run))
      await gate
    }),
  })
  const queue = await bed.openQueue({ total: 3, perClient: 1 })
  const { ended } = await divide(3, { compute: () => gate.then(() => null) })
  await waitUntil(() => begun.length === 1)
  const asked = await queue.submitJob(makeRequest({ starts: [2, 1] }, { client: 'somebody' }))
  expect((await waitForEnd(queue, asked.id)).state).toBe('done')
  // No second part took the place.
  expect(begun).toHaveLength(1)
  open()
  await ended
})

test('a part that a worker cannot compute is computed by the load; a worker with other programs leaves them', async () => {
  const tried: number[] = []
  bed.startWorker({
    concurrency: 1,
    runTool: workerTool(async (run) => {
      tried.push(numberOf(run))
      throw new Error('killed for its memory')
    }),
  })
  let refusals = 0
  bed.startWorker({
    concurrency: 1,
    runTool: workerTool(async () => {
      refusals += 1
      throw new PartRefused('other programs')
    }),
  })
  const { own, ended } = await divide(8)
  await ended
  expect(own.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(tried.length).toBeGreaterThan(0)
  expect(refusals).toBeLessThanOrEqual(1)
})

test('what fails in the load itself ends it, and a load that is stopped takes its parts along, also from workers', async () => {
  const failing = await divide(5, { compute: () => Promise.reject(new Error('the disk is full')) })
  await expect(failing.ended).rejects.toThrow('the disk is full')
  expect(await bed.sql`select id from jobs`).toEqual([])

  const stopped: number[] = []
  bed.startWorker({
    concurrency: 1,
    runTool: workerTool(
      (run) =>
        new Promise((_, reject) => {
          run.signal.addEventListener('abort', () => {
            stopped.push(numberOf(run))
            reject(new Error('stopped'))
          })
        }),
    ),
  })
  const controller = new AbortController()
  const { ended } = await divide(20, { signal: controller.signal })
  await waitUntil(async () => (await bed.sql`select 1 from jobs where state = 'running'`).length === 2)
  controller.abort()
  await expect(ended).rejects.toThrow()
  await waitUntil(() => stopped.length === 1)
  await waitUntil(async () => (await bed.sql`select 1 from jobs where state in ('queued', 'running')`).length === 0)
})

test('parts of a load that was killed are withdrawn by a sweep', async () => {
  const load = await createLoad(bed.sql, { species: 'x', folder: '/x', host: 'x', pid: 1, startedBy: 'x' })
  await bed.sql`update loads set heartbeat_at = clock_timestamp() - interval '2 minutes' where id = ${load}`
  await bed.sql`
    insert into jobs (id, tool, tool_version, input, state, cache_key, load, expires_at)
    values (${'0'.repeat(32)}, 'load', 1, '{}', 'queued', 'load/x', ${load}, clock_timestamp() + interval '1 day')`
  bed.startWorker({ concurrency: 1, runTool: workerTool(() => Promise.reject(new Error('not to be computed'))) })
  await waitUntil(async () => (await bed.sql`select 1 from jobs`).length === 0)
})

test('a scheduler is asked for what people want first, and parts leave it room', async () => {
  const queue = await bed.openQueue()
  const asked: string[] = []
  const controller = new AbortController()
  const { ended } = await divide(20, { compute: () => pause(30_000).then(() => null), signal: controller.signal })
  await waitUntil(async () => (await bed.sql`select 1 from jobs where load is not null`).length === 20)
  const dispatching = runDispatcher({
    sql: bed.sql,
    scheduler: {
      submitTask: async ({ tool, name }) => {
        asked.push(tool)
        return name
      },
      listTasks: async () => [],
      stopTasks: async () => undefined,
    },
    prefix: 'portal',
    tools: ['sort', 'load'],
    resourcesOf: async () => ({ cores: 1, memoryBytes: 2 ** 30 }),
    timeLimitMsOf: () => 60_000,
    maxTasks: 8,
    signal: controller.signal,
    log: silent,
    pollMs: 100,
    goneMs: 60_000,
  })
  await waitUntil(() => asked.length === 6)
  for (const at of [1, 2]) await queue.submitJob(makeRequest({ starts: [at] }))
  await waitUntil(() => asked.length === 8)
  expect(asked).toEqual([...Array<string>(6).fill('load'), 'sort', 'sort'])
  controller.abort()
  await expect(ended).rejects.toThrow()
  await dispatching
}, 60_000)
