import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listActiveSpecies, listLoads, listStrandedLoads } from '../database/catalogue.ts'
import { type Database, openDatabase } from '../database/connect.ts'
import { findMigrations, runMigrations } from '../database/migrations.ts'
import { getDiskSpace, requireDiskSpace, reserveOf } from '../store/disk-space.ts'
import { isDiskFull, StoreError } from '../store/store-error.ts'
import { mountSmallDisk } from '../testing/small-disk.ts'
import { loadTestSpecies, makeSpeciesFolder } from '../testing/species.ts'
import { renderSpace } from './command-report.ts'
import { findFullFolder, type LoadSpace, measureLacking, SpaceLacking, waitForSpace } from './load-space.ts'
import { LoadStopped } from './load-turn.ts'

const disk = mountSmallDisk(700)
const root = mkdtempSync(join(tmpdir(), 'novodb-full-'))
const silent = { info() {}, warn() {}, error() {} }
let database: Database
const dataDir = join(disk?.folder ?? root, 'data')

beforeAll(async () => {
  if (disk === null) return
  database = await openDatabase({ dataDir, applicationName: 'novodb test', max: 8, statementTimeoutMs: 0, log: silent })
  await runMigrations(database.sql, await findMigrations())
})
afterEach(() => disk?.giveRoom())
afterAll(async () => {
  await database?.close({ waitForStop: true })
  disk?.remove()
  rmSync(root, { recursive: true, force: true })
})

const load = (name: string, options: Parameters<typeof loadTestSpecies>[3]) =>
  loadTestSpecies(
    database,
    dataDir,
    makeSpeciesFolder(join(root, name), { species: name, assembly: name.replaceAll('-', '').toUpperCase() }),
    options,
  )
const lastLoad = async () => (await listLoads(database.sql, 1))[0]!

describe.skipIf(disk === null)('a load on a disk that is full', () => {
  test('says what must be free at least, changes nothing, and goes on by itself once there is space', async () => {
    disk!.fill(20e6)
    const reported: LoadSpace[] = []
    let seen: Awaited<ReturnType<typeof lastLoad>> | undefined
    const report = await load('before-it', {
      onSpace: (space) => {
        reported.push(space)
        if (reported.length === 3)
          void lastLoad().then((row) => {
            seen = row
            disk!.giveRoom()
          })
      },
    })
    const { totalBytes } = await getDiskSpace(dataDir)
    expect(reported[0]!.folder).toBe(dataDir)
    expect(reported[0]!.freeBytes).toBeLessThan(21e6)
    expect(reported[0]!.neededBytes).toBeGreaterThan(reserveOf(totalBytes))
    expect(seen).toMatchObject({
      state: 'waiting',
      step: 'disk full',
      spaceFolder: dataDir,
      space: { neededBytes: reported[0]!.neededBytes },
    })
    expect([report.ok, report.failure, report.defects.filter(({ severity }) => severity === 'error')]).toEqual([
      true,
      null,
      [],
    ])
    expect(await lastLoad()).toMatchObject({ state: 'done', space: null, spaceFolder: null })
  })

  // In the words of PostgreSQL, of a file, or of a program: whoever meets it first.
  test.each(['genome', 'catalogue', 'indexes'])(
    'that fills while it writes (%s) clears away what it had begun, waits and goes on by itself',
    async (step) => {
      const reported: LoadSpace[] = []
      let filled = false
      const species = `during-${step}`
      const report = await load(species, {
        engines: true,
        onProgress: (name) => {
          if (filled || !name.endsWith(`: ${step}`)) return
          filled = true
          disk!.fill()
        },
        onSpace: (space) => {
          reported.push(space)
          if (reported.length === 2) disk!.giveRoom()
        },
      })
      expect([filled, report.ok, report.failure]).toEqual([true, true, null])
      expect(reported[0]!.neededBytes).toBeGreaterThan(reported[0]!.freeBytes!)
      expect((await listActiveSpecies(database.sql)).map(({ id }) => id)).toContain(species)
      expect(readdirSync(join(dataDir, 'bundles')).filter((name) => name.includes('staging'))).toEqual([])
    },
  )

  test('that is stopped while it waits ends so, and is known to have waited for space', async () => {
    disk!.fill(20e6)
    const controller = new AbortController()
    const stopped = load('stopped-there', {
      signal: controller.signal,
      startedBy: 'admin',
      onSpace: () => controller.abort(new Error('interrupted')),
    })
    await expect(stopped).rejects.toBeInstanceOf(LoadStopped)
    expect(await lastLoad()).toMatchObject({ species: 'stopped-there', state: 'failed', space: null })
    expect(await listStrandedLoads(database.sql)).toEqual([{ folder: join(root, 'stopped-there'), startedBy: 'admin' }])
  })
})

