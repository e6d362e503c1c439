import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { digestName, NameFilter } from './name-filters.ts'

const digestsOf = (names: string[]): Buffer => Buffer.concat(names.map(digestName))

describe('a filter of names', () => {
  const names = Array.from({ length: 20_000 }, (_, number) => `gene${number}`)
  const filter = new NameFilter(names.length)
  filter.add(digestsOf(names.slice(0, 7)))
  filter.add(digestsOf(names.slice(7)))

  test('knows every name it was given', () => {
    expect(names.filter((name) => !filter.mayHave(digestName(name)))).toEqual([])
  })

  test('takes few other names for one of them', () => {
    // (1 - exp(-8/16))^8 = 0.057 % is expected of 16 bits a name, 8 of them set.
    const wrong = Array.from({ length: 100_000 }, (_, number) => `other${number}`).filter((name) =>
      filter.mayHave(digestName(name)),
    )
    expect(wrong.length).toBeGreaterThan(20)
    expect(wrong.length).toBeLessThan(120)
  })

  test('has no name when it was given none', () => {
    expect(new NameFilter(0).mayHave(digestName('gene1'))).toBe(false)
  })
})

test('a digest is the beginning of the SHA-256 of the name in UTF-8', () => {
  expect(digestName('基因-β').toString('hex')).toBe(
    createHash('sha256').update('基因-β', 'utf8').digest('hex').slice(0, 16),
  )
})
