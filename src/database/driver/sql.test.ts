import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import type { Database, Sql } from '../connect.ts'

let database: Database
let sql: Sql
beforeAll(async () => {
  database = await openTestDatabase({ migrate: false })
  // One connection: the next query is on the one that failed.
  sql = database.connect({ max: 1 })
})
afterAll(async () => {
  await sql.end()
  await database.close()
})

describe('after a query that failed when some of its rows had come', () => {
  const failing = () => sql`select 100 / (40 - n) from generate_series(1, 100) as n`
  const genes = [{ id: 'Rv3874' }, { id: 'Rv3875' }]

  test('the next query has its own rows, from the first on', async () => {
    await expect(failing()).rejects.toMatchObject({ code: '22012' })
    expect(await sql`select * from (values ('Rv3874'), ('Rv3875')) as genes (id)`).toEqual(genes)
  })

  test('also when it was waiting on the same connection already', async () => {
    const [failed, next] = await Promise.allSettled([
      failing(),
      sql`select * from (values ('Rv3874'), ('Rv3875')) as genes (id)`,
    ])
    expect(failed.status).toBe('rejected')
    expect(next).toMatchObject({ status: 'fulfilled', value: genes })
  })

  test('also of several statements, and without any row', async () => {
    await expect(failing()).rejects.toThrow()
    expect(await sql.unsafe("select 'Rv3874' as id; select 'Rv3875' as id")).toEqual([[genes[0]], [genes[1]]])
    await expect(failing()).rejects.toThrow()
    expect(await sql`select 1 where false`).toEqual([])
  })

  test('also when it failed by its time limit', async () => {
    await sql`set statement_timeout = 100`
    await expect(sql`select pg_sleep(0.02), repeat('ACGT', 3000) from generate_series(1, 1000)`).rejects.toMatchObject({
      code: '57014',
    })
    expect(await sql`select 'Rv3875' as id`).toEqual([genes[1]])
    await sql`set statement_timeout = 0`
  })
})

describe('a statement', () => {
  test('is sent when it is awaited, once', async () => {
    await sql`create table counts (n integer)`
    const insert = sql`insert into counts values (1)`
    expect(await sql`select * from counts`).toEqual([])
    expect((await insert).count).toBe(1)
    await insert
    expect((await sql`select * from counts`).count).toBe(1)
    await sql`drop table counts`
  })

  test('never takes a value or a name for text of its own', async () => {
    const odd = `'; drop table genes; -- "`
    expect(await sql`select ${odd}::text as ${sql(odd)}`).toEqual([{ [odd]: odd }])
    const at = new Date('2026-11-25T23:00:00.123Z')
    expect(
      await sql`select ${at} as at, ${Buffer.from([0, 255])} as bytes, ${null}::text as none, ${2n ** 40n} as big, ${true} as yes, ${sql.json(['a'])} as list`,
    ).toEqual([{ at, bytes: Buffer.from([0, 255]), none: null, big: 2 ** 40, yes: true, list: ['a'] }])
  })

  test('whose table has changed since its plan was made is planned anew', async () => {
    await sql`create table assemblies (id text)`
    const read = () => sql`select * from assemblies`
    await read()
    await sql`alter table assemblies add column species text`
    await sql`insert into assemblies values ('H37Rv', 'tuberculosis')`
    expect(await read()).toEqual([{ id: 'H37Rv', species: 'tuberculosis' }])
    expect(await read()).toEqual([{ id: 'H37Rv', species: 'tuberculosis' }])
    await sql`drop table assemblies`
  })

  test('whose value does not fit is an error, and leaves the connection sound', async () => {
    await expect(sql`select 9007199254740993::bigint`).rejects.toThrow(RangeError)
    await expect(sql`select ${'x'}::int`).rejects.toMatchObject({ code: '22P02' })
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  })
})
