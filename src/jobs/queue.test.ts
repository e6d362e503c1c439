import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PortalError } from '../contracts/errors.ts'
import { jobSchema } from '../contracts/tools/jobs.ts'
import { receiptSchema } from '../contracts/tools/receipt.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { createJobClaims } from './claims.ts'
import { createTestTools } from './fixtures/engines.ts'
import { makeRequest, openTestbed, waitForEnd, waitUntil } from './fixtures/testbed.ts'
import { getJobDirectory, type JobRecord, renderJob } from './job-record.ts'
import { findEarlierRun } from './queue.ts'

let bed: Awaited<ReturnType<typeof openTestbed>>
beforeAll(async () => {
  bed = await openTestbed()
})
afterEach(() => bed.reset())
afterAll(() => bed.close())

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof PortalError ? error.code : String(error)),
  )
/** Of this process alone: another run of this file may have programs of its own. */
const jobSeconds = 876 + process.pid / 1e7
const findEngines = (word: string) =>
  execFileSync('ps', ['-eo', 'stat=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes(word) && !line.trimStart().startsWith('Z'))

describe('a job from form to result', () => {
  test('runs its program and keeps result, receipt, input and command', async () => {
    const queue = await bed.openQueue()
    bed.startWorker()
    const job = await queue.submitJob(makeRequest({ starts: [300, 20, 1000] }))
    expect(job).toMatchObject({ state: 'queued', position: 0, tool: 'sort', error: null })
    const ended = await waitForEnd(queue, job.id)
    expect(ended).toMatchObject({ state: 'done', progress: 1, attempt: 1, resultOf: null })
    const { result, receipt } = await queue.readJobResult(job.id)
    expect(result).toEqual({ sorted: [20, 300, 1000] })
    expect(receiptSchema.parse(receipt).steps).toMatchObject([{ program: 'sort', command: ['sort', '-n'] }])
    const { directory, input } = await queue.openJob(job.id)
    expect(input).toEqual({ starts: [300, 20, 1000] })
    expect(JSON.parse(readFileSync(path.join(directory, 'input.json'), 'utf8'))).toEqual(input)
    expect(existsSync(path.join(directory, 'command.json'))).toBe(true)
    expect(path.dirname(directory)).toBe(path.join(bed.dataDir, 'jobs', job.id.slice(0, 2), job.id))
    const days = (Date.parse(ended.expiresAt) - Date.parse(ended.endedAt!)) / 86_400_000
    expect(days).toBeCloseTo(30, 3)
    jobSchema.parse(renderJob(ended, (message) => message))
  })

  test('the same question asked again is answered at once; another e-value is another question', async () => {
    const queue = await bed.openQueue()
    const worker = bed.startWorker()
    const first = await queue.submitJob(makeRequest({ starts: [2, 1] }))
    await waitForEnd(queue, first.id)
    worker.controller.abort()
    await worker.ended
    const again = await queue.submitJob(makeRequest({ starts: [2, 1] }, { client: 'other' }))
    expect(again).toMatchObject({ state: 'done', resultOf: first.id })
    expect((await queue.readJobResult(again.id)).result).toEqual({ sorted: [1, 2] })
    expect((await queue.submitJob(makeRequest({ starts: [1, 2] }))).state).toBe('queued')
    // A result whose files were lost is computed anew.
    execFileSync('rm', ['-r', getJobDirectory(bed.dataDir, first.id)])
    expect((await queue.submitJob(makeRequest({ starts: [2, 1] }))).state).toBe('queued')
  })

  test('twenty visitors who ask the same at once make one run, and all have the result', async () => {
    const queue = await bed.openQueue()
    bed.startWorker({ concurrency: 4 })
    bed.startWorker({ concurrency: 4 })
    const jobs = await Promise.all(
      Array.from({ length: 20 }, () => queue.submitJob(makeRequest({ starts: [9, 8], seconds: 0.3 }))),
    )
    const ended = await Promise.all(jobs.map(({ id }) => waitForEnd(queue, id)))
    expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['done']))
    expect(bed.listStarts()).toHaveLength(1)
    const root = bed.listStarts()[0]
    for (const job of ended) {
      expect(job.id === root ? null : root).toBe(job.resultOf)
      expect((await queue.readJobResult(job.id)).result).toEqual({ sorted: [8, 9] })
    }
  })

  test('when the one that runs for all is cancelled, the others still get their result', async () => {
    const queue = await bed.openQueue()
    bed.startWorker({ concurrency: 2 })
    const first = await queue.submitJob(makeRequest({ starts: [5], seconds: 3 }))
    await waitUntil(async () => (await queue.getJob(first.id))?.state === 'running')
    const second = await queue.submitJob(makeRequest({ starts: [5], seconds: 3 }))
    expect(await queue.getJob(second.id)).toMatchObject({ state: 'queued', position: 0 })
    await queue.cancelJob(first.id)
    expect((await waitForEnd(queue, second.id)).state).toBe('done')
    expect((await waitForEnd(queue, first.id)).state).toBe('cancelled')
    expect(bed.listStarts()).toEqual([first.id, second.id])
  })

  test('an answer of other data than was asked of is its own asker’s alone; who waited for it is answered by a run of their own', async () => {
    const queue = await bed.openQueue()
    const tools = createTestTools(bed.dataDir)
    let runs = 0
    bed.startWorker({
      runTool: async (run) => {
        runs += 1
        const answer = await tools(run)
        if (runs === 1) await run.excludeFromCache()
        return answer
      },
    })
    const first = await queue.submitJob(makeRequest({ starts: [4], seconds: 0.5 }))
    await waitUntil(async () => (await queue.getJob(first.id))?.state === 'running')
    const waiting = await queue.submitJob(makeRequest({ starts: [4], seconds: 0.5 }))
    expect(await waitForEnd(queue, first.id)).toMatchObject({ state: 'done', resultOf: null })
    expect(await waitForEnd(queue, waiting.id)).toMatchObject({ state: 'done', resultOf: null })
    const later = await queue.submitJob(makeRequest({ starts: [4], seconds: 0.5 }))
    expect(later).toMatchObject({ state: 'done', resultOf: waiting.id })
    expect(runs).toBe(2)
  })
})

