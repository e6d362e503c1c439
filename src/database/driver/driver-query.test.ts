import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Sql } from '../connect.ts'
import { readRows } from '../search/read-rows.ts'
import { openTestDatabase } from '../test-database.ts'

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

  test('also of several statements, as arrays of values, and without any row', async () => {
    await expect(failing()).rejects.toThrow()
    expect(await sql.unsafe("select 'Rv3874' as id; select 'Rv3875' as id")).toEqual([[genes[0]], [genes[1]]])
    await expect(failing()).rejects.toThrow()
    expect(await sql`select 'Rv3874', 1`.values()).toEqual([['Rv3874', 1]])
    await expect(failing()).rejects.toThrow()
    expect(await sql`select 1 where false`).toEqual([])
  })

  test('also batch by batch through a cursor', async () => {
    await expect(failing()).rejects.toThrow()
    const seen: unknown[] = []
    for await (const rows of sql`select n from generate_series(1, 5) as n`.cursor(2)) seen.push([...rows])
    expect(seen).toEqual([[{ n: 1 }, { n: 2 }], [{ n: 3 }, { n: 4 }], [{ n: 5 }]])
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

describe('what a query keeps', () => {
  test('is no hidden class of its own, and after its end neither parameters nor signature', async () => {
    const query = sql`select ${'Rv3874'}::text as id, ${7}::int as n`
    expect(await query).toEqual([{ id: 'Rv3874', n: 7 }])
    const own = Object.getOwnPropertyDescriptors(query)
    expect(Object.values(own).filter((property) => property.get !== undefined)).toEqual([])
    expect(query).toMatchObject({ args: [], parameters: [], signature: '' })
  })

  test('is no row of those read one by one', async () => {
    const query = sql<{ n: number }[]>`select n from generate_series(1, 3) as n`
    expect(await readRows(query)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    expect([...(await query)]).toEqual([])
    expect(await readRows(sql`select 1 where false`)).toEqual([])
  })

  test('rows read one by one are all or none', async () => {
    await expect(readRows(sql`select 100 / (40 - n) from generate_series(1, 100) as n`)).rejects.toMatchObject({
      code: '22012',
    })
    expect(await readRows(sql`select 'Rv3875' as id`)).toEqual([{ id: 'Rv3875' }])
    expect(await sql`select 'Rv3875' as id`).toEqual([{ id: 'Rv3875' }])
  })
})
