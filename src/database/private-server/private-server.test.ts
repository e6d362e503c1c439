import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { full } from '../../testing/real-data.ts'
import { type Database, openDatabase } from '../connect.ts'
import { createPool } from '../driver/connection-pool.ts'
import {
  Client,
  createCheckout,
  createTemporaryDirectory,
  findProcesses,
  isRunning,
  readOr,
  waitUntil,
} from './testbed.ts'

const racers = full ? 5 : 3

const root = createTemporaryDirectory()
const checkout = path.join(root, 'checkout')
const clients: Client[] = []
let directoryCount = 0

const newDataDirectory = () => path.join(root, `data-${++directoryCount}`)
const start = (dataDir: string, options: ConstructorParameters<typeof Client>[2] = {}, from = checkout) => {
  const client = new Client(from, dataDir, options)
  clients.push(client)
  return client
}
const log = { info() {}, warn() {}, error() {} }
const open = (dataDir: string) =>
  openDatabase({ dataDir, applicationName: 'novodb test', max: 2, statementTimeoutMs: 5_000, log })
const kill = (pid: number) => process.kill(pid, 'SIGKILL')

/** A cluster made once and copied: what is tested is mostly what happens to it later. */
const madeDirectory = path.join(root, 'made')
const newMadeDirectory = () => {
  const dataDir = newDataDirectory()
  copyMade(dataDir)
  return dataDir
}
const copyCluster = (dataDir: string, mode?: number) => {
  fs.mkdirSync(dataDir, { mode })
  execFileSync('cp', [
    '-a',
    path.join(madeDirectory, 'postgresql'),
    path.join(madeDirectory, 'postgresql-password'),
    dataDir,
  ])
}
const copyMade = (dataDir: string) => {
  copyCluster(dataDir)
  fs.symlinkSync(path.join(madeDirectory, 'postgresql-programs'), path.join(dataDir, 'postgresql-programs'))
}

/** A server whose guard and clients are killed at the beginning and never come back. */
const orphanDirectory = path.join(root, 'orphan')
let orphan = 0

let firstStartMs = 0
beforeAll(async () => {
  createCheckout(checkout)
  const startedAt = performance.now()
  const database = await open(madeDirectory)
  firstStartMs = performance.now() - startedAt
  await database.sql`create table reads (id integer primary key)`
  await database.close({ waitForStop: true })

  copyMade(orphanDirectory)
  const client = await new Client(checkout, orphanDirectory).ready()
  kill(findProcesses(orphanDirectory).guard)
  await client.kill()
  orphan = findProcesses(orphanDirectory).postmaster
  expect(isRunning(orphan)).toBe(true)
})
// All at once, for each server stays some seconds after its last client; those of another test may still be wanted before.
afterAll(async () => {
  await Promise.all(clients.map((client) => client.kill()))
  for (const name of fs.readdirSync(root)) {
    const { guard, postmaster } = findProcesses(path.join(root, name))
    await waitUntil(`guard ${guard} of ${name} has stopped`, () => !isRunning(postmaster) && !isRunning(guard))
  }
  fs.rmSync(root, { recursive: true, force: true })
})