describe('a job of which only what marks its result is new', () => {
  const keysOf = (base: string | null, own: string) => ({ baseKey: base, cacheKey: own })

  test('goes on from the newest kept run of the same base, which is then kept as long as its own', async () => {
    const queue = await bed.openQueue()
    const files = openLocalFiles(bed.dataDir)
    const worker = bed.startWorker()
    const first = await queue.submitJob(makeRequest({ starts: [2, 1] }, keysOf('base', 'one')))
    await waitForEnd(queue, first.id)
    await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts: [9] }, keysOf(null, 'none')))).id)
    worker.controller.abort()
    await worker.ended
    const own = await queue.submitJob(makeRequest({ starts: [2, 1] }, keysOf('base', 'two')))
    expect(own).toMatchObject({ state: 'queued', resultOf: null })
    const { expiresAt } = (await queue.getJob(first.id))!
    const found = await findEarlierRun(bed.sql, files, own.id)
    expect(found!.directory).toBe((await queue.openJob(first.id)).directory)
    expect(found!.receipt.steps).toMatchObject([{ program: 'sort' }])
    expect(Date.parse((await queue.getJob(first.id))!.expiresAt)).toBeGreaterThan(Date.parse(expiresAt))
    const others = [keysOf('other', 'three'), keysOf(null, 'four')]
    for (const keys of others)
      expect(
        await findEarlierRun(bed.sql, files, (await queue.submitJob(makeRequest({ starts: [2, 1] }, keys))).id),
      ).toBeNull()
    rmSync(found!.directory, { recursive: true })
    expect(await findEarlierRun(bed.sql, files, own.id)).toBeNull()
  })

  test('finds no run of other data than was asked of', async () => {
    const queue = await bed.openQueue()
    const tools = createTestTools(bed.dataDir)
    bed.startWorker({
      runTool: async (run) => {
        await run.excludeFromCache()
        return tools(run)
      },
    })
    await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts: [2] }, keysOf('base', 'one')))).id)
    await bed.stopWorkers()
    const own = await queue.submitJob(makeRequest({ starts: [2] }, keysOf('base', 'two')))
    expect(await findEarlierRun(bed.sql, openLocalFiles(bed.dataDir), own.id)).toBeNull()
  })
})

