import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import type { Database } from './connect.ts'
import { findMigrations, listAppliedMigrations, type Migration, runMigrations } from './migrations.ts'
import { createTemporaryDirectory } from './private-server/testbed.ts'

const genes: Migration = {
  id: '0001-genes',
  sql: 'create table genes (id text primary key); insert into genes values ($$Rv3874$$)',
}
const symbols: Migration = { id: '0002-symbols', sql: 'alter table genes add symbol text' }
const families: Migration = { id: '0003-families', sql: 'create table families (id text)' }

let database: Database
beforeEach(async () => {
  database = await openTestDatabase({ migrate: false })
})
afterEach(() => database.close())

describe('migrations', () => {
  test('of a new database all run, in order; of one that is up to date none', async () => {
    expect(await runMigrations(database.sql, [genes, symbols])).toEqual(['0001-genes', '0002-symbols'])
    expect(await database.sql`select * from genes`).toEqual([{ id: 'Rv3874', symbol: null }])
    expect(await runMigrations(database.sql, [genes, symbols])).toEqual([])
    expect(await runMigrations(database.sql, [genes, symbols, families])).toEqual(['0003-families'])
    expect(await listAppliedMigrations(database.sql)).toEqual(['0001-genes', '0002-symbols', '0003-families'])
  })

  test('of processes that start together run once each', async () => {
    const slow: Migration = { id: '0002-slow', sql: 'select pg_sleep(0.2); create table families (id text)' }
    const pools = Array.from({ length: 4 }, () => database.connect({ max: 1 }))
    const applied = await Promise.all(pools.map((sql) => runMigrations(sql, [genes, slow])))
    expect(applied.flat().sort()).toEqual(['0001-genes', '0002-slow'])
    await Promise.all(pools.map((sql) => sql.end()))
  })

  test('that fail leave nothing of themselves and keep those before', async () => {
    const broken: Migration = {
      id: '0002-broken',
      sql: 'create table families (id text); insert into genes values ($$Rv3874$$)',
    }
    await expect(runMigrations(database.sql, [genes, broken])).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringMatching(/0002-broken.*duplicate key/),
    })
    expect(await listAppliedMigrations(database.sql)).toEqual(['0001-genes'])
    expect(await database.sql`select to_regclass('families') as families`).toEqual([{ families: null }])
    expect(await runMigrations(database.sql, [genes, symbols])).toEqual(['0002-symbols'])
  })

  test('wait for a table that is held without keeping its readers waiting, and begin anew', async () => {
    await runMigrations(database.sql, [genes])
    const reader = database.connect({ max: 1 })
    let end = (): void => {}
    const held = new Promise<void>((done) => {
      end = done
    })
    const reading = reader.begin(async (transaction) => {
      await transaction`select * from genes`
      await held
    })
    const applying = runMigrations(database.sql, [genes, symbols])
    // Longer than a step waits: who comes after it is answered meanwhile.
    await new Promise((done) => setTimeout(done, 500))
    expect(await database.sql`select id from genes`).toEqual([{ id: 'Rv3874' }])
    end()
    await reading
    expect(await applying).toEqual(['0002-symbols'])
    await reader.end()
  })

  test('that were edited after they were applied are refused', async () => {
    await runMigrations(database.sql, [genes])
    const edited = { ...genes, sql: `${genes.sql} ` }
    await expect(runMigrations(database.sql, [edited, symbols])).rejects.toMatchObject({ code: 'MIGRATION_EDITED' })
    expect(await listAppliedMigrations(database.sql)).toEqual(['0001-genes'])
  })

  test('that a newer release applied make this one refuse the database, even with nothing to apply', async () => {
    await runMigrations(database.sql, [genes, symbols])
    await expect(runMigrations(database.sql, [genes])).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
    await expect(runMigrations(database.sql, [])).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
  })

  test('that slipped in before applied ones are refused', async () => {
    await runMigrations(database.sql, [genes, families])
    await expect(runMigrations(database.sql, [genes, symbols, families])).rejects.toMatchObject({
      code: 'MIGRATION_ORDER',
    })
  })

  test('may take longer than a query of the portal may', async () => {
    const hasty = database.connect({ max: 1 })
    await hasty`set statement_timeout = 50`
    expect(await runMigrations(hasty, [{ id: '0001-long', sql: 'select pg_sleep(0.3)' }])).toEqual(['0001-long'])
    await hasty.end()
  })
})