describe('a private server', () => {
  let database: Database
  const dataDir = madeDirectory
  beforeAll(async () => {
    database = await open(dataDir)
  })
  // It is copied afterwards.
  afterAll(() => database.close({ waitForStop: true }))

  test('starts from nothing', () => {
    console.log(`first start with initdb: ${Math.round(firstStartMs)} ms`)
    expect(firstStartMs).toBeGreaterThan(0)
  })

  test('keeps text in UTF-8 with checksums and listens on no network address', async () => {
    const [row] = await database.sql`
      select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums, current_setting('jit') as jit,
        current_setting('listen_addresses') as addresses, datlocprovider as provider, datlocale as locale
      from pg_database where datname = current_database()`
    expect(row).toEqual({
      encoding: 'UTF8',
      checksums: 'on',
      jit: 'off',
      addresses: '',
      provider: 'b',
      locale: 'C.UTF-8',
    })
  })

  test('finds trigrams in Chinese descriptions, and accents in upper and lower case', async () => {
    await database.sql`create extension if not exists pg_trgm`
    const [row] = await database.sql<
      { score: number; upper: string }[]
    >`select similarity('水稻抗病基因', '水稻基因') as score, upper('protéine β') as upper`
    expect(row?.score).toBeGreaterThan(0.2)
    expect(row?.upper).toBe('PROTÉINE Β')
  })

  test('lets the portal in without the rights of a superuser, so that no SQL reaches the machine', async () => {
    await expect(database.sql`copy (select 1) to program 'cat'`).rejects.toMatchObject({ code: '42501' })
  })

  test('keeps password, cluster and sockets from other users', () => {
    const mode = (name: string) => fs.statSync(path.join(dataDir, name)).mode & 0o777
    expect([mode('postgresql-password'), mode('postgresql'), mode('run'), mode('postgresql.log')]).toEqual([
      0o600, 0o700, 0o700, 0o600,
    ])
  })

  test('refuses a wrong password even from the socket', async () => {
    const stranger = createPool({
      max: 1,
      server: {
        hosts: [{ host: path.join(dataDir, 'run'), port: 5432 }],
        user: 'novodb',
        database: 'novodb',
        password: 'guess',
      },
    })
    await expect(stranger`select 1`).rejects.toMatchObject({ code: '28P01' })
    await stranger.end()
  })

  test('gives counts and lengths as numbers, and an error instead of a rounded one', async () => {
    const [row] =
      await database.sql`select count(*) as count, 4411532::bigint as "lengthBp", array[1::bigint, 2] as ends from (values (1), (2)) as v`
    expect(row).toEqual({ count: 2, lengthBp: 4411532, ends: [1, 2] })
    await expect(database.sql`select 9007199254740993::bigint`).rejects.toThrow(/does not fit/)
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
  })

  test('cancels a query that outlasts its time', async () => {
    const hasty = database.connect({ max: 1 })
    await hasty`set statement_timeout = 50`
    await expect(hasty`select pg_sleep(5)`).rejects.toMatchObject({ code: '57014' })
    await hasty.end()
  })

  test.skipIf(process.getuid?.() !== 0)('started by root, runs as another user', () => {
    const { postmaster } = findProcesses(dataDir)
    expect(fs.statSync(`/proc/${postmaster}`).uid).not.toBe(0)
    expect(fs.statSync(path.join(dataDir, 'postgresql')).uid).toBe(fs.statSync(`/proc/${postmaster}`).uid)
  })
})

// What follows waits for most of its time: each test has servers of its own, and some of them wait together (`maxConcurrency`).

