import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import type { Database, Sql } from '../connect.ts'
import { createNameFilters, hashNames, NameFilter } from './bloom-filters.ts'

describe('a filter of names', () => {
  const names = Array.from({ length: 20_000 }, (_, number) => `gene${number}`)
  const filter = new NameFilter(names.length)
  filter.add(hashNames(names.slice(0, 7)))
  filter.add(hashNames(names.slice(7)))

  test('knows every name it was given', () => {
    expect(names.filter((name) => !filter.mayHave(name))).toEqual([])
  })

  // (1 - exp(-8/16))^8 = 0.057 % is expected of 16 bits a name, 8 of them set: 57 of 100,000.
  test.each<[string, (number: number) => string]>([
    ['other', (number) => `other${number}`],
    ['longer', (number) => `gene${number + 20_000}`],
    ['versioned', (number) => `gene${number % 20_000}.${1 + Math.floor(number / 20_000)}`],
    ['Chinese', (number) => `基因${number}`],
  ])('takes few %s names for one of them', (_, nameOf) => {
    const wrong = Array.from({ length: 100_000 }, (_, number) => nameOf(number)).filter((name) => filter.mayHave(name))
    expect(wrong.length).toBeGreaterThan(20)
    expect(wrong.length).toBeLessThan(120)
  })

  test('has no name when it was given none', () => {
    expect(new NameFilter(0).mayHave('gene1')).toBe(false)
  })
})

describe('filters of bundles', () => {
  let database: Database
  // Several blocks of 8 kB.
  const many = Array.from({ length: 3000 }, (_, number): [string, string] => [`a${number}`, 'gene'])
  beforeAll(async () => {
    database = await openTestDatabase()
    const { sql } = database
    const make = async (bundle: number, rows: [name: string, type: string][]): Promise<void> => {
      await sql.unsafe(`create table search_names_${bundle} (name text collate "C", type text)`)
      await sql`insert into ${sql(`search_names_${bundle}`)} select * from unnest(${rows.map(([name]) => name)}::text[], ${rows.map(([, type]) => type)}::text[])`
    }
    await make(71, [...many, ['shared', 'gene'], ['shared', 'gene'], ['β-2', 'gene'], ['kinase', 'term']])
    await make(72, [
      ['b1', 'gene'],
      ['shared', 'gene'],
    ])
  })
  afterAll(() => database?.close())

  /** The connection, and the statements that it was asked for. */
  const counted = (): { sql: Sql; asked: string[] } => {
    const asked: string[] = []
    const unsafe = (text: string, values: string[]) => {
      asked.push(text)
      return database.sql.unsafe(text, values)
    }
    return { sql: { unsafe } as unknown as Sql, asked }
  }

  test.each([1, 3, 1000])('are read in pages of %d blocks, of genes only', async (pageSize) => {
    const filters = createNameFilters(database.sql, pageSize)
    expect(filters.findBundles([71, 72], 'a1')).toBeNull()
    await filters.settled()
    for (const [name] of many) expect(filters.findBundles([71, 72], name)).toContain(71)
    expect(filters.findBundles([71, 72], 'a2999')).toEqual([71])
    expect(filters.findBundles([71, 72], 'b1')).toEqual([72])
    expect(filters.findBundles([71, 72], 'β-2')).toEqual([71])
    expect(filters.findBundles([72, 71], 'shared')).toEqual([72, 71])
    expect(filters.findBundles([71, 72], 'kinase')).toEqual([])
  })

  test('tell nothing of a name that many have', async () => {
    const filters = createNameFilters(database.sql)
    filters.findBundles([71, 72], 'b1')
    await filters.settled()
    expect(filters.findBundles([72, 72, 72], 'b1')).toEqual([72, 72, 72])
    expect(filters.findBundles([72, 72, 72, 72], 'b1')).toBeNull()
  })

  test('that cannot be read are not asked for again at once, and hold no other up', async () => {
    const { sql, asked } = counted()
    const filters = createNameFilters(sql)
    expect(filters.findBundles([70, 72], 'b1')).toBeNull()
    await filters.settled()
    expect(filters.findBundles([72], 'b1')).toEqual([72])
    const before = asked.length
    expect(filters.findBundles([70, 72], 'b1')).toBeNull()
    await filters.settled()
    expect(asked.length).toBe(before)
    filters.keepOnly(new Set([72]))
    expect(filters.findBundles([70], 'b1')).toBeNull()
    await filters.settled()
    expect(asked.length).toBe(before + 1)
  })

  test('are read whenever they are asked for, also while the reading before them is ending', async () => {
    // A moment of the reading that no clock hits: all of its last turns are tried.
    for (let turns = 0; turns < 40; turns += 1) {
      const filters = createNameFilters({
        unsafe: async (text: string) => [text.includes('blocks') ? { blocks: 0 } : { names: null }],
      } as unknown as Sql)
      filters.findBundles([1], 'x')
      for (let turn = 0; turn < turns; turn += 1) await undefined
      filters.findBundles([2], 'x')
      await filters.settled()
      expect([turns, filters.findBundles([1, 2], 'x')]).toEqual([turns, []])
    }
  })

  test('are whole or none, also when their assembly goes and comes back meanwhile', async () => {
    // It comes back at any of the moments of a reading that was given up.
    for (let turns = 0; turns < 60; turns += 1) {
      let pages = 0
      const unsafe = async (text: string) => {
        if (text.includes('blocks')) return [{ blocks: 3 }]
        pages += 1
        if (pages === 1) filters.keepOnly(new Set())
        return [{ names: [['a'], ['b'], ['c']][(pages - 1) % 3] }]
      }
      const filters = createNameFilters({ unsafe } as unknown as Sql, 1)
      filters.findBundles([1], 'c')
      while (pages === 0) await nextTurn()
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      filters.findBundles([1], 'c')
      await filters.settled()
      expect([turns, filters.findBundles([1], 'c') ?? 'not known yet']).not.toEqual([turns, []])
    }
  })

  test('are read no further once closed', async () => {
    const { sql, asked } = counted()
    const filters = createNameFilters(sql, 1)
    filters.findBundles([71], 'a1')
    filters.close()
    await filters.settled()
    expect(asked.length).toBeLessThan(3)
    expect(filters.findBundles([71], 'a1')).toBeNull()
    await filters.settled()
    expect(asked.length).toBeLessThan(3)
  })
})