describe('bounds and order', () => {
  test('a client that submits thirty at once has three accepted; the queue as a whole is bounded too', async () => {
    const queue = await bed.openQueue({ perClient: 3, total: 5 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => codeOf(queue.submitJob(makeRequest({ starts: [i] }, { client: 'a' })))),
    )
    expect(answers.filter((code) => code === null)).toHaveLength(3)
    expect(answers.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(27)
    for (const client of ['b', 'c']) await queue.submitJob(makeRequest({ starts: [0] }, { client, cacheKey: client }))
    expect(await codeOf(queue.submitJob(makeRequest({ starts: [99] }, { client: 'd' })))).toBe('BUSY')
    expect((await queue.listJobs({ limit: 10 })).total).toBe(5)
  })

  test('no job is accepted while the disk has no room for its files; a result that is there is still given', async () => {
    const roomy = await bed.openQueue()
    const worker = bed.startWorker()
    const first = await roomy.submitJob(makeRequest({ starts: [4, 3] }))
    await waitForEnd(roomy, first.id)
    worker.controller.abort()
    await worker.ended
    const full = await bed.openQueue({ freeBytes: 2 ** 62 })
    await expect(full.submitJob(makeRequest({ starts: [5, 3] }))).rejects.toMatchObject({
      code: 'BUSY',
      messageId: 'job.diskFull',
    })
    expect((await roomy.listJobs({ limit: 1 })).total).toBe(1)
    expect(await full.submitJob(makeRequest({ starts: [4, 3] }))).toMatchObject({ state: 'done', resultOf: first.id })
  })

  test('results of one person are bounded together: the oldest make way, none of today does, and nobody else’s is touched', async () => {
    const queue = await bed.openQueue({ keptBytes: 100_000 })
    const worker = bed.startWorker()
    const mine = { owner: 7, client: 'a' }
    const ended = []
    for (const starts of [[1], [2], [3]])
      ended.push(await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts }, mine))).id))
    const [oldest, middle, newest] = ended.map(({ id }) => id)
    const visitor = await waitForEnd(
      queue,
      (await queue.submitJob(makeRequest({ starts: [4] }, { owner: null, client: 'a' }))).id,
    )
    // What the worker measured is what lies there.
    const measured = await bed.sql<{ id: string; bytes: number }[]>`select id, bytes::float8 as bytes from jobs`
    for (const { id, bytes } of measured) {
      const listed = execFileSync('find', [getJobDirectory(bed.dataDir, id), '-type', 'f', '-printf', '%s\n'])
      const there = String(listed)
        .trim()
        .split('\n')
        .reduce((sum, size) => sum + Number(size), 0)
      expect([bytes, bytes > 100]).toEqual([there, true])
    }
    worker.controller.abort()
    await worker.ended
    await bed.sql`update jobs set bytes = 40000`
    // 120,000 of today are above the bound: a new job is refused, not a result taken away; what is kept is still given.
    await expect(queue.submitJob(makeRequest({ starts: [5] }, mine))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      messageId: 'job.keptLimit',
    })
    expect(await queue.submitJob(makeRequest({ starts: [3] }, mine))).toMatchObject({ resultOf: newest })
    expect((await queue.submitJob(makeRequest({ starts: [6] }, { owner: null, client: 'a' }))).state).toBe('queued')
    expect((await queue.submitJob(makeRequest({ starts: [7] }, { owner: 8, client: 'a' }))).state).toBe('queued')
    // Two days later the oldest makes way, and no more than needed.
    await bed.sql`update jobs set ended_at = ended_at - interval '2 days' where state = 'done'`
    expect((await queue.submitJob(makeRequest({ starts: [5] }, mine))).state).toBe('queued')
    const left = await bed.sql<{ id: string }[]>`
      select id from jobs where bytes > 0 and expires_at > clock_timestamp() and state = 'done' order by ended_at`
    expect(left.map(({ id }) => id)).toEqual([middle, newest, visitor.id])
    bed.startWorker()
    await waitUntil(async () => (await queue.getJob(oldest!)) === null)
    await waitUntil(async () => !existsSync(getJobDirectory(bed.dataDir, oldest!)))
  })

  test('positions count what will be taken before, and jobs are taken in that order', async () => {
    const queue = await bed.openQueue()
    const jobs: JobRecord[] = []
    for (const i of [0, 1, 2, 3]) jobs.push(await queue.submitJob(makeRequest({ starts: [i] }, { owner: i % 2 })))
    const positions = async () => Promise.all(jobs.map(async ({ id }) => (await queue.getJob(id))?.position))
    expect(await positions()).toEqual([0, 1, 2, 3])
    await queue.cancelJob(jobs[0]!.id)
    expect(await positions()).toEqual([0, 0, 1, 2])
    // Asked for again, it goes behind the others.
    await queue.retryJob(jobs[0]!.id)
    expect(await positions()).toEqual([3, 0, 1, 2])
    bed.startWorker({ concurrency: 1 })
    await waitForEnd(queue, jobs[0]!.id)
    expect(bed.listStarts()).toEqual([1, 2, 3, 0].map((i) => jobs[i]!.id))
    const listed = await queue.listJobs({ owner: 1, limit: 1, states: ['done'] })
    expect([listed.total, listed.jobs.map(({ id }) => id)]).toEqual([2, [jobs[3]!.id]])
  })

  test('a job whose run was lost or given back goes before those that came after it', async () => {
    const queue = await bed.openQueue()
    const claims = createJobClaims({ sql: bed.sql, leaseMs: 60_000, maxAttempts: 3, keptDays: 1 })
    const jobs: JobRecord[] = []
    for (const i of [0, 1, 2]) jobs.push(await queue.submitJob(makeRequest({ starts: [i] })))
    const [first, second] = [(await claims.claimJob('one', true))!, (await claims.claimJob('one', true))!]
    expect([first.id, second.id]).toEqual([jobs[0]!.id, jobs[1]!.id])
    await claims.settleJob(second, { kind: 'released' })
    const held = (await claims.listClaims()).find(({ id }) => id === first.id)!
    // Found expired, but renewed since.
    expect(await claims.revokeClaim({ ...held, expired: true })).toBe(null)
    expect(await claims.revokeClaim(held)).toBe('queued')
    expect(await claims.settleJob(first, { kind: 'done', bytes: 1 })).toBe(false)
    expect(await Promise.all(jobs.map(async ({ id }) => (await queue.getJob(id))?.position))).toEqual([0, 1, 2])
    const again = [
      await claims.claimJob('two', true),
      await claims.claimJob('two', true),
      await claims.claimJob('two', true),
    ]
    expect(again.map((claim) => [claim!.id, claim!.attempt])).toEqual(jobs.map(({ id }, i) => [id, i === 0 ? 2 : 1]))
    expect(await claims.claimJob('two', true)).toBe(null)
  })

  test('the last attempt of a job whose runs were lost is for a holder that runs nothing, and nothing goes before it', async () => {
    const queue = await bed.openQueue()
    const claims = createJobClaims({ sql: bed.sql, leaseMs: 60_000, maxAttempts: 3, keptDays: 1 })
    const lost = await queue.submitJob(makeRequest({ starts: [1] }))
    const next = await queue.submitJob(makeRequest({ starts: [2] }))
    for (const attempt of [1, 2]) {
      const claim = (await claims.claimJob('dying', false))!
      expect([claim.id, claim.attempt, claim.alone]).toEqual([lost.id, attempt, false])
      await claims.revokeClaim({ id: claim.id, worker: claim.worker, expired: false })
    }
    expect(await claims.claimJob('busy', false)).toBe(null)
    expect(await claims.claimJob('idle', true)).toMatchObject({ id: lost.id, attempt: 3, alone: true })
    expect(await claims.claimJob('busy', false)).toMatchObject({ id: next.id, alone: false })
  })

  test('equal jobs have one position and one turn; what is claimed by many at once is claimed once', async () => {
    const queue = await bed.openQueue()
    const claims = createJobClaims({ sql: bed.sql, leaseMs: 60_000, maxAttempts: 3, keptDays: 1 })
    const jobs: JobRecord[] = []
    for (const start of [1, 1, 2, 1, 3, 2]) jobs.push(await queue.submitJob(makeRequest({ starts: [start] })))
    const positions = () => Promise.all(jobs.map(async ({ id }) => (await queue.getJob(id))?.position))
    expect(await positions()).toEqual([0, 0, 1, 0, 2, 1])
    const claimed = await Promise.all(Array.from({ length: 12 }, () => claims.claimJob('many', true)))
    const taken = claimed.filter((claim) => claim !== null)
    expect(taken.map(({ id }) => id).sort()).toEqual([0, 2, 4].map((i) => jobs[i]!.id).sort())
    await claims.settleJob(taken.find(({ id }) => id === jobs[0]!.id)!, { kind: 'failed', error: null, bytes: 0 })
    expect((await claims.claimJob('many', true))?.id).toBe(jobs[1]!.id)
    expect(await claims.claimJob('many', true)).toBe(null)
  })
})