if (full)
  describe.concurrent('coming and going', () => {
    test('an existing cluster starts again, and closing with waitForStop leaves nothing running', async () => {
      const dataDir = newMadeDirectory()
      const startedAt = performance.now()
      const database = await open(dataDir)
      const ms = performance.now() - startedAt
      console.log(`start of an existing cluster: ${Math.round(ms)} ms`)
      const { guard, postmaster } = findProcesses(dataDir)
      expect(isRunning(postmaster)).toBe(true)
      await database.close({ waitForStop: true })
      expect(isRunning(postmaster)).toBe(false)
      await waitUntil('the guard has ended', () => !isRunning(guard))
      expect(
        fs.readdirSync(path.join(dataDir, 'run')).filter((name) => name.includes('sock') || name.includes('PGSQL')),
      ).toEqual([])
    })

    test('a second client shares the server, which stops only after the last has gone', async () => {
      const dataDir = newMadeDirectory()
      const [first, second] = await Promise.all([start(dataDir).ready(), start(dataDir).ready()])
      const { guard, postmaster } = findProcesses(dataDir)
      await first?.query('insert into reads values (1)')
      await first?.close({ wait: true })
      expect((await second?.query('select id from reads'))?.rows).toEqual([{ id: 1 }])
      expect(isRunning(postmaster)).toBe(true)
      await second?.close()
      // Commands of a script that follow each other share one start.
      expect(isRunning(postmaster)).toBe(true)
      await waitUntil('PostgreSQL and guard have stopped', () => !isRunning(postmaster) && !isRunning(guard))
      expect(readOr(path.join(dataDir, 'postgresql.log'))).toContain('database system is shut down')
    })

    test('a client that is killed is as gone as one that said farewell', async () => {
      const dataDir = newMadeDirectory()
      const client = await start(dataDir).ready()
      const { guard, postmaster } = findProcesses(dataDir)
      await client.kill()
      await waitUntil('PostgreSQL and guard have stopped', () => !isRunning(postmaster) && !isRunning(guard))
    })

    test('whoever comes while it stops gets it started again', async () => {
      const dataDir = newMadeDirectory()
      for (let round = 0; round < (full ? 3 : 1); round++) {
        const leaving = await open(dataDir)
        const [, next] = await Promise.all([leaving.close({ waitForStop: true }), open(dataDir)])
        expect(await next.sql`select 1 as one`).toEqual([{ one: 1 }])
        await next.close()
      }
    })

    test('starts that race on an empty directory end with one cluster, one guard and one server', async () => {
      const dataDir = newDataDirectory()
      const racing = await Promise.all(Array.from({ length: racers }, () => start(dataDir).ready()))
      const rows = await Promise.all(
        racing.map((client) => client.queryPatiently('select pg_postmaster_start_time()::text as at')),
      )
      expect(new Set(rows.map((row) => row[0]?.at)).size).toBe(1)
      expect(fs.readdirSync(path.join(dataDir, 'run')).filter((name) => /^guard-\d+\.sock$/.test(name))).toHaveLength(1)
      expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('postgresql.new'))).toEqual([])
    })

    test('starts that race on what a killed guard left end with one guard too', async () => {
      const dataDir = newMadeDirectory()
      const before = await start(dataDir).ready()
      const { guard, postmaster } = findProcesses(dataDir)
      kill(guard)
      kill(postmaster)
      await before.kill()
      const racing = await Promise.all(Array.from({ length: racers }, () => start(dataDir).ready()))
      const rows = await Promise.all(
        racing.map((client) => client.queryPatiently('select pg_postmaster_start_time()::text as at')),
      )
      expect(new Set(rows.map((row) => row[0]?.at)).size).toBe(1)
      expect(fs.readdirSync(path.join(dataDir, 'run')).filter((name) => /^guard-\d+\.sock$/.test(name))).toHaveLength(1)
    })
  })

