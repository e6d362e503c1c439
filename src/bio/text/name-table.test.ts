import { describe, expect, it } from 'vitest'
import { NameTable } from './name-table.ts'

describe('NameTable', () => {
  it('finds each of many names at the position at which it was added, as a Map does', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `${at % 3 === 0 ? 'contig' : '支架'}_${at * 7}`)
    const table = new NameTable(names)
    const map = new Map(names.map((name, at) => [name, at]))
    expect(table.size).toBe(map.size)
    for (const [name, at] of map) expect(table.find(name)).toBe(at)
    for (const name of ['', 'contig_1', 'constructor', '__proto__']) expect(table.find(name)).toBeNull()
  })

  it('keeps the first position of a name that is added again, and finds one that was asked for before it was there', () => {
    const table = new NameTable(['a', 'b', 'a'])
    expect([table.size, table.find('a'), table.find('c')]).toEqual([2, 0, null])
    expect(table.add('b')).toBe(1)
    expect(table.add('c')).toBe(2)
    expect(table.find('c')).toBe(2)
    expect(table.names).toEqual(['a', 'b', 'c'])
  })
})