describe('a full disk', () => {
  test('is known by the file system, by PostgreSQL, by a program, and by what they caused', () => {
    const ofFile = Object.assign(new Error('write failed'), { code: 'ENOSPC' })
    const ofDatabase = Object.assign(new Error('could not extend file'), { code: '53100' })
    const ofProgram = new Error('makeblastdb: No space left on device')
    for (const error of [ofFile, ofDatabase, ofProgram, new StoreError('disk-full', '/x', 'full')]) {
      expect(isDiskFull(error)).toBe(true)
      expect(isDiskFull(new Error('the load failed', { cause: error }))).toBe(true)
    }
    expect(isDiskFull(Object.assign(new Error('deadlock detected'), { code: '40P01' }))).toBe(false)
    expect(isDiskFull('ENOSPC')).toBe(false)
  })

  test('is that of the database where PostgreSQL says so, elsewhere one that nobody here can measure', async () => {
    const error = Object.assign(new Error('could not extend file'), { code: '53100' })
    expect(await findFullFolder(error, { database: { directory: '/srv/pg' }, files: { dataDir: root } })).toBe(
      '/srv/pg',
    )
    expect(await findFullFolder(error, { database: { directory: null }, files: { dataDir: root } })).toBeNull()
    expect(await measureLacking(error, null, 1e9)).toEqual({ folder: null, neededBytes: null, freeBytes: null })
    expect(
      await findFullFolder(new Error('a bad line'), { database: { directory: null }, files: { dataDir: root } }),
    ).toBe(undefined)
  })

  test('is left by a wait as soon as there is enough, and by whoever is told to stop', async () => {
    const { freeBytes, totalBytes } = await getDiskSpace(root)
    const refused: unknown = await requireDiskSpace(root, totalBytes).catch((error: unknown) => error)
    const space = await measureLacking(refused, root, 0)
    expect(space).toMatchObject({ folder: root, neededBytes: Math.ceil(totalBytes + reserveOf(totalBytes)) })
    const controller = new AbortController()
    const idle = { load: null, database: null as unknown as Database }
    const waiting = waitForSpace(space, {
      ...idle,
      signal: controller.signal,
      onSpace: () => setImmediate(() => controller.abort()),
    })
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    const enough = { folder: root, neededBytes: freeBytes / 2, freeBytes: 0 }
    await waitForSpace(enough, { ...idle, signal: new AbortController().signal })
    expect(new SpaceLacking(space, refused).cause).toBe(refused)
  })

  test('is told at the terminal in both languages, with the figures', () => {
    const space = { folder: '/data', neededBytes: 1.5e9, freeBytes: 2e8 }
    expect(renderSpace(space, 'en').text).toBe(
      'the disk that holds /data is full: at least 1.50 GB must be free, 0.20 GB are; the load goes on by itself once there is space',
    )
    expect(renderSpace(space, 'zh').text).toContain('/data 所在磁盘已满：至少需要 1.50 GB 可用空间，目前为 0.20 GB')
    expect(renderSpace({ ...space, freeBytes: 3e8 }, 'en').key).toBe(renderSpace(space, 'en').key)
  })
})