if (full)
  describe.concurrent('kill -9', () => {
    /** Inserts numbers until stopped and remembers the last that the server acknowledged. */
    const insertSteadily = (client: Client) => {
      let acknowledged = 0
      let stopped = false
      const done = (async () => {
        for (let id = 1; !stopped; id++) {
          const answer = await client.query(`insert into reads values (${id})`)
          if (answer.rows) acknowledged = id
          if (answer.code === 'ENDED') break
        }
      })()
      return {
        acknowledged: () => acknowledged,
        stop: async () => {
          stopped = true
          await done
        },
      }
    }

    test('of the guard: queries go on, a new guard adopts the server and stops it in the end', async () => {
      const dataDir = newMadeDirectory()
      const client = await start(dataDir).ready()
      const before = findProcesses(dataDir)
      kill(before.guard)
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await waitUntil('a new guard watches', () => findProcesses(dataDir).guard !== before.guard)
      expect(findProcesses(dataDir).postmaster).toBe(before.postmaster)
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      const { guard } = findProcesses(dataDir)
      await client.close({ wait: true })
      expect(isRunning(before.postmaster)).toBe(false)
      await waitUntil('the guard has ended', () => !isRunning(guard))
    })

    test('of PostgreSQL: the guard starts it again and no acknowledged row is lost', async () => {
      const dataDir = newMadeDirectory()
      const client = await start(dataDir).ready()
      const inserting = insertSteadily(client)
      await waitUntil('rows are written', () => inserting.acknowledged() > 200)
      const { guard, postmaster } = findProcesses(dataDir)
      kill(postmaster)
      await waitUntil(
        'PostgreSQL runs again',
        () => findProcesses(dataDir).postmaster !== postmaster && isRunning(findProcesses(dataDir).postmaster),
      )
      await inserting.stop()
      const [row] = await client.queryPatiently(`select count(*) as count from reads where id <= 200`)
      expect(row?.count).toBe(200)
      expect(await client.queryPatiently(`select id from reads where id = ${inserting.acknowledged()}`)).toHaveLength(1)
      expect(findProcesses(dataDir).guard).toBe(guard)
      expect(client.logs.join()).toMatch(/is down.*runs again/s)
    })

    test('of everything at once, then an immediate start: no acknowledged row is lost', async () => {
      const dataDir = newMadeDirectory()
      let expected = 0
      for (let round = 0; round < (full ? 2 : 1); round++) {
        const client = await start(dataDir, { detached: true }).ready()
        await client.query('truncate reads')
        const inserting = insertSteadily(client)
        await waitUntil('rows are written', () => inserting.acknowledged() > 200)
        const { guard, postmaster } = findProcesses(dataDir)
        // The client's whole group first, as a terminal that is closed by force does it.
        if (client.process.pid) process.kill(-client.process.pid, 'SIGKILL')
        kill(guard)
        kill(postmaster)
        await inserting.stop()
        expected = inserting.acknowledged()
        const again = await start(dataDir).ready()
        const [row] = (await again.query(`select count(*) as count from reads where id <= ${expected}`)).rows ?? []
        expect(row?.count).toBe(expected)
        await again.close()
      }
      expect(expected).toBeGreaterThan(200)
    })

    test('of guard and clients but not of PostgreSQL: the next start adopts it', async () => {
      const dataDir = newMadeDirectory()
      const client = await start(dataDir).ready()
      const { guard, postmaster } = findProcesses(dataDir)
      process.kill(client.process.pid ?? 0, 'SIGKILL')
      kill(guard)
      const next = await start(dataDir).ready()
      expect(findProcesses(dataDir).postmaster).toBe(postmaster)
      await next.close({ wait: true })
      expect(isRunning(postmaster)).toBe(false)
    })

    test('leaves a process number that a stranger has got since: the server starts nevertheless', async () => {
      const dataDir = newMadeDirectory()
      const client = await start(dataDir).ready()
      const { guard, postmaster } = findProcesses(dataDir)
      kill(guard)
      kill(postmaster)
      await client.kill()
      const file = path.join(dataDir, 'postgresql', 'postmaster.pid')
      // PostgreSQL counts only processes of its own user (or that it may signal) as rivals.
      const { uid, gid } = fs.statSync(file)
      const stranger = spawn('sleep', ['60'], { ...(process.getuid?.() === 0 ? { uid, gid } : {}) })
      for (const lock of [file, path.join(dataDir, 'run', '.s.PGSQL.5432.lock')]) {
        fs.writeFileSync(lock, readOr(lock).replace(/^\d+/, String(stranger.pid)))
      }
      const next = await start(dataDir).ready()
      expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect(isRunning(stranger.pid ?? 0)).toBe(true)
      stranger.kill()
    })

    test('in the middle of making the cluster: the next start makes it whole', async () => {
      const dataDir = newDataDirectory()
      const client = start(dataDir)
      await waitUntil(
        'initdb works',
        () => fs.existsSync(dataDir) && fs.readdirSync(dataDir).some((name) => name.startsWith('postgresql.new-')),
      )
      const [half] = fs.readdirSync(dataDir).filter((name) => name.startsWith('postgresql.new-'))
      kill(Number(half?.split('-')[1]))
      await client.kill()
      expect(fs.existsSync(path.join(dataDir, 'postgresql'))).toBe(false)
      const next = await start(dataDir).ready()
      expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('postgresql.new-'))).toEqual([])
    })
  })