describe('the folder of migrations', () => {
  test('holds the schema of the portal, which a new database takes whole', async () => {
    const migrations = await findMigrations()
    expect(migrations[0]?.id).toMatch(/^0001-/)
    await runMigrations(database.sql, migrations)
    expect(await runMigrations(database.sql, migrations)).toEqual([])
  })

  test('takes the jobs of a portal that handed them out by pg-boss, in their order, and removes its schema', async () => {
    const migrations = await findMigrations()
    const number = migrations.findIndex(({ id }) => id === '0008-queue-numbers')
    await runMigrations(database.sql, migrations.slice(0, number))
    // As pg-boss 10 keeps them: a table of queues, and one of messages with a partition for each.
    await database.sql.unsafe(`
      create schema pgboss;
      create table pgboss.queue (name text primary key);
      create table pgboss.job (id uuid, name text, state text, data jsonb, primary key (name, id)) partition by list (name);
      create table pgboss.jobs_of_portal partition of pgboss.job for values in ('jobs');
      insert into pgboss.queue values ('jobs');
      insert into jobs (id, tool, tool_version, input, state, cache_key, submitted_at, expires_at)
      select name, 'blast', 1, '{}', state, name, now() - age * interval '1 minute', now() + interval '1 day'
      from (values ('third', 'queued', 1), ('first', 'running', 30), ('second', 'queued', 20), ('old', 'done', 99)) as v (name, state, age);
      insert into pgboss.job select gen_random_uuid(), 'jobs', 'created', jsonb_build_object('job', id) from jobs where state = 'queued'`)
    const twin = database.connect({ max: 1 })
    expect(await runMigrations(twin, migrations)).toContain('0008-queue-numbers')
    await twin.end()
    await database.sql`
      insert into jobs (id, tool, tool_version, input, state, cache_key, expires_at)
      values ('fourth', 'blast', 1, '{}', 'queued', 'fourth', now() + interval '1 day')`
    const jobs = await database.sql<{ id: string; state: string }[]>`select id, state from jobs order by queue_number`
    expect(jobs.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'old done',
      'first running',
      'second queued',
      'third queued',
      'fourth queued',
    ])
    expect(await database.sql`select 1 from pg_namespace where nspname = 'pgboss'`).toEqual([])
  })

  test('leaves a pg-boss alone that another application uses beside the portal', async () => {
    await database.sql.unsafe(`
      create schema pgboss;
      create table pgboss.queue (name text primary key);
      insert into pgboss.queue values ('jobs'), ('orders')`)
    await runMigrations(database.sql, await findMigrations())
    expect(await database.sql`select name from pgboss.queue order by name`).toEqual([
      { name: 'jobs' },
      { name: 'orders' },
    ])
  })

  test('is refused with a misnamed file, a wrong id or a number given twice', async () => {
    const folder = createTemporaryDirectory()
    const write = (name: string, id: string) =>
      fs.writeFileSync(path.join(folder, name), `export const migration = { id: '${id}', sql: '' }\n`)
    write('0001-genes.js', '0001-genes')
    write('0002-terms.js', '0002-terms')
    expect((await findMigrations(folder)).map((migration) => migration.id)).toEqual(['0001-genes', '0002-terms'])
    write('0002-again.js', '0002-again')
    await expect(findMigrations(folder)).rejects.toThrow(/share a number/)
    fs.rmSync(path.join(folder, '0002-again.js'))
    write('0003-other.js', '0004-other')
    await expect(findMigrations(folder)).rejects.toThrow(/0003-other/)
    fs.rmSync(path.join(folder, '0003-other.js'))
    write('third.js', 'third')
    await expect(findMigrations(folder)).rejects.toThrow(/third/)
    fs.rmSync(folder, { recursive: true })
  })
})
