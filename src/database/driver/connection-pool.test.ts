import { type ChildProcess, spawn } from 'node:child_process'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import { type Database, openDatabase, type Sql } from '../connect.ts'
import { createPool } from './connection-pool.ts'
import { readCopyOut, startCopyIn } from './copy.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase({ migrate: false })
})
afterAll(() => database.close())

/** Resolves when the sessions are gone, and this process has heard of it. */
const endSessions = async () => {
  await database.sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity where application_name = 'to be broken' and datname = current_database()`
  await new Promise(setImmediate)
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const outcome = (query: Promise<unknown>) =>
  Promise.race([
    query.then(
      () => 'answered',
      (error: unknown) => (error as { code: string }).code,
    ),
    pause(60_000).then(() => 'lost'),
  ])
/** A process that passes everything on to a socket, and lets one at a time wait to be let in. */
const startRelay = (socket: string): Promise<{ child: ChildProcess; port: number }> => {
  const program = `
    const net = require('node:net')
    const relay = net.createServer((from) => {
      const to = net.connect(process.argv[1])
      from.pipe(to).pipe(from)
      from.on('error', () => to.destroy())
      to.on('error', () => from.destroy())
    })
    relay.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => console.log(relay.address().port))`
  const child = spawn(process.execPath, ['-e', program, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout.once('data', (text: Buffer) => resolve({ child, port: Number(text) }))
  })
}

/** By the driver or the pool, as PostgreSQL ends a session, and by the system. */
const lossCodes = ['CONNECTION_CLOSED', '57P01', 'ECONNRESET', 'EPIPE']

describe('connections that break', () => {
  test('fail the queries they have; those that follow at once are served, and none is left without an answer', async () => {
    const sql = database.connect({ max: 3, applicationName: 'to be broken' })
    const outcomes: Record<string, number> = {}
    for (let round = 0; round < 10; round++) {
      const asked = Array.from({ length: 6 }, () =>
        outcome(sql`select pg_sleep(0.1)`.catch(() => sql`select 3 as three`.catch(() => sql`select 3 as three`))),
      )
      // And others, spread over the moments of the loss.
      const others = Array.from({ length: 40 }, async (_, n) => {
        for (let turn = 0; turn < n * 3; turn++) await new Promise(setImmediate)
        return outcome(sql`select 4 as four`)
      })
      await endSessions()
      for (const found of await Promise.all([...asked, ...others])) outcomes[found] = (outcomes[found] ?? 0) + 1
      // Once broken it is over: a query has a new connection and its own answer. A session that is told to end may do so only now, on a
      // busy machine; it fails one query, and there are three.
      let next = await outcome(sql`select ${round}::int as round`)
      for (let loss = 1; loss <= 3 && lossCodes.includes(next); loss++)
        next = await outcome(sql`select ${round}::int as round`)
      expect(next).toBe('answered')
      expect(await sql`select ${round}::int as round`).toEqual([{ round }])
    }
    expect(Object.keys(outcomes).filter((found) => found !== 'answered' && !lossCodes.includes(found))).toEqual([])
    expect(outcomes.answered).toBeGreaterThan(100)
    await sql.end()
  })

  test('by a reset of the network are no different', async () => {
    const { hosts, user, password, database: name } = database.sql.options.server
    const [local] = hosts
    const relayed = new Set<net.Socket>()
    const relay = net.createServer((from) => {
      const to = net.connect(`${local!.host}/.s.PGSQL.${local!.port}`)
      relayed.add(from)
      from.pipe(to).pipe(from)
      from.on('error', () => to.destroy())
      to.on('error', () => from.destroy())
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    const { port } = relay.address() as net.AddressInfo
    const remote = await openDatabase({
      databaseUrl: `postgres://${user}:${password}@127.0.0.1:${port}/${name}`,
      dataDir: '/nonexistent',
      applicationName: 'over the network',
      max: 1,
      statementTimeoutMs: 0,
      log: { info() {}, warn() {}, error() {} },
    })
    for (let round = 0; round < 5; round++) {
      const failing = remote.sql`select pg_sleep(100)`.catch(() => remote.sql`select 3 as three`)
      await expect.poll(() => relayed.size).toBeGreaterThan(0)
      for (const each of relayed) each.resetAndDestroy()
      relayed.clear()
      expect(await outcome(failing)).toBe('answered')
    }
    await remote.close()
    await new Promise((resolve) => relay.close(resolve))
  })

  test('to a host that falls silent are given up, the free ones too, and another host is turned to', async () => {
    const { hosts, user, password, database: name } = database.sql.options.server
    const socket = `${hosts[0]!.host}/.s.PGSQL.${hosts[0]!.port}`
    // Relays are programs: one that is stopped answers no more than a machine whose link is cut, once nobody else waits to be let in.
    const relays = await Promise.all([startRelay(socket), startRelay(socket)])
    onTestFinished(() => {
      for (const { child } of relays) child.kill('SIGKILL')
    })
    const sql = createPool({
      max: 3,
      server: { hosts: relays.map(({ port }) => ({ host: '127.0.0.1', port })), user, password, database: name },
      silenceMs: 200,
    })
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.2)`))
    relays[0]!.child.kill('SIGSTOP')
    const fillers = Array.from({ length: 5 }, () => net.connect(relays[0]!.port, '127.0.0.1').on('error', () => {}))
    const began = performance.now()
    expect(await outcome(sql`select 1 as one`)).toBe('CONNECTION_CLOSED')
    // Neither from a connection to the silent host nor waiting for one.
    expect(await Promise.all([1, 2, 3].map(() => outcome(sql`select 1 as one`)))).toEqual(Array(3).fill('answered'))
    expect(performance.now() - began).toBeLessThan(20_000)
    for (const filler of fillers) filler.destroy()
    await sql.end({ timeout: 1 })
  }, 40_000)

  test('in a transaction fail it whole: nothing that it asks afterwards reaches any connection', async () => {
    const sql = database.connect({ max: 1, applicationName: 'to be broken' })
    await database.sql`create table genes (id text)`
    for (const when of ['between', 'during'] as const) {
      const later: string[] = []
      const losing = sql.begin(async (transaction) => {
        await transaction`insert into genes values ('lost')`
        if (when === 'between') {
          await endSessions()
        } else {
          setTimeout(() => void endSessions(), 30)
          await transaction`select pg_sleep(30)`.catch(() => {})
        }
        for (let n = 0; n < 5; n++) later.push(await outcome(transaction`insert into genes values ('stray')`))
      })
      expect(lossCodes).toContain(await outcome(losing))
      await expect.poll(() => later.length).toBe(5)
      expect(later.filter((found) => !lossCodes.includes(found))).toEqual([])
      expect(await sql`select count(*) as count from genes`).toEqual([{ count: 0 }])
    }
    await database.sql`drop table genes`
    await sql.end()
  })

  test('under a COPY fail it, in and out', async () => {
    const sql = database.connect({ max: 1, applicationName: 'to be broken' })
    // Between two pieces, and under one that is waited for.
    for (const when of ['between', 'during'] as const) {
      let pieces = 0
      const reading = async () => {
        const statement =
          "copy (select repeat('ACGT', 1000), pg_sleep(0.001) from generate_series(1, 1000000)) to stdout"
        for await (const _ of readCopyOut(sql, statement)) {
          pieces += 1
          if (pieces !== 1) continue
          if (when === 'between') await endSessions()
          else setTimeout(() => void endSessions(), 5)
        }
      }
      expect(lossCodes).toContain(await outcome(reading()))
      expect(pieces).toBeGreaterThanOrEqual(1)
    }
    await sql`create table reads (bases text)`
    const copy = await startCopyIn(sql, 'copy reads from stdin')
    await copy.write('ACGT\n')
    await endSessions()
    expect(lossCodes).toContain(await outcome(copy.end()))
    expect(await sql`select count(*) as count from reads`).toEqual([{ count: 0 }])
    const again = await startCopyIn(sql, 'copy reads from stdin')
    await endSessions()
    const writing = async () => {
      for (;;) await again.write('ACGT\n'.repeat(100_000))
    }
    expect(lossCodes).toContain(await outcome(writing()))
    await again.cancel()
    expect(await sql`select count(*) as count from reads`).toEqual([{ count: 0 }])
    await sql.end()
  })

  test('stop notifications only for a while', async () => {
    const sql = database.connect({ max: 1, applicationName: 'to be broken' })
    const heard: string[] = []
    let begun = 0
    const { unlisten } = await sql.listen(
      'genes "changed"',
      (payload) => void heard.push(payload),
      () => {
        begun += 1
      },
    )
    await database.sql`select pg_notify('genes "changed"', ${'first'})`
    await expect.poll(() => heard).toEqual(['first'])
    for (let round = 2; round < 4; round++) {
      await endSessions()
      await expect.poll(() => begun).toBe(round)
      await database.sql`select pg_notify('genes "changed"', ${`after ${round}`})`
      await expect.poll(() => heard.at(-1)).toBe(`after ${round}`)
    }
    await unlisten()
    await sql.end()
  })

  test('that are never made are told as such, at once', async () => {
    const nowhere = createPool({ max: 2, server: { hosts: [{ host: '/tmp/no-such-directory', port: 5432 }] } })
    for (let turn = 0; turn < 5; turn++) await expect(nowhere`select 1`).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(nowhere.begin((sql) => sql`select 1`)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(nowhere.reserve()).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(nowhere.listen('genes', () => {})).rejects.toMatchObject({ code: 'ENOENT' })
    await nowhere.end()
    let greeted = 0
    const rude = net.createServer((socket) => {
      greeted += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
    const { port } = rude.address() as net.AddressInfo
    const refused = createPool({ max: 2, server: { hosts: [{ host: '127.0.0.1', port }], user: 'x', database: 'x' } })
    expect(await outcome(refused`select 1`)).toMatch(/^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/)
    await pause(100)
    expect(greeted).toBe(1)
    await refused.end()
    rude.close()
  })
})

describe('a pool', () => {
  test('makes as many connections as it may, gives waiting queries their turn, and none waits behind another', async () => {
    const sql = database.connect({ max: 3 })
    let slowIsDone = false
    const holder = await database.sql.reserve()
    await holder`select pg_advisory_lock(3)`
    const slow = sql`select pg_advisory_lock(3)`.execute().then(() => {
      slowIsDone = true
    })
    const quick = await Promise.all(
      Array.from({ length: 200 }, () => sql<{ pid: number }[]>`select pg_backend_pid() as pid`),
    )
    expect(slowIsDone).toBe(false)
    expect(new Set(quick.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(2)
    await holder`select pg_advisory_unlock(3)`
    holder.release()
    await slow
    await sql.end()
  })

  test('keeps a connection after an error of a statement, and renews it when it has grown old', async () => {
    const pidOf = async (sql: Sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
    const sql = database.connect({ max: 1 })
    const pid = await pidOf(sql)
    await expect(sql`select 1 / 0`).rejects.toMatchObject({ code: '22012' })
    await expect(sql.begin((transaction) => transaction`select nonsense`)).rejects.toMatchObject({ code: '42703' })
    await expect(sql.begin(() => Promise.reject(new RangeError('ours')))).rejects.toThrow('ours')
    expect(await pidOf(sql)).toBe(pid)
    await sql.end()
    const aging = createPool({ ...database.sql.options, max: 1, lifetimeMs: 50 })
    const young = await pidOf(aging)
    await pause(60)
    await pidOf(aging)
    expect(await pidOf(aging)).not.toBe(young)
    await aging.end()
  })

  test('renews a connection that keeps very many plans or has served very often, between two statements', async () => {
    const pidOf = async (sql: Sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
    const used = createPool({ ...database.sql.options, max: 1, maxUses: 3 })
    const pids = [await pidOf(used), await pidOf(used), await pidOf(used), await pidOf(used)]
    expect(new Set(pids.slice(0, 3)).size).toBe(1)
    expect(pids[3]).not.toBe(pids[0])
    await used.end()
    const sql = database.connect({ max: 1, planOnce: true })
    const first = await pidOf(sql)
    const ask = (number: number) => sql.unsafe(`select ${number} as number`, [], { prepare: true })
    for (let number = 0; number < 200; number += 1) await ask(number)
    for (let number = 0; number < 200; number += 1) await ask(number)
    expect(await pidOf(sql)).toBe(first)
    for (let number = 200; number < 260; number += 1) expect(await ask(number)).toEqual([{ number }])
    expect(await pidOf(sql)).not.toBe(first)
    expect((await sql`select count(*)::int as plans from pg_prepared_statements`)[0]!.plans).toBeLessThan(100)
    await sql.end()
  })

  test('commits and undoes transactions, and reserves connections', async () => {
    const { sql } = database
    await sql`create table terms (id text primary key)`
    await sql.begin(async (transaction) => {
      await transaction`insert into terms values ('GO:0008150')`
      await transaction`insert into terms values ('GO:0003674')`
    })
    await expect(
      sql.begin(async (transaction) => {
        expect(await transaction`show transaction_isolation`).toEqual([{ transaction_isolation: 'serializable' }])
        await transaction`insert into terms values ('GO:0005575')`
        throw new Error('not this one')
      }, 'isolation level serializable'),
    ).rejects.toThrow('not this one')
    expect(await sql`select id from terms order by id`).toEqual([{ id: 'GO:0003674' }, { id: 'GO:0008150' }])

    const reserved = await sql.reserve()
    await reserved`begin`
    await reserved`delete from terms`
    expect(await sql`select count(*) as count from terms`).toEqual([{ count: 2 }])
    await reserved`rollback`
    reserved.release()
    expect(await sql`select count(*) as count from terms`).toEqual([{ count: 2 }])
  })

  test('takes and gives arrays of every kind, and fragments, names and JSON', async () => {
    const { sql } = database
    const ids = ['Rv3874', 'O"Brien\\', '{a,b}', 'NULL', '', '水稻']
    const [row] =
      await sql`select ${ids}::text[] as ids, ${[1, 2]}::int[] as numbers, ${[1, 2]}::bigint[] as big, ${[true, false]}::boolean[] as flags,
      ${[1.5, null]}::float8[] as ratios, array[[1, 2], [3, 4]] as nested, array[null, 'x']::text[] as gaps, '[0:1]={5,6}'::int[] as shifted, array['{"a":1}']::jsonb[] as data,
      ${sql.json({ exons: [[1, 2]] })} as json, array['2026-11-21T05:00:00Z']::timestamptz[] as times, '{}'::text[] as none, ${[]}::int[] as empty`
    expect(row).toEqual({
      ids,
      numbers: [1, 2],
      big: [1, 2],
      flags: [true, false],
      ratios: [1.5, null],
      nested: [
        [1, 2],
        [3, 4],
      ],
      gaps: [null, 'x'],
      shifted: [5, 6],
      data: [{ a: 1 }],
      json: { exons: [[1, 2]] },
      times: [new Date('2026-11-21T05:00:00Z')],
      none: [],
      empty: [],
    })
    const chosen = sql`where id = any(${['a', 'c']}) and ${sql.unsafe('id is not null')}`
    expect(
      await sql`select ${sql('id')} from (values ('a'), ('b'), ('c')) as v (id) ${chosen} and id = any(${['a', 'b']})`,
    ).toEqual([{ id: 'a' }])
    await sql`create table pairs (gene text, score int)`
    const pairs = sql('public.pairs')
    await sql`insert into ${pairs} values ${sql`(${'a'}, ${1}), (${'b'}, ${2})`}`
    expect(await sql`select gene, score from pairs where score = ${2}`).toEqual([{ gene: 'b', score: 2 }])
  })

  test('waits for what runs when it is ended, but not longer than it is told, and takes nothing more', async () => {
    const sql = database.connect({ max: 1 })
    const running = sql`select pg_sleep(0.2), 'done' as word`
    const waiting = running.then(([row]) => row?.word)
    await pause(20)
    await sql.end({ timeout: 5 })
    expect(await waiting).toBe('done')
    await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
    const hasty = database.connect({ max: 1 })
    const cut = outcome(hasty`select pg_sleep(5)`)
    await pause(50)
    await hasty.end({ timeout: 0.1 })
    expect(await cut).toMatch(/^CONNECTION_/)
  })
})

describe('several hosts', () => {
  const gone = { host: '/tmp/no-such-directory', port: 5432 }
  const here = () => database.sql.options.server
  const serverOf = (settings = {}) => ({
    ...here(),
    hosts: [gone, here().hosts[0]!],
    settings: { ...here().settings, ...settings },
  })
  // What a standby says of itself.
  const standby = { default_transaction_read_only: 'on' }

  test('of which the first is gone: the other is asked, and listened to', async () => {
    const sql = createPool({ max: 2, server: serverOf() })
    const heard: string[] = []
    const fresh = createPool({ max: 2, server: serverOf() })
    await fresh.listen('several', (payload) => void heard.push(payload))
    await sql`select pg_notify('several', 'word')`
    await expect.poll(() => heard).toEqual(['word'])
    await Promise.all([sql.end(), fresh.end()])
  })

  test('of which none takes writes: a pool that only reads has its answer, another has an error that says so', async () => {
    const reads = createPool({ max: 2, readsOnly: true, server: serverOf(standby) })
    expect(await reads`select 5 as five`).toEqual([{ five: 5 }])
    const writes = createPool({ max: 2, server: { ...serverOf(standby), hosts: [here().hosts[0]!, here().hosts[0]!] } })
    await expect(writes`select 5 as five`).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' })
    await Promise.all([reads.end(), writes.end()])
  })

  test('what only reads is asked again when its connection is lost under it; what may write is not', async () => {
    const marked = { ...here(), applicationName: 'to be broken' }
    for (const readsOnly of [true, false]) {
      const sql = createPool({ max: 1, readsOnly, server: marked })
      await sql`select 1`
      const asked = outcome(sql`select pg_sleep(1.5)`)
      await pause(300)
      await endSessions()
      if (readsOnly) expect(await asked).toBe('answered')
      else expect(lossCodes).toContain(await asked)
      await sql.end()
    }
  })
})