describe('cancel, failure, retry', () => {
  test('a waiting job is cancelled at once and never runs; a running one loses its program', async () => {
    const queue = await bed.openQueue()
    const waiting = await queue.submitJob(makeRequest({ starts: [1] }))
    expect((await queue.cancelJob(waiting.id)).state).toBe('cancelled')
    bed.startWorker()
    const running = await queue.submitJob(makeRequest({ seconds: jobSeconds }))
    await waitUntil(() => findEngines(`sleep ${jobSeconds}`).length > 0)
    expect((await queue.cancelJob(running.id)).cancelRequested).toBe(true)
    expect((await waitForEnd(queue, running.id)).state).toBe('cancelled')
    expect(findEngines(`sleep ${jobSeconds}`)).toEqual([])
    expect(bed.listStarts()).toEqual([running.id])
    expect(await codeOf(queue.openJob(running.id))).toBe('JOB_CANCELLED')
    expect((await queue.cancelJob(running.id)).state).toBe('cancelled')
    expect(await codeOf(queue.cancelJob('0'.repeat(32)))).toBe('NOT_FOUND')
    expect(await codeOf(queue.cancelJob("' or 1=1"))).toBe('NOT_FOUND')
  })

  test('a tool that fails is run once: what the user can mend is told, our defects are not', async () => {
    const queue = await bed.openQueue()
    bed.startWorker()
    const user = await waitForEnd(queue, (await queue.submitJob(makeRequest({ fail: 'user' }))).id)
    expect(user).toMatchObject({
      state: 'failed',
      attempt: 1,
      error: { code: 'ENGINE_LIMIT', message: 'job.timeLimit', params: { program: 'a\ufffdb' } },
    })
    expect(await codeOf(queue.openJob(user.id))).toBe('ENGINE_LIMIT')
    const defect = await waitForEnd(queue, (await queue.submitJob(makeRequest({ fail: 'defect' }))).id)
    expect(defect.error).toEqual({ code: 'INTERNAL', message: 'error.INTERNAL', params: {}, problems: [] })
    expect(await codeOf(queue.openJob(defect.id))).toBe('NOT_FOUND')
    expect(renderJob(defect, (message) => `<${message}>`).error?.errorMessage).toBe('<error.INTERNAL>')
    expect(bed.listStarts()).toHaveLength(2)
    await queue.retryJob(user.id)
    await waitUntil(() => bed.listStarts().length === 3)
    expect((await waitForEnd(queue, user.id)).state).toBe('failed')
    const done = await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts: [] }))).id)
    expect(await codeOf(queue.retryJob(done.id))).toBe('CONFLICT')
    expect(await codeOf(queue.retryJob('0'.repeat(32)))).toBe('NOT_FOUND')
  })

  test('a cancelled job that is asked for again is answered by what an equal one has found meanwhile', async () => {
    const queue = await bed.openQueue()
    const cancelled = await queue.submitJob(makeRequest({ starts: [6] }))
    await queue.cancelJob(cancelled.id)
    bed.startWorker()
    const equal = await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts: [6] }))).id)
    expect(await queue.retryJob(cancelled.id)).toMatchObject({ state: 'done', resultOf: equal.id, progress: 1 })
    expect((await queue.readJobResult(cancelled.id)).result).toEqual({ sorted: [6] })
    expect(bed.listStarts()).toEqual([equal.id])
  })

  test("an input that the database cannot hold is the input's fault and leaves no job", async () => {
    const queue = await bed.openQueue()
    for (const text of ['a\0b', '\ud800']) {
      expect(await codeOf(queue.submitJob(makeRequest({ starts: [] }, { input: { text } })))).toBe('INVALID_INPUT')
    }
    expect((await queue.listJobs({ limit: 9 })).total).toBe(0)
  })
})

