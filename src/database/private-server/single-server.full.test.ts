import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import type { Database } from '../connect.ts'
import type { DatabaseError } from '../driver/database-error.ts'
import { type Claim, claimDataDirectory } from './single-server.ts'

let database: Database
const claims: Claim[] = []
const claim = async (...parameters: Parameters<typeof claimDataDirectory>) => {
  const made = await claimDataDirectory(...parameters)
  claims.push(made)
  return made
}
beforeEach(async () => {
  database = await openTestDatabase({ migrate: false })
})
afterEach(async () => {
  await Promise.all(claims.splice(0).map((made) => made.release()))
  await database.close()
})

const endClaimingSession = () =>
  database.sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = current_database() and application_name like 'novodb server %'`

/** Locks of this test's own database that sessions hold, or wait for. */
const countLocks = async (granted: boolean): Promise<number> =>
  (
    await database.sql`
      select 1 from pg_locks where locktype = 'advisory' and granted = ${granted}
        and database = (select oid from pg_database where datname = current_database())`
  ).length

test('a second portal server on one data directory is refused, with who is there and since when', async () => {
  await claim(database, 'server')
  await expect(claim(database, 'server')).rejects.toMatchObject({
    code: 'SECOND_SERVER',
    message: expect.stringMatching(
      new RegExp(`process ${process.pid} on \\S+, since 20\\d\\d-\\d\\d-\\d\\dT[\\d:]+Z\\.`),
    ),
  })
})

test('workers and the command line come and go beside the server', async () => {
  await claim(database, 'server')
  await claim(database, 'worker')
  await claim(database, 'command')
})

test('a claim that was released, or whose server was killed, is free at once', async () => {
  const first = await claim(database, 'server')
  await first.release()
  const second = await claim(database, 'server')
  await second.release()
  await claim(database, 'server')
})

test('on a database of its own any number of servers may run', async () => {
  const external: Database = { ...database, kind: 'external' }
  await claim(external, 'server')
  await claim(external, 'server')
})

test('a claim survives a restart of PostgreSQL', async () => {
  const lost: DatabaseError[] = []
  await claim(database, 'server', (error) => lost.push(error))
  await endClaimingSession()
  await expect.poll(() => countLocks(true)).toBe(1)
  await expect(claim(database, 'server')).rejects.toMatchObject({ code: 'SECOND_SERVER' })
  expect(lost).toEqual([])
})

test('a claim that another took while PostgreSQL was down is told as lost', async () => {
  const reported = new Promise<DatabaseError>((resolve) => {
    void claim(database, 'server', resolve)
  })
  await expect.poll(() => claims.length).toBe(1)
  // Waits for the lock before the first holder can ask for it again.
  const rival = database.connect({ max: 1, lasting: true })
  const [row] = await database.sql<
    { classid: number }[]
  >`select classid::int from pg_locks where locktype = 'advisory' and objsubid = 2`
  const taken = rival`select pg_advisory_lock(${row?.classid ?? 0}::int, 1)`.execute()
  await expect.poll(() => countLocks(false)).toBe(1)
  await endClaimingSession()
  await taken
  expect((await reported).code).toBe('SECOND_SERVER')
  await rival.end()
})
