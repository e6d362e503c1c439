import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { full } from '../testing/real-data.ts'
import { buildEntry, makeRequest, openTestbed, waitForEnd, waitUntil } from './fixtures/testbed.ts'
import { superviseWorkers, type WorkerSupervisor } from './worker-process.ts'

const [hunted, deaths] = full ? [60, 12] : [20, 5]

let built: Awaited<ReturnType<typeof buildEntry>>
let bed: Awaited<ReturnType<typeof openTestbed>>
const supervisors: WorkerSupervisor[] = []
beforeAll(async () => {
  built = await buildEntry()
})
afterAll(() => built.remove())
beforeEach(async () => {
  bed = await openTestbed()
})
afterEach(async () => {
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop()))
  await bed.close()
})

const findEngines = (word: string) =>
  execFileSync('ps', ['-eo', 'stat=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes(word) && !line.trimStart().startsWith('Z'))

const supervise = (count: number, settings = {}, graceMs = 8_000) => {
  const supervisor = superviseWorkers({
    count,
    spawn: () => bed.spawnProcess(built.entry, 'worker', 2, settings),
    log: { info() {}, warn() {}, error() {} },
    graceMs,
    backoffMs: 50,
    backoffMaxMs: 400,
  })
  supervisors.push(supervisor)
  return supervisor
}

describe('kill -9', () => {
  test('of a worker: its engine dies with it, and the worker that takes its place finishes the job at once', async () => {
    const queue = await bed.openQueue()
    // A lease this long could not explain that the job goes on within seconds.
    const supervisor = supervise(1, { leaseMs: 60_000 })
    const job = await queue.submitJob(makeRequest({ starts: [12, 3], seconds: 1.234 }))
    await waitUntil(() => findEngines('sleep 1.234').length > 0)
    const [first] = supervisor.listWorkers()
    process.kill(first!, 'SIGKILL')
    await waitUntil(() => findEngines('sleep 1.234').length === 0)
    const ended = await waitForEnd(queue, job.id)
    expect(ended).toMatchObject({ state: 'done', attempt: 2 })
    expect((await queue.readJobResult(job.id)).result).toEqual({ sorted: [3, 12] })
    expect(supervisor.listWorkers()).not.toContain(first)
  })

  test('of the server while it accepts jobs: every job it had accepted is run, and none twice', async () => {
    const submitter = bed.spawnProcess(built.entry, 'submitter')
    const accepted: string[] = []
    const lines = createInterface({ input: submitter.stdout! })
    lines.on('line', (line) => accepted.push(line.split(' ')[0]!))
    await waitUntil(() => accepted.length > (full ? 25 : 12))
    // What it has told is read to the end: its last lines may come after its exit.
    const reported = once(lines, 'close')
    submitter.kill('SIGKILL')
    await reported
    const queue = await bed.openQueue()
    bed.startWorker({ concurrency: 4 })
    for (const id of accepted) expect((await waitForEnd(queue, id)).state).toBe('done')
    await waitUntil(async () => (await queue.listJobs({ states: ['queued', 'running'], limit: 1 })).total === 0)
    expect(new Set(bed.listStarts()).size).toBe(bed.listStarts().length)
    // At most the one that was being accepted beyond those told.
    expect((await queue.listJobs({ limit: 1 })).total - accepted.length).toBeLessThanOrEqual(1)
  })

  if (full)
    test('of workers again and again, at any moment: all jobs are done, every result right', async () => {
      const queue = await bed.openQueue()
      // Here each death is bad luck, however often it meets the same job.
      const supervisor = supervise(2, { maxAttempts: 100 })
      const inputs = Array.from({ length: hunted }, (_, i) => ({
        starts: [i * 3, 7, 1000 - i],
        // In all a second at least for two workers of two jobs each: longer than three deaths take.
        seconds: 0.1 + (i % 5) * 0.05,
      }))
      const jobs = await Promise.all(inputs.map((input) => queue.submitJob(makeRequest(input))))
      let kills = 0
      const killer = setInterval(() => {
        const pids = supervisor.listWorkers()
        const pid = pids[Math.floor(Math.random() * pids.length)]
        if (pid === undefined || kills >= deaths) return
        kills++
        process.kill(pid, 'SIGKILL')
      }, 200)
      const ended = await Promise.all(jobs.map(({ id }) => waitForEnd(queue, id, 150_000)))
      clearInterval(killer)
      expect(kills).toBeGreaterThan(2)
      for (const [i, job] of ended.entries()) {
        expect([job.state, job.error]).toEqual(['done', null])
        expect((await queue.readJobResult(job.id)).result).toEqual({
          sorted: [...inputs[i]!.starts].sort((a, b) => a - b),
        })
      }
      expect((await queue.listJobs({ limit: 1 })).total).toBe(hunted)
    })

  test('a job that kills every worker that runs it fails after three, and the jobs beside it are done', async () => {
    const queue = await bed.openQueue()
    supervise(1)
    const poison = await queue.submitJob(makeRequest({ poison: true }))
    const good = await queue.submitJob(makeRequest({ starts: [2, 1] }))
    const failed = await waitForEnd(queue, poison.id)
    expect(failed).toMatchObject({
      state: 'failed',
      attempt: 3,
      error: { code: 'ENGINE_FAILED', message: 'job.workerDied' },
    })
    expect(bed.listStarts().filter((id) => id === poison.id)).toHaveLength(3)
    expect((await waitForEnd(queue, good.id)).state).toBe('done')
  })

  test('a job cancelled while its worker is dead is cancelled, not run again', async () => {
    const queue = await bed.openQueue()
    const worker = bed.spawnProcess(built.entry, 'worker')
    const job = await queue.submitJob(makeRequest({ seconds: 876.5 }))
    await waitUntil(() => findEngines('sleep 876.5').length > 0)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    await queue.cancelJob(job.id)
    supervise(1)
    expect((await waitForEnd(queue, job.id)).state).toBe('cancelled')
    expect(bed.listStarts()).toHaveLength(1)
  })
})

if (full)
  describe('a worker that was only thought dead', () => {
    test('wakes up when its job was done by another, and changes nothing', async () => {
      const queue = await bed.openQueue()
      // It sweeps all the time: stopped in the midst of it, it holds the lock of sweeps for as long as that may be.
      const sleeper = bed.spawnProcess(built.entry, 'worker', 1, { sweepMs: 1 })
      const job = await queue.submitJob(makeRequest({ starts: [5, 4], seconds: 0.7 }))
      await waitUntil(async () => (await queue.getJob(job.id))?.state === 'running')
      sleeper.kill('SIGSTOP')
      bed.startWorker()
      const ended = await waitForEnd(queue, job.id)
      expect(ended).toMatchObject({ state: 'done', attempt: 2 })
      const { directory } = await queue.openJob(job.id)
      sleeper.kill('SIGCONT')
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect(await queue.getJob(job.id)).toEqual(ended)
      expect((await queue.openJob(job.id)).directory).toBe(directory)
      expect((await queue.readJobResult(job.id)).result).toEqual({ sorted: [4, 5] })
      // And it goes on working.
      await bed.stopWorkers()
      const next = await queue.submitJob(makeRequest({ starts: [8] }))
      expect((await waitForEnd(queue, next.id)).state).toBe('done')
    })
  })

describe('an orderly stop', () => {
  test('lets short jobs finish and hands long ones back without counting the attempt', async () => {
    const queue = await bed.openQueue()
    const supervisor = supervise(1, { graceMs: 5_000 })
    const short = await queue.submitJob(makeRequest({ starts: [1], seconds: 0.5 }))
    const long = await queue.submitJob(makeRequest({ seconds: 876.7 }))
    await waitUntil(() => bed.listStarts().length === 2)
    await waitUntil(() => findEngines('sleep 876.7').length > 0)
    await supervisor.stop()
    expect(supervisor.listWorkers()).toEqual([])
    expect(findEngines('sleep 876.7')).toEqual([])
    expect(await queue.getJob(short.id)).toMatchObject({ state: 'done' })
    expect(await queue.getJob(long.id)).toMatchObject({ state: 'queued', attempt: 0, position: 0, startedAt: null })
  })

  test('workers end when the server that started them was killed', async () => {
    const worker = bed.spawnProcess(built.entry, 'worker')
    await once(worker.stdout!, 'data')
    const exit = once(worker, 'exit')
    worker.disconnect()
    expect(await exit).toEqual([0, null])
  })

  test('a worker that dies at once is started again with growing waits', async () => {
    const starts: number[] = []
    const supervisor = superviseWorkers({
      count: 1,
      spawn: () => {
        starts.push(performance.now())
        const child = bed.spawnProcess('/nonexistent.mjs', 'worker')
        child.stderr?.destroy()
        setTimeout(() => child.kill('SIGKILL'), 5)
        return child
      },
      log: { info() {}, warn() {}, error() {} },
      backoffMs: 40,
      backoffMaxMs: 160,
    })
    await waitUntil(() => starts.length >= 5)
    await supervisor.stop()
    const count = starts.length
    const gaps = starts.slice(1).map((at, i) => at - starts[i]!)
    for (const [i, min] of [40, 80, 160, 160].entries()) expect(gaps[i]).toBeGreaterThanOrEqual(min - 1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(starts).toHaveLength(count)
  })
})
