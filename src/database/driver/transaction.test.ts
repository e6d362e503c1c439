import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import type { Database } from '../connect.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase({ migrate: false, max: 2 })
  await database.sql`create table genes_seen (id text primary key)`
})
afterAll(() => database.close())

/** As the pool, PostgreSQL or the system tell of a lost connection. */
const lossCodes = ['CONNECTION_CLOSED', '57P01', 'ECONNRESET', 'EPIPE']
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('what succeeds is kept whole, what throws is undone whole, and its error comes through', async () => {
  const { sql } = database
  expect(await sql.begin(async (transaction) => (await transaction`insert into genes_seen values ('a')`).count)).toBe(1)
  const failing = sql.begin(async (transaction) => {
    await transaction`insert into genes_seen values ('b')`
    throw new RangeError('no')
  })
  await expect(failing).rejects.toThrow(RangeError)
  const twice = sql.begin((transaction) => transaction`insert into genes_seen values ('a')`)
  await expect(twice).rejects.toMatchObject({ code: '23505' })
  // Also when the function takes no notice of a statement that failed.
  const careless = sql.begin(async (transaction) => {
    await transaction`insert into genes_seen values ('c')`
    await transaction`insert into genes_seen values ('a')`.catch(() => {})
  })
  await expect(careless).rejects.toMatchObject({ code: '23505' })
  expect((await sql`select id from genes_seen`).map((row) => row.id)).toEqual(['a'])
})

test('statements that are asked for at once run one after the other, and none after the end', async () => {
  const { sql } = database
  let kept = sql as Pick<typeof sql, 'unsafe'>
  const [first, second] = await sql.begin((transaction) => {
    kept = transaction
    return Promise.all([
      transaction<{ pid: number }[]>`select pg_sleep(0.05), pg_backend_pid() as pid`,
      transaction<{ pid: number }[]>`select pg_backend_pid() as pid`,
    ])
  })
  expect(first[0]?.pid).toBe(second[0]?.pid)
  await expect(kept.unsafe("insert into genes_seen values ('late')")).rejects.toMatchObject({
    code: 'CONNECTION_CLOSED',
  })
})

test('a connection lost within it, at a query or between two, rejects; nothing of it stays and the pool works on', async () => {
  const { sql } = database
  for (const when of ['between', 'query'] as const) {
    const other = database.connect({ max: 1 })
    const reached: string[] = []
    const losing = sql.begin(async (transaction) => {
      await transaction`insert into genes_seen values ('lost')`
      const [own] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`
      if (when === 'between') {
        // Until it is gone, and this process has heard of it.
        await other`select pg_terminate_backend(${own!.pid}, 30000)`
        await new Promise(setImmediate)
      } else {
        setTimeout(() => void other`select pg_terminate_backend(${own!.pid})`.execute(), 50)
        await transaction`select pg_sleep(30)`
      }
      reached.push('after the loss')
      await transaction`insert into genes_seen values ('stray')`
      reached.push('stray')
    })
    const error = await losing.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(lossCodes).toContain((error as { code: string }).code)
    const queries = await Promise.all(Array.from({ length: 6 }, () => sql`select 1 as one`))
    expect(queries.every(([row]) => row?.one === 1)).toBe(true)
    await pause(200)
    expect(reached).not.toContain('stray')
    expect((await sql`select id from genes_seen`).map((row) => row.id)).toEqual(['a'])
    await other.end()
  }
})
