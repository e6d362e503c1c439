import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import type { Database, Sql } from '../connect.ts'
import { readCopyOut, startCopyIn } from './copy.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase({ migrate: false, max: 1 })
  await database.sql`create table genes (id text not null, length_bp integer check (length_bp < 100000))`
})
afterAll(() => database.close())

const copyRows = (pieces: string[]) =>
  database.sql.begin(async (sql) => {
    const copy = await startCopyIn(sql, 'copy genes from stdin')
    for (const piece of pieces) await copy.write(piece)
    return copy.end()
  })

test('rows go in whole wherever the pieces are cut, and are counted by the server', async () => {
  expect(await copyRows(['Rv3874\t30', '3\nRv38', '75\t288\n'])).toBe(2)
  expect(await database.sql`select * from genes order by id`).toEqual([
    { id: 'Rv3874', length_bp: 303 },
    { id: 'Rv3875', length_bp: 288 },
  ])
})

test('an error in the last row, which comes after the last byte was sent, is told', async () => {
  await expect(copyRows(['Rv0001\t1524\nRv0002\t100000\n'])).rejects.toMatchObject({ code: '23514' })
  await expect(copyRows(['Rv0001\tmany\n'])).rejects.toMatchObject({ code: '22P02' })
  expect(await database.sql`select count(*) as count from genes`).toEqual([{ count: 2 }])
})

test('an error in the middle of many rows is told while they are written, and the connection serves on', async () => {
  const rows = 'Rv0001\t1524\n'.repeat(20_000)
  await expect(copyRows([rows, 'Rv0002\tmany\n', ...Array.from({ length: 50 }, () => rows)])).rejects.toMatchObject({
    code: '22P02',
  })
  expect(await database.sql`select count(*) as count from genes`).toEqual([{ count: 2 }])
})

test('a copy that is given up leaves no row and frees its connection', async () => {
  const giveUp = database.sql.begin(async (sql) => {
    const copy = await startCopyIn(sql, 'copy genes from stdin')
    await copy.write('Rv0003\t1158\n')
    await copy.cancel()
    throw new Error('changed our mind')
  })
  await expect(giveUp).rejects.toThrow('changed our mind')
  expect(await database.sql`select count(*) as count from genes`).toEqual([{ count: 2 }])
})

const readAll = async (sql: Sql, query: string) => {
  const pieces: Buffer[] = []
  for await (const piece of readCopyOut(sql, `copy (${query}) to stdout`)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('rows come out as they go in, whatever their characters', async () => {
  await database.sql`create table odd (n integer, text text, bytes bytea, words text[], data jsonb, ratio float8, at timestamptz)`
  await database.sql`insert into odd select n, case when n % 7 = 0 then null when n % 5 = 0 then '' else chr(n) || '水稻 é \\ \\N \\. ' || chr(n) end,
    decode(lpad(to_hex(n), 4, '0'), 'hex'), array[chr(n), null, 'a,b', '"\\'], jsonb_build_object('k', chr(n) || '\\'), 1.0 / n, 'epoch'::timestamptz + n * interval '1.001 s'
    from generate_series(1, 1000) as n`
  const found = await readAll(database.sql, 'select * from odd')
  expect(found.split('\n')).toHaveLength(1001)
  await database.sql.begin(async (sql) => {
    await sql`create table odd_again (like odd)`
    const copy = await startCopyIn(sql, 'copy odd_again from stdin')
    await copy.write(found)
    expect(await copy.end()).toBe(1000)
    expect(await sql`select * from odd except all select * from odd_again`).toEqual([])
  })
})

test('a query that fails half way says so, and the connection serves on', async () => {
  await expect(
    readAll(database.sql, 'select 1 / (30000 - n) from generate_series(1, 50000) as n'),
  ).rejects.toMatchObject({ code: '22012' })
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('a reader that stops early leaves a pool that serves on', async () => {
  const statement = "copy (select repeat('ACGT', 100) from generate_series(1, 200000) as n) to stdout"
  for await (const piece of readCopyOut(database.sql, statement)) {
    expect(piece.length).toBeGreaterThan(0)
    break
  }
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
})
