import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { createMetrics, serveMetrics } from './metrics.ts'

let bed: TestApp
let watched: Awaited<ReturnType<typeof serveMetrics>>
beforeAll(async () => {
  bed = await openTestApp()
  bed.portal.metrics = createMetrics(bed.portal)
  watched = await serveMetrics(bed.portal.metrics, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await watched.close()
  await bed.close()
})

const read = async (path = '/metrics'): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`http://127.0.0.1:${watched.port}${path}`)
  return { status: answer.status, text: await answer.text() }
}

test('requests are counted by the pattern of their route: no name that was asked for is told', async () => {
  await bed.app.inject({ url: '/api/genes/secretGene/' })
  await bed.app.inject({ url: '/api/genes/another/' })
  const { text } = await read()
  expect(text).toMatch(
    /novodb_http_request_duration_seconds_count\{route="\/api\/genes\/:id\/",method="GET",status="404"\} 2/,
  )
  expect(text).not.toMatch(/secretGene|another/)
})

test('jobs, connections and disks are those of the moment', async () => {
  const { text } = await read()
  expect(text).toMatch(/novodb_jobs\{state="queued"\} 0/)
  expect(text).toMatch(/novodb_job_oldest_queued_seconds 0/)
  expect(Number(/novodb_disk_free_bytes\{folder="[^"]+"\} (\S+)/.exec(text)![1])).toBeGreaterThan(0)
  expect(text).toContain(`novodb_info{version="${bed.portal.version}"} 1`)
  expect(text).toMatch(/novodb_metrics_failures_total 0/)
})

test('nothing else is served there', async () => {
  expect((await read('/')).status).toBe(404)
  expect((await read('/api/genes/x/')).status).toBe(404)
})

test('the example board asks for what there is', async () => {
  const { text } = await read()
  const board = readFileSync(new URL('../../docs/grafana.json', import.meta.url), 'utf8')
  const names = new Set(board.match(/(novodb|process|nodejs)_[a-z0-9_]+/g))
  expect(names.size).toBeGreaterThan(7)
  for (const name of names) expect(text).toContain(`\n# TYPE ${name.replace(/_(count|bucket)$/, '')} `)
})

test('a server that was told to stop calls itself unfit, and closes its connections after each answer', async () => {
  bed.portal.draining = true
  const health = await bed.app.inject({ url: '/api/health/' })
  expect(health.statusCode).toBe(503)
  expect(health.json()).toMatchObject({ success: false, data: { status: 'stopping' } })
  const gene = await bed.app.inject({ url: '/api/species/' })
  expect(gene.statusCode).toBe(200)
  expect(gene.headers.connection).toBe('close')
  bed.portal.draining = false
})