describe('watching', () => {
  test('another server process sees every state of the job, progress among them, and the end of the stream', async () => {
    const other = bed.database.connect({ max: 2 })
    const [queue, watcher] = [await bed.openQueue(), await bed.openQueue({}, other)]
    const job = await queue.submitJob(makeRequest({ starts: [1], steps: 80 }))
    const seen: JobRecord[] = []
    const watching = (async () => {
      for await (const state of watcher.watchJob(job.id)) seen.push(state)
    })()
    await waitUntil(() => seen.length > 0)
    bed.startWorker()
    await watching
    expect(seen[0]?.state).toBe('queued')
    expect(seen.at(-1)?.state).toBe('done')
    const progress = seen.filter(({ state }) => state === 'running').map((state) => state.progress ?? 0)
    expect(progress.length).toBeGreaterThanOrEqual(3)
    // 80 reports in 0.8 s, written at most every 0.3 s.
    expect(progress.length).toBeLessThanOrEqual(8)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(seen.some(({ step }) => step?.startsWith('step.'))).toBe(true)
    await expect(watcher.watchJob('f'.repeat(32))[Symbol.asyncIterator]().next()).rejects.toThrow('NOT_FOUND')
    await watcher.close()
    await other.end()
  })

  test('a reader who goes away ends the watch at once', async () => {
    const queue = await bed.openQueue()
    const job = await queue.submitJob(makeRequest({ starts: [1] }))
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    for await (const _ of queue.watchJob(job.id, controller.signal)) expect(_.state).toBe('queued')
  })
})