if (full)
  test.concurrent('the log is kept within bounds while PostgreSQL writes it', async () => {
    const dataDir = newMadeDirectory()
    const file = path.join(dataDir, 'postgresql.log')
    const client = await start(dataDir).ready()
    fs.appendFileSync(file, `${'x'.repeat(99)}\n`.repeat(120_000))
    // The guard looks every ten seconds.
    await waitUntil('the log is trimmed', () => fs.statSync(file).size < 1_000_000)
    expect(fs.statSync(`${file}.1`).size).toBeGreaterThan(10_000_000)
    await client.query('select nonsense')
    expect(readOr(file)).toMatch(/^20.*column "nonsense" does not exist/)
  })

describe.concurrent('the data directory', () => {
  test('may lie deeper than a socket path can be long, and have spaces, quotes, commas and Chinese in its name', async () => {
    const dataDir = path.join(root, `研究所 "水稻, O'Brien" ${'深'.repeat(30)}`, 'data')
    expect(Buffer.byteLength(dataDir)).toBeGreaterThan(107)
    fs.mkdirSync(path.dirname(dataDir))
    copyMade(dataDir)
    const database = await open(dataDir)
    const [row] = await database.sql<
      { directory: string }[]
    >`select current_setting('unix_socket_directories') as directory`
    expect(row?.directory).toMatch(/^"?\/tmp\/novodb-[0-9a-f]{16}"?$/)
    expect(
      await open(dataDir).then(async (second) => [await second.sql`select 1 as one`, await second.close()][0]),
    ).toEqual([{ one: 1 }])
    await database.close({ waitForStop: true })
    const directory = row?.directory.replaceAll('"', '') ?? ''
    expect(fs.statSync(directory).mode & 0o777).toBe(0o700)
    fs.rmSync(directory, { recursive: true })
  })

  test('whose password file was lost gets a new one', async () => {
    const dataDir = newMadeDirectory()
    const before = readOr(path.join(dataDir, 'postgresql-password'))
    fs.rmSync(path.join(dataDir, 'postgresql-password'))
    const database = await open(dataDir)
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(readOr(path.join(dataDir, 'postgresql-password'))).not.toBe(before)
    await database.close()
  })

  test('made by another PostgreSQL is refused with what to do', async () => {
    const dataDir = newMadeDirectory()
    fs.writeFileSync(path.join(dataDir, 'postgresql', 'PG_VERSION'), '17\n')
    await expect(open(dataDir)).rejects.toMatchObject({
      code: 'DATA_DIRECTORY',
      message: expect.stringMatching(/made by PostgreSQL 17.*backup/),
    })
  })

  test('with a damaged cluster is refused with the reason that PostgreSQL gives', async () => {
    const dataDir = newMadeDirectory()
    fs.rmSync(path.join(dataDir, 'postgresql', 'global', 'pg_control'))
    await expect(open(dataDir)).rejects.toMatchObject({
      code: 'PRIVATE_SERVER_FAILED',
      message: expect.stringContaining('pg_control'),
    })
  })

  test('that cannot be made is refused with the reason', async () => {
    fs.writeFileSync(path.join(root, 'a-file'), '')
    await expect(open(path.join(root, 'a-file', 'data'))).rejects.toMatchObject({ code: 'DATA_DIRECTORY' })
  })

  test("keeps the administrator's own settings over ours", async () => {
    const dataDir = newMadeDirectory()
    fs.appendFileSync(path.join(dataDir, 'postgresql', 'postgresql.conf'), "work_mem = '7MB'\n")
    const database = await open(dataDir)
    expect(await database.sql`select current_setting('work_mem') as value`).toEqual([{ value: '7MB' }])
    await database.close()
  })
})

