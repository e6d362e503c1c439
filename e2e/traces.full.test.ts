import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CollectedSpan, startTraceCollector } from '../src/testing/peers/trace-collector.ts'
import { makeBases } from '../src/testing/random.ts'
import { runCommand, startServer } from './portal-command.ts'

// Traces and logs over processes of their own: a server, one for answers, a worker, and a task as a node of a cluster runs it.

const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-traces-'))
const dataDir = join(folder, 'data')
const genome = makeBases(5_000, 6)
let collector: Awaited<ReturnType<typeof startTraceCollector>>
let server: Awaited<ReturnType<typeof startServer>> | undefined
let settings: NodeJS.ProcessEnv
let log = ''

const end = async (): Promise<void> => {
  if (server === undefined) return
  const ended = new Promise((done) => server!.child.once('close', done))
  server.child.kill('SIGTERM')
  await ended
  server = undefined
}
const start = async (workers: string): Promise<void> => {
  server = await startServer(dataDir, { ...settings, NOVODB_WORKERS: workers, NOVODB_LOG_LEVEL: 'info' })
  server.child.stdout.on('data', (text) => {
    log += text
  })
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
  writeFileSync(join(folder, 'genes.gff3'), '##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=traceA\n')
  writeFileSync(
    join(folder, 'species.yaml'),
    'novodb: 1\nspecies: traced\nname: Traced\nassemblies:\n  - { id: TRC1, genome: genome.fa, genes: genes.gff3 }\n',
  )
  await runCommand(['load', folder], dataDir)
  collector = await startTraceCollector()
  settings = { NOVODB_TRACES: collector.url, NOVODB_TRUST_PROXY: '1', NOVODB_ANSWER_PROCESSES: '1' }
}, 120_000)
afterAll(async () => {
  await end()
  await collector?.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (
  tool: string,
  body: object,
  trace: string,
  headers: Record<string, string> = {},
): Promise<{ job?: { id: string } }> => {
  const answer = await fetch(`${server!.url}/api/tools/${tool}/`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      'X-Request-Id': `proxy-${trace.slice(0, 8)}`,
      ...headers,
    },
    body: JSON.stringify(body),
  })
  expect(answer.ok).toBe(true)
  return ((await answer.json()) as { data: { job?: { id: string } } }).data
}
/** Spans of a trace by name, once all names are there. */
const spansOf = async (trace: string, names: string[]): Promise<Record<string, CollectedSpan>> => {
  const find = () => collector.spans.filter((span) => span.traceId === trace)
  await expect
    .poll(
      () =>
        find()
          .map(({ name }) => name)
          .sort(),
      { timeout: 40_000 },
    )
    .toEqual([...names].sort())
  return Object.fromEntries(find().map((span) => [span.name, span]))
}
const placeOf = ({ resource }: CollectedSpan) => resource['novodb.process']
type Line = { requestId?: string; job?: string; process?: string; msg?: string; host?: string; tool?: string }
const linesOf = (text: string, job: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.job === job)

const extraction = { assembly: 'TRC1', sequence: 'chr1', start: 1, end: 100 }

it('an answer is traced into the process that gives it', async () => {
  await start('1')
  const trace = 'a'.repeat(32)
  await ask('sequencefetch', extraction, trace)
  const spans = await spansOf(trace, ['POST /api/tools/:tool/', 'run sequencefetch'])
  const [request, run] = [spans['POST /api/tools/:tool/']!, spans['run sequencefetch']!]
  expect([placeOf(request), placeOf(run)]).toEqual(['server', 'answers'])
  expect(run.parentSpanId).toBe(request.spanId)
  expect(run.resource['process.pid']).not.toBe(request.resource['process.pid'])
})

it('a job is traced and logged into the worker that runs it', async () => {
  const trace = 'b'.repeat(32)
  const { job } = await ask('sequencefetch', { ...extraction, end: 200 }, trace, { Prefer: 'respond-async' })
  const spans = await spansOf(trace, [
    'POST /api/tools/:tool/',
    'job sequencefetch',
    'wait for a worker',
    'run sequencefetch',
  ])
  expect(placeOf(spans['job sequencefetch']!)).toBe('worker')
  expect(spans['job sequencefetch']!.parentSpanId).toBe(spans['POST /api/tools/:tool/']!.spanId)
  await expect.poll(() => linesOf(log, job!.id).map(({ msg }) => msg)).toContain('job done')
  const lines = linesOf(log, job!.id)
  expect(lines.map(({ process, msg }) => `${process}: ${msg}`)).toEqual([
    'server: job accepted',
    'worker: job started',
    'worker: job done',
  ])
  for (const line of lines) expect(line).toMatchObject({ requestId: 'proxy-bbbbbbbb', tool: 'sequencefetch' })
  await end()
}, 120_000)

it('a job is traced into the task that runs it on a node', async () => {
  await start('0')
  const trace = 'c'.repeat(32)
  const { job } = await ask('sequencefetch', { ...extraction, end: 300 }, trace, { Prefer: 'respond-async' })
  await runCommand(['worker', '--one', job!.id, '--seconds', '60'], dataDir, settings)
  const spans = await spansOf(trace, [
    'POST /api/tools/:tool/',
    'job sequencefetch',
    'wait for a worker',
    'run sequencefetch',
  ])
  expect(placeOf(spans['job sequencefetch']!)).toBe('task')
  expect(placeOf(spans['POST /api/tools/:tool/']!)).toBe('server')
  expect(collector.refused).toEqual([])
  // Of what was asked nothing was told.
  expect(collector.bodies.join()).not.toContain('TRC1')
  expect(collector.bodies.join()).not.toContain(readFileSync(join(folder, 'genome.fa'), 'utf8').slice(6, 30))
}, 120_000)