describe('a database that goes away for a moment', () => {
  test('costs no job: what runs goes on, what waits is taken, and watchers see the end', async () => {
    // Of its own: all its connections are ended.
    const bed = await openTestbed()
    const queue = await bed.openQueue()
    bed.startWorker({ concurrency: 1, leaseMs: 5_000 })
    const running = await queue.submitJob(makeRequest({ starts: [2, 1], seconds: 0.5 }))
    const waiting = await queue.submitJob(makeRequest({ starts: [4, 3] }))
    await waitUntil(async () => (await queue.getJob(running.id))?.state === 'running')
    const ends = [running, waiting].map(async ({ id }) => {
      // A reader whose own query was cut off comes again, as a browser's event stream does.
      for (;;) {
        const ended = await waitForEnd(queue, id).catch((error: { code?: string }) => error.code)
        if (typeof ended !== 'string') return ended
        expect(['CONNECTION_CLOSED', 'CONNECT_TIMEOUT', 'ECONNRESET', 'EPIPE', '57P01']).toContain(ended)
      }
    })
    // Five times: at rest, within transactions, while listening, while being opened.
    for (let i = 0; i < 5; i++) {
      await bed.sql`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`.catch(
        () => undefined,
      )
      await new Promise((resolve) => setTimeout(resolve, 130))
    }
    // A job whose claim was written but not heard of is claimed once more when that lease has run out: an attempt that started nothing.
    expect((await Promise.all(ends)).map((job) => job?.state)).toEqual(['done', 'done'])
    expect(bed.listStarts()).toEqual([running.id, waiting.id])
    await bed.close()
  })
})

