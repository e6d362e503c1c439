import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOneJob } from '../../jobs/worker.ts'
import { openLocalFiles } from '../../store/portal-files.ts'
import { openTestApp, type TestApp } from '../../testing/app.ts'
import { type CollectedSpan, startTraceCollector } from '../../testing/peers/trace-collector.ts'
import { sortingTool, testingTool } from '../../testing/tool.ts'
import { runToolOf } from '../jobs/worker-main.ts'
import { traceJobs } from './job-traces.ts'
import { openTraces, readTraceparent } from './traces.ts'

let collector: Awaited<ReturnType<typeof startTraceCollector>>
let bed: TestApp
let secret: string
beforeAll(async () => {
  collector = await startTraceCollector()
  bed = await openTestApp({
    settings: { NOVODB_TRACES: `${collector.url}/`, NOVODB_TRUST_PROXY: '1' },
    portal: { tools: [sortingTool, testingTool] },
  })
  secret = await bed.signUp('reader', 'user')
})
afterAll(async () => {
  await bed.close()
  await collector.close()
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
/** The span of a name, once it has come; spans are gathered for two seconds. */
const waitForSpan = async (name: string, of = traceId): Promise<CollectedSpan> => {
  const find = () => collector.spans.find((span) => span.name === name && span.traceId === of)
  await expect.poll(find, { timeout: 8_000 }).toBeDefined()
  return find()!
}

test('a job is one trace from the request that asked for it over its wait and each program to its result', async () => {
  const answer = await bed.app.inject({
    method: 'POST',
    url: '/api/tools/sorting/?',
    payload: { words: 'pear\nsecretword\napple\n' },
    headers: {
      prefer: 'respond-async',
      traceparent,
      authorization: `Bearer ${secret}`,
      'x-request-id': 'proxy-00112233',
    },
  })
  expect(answer.statusCode).toBe(202)
  const { id } = answer.json().data.job
  await new Promise((resolve) => setTimeout(resolve, 300))
  const { portal, dataDir } = bed
  const run = runOneJob(
    {
      database: { sql: portal.database.sql },
      files: openLocalFiles(dataDir),
      runTool: runToolOf(portal),
      concurrency: 1,
      signal: new AbortController().signal,
      log: { info() {}, warn() {}, error() {} },
      traceJob: traceJobs(portal.traces!),
    },
    id,
    60_000,
  )
  expect(await run).toBe(true)

  const request = await waitForSpan('POST /api/tools/:tool/')
  expect(request).toMatchObject({
    parentSpanId: '00f067aa0ba902b7',
    kind: 2,
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/tools/:tool/',
      'http.response.status_code': 202,
      'novodb.request_id': 'proxy-00112233',
    },
    resource: {
      'service.name': 'novodb',
      'service.version': portal.version,
      'host.name': hostname(),
      'novodb.process': 'server',
    },
  })
  const job = await waitForSpan('job sorting')
  expect(job).toMatchObject({
    parentSpanId: request.spanId,
    kind: 5,
    failed: false,
    attributes: {
      'novodb.tool': 'sorting',
      'novodb.job': id,
      'novodb.attempt': 1,
      'novodb.request_id': 'proxy-00112233',
      'novodb.outcome': 'done',
    },
  })
  const wait = await waitForSpan('wait for a worker')
  const engine = await waitForSpan('run sorting')
  const program = await waitForSpan('program sort')
  expect([wait.parentSpanId, engine.parentSpanId, program.parentSpanId]).toEqual([
    job.spanId,
    job.spanId,
    engine.spanId,
  ])
  expect(program.attributes).toMatchObject({ 'novodb.program': 'sort', 'process.exit.code': 0 })
  expect(wait.endMs - wait.startMs).toBeGreaterThan(250)
  // A program's start is told by whole milliseconds.
  for (const [before, after] of [
    [job.startMs, wait.startMs],
    [wait.endMs, engine.startMs],
    [engine.startMs, program.startMs],
    [program.endMs, engine.endMs],
    [engine.endMs, job.endMs],
  ] as const)
    expect(before).toBeLessThanOrEqual(after + 2)
  expect(collector.refused).toEqual([])
})

test('a tool that answers at once is a part of its request; a failure names its code', async () => {
  const other = '11111111111111111111111111111111'
  const answer = await bed.app.inject({
    method: 'POST',
    url: '/api/tools/testing/',
    payload: { what: 'where' },
    headers: { traceparent: `00-${other}-00f067aa0ba902b7-01` },
  })
  expect(answer.statusCode).toBe(200)
  const run = await waitForSpan('run testing', other)
  expect(run.parentSpanId).toBe((await waitForSpan('POST /api/tools/:tool/', other)).spanId)

  const failing = '22222222222222222222222222222222'
  const asked = await bed.app.inject({
    method: 'POST',
    url: '/api/tools/sorting/',
    payload: { words: 'x', fail: true },
    headers: { prefer: 'respond-async', traceparent: `00-${failing}-00f067aa0ba902b7-01` },
  })
  const { portal, dataDir } = bed
  const options = {
    database: { sql: portal.database.sql },
    files: openLocalFiles(dataDir),
    runTool: runToolOf(portal),
    concurrency: 1,
    signal: new AbortController().signal,
    log: { info() {}, warn() {}, error() {} },
    traceJob: traceJobs(portal.traces!),
  }
  await runOneJob(options, asked.json().data.job.id, 60_000)
  expect(await waitForSpan('job sorting', failing)).toMatchObject({
    failed: true,
    attributes: { 'error.type': 'ENGINE_FAILED', 'novodb.outcome': 'failed' },
  })
})

test('nothing that people ask or enter is told, and no token', async () => {
  await bed.app.inject({
    url: '/api/genes/secretGene/?assembly=secretAssembly',
    headers: { authorization: `Bearer ${secret}`, traceparent: `00-${'3'.repeat(32)}-00f067aa0ba902b7-01` },
  })
  await waitForSpan('GET /api/genes/:id/', '3'.repeat(32))
  const all = collector.bodies.join('\n')
  expect(all).toContain('POST /api/tools/:tool/')
  for (const word of ['secretword', 'secretGene', 'secretAssembly', 'pear', 'select ', secret, 'reader'])
    expect([word, all.includes(word)]).toEqual([word, false])
})

test('what the proxy leaves out is left out; questions whether the server is well make no trace', async () => {
  const unsampled = '44444444444444444444444444444444'
  await bed.app.inject({ url: '/api/species/', headers: { traceparent: `00-${unsampled}-00f067aa0ba902b7-00` } })
  await bed.app.inject({ url: '/api/health/' })
  const next = '5'.repeat(32)
  await bed.app.inject({ url: '/api/species/', headers: { traceparent: `00-${next}-00f067aa0ba902b7-01` } })
  await waitForSpan('GET /api/species/', next)
  expect(collector.spans.filter((span) => span.traceId === unsampled || /health/.test(span.name))).toEqual([])
})

test('a header that is none is passed over', () => {
  expect(readTraceparent(traceparent)).toBe(traceparent)
  for (const wrong of [
    undefined,
    '',
    'x',
    `01-${traceId}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
    `${traceparent}\n`,
    [traceparent],
  ])
    expect(readTraceparent(wrong)).toBeNull()
})

test('a server without a proxy takes nobody’s trace for its own', async () => {
  const direct = await openTestApp({ settings: { NOVODB_TRACES: collector.url }, portal: { tools: [testingTool] } })
  const foreign = '6'.repeat(32)
  await direct.app.inject({ url: '/api/downloads/', headers: { traceparent: `00-${foreign}-00f067aa0ba902b7-01` } })
  await expect
    .poll(() => collector.spans.filter(({ name }) => name === 'GET /api/downloads/').length, { timeout: 8_000 })
    .toBe(1)
  expect(collector.spans.find(({ name }) => name === 'GET /api/downloads/')).toMatchObject({ parentSpanId: undefined })
  expect(collector.spans.some((span) => span.traceId === foreign)).toBe(false)
  await direct.close()
})

test('a collector that is away holds up nobody, and is told of', async () => {
  const nobody = createServer()
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
  const { port } = nobody.address() as AddressInfo
  await new Promise((resolve) => nobody.close(resolve))
  const lines: string[] = []
  const traces = (await openTraces(
    { tracesUrl: `http://127.0.0.1:${port}` },
    { role: 'server', version: '1', log: (line) => lines.push(line) },
  ))!
  const startedMs = performance.now()
  for (let at = 0; at < 5000; at += 1) traces.startSpan('GET /api/species/', { parent: null }).end()
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  await traces.close()
  expect(performance.now() - startedMs).toBeLessThan(8_000)
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1)
  expect(lines[0]).toMatch(/^traces not sent: /)
})

test('without the setting there are none', async () => {
  const stream = new Writable({ write: (_, __, done) => done() })
  const plain = await openTestApp({ logStream: stream, portal: { tools: [testingTool] } })
  expect(plain.portal.traces).toBeNull()
  expect(await openTraces({ tracesUrl: null }, { role: 'server', version: '1', log: () => undefined })).toBeNull()
  await plain.close()
})
