import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { getSystem } from '../contracts/accounts/system.ts'
import { noteProcess, type ProcessNote } from '../database/processes.ts'
import { createPresence } from '../jobs/presence.ts'
import { getProcessName } from '../jobs/processes.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'

let bed: TestApp
let token: string
beforeAll(async () => {
  bed = await openTestApp({ species: true, settings: { NOVODB_WORKERS: '2' } })
  token = await bed.signUp('maintainer', 'admin')
})
afterAll(() => bed.close())

const ask = async (): Promise<z.infer<typeof getSystem.output>> => {
  const answer = await bed.app.inject({ url: getSystem.path, headers: { authorization: `Bearer ${token}` } })
  expect(answer.statusCode).toBe(200)
  return getSystem.output.parse(answer.json().data)
}

const elsewhere = (more: Partial<ProcessNote>): ProcessNote => ({
  name: 'another-machine/17/1',
  role: 'server',
  host: 'another',
  pid: 17,
  version: '0.9.0',
  address: '10.0.0.12:8000',
  places: null,
  draining: false,
  ...more,
})

test('a server is there from its first sign of life until it leaves; one that is stopping says so', async () => {
  const { sql } = bed.portal.database
  const presence = createPresence(sql, { role: 'server', version: bed.portal.version, address: '127.0.0.1:8000' })
  expect((await ask()).servers).toEqual([])
  await presence.note()
  const [server] = (await ask()).servers!
  expect(server).toMatchObject({
    host: hostname(),
    pid: process.pid,
    version: bed.portal.version,
    address: '127.0.0.1:8000',
    draining: false,
    silent: false,
  })
  expect(Math.abs(Date.now() - Date.parse(server!.startedAt))).toBeLessThan(20_000)
  await presence.drain()
  expect((await ask()).servers).toMatchObject([{ draining: true, startedAt: server!.startedAt }])
  await presence.leave()
  expect((await ask()).servers).toEqual([])
})

test('one that gives no sign of life is called silent, and forgotten after an hour', async () => {
  const { sql } = bed.portal.database
  await noteProcess(sql, elsewhere({}))
  await noteProcess(sql, elsewhere({ name: 'another-machine/18/1', pid: 18 }))
  expect((await ask()).servers).toMatchObject([{ silent: false }, { silent: false }])
  await sql`update processes set seen_at = seen_at - interval '40 seconds' where pid = 17`
  await sql`update processes set seen_at = seen_at - interval '61 minutes' where pid = 18`
  expect((await ask()).servers).toMatchObject([
    { pid: 17, silent: true },
    { pid: 18, silent: true },
  ])
  await noteProcess(sql, elsewhere({ name: 'another-machine/19/1', pid: 19 }))
  expect((await ask()).servers!.map(({ pid }) => pid)).toEqual([17, 19])
  await sql`delete from processes`
})

test('what was killed on this machine is gone once its successor is there; what runs elsewhere is not judged', async () => {
  const { sql } = bed.portal.database
  const [machine] = getProcessName().split('/')
  // A process number beyond what Linux gives out.
  await noteProcess(sql, elsewhere({ name: `${machine}/4194305/77`, host: hostname(), pid: 4_194_305 }))
  await noteProcess(sql, elsewhere({}))
  const presence = createPresence(sql, { role: 'server', version: bed.portal.version })
  await presence.note()
  expect((await ask()).servers!.map(({ pid }) => pid).sort()).toEqual([17, process.pid].sort())
  await presence.leave()
  await sql`delete from processes`
})