describe('the sweep', () => {
  test('removes what has expired, but not what another job still shows', async () => {
    const queue = await bed.openQueue()
    const worker = bed.startWorker()
    const root = await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts: [4] }))).id)
    const shown = await queue.submitJob(makeRequest({ starts: [4] }))
    const old = await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts: [7] }))).id)
    worker.controller.abort()
    await worker.ended
    const stray = path.join(bed.dataDir, 'jobs', 'ab', `ab${'0'.repeat(30)}`)
    const fresh = path.join(bed.dataDir, 'jobs', 'ab', `ab${'1'.repeat(30)}`)
    for (const directory of [stray, fresh]) mkdirSync(directory, { recursive: true })
    utimesSync(stray, new Date(), new Date(Date.now() - 25 * 3_600_000))
    await bed.sql`update jobs set expires_at = now() - interval '1 s' where id in (${root.id}, ${old.id})`
    bed.startWorker()
    await waitUntil(async () => (await queue.getJob(old.id)) === null && !existsSync(stray))
    expect(existsSync(getJobDirectory(bed.dataDir, old.id))).toBe(false)
    expect(existsSync(fresh)).toBe(true)
    expect((await queue.readJobResult(shown.id)).result).toEqual({ sorted: [4] })
    await bed.sql`update jobs set expires_at = now() - interval '1 s' where id = ${shown.id}`
    await waitUntil(async () => (await queue.listJobs({ limit: 1 })).total === 0)
    // The row goes first, then the directory.
    await waitUntil(async () => !existsSync(getJobDirectory(bed.dataDir, root.id)))
  })
})

describe('notifications', () => {
  // With these, a look at the table that no notification caused comes after the test has long failed.
  const anHour = 3_600_000
  const deafWithout = { heartbeatMs: anHour, leaseMs: 2 * anHour, sweepMs: anHour, pollMs: anHour }
  const patient = { queued: anHour, running: anHour }

  test('an idle worker is woken by a new job, and its reader by the end, without looking at the table in between', async () => {
    const queue = await bed.openQueue({}, bed.sql, patient)
    bed.startWorker({ concurrency: 2, ...deafWithout })
    for (let i = 1; i <= 5; i++) {
      const { id } = await queue.submitJob(makeRequest({ starts: [i] }))
      expect((await waitForEnd(queue, id)).state).toBe('done')
      expect((await queue.readJobResult(id)).result).toEqual({ sorted: [i] })
    }
    const jobs = await Promise.all(
      Array.from({ length: 30 }, (_, i) => queue.submitJob(makeRequest({ starts: [1000 + i] }))),
    )
    const ended = await Promise.all(jobs.map(({ id }) => waitForEnd(queue, id)))
    expect(new Set(ended.map(({ state }) => state))).toEqual(new Set(['done']))
  })

  test('a job that nothing was told of is found by looking at the table', async () => {
    const queue = await bed.openQueue()
    bed.startWorker({ sweepMs: anHour, pollMs: 200 })
    const { id } = await queue.submitJob(makeRequest({ starts: [1] }))
    await waitForEnd(queue, id)
    await bed.sql`update jobs set state = 'queued', ended_at = null where id = ${id}`
    await waitUntil(() => bed.listStarts().length === 2)
    expect((await waitForEnd(queue, id)).state).toBe('done')
  })

  test('a job that came while the worker and the reader had lost their listening connections is found when they have new ones', async () => {
    const queue = await bed.openQueue({}, bed.sql, patient)
    bed.startWorker({ concurrency: 1, ...deafWithout })
    expect((await waitForEnd(queue, (await queue.submitJob(makeRequest({ starts: [1] }))).id)).state).toBe('done')
    for (let i = 2; i <= 4; i++) {
      const cut = await bed.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query = 'listen "novodb_jobs"'`
      expect(cut).toHaveLength(2)
      const { id } = await queue.submitJob(makeRequest({ starts: [i] }))
      expect((await waitForEnd(queue, id)).state).toBe('done')
      await waitUntil(async () => {
        const [listening] = await bed.sql<{ count: number }[]>`
          select count(*)::int from pg_stat_activity
          where datname = current_database() and query = 'listen "novodb_jobs"'`
        return listening!.count === 2
      })
    }
  })
})
