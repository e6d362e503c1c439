import { describe, expect, it } from 'vitest'
import { PackedNames } from './packed-names.ts'

describe('PackedNames', () => {
  it('finds each of many names at the position at which it was added, and gives it back, as a Map does', () => {
    const names = Array.from(
      { length: 30_000 },
      (_, at) => `${['gene:', 'Os06g', '基因', 'é', '🌱-'][at % 5]}${at * 7}`,
    )
    const packed = new PackedNames()
    const map = new Map<string, number>()
    for (const name of [...names, ...names.slice(0, 500)]) {
      const known = map.get(name)
      if (packed.add(name) !== (known ?? map.size)) expect.fail(name)
      if (known === undefined) map.set(name, map.size)
    }
    expect(packed.size).toBe(map.size)
    const wrong = [...map].filter(([name, at]) => packed.find(name) !== at || packed.at(at) !== name)
    expect(wrong).toEqual([])
    for (const name of ['gene:1', '基', 'constructor', '__proto__']) expect(packed.find(name)).toBeNull()
  })

  it('keeps an empty name, names that begin with a mark of byte order, and names longer than any piece', () => {
    const names = [
      '',
      '\uFEFFgene',
      'x'.repeat(254),
      'x'.repeat(255),
      '长'.repeat(700_000),
      'y'.repeat(1_200_000),
      'last',
    ]
    const packed = new PackedNames()
    for (const name of names) packed.add(name)
    for (const [at, name] of names.entries()) expect(packed.at(at) === name && packed.find(name) === at).toBe(true)
  })
})
