import { hostname } from 'node:os'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPresence } from '../../jobs/presence.ts'
import { runOneJob, runWorker } from '../../jobs/worker.ts'
import { openLocalFiles } from '../../store/portal-files.ts'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { sortingTool } from '../../testing/tool.ts'
import { createProcessLog } from '../process-log.ts'
import { runToolOf } from './worker-main.ts'

type Line = Record<string, unknown>
const collect = (): { lines: Line[]; stream: Writable } => {
  const lines: Line[] = []
  const stream = new Writable({
    write: (text, _, done) => {
      for (const line of String(text).split('\n')) if (line.startsWith('{')) lines.push(JSON.parse(line))
      done()
    },
  })
  return { lines, stream }
}

let bed: TestApp
let direct: TestApp
const server = collect()
const worker = collect()
beforeAll(async () => {
  bed = await openTestApp({
    logStream: server.stream,
    settings: { NOVODB_TRUST_PROXY: '1' },
    portal: { tools: [sortingTool] },
  })
  direct = await openTestApp({ portal: { tools: [sortingTool] } })
})
afterAll(async () => {
  await bed.close()
  await direct.close()
})

const submit = async (on: TestApp, input: object, requestId?: string): Promise<{ job: string; requestId: string }> => {
  const answer = await on.app.inject({
    method: 'POST',
    url: '/api/tools/sorting/',
    payload: input,
    headers: { prefer: 'respond-async', ...(requestId === undefined ? {} : { 'x-request-id': requestId }) },
  })
  expect(answer.statusCode).toBe(202)
  return { job: answer.json().data.job.id, requestId: String(answer.headers['x-request-id']) }
}

const optionsOf = ({ portal, dataDir }: TestApp, role: string) => ({
  database: { sql: portal.database.sql },
  files: openLocalFiles(dataDir),
  runTool: runToolOf(portal),
  concurrency: 1,
  log: createProcessLog(role, { logLevel: 'info' }, worker.stream),
  pollMs: 200,
  presence: createPresence(portal.database.sql, { role: 'worker', version: portal.version }),
})

/** Runs what waits with a worker, and stops it. */
const work = async (on: TestApp, jobs: string[]): Promise<void> => {
  const stop = new AbortController()
  const ended = runWorker({ ...optionsOf(on, 'worker'), signal: stop.signal })
  for (const job of jobs)
    await expect.poll(async () => (await on.portal.queue.getJob(job))?.endedAt, { timeout: 15_000 }).toBeTruthy()
  stop.abort()
  await ended
}

const linesOf = (lines: Line[], job: string): Line[] => lines.filter((line) => line.job === job)

test('the request that asked for a job is named by the server, the worker and the end of each program', async () => {
  const { job, requestId } = await submit(bed, { words: 'pear\nsecretword\n' }, 'proxy-0a1b2c3d')
  expect(requestId).toBe('proxy-0a1b2c3d')
  await work(bed, [job])
  const own = { requestId, job, tool: 'sorting', host: hostname() }
  expect(linesOf(server.lines, job)).toEqual([
    expect.objectContaining({ ...own, process: 'server', msg: 'job accepted' }),
  ])
  expect(server.lines.filter((line) => line.requestId === requestId).map(({ msg }) => msg)).toContain('request')
  const lines = linesOf(worker.lines, job)
  expect(lines.map(({ msg }) => msg)).toEqual(['job started', 'program ended', 'job done'])
  for (const line of lines) expect(line).toMatchObject({ ...own, process: 'worker' })
  expect(lines[1]).toMatchObject({ program: 'sort', exitCode: 0, ms: expect.any(Number) })
  // What was entered is in none of them.
  expect(JSON.stringify([...server.lines, ...worker.lines])).not.toContain('secretword')
})

test('a task on a node names it too, and a failure says why', async () => {
  const { job, requestId } = await submit(bed, { words: 'b\na\n', fail: true }, 'proxy-4e5f6a7b')
  await runOneJob({ ...optionsOf(bed, 'task'), signal: new AbortController().signal }, job, 60_000)
  const lines = linesOf(worker.lines, job)
  expect(lines.map(({ msg }) => String(msg).split(':')[0])).toEqual(['job started', 'program ended', 'job failed'])
  for (const line of lines)
    expect(line).toMatchObject({ requestId, job, tool: 'sorting', host: hostname(), process: 'task' })
  expect(lines[1]).toMatchObject({ exitCode: 2 })
})

test('an id that cannot be one, or that comes without a proxy, is passed over for one of the server’s own', async () => {
  for (const given of ['short', 'x'.repeat(65), 'two words of it', '{"level":60}', 'line%0abreak-']) {
    const { requestId } = await submit(bed, { words: given }, given)
    expect(requestId).toMatch(/^[0-9a-f]{8}$/)
  }
  const { job, requestId } = await submit(direct, { words: 'c' }, 'a-visitor-wrote-this')
  expect(requestId).toMatch(/^[0-9a-f]{8}$/)
  await work(direct, [job])
  expect(linesOf(worker.lines, job).map((line) => line.requestId)).toEqual([requestId, requestId, requestId])
})
