import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoad, createWaitingLoad, listActiveSpecies, listLoads } from '../database/catalogue.ts'
import { listPortalBundles } from '../database/homologs.ts'
import { type EmptyPortal, openEmptyPortal } from '../testing/empty-portal.ts'
import { makeProtein, mutate, writeSpecies } from '../testing/protein-genomes.ts'
import { loadTestSpecies } from '../testing/species.ts'
import { renderStopped, renderWaiting } from './command-report.ts'
import { LoadStopped, takeTurn } from './load-turn.ts'

let portal: EmptyPortal
beforeAll(async () => {
  portal = await openEmptyPortal('turns')
})
afterAll(() => portal?.close())

const proteins = Array.from({ length: 6 }, (_, at) => makeProtein(at + 40))
const folderOf = (species: string, change: number): string =>
  writeSpecies(join(portal.root, species), species, [
    {
      assembly: `${species}1`,
      genes: proteins.map((protein, at) => ({ id: `${species}_${at}`, protein: mutate(protein, change, at + 3) })),
    },
  ])
/** With the programs of what is computed over all assemblies: what other tools make of each load is no matter of turns. */
const load = (folder: string, options: Parameters<typeof loadTestSpecies>[3] = {}) =>
  loadTestSpecies(portal.database, portal.dataDir, folder, { engines: ['homologs'], ...options })

/** How often the homologs were computed, and over how many bundles the last time. */
const computed = async (): Promise<number[]> =>
  (await listPortalBundles(portal.database.sql, 'homologs')).map(({ inputs }) => inputs.length).sort()

const holdTurn = (): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const { sql } = portal.database
    createLoad(sql, { species: 'holder', folder: '/', host: 'here', pid: 1, startedBy: 'test' })
      .then((row) =>
        takeTurn(
          { database: portal.database, signal: new AbortController().signal, species: 'holder', load: row },
          async () => {
            await sql`update loads set state = 'running', step = 'homologs 40 %', fraction = 0.99 where id = ${row}`
            await sql`insert into load_steps (load, step, at) values (${row}, 'homologs 1 %', now() - interval '1 hour')`
            await new Promise<void>((end) => resolve(end))
            await sql`update loads set state = 'failed', ended_at = now() where id = ${row}`
          },
        ),
      )
      .catch(reject)
  })

test('loads that wait share what is computed over all assemblies; each is in service when its own load is done', async () => {
  const release = await holdTurn()
  const reported: string[] = []
  const one = load(folderOf('one', 0), {
    onWaiting: (running) => void reported.push(renderWaiting(running, 'en', () => 'Homologous gene search').text),
  })
  const two = load(folderOf('two', 0.02))
  const three = load(folderOf('three', 0.05))
  const waiting = async () => (await listLoads(portal.database.sql, 10)).filter(({ state }) => state === 'waiting')
  while ((await waiting()).length < 3 || reported.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(reported[0]).toMatch(
    /^waiting for load \d+ of holder, begun at \d\d:\d\d:\d\d and in service; it is at: Homologous gene search 40 % \(since \d\d:\d\d:\d\d\)$/,
  )
  release()
  const reports = await Promise.all([one, two, three])
  expect(reports.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(reports.filter(({ portalLeft }) => !portalLeft).length).toBe(1)
  expect(await computed()).toEqual([3])
  expect((await listActiveSpecies(portal.database.sql)).length).toBe(3)
})

test('what was left is computed by the last of several also where that one is refused, and else by the next load', async () => {
  const left = await load(folderOf('four', 0.06), { leavePortal: true })
  expect([left.ok, left.portalLeft]).toEqual([true, true])
  expect(await computed()).toEqual([3])
  const release = await holdTurn()
  const refused = folderOf('five', 0.07)
  // Refused only while it is baked.
  writeFileSync(join(refused, 'five1.gff3'), 'elsewhere\tx\tgene\t1\t30\t.\t+\t.\tID=a\n')
  const last = load(refused)
  const rows = async () => (await listLoads(portal.database.sql, 3)).filter(({ state }) => state === 'waiting')
  while ((await rows()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  release()
  const failed = await last
  expect(failed.ok).toBe(false)
  expect(await computed()).toEqual([3, 4])
})

test('one that waits ends at once when it is told to stop, changes nothing, and leaves its place in the queue', async () => {
  const release = await holdTurn()
  const controller = new AbortController()
  const before = await listActiveSpecies(portal.database.sql)
  const waits = load(folderOf('six', 0.08), { signal: controller.signal })
  const rows = async () => (await listLoads(portal.database.sql, 3)).filter(({ state }) => state === 'waiting')
  while ((await rows()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  controller.abort(new Error('interrupted'))
  const error = await waits.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LoadStopped)
  expect(renderStopped(error as LoadStopped, 'zh')).toBe('已停止：未作任何更改，原数据版本继续使用。')
  expect(await rows()).toEqual([])
  const { sql } = portal.database
  expect([...(await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`)]).toEqual([])
  expect((await listActiveSpecies(sql)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  release()
})

test('told to stop while the homologs are computed, its release stays in service and the next load computes them', async () => {
  const controller = new AbortController()
  const error = await load(folderOf('seven', 0.09), {
    signal: controller.signal,
    onProgress: (step) => {
      if (step.startsWith('homologs')) controller.abort(new Error('interrupted'))
    },
  }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(LoadStopped)
  expect(renderStopped(error as LoadStopped, 'en')).toBe(
    'Stopped: release 1 of seven is in service; what is computed over all assemblies is done by the next load.',
  )
  expect((await listLoads(portal.database.sql, 1))[0]).toMatchObject({ species: 'seven', state: 'done' })
  expect(await computed()).toEqual([3, 4])
  const next = await load(folderOf('eight', 0.1))
  expect([next.ok, next.portalLeft]).toEqual([true, false])
  expect(await computed()).toEqual([3, 4, 6])
})

test('a load that was begun on the page is told of by its species while it waits for its turn', async () => {
  const { sql } = portal.database
  const id = await createWaitingLoad(sql, { folder: '/', host: 'here', startedBy: 'admin' })
  expect((await listLoads(sql, 1))[0]).toMatchObject({ id, species: '', state: 'waiting' })
  const release = await holdTurn()
  const waits = load(folderOf('ten', 0.12), { load: id! })
  const own = async () => (await listLoads(sql, 5)).find((one) => one.id === id)!
  while ((await own()).species === '') await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await own()).toMatchObject({ species: 'ten', state: 'waiting' })
  release()
  expect((await waits).ok).toBe(true)
  expect(await own()).toMatchObject({ species: 'ten', state: 'done' })
})

test('a waiting process that is killed holds up nobody, and is not waited for', async () => {
  const release = await holdTurn()
  const { sql } = portal.database
  // As the row of a process looks that was killed: nobody says any more that it lives.
  const row = await createLoad(sql, { species: 'killed', folder: '/', host: 'here', pid: 1, startedBy: 'test' })
  await sql`update loads set heartbeat_at = now() - interval '2 minutes' where id = ${row}`
  release()
  const report = await load(folderOf('nine', 0.11))
  expect([report.ok, report.portalLeft]).toEqual([true, false])
  expect((await listLoads(sql, 3)).find(({ id }) => id === row)).toMatchObject({ state: 'failed' })
})