test('a worker is shown with the jobs that it has at hand, and the queue by tool', async () => {
  const { sql } = bed.portal.database
  await noteProcess(sql, elsewhere({ name: 'm/5/1', role: 'worker', host: 'node7', pid: 5, places: 3, address: null }))
  const insert = (
    number: number,
    tool: string,
    state: string,
    worker: string | null,
    submitted: string,
    ended: string | null,
  ) => sql`
    insert into jobs (id, tool, tool_version, input, state, cache_key, worker, submitted_at, started_at, ended_at, expires_at, bytes)
    values (${String(number).padStart(32, '0')}, ${tool}, 1, '{}', ${state}, ${String(number)}, ${worker},
      clock_timestamp() - ${submitted}::interval, ${worker === null ? null : sql`clock_timestamp() - interval '2 minutes'`},
      ${ended === null ? null : sql`clock_timestamp() - ${ended}::interval`}, clock_timestamp() + interval '1 day',
      ${state === 'done' ? 1000 : 0})`
  await insert(1, 'blast', 'running', 'm/5/1/abc', '3 minutes', null)
  await insert(2, 'blast', 'queued', null, '10 minutes', null)
  await insert(3, 'blast', 'queued', null, '1 minute', null)
  await insert(4, 'blast', 'done', 'm/5/1/def', '3 hours', '30 minutes')
  await insert(5, 'blast', 'failed', 'm/5/1/ghi', '3 hours', '2 hours')
  await insert(6, 'tree', 'done', 'm/5/1/jkl', '3 days', '2 days')
  await insert(7, 'enrichment', 'cancelled', null, '3 hours', '1 minute')
  const { workers, queue, storage, cluster, unanswered } = await ask()
  expect(workers).toMatchObject([
    { host: 'node7', pid: 5, places: 3, silent: false, jobs: [{ id: `${'0'.repeat(31)}1`, tool: 'blast' }] },
  ])
  // The tree is of the day before yesterday, and what was cancelled says nothing of how the portal does.
  expect(queue).toEqual([
    {
      tool: 'blast',
      waiting: 2,
      running: 1,
      oldestWaitMs: expect.closeTo(600_000, -4),
      doneInHour: 1,
      doneInDay: 1,
      failedInHour: 0,
      failedInDay: 1,
    },
  ])
  expect(storage!.results).toEqual({ count: 2, bytes: 2000 })
  expect(cluster).toBeNull()
  expect(unanswered).toEqual([])
  await sql`
    insert into job_tasks (job, name, task_id, state, reason) values (${`${'0'.repeat(31)}2`}, 'p-2', '812', 'waiting', 'Priority')`
  await sql`
    insert into job_tasks (job, name, task_id, state, node, running_at)
    values (${`${'0'.repeat(31)}1`}, 'p-1', '811', 'running', '', clock_timestamp())`
  // Where the scheduler has not said the node yet, the process that runs the job has.
  expect((await ask()).cluster).toMatchObject([
    { id: '811', tool: 'blast', state: 'running', node: 'node7', word: '' },
    { id: '812', tool: 'blast', state: 'waiting', node: '', reason: 'priority', word: 'Priority', runningAt: null },
  ])
  await sql`delete from jobs`
  await sql`delete from processes`
})

test('the database says its version, its size and its connections by purpose; storage the disks and what lies there', async () => {
  // Connections are opened when they are used.
  expect((await bed.app.inject({ url: '/api/genes/TM_0001/?assembly=TM1' })).statusCode).toBe(200)
  const { database, storage } = await ask()
  expect(database).toMatchObject({ kind: 'private', version: expect.stringMatching(/^\d+\.\d+/), standbys: [] })
  expect(database!.bytes).toBeGreaterThan(1e6)
  expect(database!.connections).toContainEqual({
    role: 'server',
    purpose: 'look-ups',
    count: expect.toSatisfy((count: number) => count > 0),
  })
  const own = database!.connections.reduce((sum, { count }) => sum + count, 0)
  expect(own).toBeLessThanOrEqual(database!.connectionCount)
  expect(database!.connectionCount).toBeLessThan(database!.limit)
  expect(storage!.disks[0]).toMatchObject({ folder: bed.dataDir })
  const listed = await bed.app.inject({ url: '/api/admin/storage/', headers: { authorization: `Bearer ${token}` } })
  const bundles = listed.json().data.bundles as { bytes: number }[]
  expect(storage!.bundles).toEqual({ count: bundles.length, bytes: bundles.reduce((sum, { bytes }) => sum + bytes, 0) })
  expect(storage!.bundles.bytes).toBeGreaterThan(100)
})

test('a part that cannot be asked is named, and the others are there', async () => {
  const { read } = bed.portal.disks
  bed.portal.disks.read = () => Promise.reject(new Error('EIO: stale file handle'))
  const { unanswered, storage, database } = await ask()
  bed.portal.disks.read = read
  expect(unanswered).toEqual(['storage'])
  expect(storage).toBeNull()
  expect(database).not.toBeNull()
})
