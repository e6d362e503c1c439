import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mountSmallDisk } from '../../testing/small-disk.ts'
import { openDatabase } from '../connect.ts'
import { Client, createCheckout, createTemporaryDirectory, findProcesses, isRunning, waitUntil } from './testbed.ts'

const root = createTemporaryDirectory()
const disk = mountSmallDisk(400)
const canMount = disk !== null
const dataDir = path.join(disk?.folder ?? root, 'data')

beforeAll(() => createCheckout(path.join(root, 'checkout')))
afterAll(async () => {
  if (canMount) {
    const { guard, postmaster } = findProcesses(dataDir)
    await waitUntil('everything has stopped', () => !isRunning(guard) && !isRunning(postmaster))
    disk.remove()
  }
  fs.rmSync(root, { recursive: true, force: true })
})

const clients: Client[] = []
const start = () => {
  const client = new Client(path.join(root, 'checkout'), dataDir)
  clients.push(client)
  return client
}
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.kill()))
})

test.skipIf(!canMount)(
  'on a full disk writes fail with an error, nothing acknowledged is lost, and freed space ends it',
  { timeout: 90_000 },
  async () => {
    const client = await start().ready()
    await client.query('create table genes (id integer primary key, description text)')
    let acknowledged = 0
    const insertUntilRefused = async (limit: number) => {
      for (let id = acknowledged + 1; id <= limit; id++) {
        // 16 kB that do not compress.
        const answer = await client.query(
          `insert into genes select ${id}, string_agg(md5(random()::text), '') from generate_series(1, 500)`,
        )
        if (!answer.rows) return answer.error ?? ''
        acknowledged = id
      }
      return ''
    }
    expect(await insertUntilRefused(200)).toBe('')
    disk!.fill()
    const refusal = await insertUntilRefused(5_000)
    expect(refusal).toMatch(/No space left on device/)
    expect((await client.query('select count(*) as count from genes')).rows).toEqual([{ count: acknowledged }])

    // The write-ahead log alone takes what its last segment has left; then the server itself cannot go on.
    let failure = ''
    while (!failure) {
      const answer = await client.query(
        "select pg_logical_emit_message(true, 'fill', repeat('x', 1000000)) is null as filled",
      )
      failure = answer.error ?? ''
    }
    // It stays so for a while: the guard goes on trying, clients get errors and none hangs.
    const startedAt = Date.now()
    let refusals = 0
    while (Date.now() - startedAt < 3_000 || refusals < 4) {
      const answer = await client.query(
        "select pg_logical_emit_message(true, 'fill', repeat('x', 1000000)) is null as filled",
      )
      if (answer.error) refusals += 1
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    console.log(`refused with "${refusal}", then "${failure}"; ${client.logs.join('; ')}`)

    disk!.giveRoom()
    const [row] = await client.queryPatiently(
      `select count(*) as count, min(length(description)) as shortest from genes where id <= ${acknowledged}`,
    )
    expect(row).toEqual({ count: acknowledged, shortest: 16_000 })
    expect(await client.queryPatiently(`insert into genes values (200000, 'after') returning id`)).toEqual([
      { id: 200000 },
    ])

    // The whole machine goes down on a full disk and comes up on it.
    disk!.fill()
    const { guard, postmaster } = findProcesses(dataDir)
    process.kill(guard, 'SIGKILL')
    process.kill(postmaster, 'SIGKILL')
    await client.kill()
    const next = start()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    disk!.giveRoom()
    await next.ready()
    expect(await next.queryPatiently('select count(*) as count from genes where id = 200000')).toEqual([{ count: 1 }])
    await next.close({ wait: true })
  },
)

test.skipIf(!canMount)('a first start on a full disk says that the disk is full', async () => {
  disk!.fill()
  const log = { info() {}, warn() {}, error() {} }
  const opening = openDatabase({
    dataDir: path.join(disk!.folder, 'second'),
    applicationName: 'novodb test',
    max: 1,
    statementTimeoutMs: 0,
    log,
  })
  await expect(opening).rejects.toThrow(/no space left|ENOSPC/i)
  disk!.giveRoom()
})
