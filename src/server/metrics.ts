import { createServer } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Portal } from './portal.ts'

/** What the server counts of itself, for Prometheus. */
export interface Metrics {
  /** A request that was answered. `route` is the pattern, never the address: that may hold a name or a secret. */
  noteRequest(route: string, method: string, status: number, seconds: number): void
  /** Everything as text in Prometheus' format, read at this moment. */
  render(): Promise<{ text: string; contentType: string }>
}

/**
 * Counters of this process, and what the database and the disks say when they are asked: jobs, the queue, tasks of a cluster, connections.
 * Where several servers share a database, each tells of these; take the greatest (`max by (state) (novodb_jobs)`), not the sum.
 */
export const createMetrics = (portal: Portal): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'novodb_info',
    help: 'Version of the portal',
    labelNames: ['version'],
    registers,
  }).set({ version: portal.version }, 1)
  const requests = new Histogram({
    name: 'novodb_http_request_duration_seconds',
    help: 'Requests by route, method and status, with the time until the answer was out',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 60],
    registers,
  })
  const failures = new Counter({
    name: 'novodb_metrics_failures_total',
    help: 'Times that jobs, connections or disks could not be asked',
    registers,
  })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers })
  const jobs = gauge('novodb_jobs', 'Jobs by state; ended ones as long as they are kept', ['state'])
  const oldest = gauge(
    'novodb_job_oldest_queued_seconds',
    'How long the job that waits longest has waited; 0 when none does',
  )
  const tasks = gauge('novodb_cluster_tasks', 'Tasks at the scheduler of a cluster, by state', ['state'])
  const workers = gauge('novodb_workers', 'Processes that run jobs at this moment, on any host')
  const connections = gauge('novodb_database_connections', 'Connections to the database, by what they are for', [
    'application',
  ])
  const free = gauge('novodb_disk_free_bytes', 'Free space, by folder', ['folder'])
  const loaded = gauge('novodb_assemblies', 'Assemblies in service')

  const ask = async (): Promise<void> => {
    const { sql } = portal.database
    const [states, [waiting], started, [running], used] = await Promise.all([
      sql<
        { state: string; count: number }[]
      >`select state, count(*)::int as count from jobs where load is null group by state`,
      sql<{ seconds: number }[]>`
        select coalesce(extract(epoch from clock_timestamp() - min(submitted_at)), 0)::float8 as seconds
        from jobs where state = 'queued' and load is null`,
      sql<{ state: string; count: number }[]>`select state, count(*)::int as count from job_tasks group by state`,
      sql<{ count: number }[]>`
        select count(distinct substring(worker from '^.*/'))::int as count from jobs where state = 'running'`,
      sql<{ application: string; count: number }[]>`
        select application_name as application, count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name like 'novodb%' group by application_name`,
    ])
    for (const state of ['queued', 'running', 'done', 'failed', 'cancelled']) jobs.set({ state }, 0)
    for (const { state, count } of states) jobs.set({ state }, count)
    oldest.set(waiting!.seconds)
    tasks.reset()
    for (const { state, count } of started) tasks.set({ state }, count)
    workers.set(running!.count)
    connections.reset()
    for (const { application, count } of used) connections.set({ application }, count)
    for (const { folder, freeBytes } of await portal.disks.read()) free.set({ folder }, freeBytes)
    loaded.set((await portal.data.listAssemblies()).length)
  }

  return {
    noteRequest: (route, method, status, seconds) =>
      requests.observe({ route, method, status: String(status) }, seconds),
    render: async () => {
      // A database that is away is the very moment at which the rest is wanted.
      await ask().catch(() => failures.inc())
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

/** Serves `/metrics` at an address of its own, which readers of the portal do not reach. */
export const serveMetrics = async (
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    metrics.render().then(
      ({ text, contentType }) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