if (full)
  describe.skipIf(process.getuid?.() !== 0)('users', { concurrent: true }, () => {
    const nobody = { uid: 65534, gid: 65534 }

    test('an ordinary user has a server of that user, made from a checkout that the user cannot write to', async () => {
      const dataDir = newDataDirectory()
      fs.mkdirSync(dataDir, { mode: 0o700 })
      fs.chownSync(dataDir, nobody.uid, nobody.gid)
      const client = await start(dataDir, { account: nobody }).ready()
      expect(fs.statSync(`/proc/${findProcesses(dataDir).postmaster}`).uid).toBe(nobody.uid)
      await client.query('create table genes (id text)')

      // Root's command line joins it, and starts it as its owner when it does not run.
      const asRoot = await start(dataDir).ready()
      await asRoot.query("insert into genes values ('Rv3875')")
      await client.close()
      await asRoot.close({ wait: true })
      const alone = await start(dataDir).ready()
      const { postmaster } = findProcesses(dataDir)
      expect(fs.statSync(`/proc/${postmaster}`).uid).toBe(nobody.uid)
      const back = await start(dataDir, { account: nobody }).ready()
      expect((await back.query('select id from genes')).rows).toEqual([{ id: 'Rv3875' }])
      await alone.close()
      await back.close({ wait: true })

      // And what root did has taken nothing from the owner.
      const owner = await start(dataDir, { account: nobody }).ready()
      expect((await owner.query('select id from genes')).rows).toEqual([{ id: 'Rv3875' }])
      await owner.close({ wait: true })
    })

    test("what root starts first in a user's directory is that user's", async () => {
      const dataDir = newDataDirectory()
      fs.mkdirSync(dataDir, { mode: 0o700 })
      fs.chownSync(dataDir, nobody.uid, nobody.gid)
      const asRoot = await start(dataDir).ready()
      await asRoot.close({ wait: true })
      const foreign = fs
        .readdirSync(dataDir, { recursive: true })
        .filter((name) => fs.lstatSync(path.join(dataDir, String(name))).uid !== nobody.uid)
      expect(foreign).toEqual([])
      const owner = await start(dataDir, { account: nobody }).ready()
      expect((await owner.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await owner.close({ wait: true })
    })

    test("a user is refused another's data directory, with whose it is", async () => {
      const dataDir = newMadeDirectory()
      await expect(start(dataDir, { account: nobody }).ready()).rejects.toMatchObject({
        code: 'DATA_DIRECTORY',
        message: expect.stringMatching(/user 0|user \d+, this process runs as user 65534/),
      })
    })

    test('root can keep the checkout in a closed home, whose files the server cannot read', async () => {
      const home = path.join(root, 'home')
      fs.mkdirSync(home, { mode: 0o700 })
      const closed = path.join(home, 'novodb')
      createCheckout(closed, { copyPackages: true })
      const dataDir = newDataDirectory()
      copyCluster(dataDir)
      const client = await start(dataDir, {}, closed).ready()
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await client.close({ wait: true })

      // The data as well: the cluster then lives in the system's directory and the data directory says where.
      const hiddenData = path.join(closed, 'data')
      const hidden = await start(hiddenData, {}, closed).ready()
      await hidden.query("create table genes as select 'Rv3874' as id")
      const base = (JSON.parse(readOr(path.join(hiddenData, 'novodb-place.json'))) as { base: string }).base
      expect(base).toMatch(/^\/var\/lib\/novodb\/[0-9a-f]{16}$/)
      await hidden.close({ wait: true })
      try {
        // A data directory that was moved keeps its database, one that was copied does not share it.
        const moved = path.join(home, 'moved')
        fs.renameSync(hiddenData, moved)
        const again = await start(moved, {}, closed).ready()
        expect((await again.query('select id from genes')).rows).toEqual([{ id: 'Rv3874' }])
        await again.close({ wait: true })
        fs.cpSync(moved, hiddenData, { recursive: true })
        await expect(start(hiddenData, {}, closed).ready()).rejects.toMatchObject({
          code: 'DATA_DIRECTORY',
          message: expect.stringContaining('is a copy of'),
        })
      } finally {
        fs.rmSync(base, { recursive: true })
      }
    })

    test('a data directory closed to others is opened to the server alone', async () => {
      const dataDir = newDataDirectory()
      copyCluster(dataDir, 0o700)
      const client = await start(dataDir).ready()
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect(fs.statSync(dataDir).mode & 0o007).toBe(0)
    })
  })

test('a server whose guard and clients were all killed is not left running for nobody', async () => {
  // Its last line is written after its lock file is gone.
  await waitUntil('it has stopped', () => !isRunning(orphan))
  expect(readOr(path.join(orphanDirectory, 'postgresql.log'))).toContain('database system is shut down')
})
