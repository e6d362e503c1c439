import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import { createBakedWriter, dropBakedTables, findAbandonedBundles } from './baked-tables.ts'
import type { Database } from './connect.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase({ max: 14 })
})
afterAll(() => database?.close())

test('the tables of a bundle that a backup reads are not waited for: a later sweep finds and drops them', async () => {
  const { sql } = database
  const writer = await createBakedWriter(sql)
  await writer.finish()
  const reader = database.connect({ max: 1 })
  let end: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  let hasRead: () => void = () => undefined
  const reading = new Promise<void>((resolve) => {
    hasRead = resolve
  })
  const backup = reader.begin(async (transaction) => {
    await transaction`select count(*) from ${transaction(`terms_${writer.bundle}`)}`
    hasRead()
    await held
  }, 'isolation level repeatable read read only')
  await reading
  try {
    expect(await dropBakedTables(sql, writer.bundle)).toBe(false)
    // Nothing of it is gone, and whoever sweeps sees it.
    expect(await findAbandonedBundles(sql)).toContain(writer.bundle)
    expect(await sql`select 1 from ${sql(`genes_${writer.bundle}`)}`).toEqual([])
  } finally {
    end()
    await backup
    await reader.end({ timeout: 5 })
  }
  expect(await dropBakedTables(sql, writer.bundle)).toBe(true)
  expect(await findAbandonedBundles(sql)).not.toContain(writer.bundle)
})
