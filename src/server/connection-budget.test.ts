import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { type ConnectionShare, divideConnections, loadConnections, reservedConnections } from './connection-budget.ts'
import { openPortalCore, type PortalCore } from './portal.ts'
import { openPortalDatabase } from './portal-database.ts'

const sumOf = ({ main, lookups, searches, queue, fixed }: ConnectionShare): number =>
  main + lookups + searches + queue + fixed
const loads = loadConnections.main + loadConnections.turn + loadConnections.waiting

describe('the budget', () => {
  test('counts the tasks of a cluster, and says so where the database has too few for them', () => {
    const config = { answerProcessCount: 3, workerCount: 0 }
    const slurm = { general: {}, tools: {}, maxTasks: 32 }
    const { task, total } = divideConnections(500, { ...config, slurm })
    expect(sumOf(task)).toBe(7)
    expect(total).toBeGreaterThanOrEqual(32 * 7)
    expect(() => divideConnections(100, { ...config, slurm })).toThrow(/NOVODB_SLURM \(tasks\).*32 tasks on nodes/)
  })

  test('is never more than the database allows less the reserve, for any number of processors, processes and jobs', () => {
    const settings = Array.from({ length: 256 }, (_, number) => number + 1).flatMap((cores) => [
      // What settingsSchema has where nothing is set.
      { answerProcessCount: Math.min(4, Math.max(3, cores)), workerCount: Math.max(1, cores - 1) },
      { answerProcessCount: Math.max(1, cores % 12), workerCount: cores % 40 },
    ])
    for (const allowed of [100, 120, 200, 1000])
      for (const config of settings) {
        const { server, answers, worker, total } = divideConnections(allowed, config)
        const sum =
          sumOf(server) +
          config.answerProcessCount * sumOf(answers) +
          (config.workerCount === 0 ? 0 : sumOf(worker)) +
          loads
        expect(sum).toBe(total)
        expect(total).toBeLessThanOrEqual(allowed - reservedConnections)
        for (const share of [server, answers, worker]) {
          expect(share.main).toBeGreaterThanOrEqual(2)
          expect(share.lookups).toBeGreaterThanOrEqual(1)
        }
      }
  })

  test('gives all that is wanted where there is room, and refuses to start what could not work', () => {
    expect(divideConnections(1000, { answerProcessCount: 4, workerCount: 3 }).server).toMatchObject({
      main: 24,
      searches: 4,
    })
    expect(() => divideConnections(100, { answerProcessCount: 64, workerCount: 3 })).toThrow(
      /NOVODB_ANSWER_PROCESSES, NOVODB_WORKERS: 64 processes for answers and 3 jobs at a time need 3\d\d connections, and the database allows 100/,
    )
  })
})

describe('connections that a portal holds when everything asks at once', () => {
  let app: TestApp
  const answering: PortalCore[] = []
  let worker: PortalCore
  beforeAll(async () => {
    app = await openTestApp({ species: true, settings: { NOVODB_ANSWER_PROCESSES: '3', NOVODB_WORKERS: '3' } })
    for (let number = 0; number < 3; number += 1)
      answering.push(await openPortalCore(app.config, 'answers', { log: () => undefined, programs: [] }))
    worker = await openPortalCore(app.config, 'worker', { log: () => undefined, programs: [] })
  }, 240_000)
  afterAll(async () => {
    for (const core of [...answering, worker]) await core?.close()
    await app?.close()
  })

  const poolsOf = ({ main, lookups, searches, queue }: ConnectionShare): number => main + lookups + searches + queue

  test('are those of the budget and no more, in each process and in all', async () => {
    const admin = app.portal.database.connect({ max: 1, lasting: true, applicationName: 'admin' })
    const queue = worker.database.connect({ max: worker.connections.queue, applicationName: 'novodb worker queue' })
    const load = await openPortalDatabase(app.config, 'load', {
      max: loadConnections.main,
      statementTimeoutMs: 0,
      migrate: false,
      log: () => undefined,
    })
    const countHeld = async (): Promise<Record<string, number>> => {
      const rows = await admin<{ role: string; count: number }[]>`
        select split_part(application_name, ' ', 2) as role, count(*)::int as count from pg_stat_activity
        where application_name like 'novodb %' group by role`
      return Object.fromEntries(rows.map(({ role, count }) => [role, count]))
    }
    try {
      const [row] = await admin<{ allowed: number }[]>`select current_setting('max_connections')::int as allowed`
      const budget = divideConnections(row!.allowed, app.config)
      // Every pool is asked for more at once than it may have; a lock holds all of it until the connections are counted.
      await admin`select pg_advisory_lock(77)`
      const cores = [app.portal, worker, ...answering].map(({ database, data }) => [
        database.sql,
        data.lookupSql,
        data.searchSql,
      ])
      const pools = new Set([...cores.flat(), queue, load.sql])
      const asked = [...pools].flatMap((sql) =>
        Array.from({ length: 40 }, () =>
          sql`select pg_advisory_lock_shared(77), pg_advisory_unlock_shared(77)`.execute(),
        ),
      )
      // One listens for loads in each.
      const expected = {
        server: poolsOf(budget.server) + 1,
        answers: 3 * (poolsOf(budget.answers) + 1),
        worker: poolsOf(budget.worker) + 1,
        load: loadConnections.main,
      }
      await expect.poll(countHeld, { timeout: 60_000 }).toEqual(expected)
      await admin`select pg_advisory_unlock(77)`
      await Promise.all(asked)
      expect(await countHeld()).toEqual(expected)
      expect(expected.server).toBeLessThanOrEqual(sumOf(budget.server))
      expect(expected.answers).toBeLessThanOrEqual(3 * sumOf(budget.answers))
      expect(expected.worker).toBeLessThanOrEqual(sumOf(budget.worker))
      expect(budget.total).toBeLessThanOrEqual(row!.allowed - reservedConnections)
    } finally {
      await Promise.all([queue.end({ timeout: 5 }), admin.end({ timeout: 5 })])
      await load.close()
    }
  })
})
